"""Game trees by label: grown from a policy, or optimal."""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from codebreaker.advice.resolve import Settings, read_one_guess, resolve
from codebreaker.advice.solving import Limits, solve_game
from codebreaker.api.games import Game
from codebreaker.api.games import game as game_called
from codebreaker.api.numbers import Exact
from codebreaker.api.registering import OWN, refuse_function, refuse_player
from codebreaker.errors import CodebreakerError, counted, require
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.strategy import Strategy
from codebreaker.proven import is_proven
from codebreaker.runtime.arguments import explained
from codebreaker.trees import grow as trees
from codebreaker.trees.tree import GameTree, children_of, follow, nested, tree_lines
from codebreaker.types import AnyPool, TieBreak

if TYPE_CHECKING:
    import polars as pl

    from codebreaker.advice.resolve import AnyAssistant
    from codebreaker.search.solution import Optimum

TURNS_SHOWN = 3
LIST = '<ul style="list-style:none">'


class Tree:
    """A strategy as a table: the guess to play after every history, over all secrets of a game.

    >>> import codebreaker as cb
    >>> tree = cb.grow(cb.game("mm-4-6"), "entropy", opening="1123")
    >>> tree.total, round(tree.mean, 4), tree.maximum
    (5680, 4.3827, 6)
    """

    def __init__(
        self, game: Game, tree: GameTree, name: str, grown_by: Strategy | None = None
    ) -> None:
        """Wrap a tree of a game; the name is that of its strategy, which may have grown it."""
        if not isinstance(tree, GameTree):
            raise CodebreakerError("a Tree is made by cb.grow, cb.solve or cb.read_tree")
        self.game = game
        self._model = tree
        self.name = name
        self._grown_by = grown_by

    @property
    def total(self) -> int:
        """The total guesses over all secrets; with a prior, each times its secret's weight."""
        prior = self.game._model.prior
        return (
            self._model.total_guesses if prior is None else int(self.mean.exact * int(prior.sum()))
        )

    @cached_property
    def mean(self) -> Exact:
        """The mean number of guesses, by the secrets' probabilities."""
        return Exact(trees.expected_guesses(self.game._model, self._model))

    @property
    def maximum(self) -> int:
        """The maximum number of guesses for any secret."""
        return self._model.max_guesses

    @property
    def profile(self) -> tuple[int, ...]:
        """The number of secrets solved at guess 1, at guess 2, and so on."""
        return tuple(self._model.profile.tolist())

    @property
    def obeys_hard_mode(self) -> bool:
        """Whether every guess obeys Wordle's hard mode; an error in games without marks."""
        return trees.obeys_hard_mode(self.game._model, self._model)

    @property
    def opening(self) -> str:
        """The first guess."""
        return self.game.guesses[int(self._model.guess[0])]

    @cached_property
    def plays_as(self) -> str | None:
        """The criterion whose tree is the same here, for a criterion that you registered.

        None if there is none, and in games without a table, where growth takes long.

        >>> @cb.criterion("pairs")
        ... def pairs(count, total):
        ...     return -count * (count - 1)
        >>> cb.grow("mm-3-4", "pairs").plays_as
        'expected-size'
        """
        strategy = self._grown_by
        model = self.game._model
        if strategy is None or ("criterion", strategy.policy) not in OWN or not model.has_table:
            return None
        for known in CRITERIA:
            if ("criterion", known) in OWN:
                continue
            # A criterion that can't play here has no equal tree.
            with suppress(CodebreakerError):
                other = trees.grow(model, replace(strategy, policy=known, rule=None))
                if self == Tree(self.game, other, known):
                    return known
        return None

    @explained
    def play(self, secret: str) -> list[tuple[str, str]]:
        """Return the guesses and feedback for a secret; raise `CodebreakerError` if unknown."""
        index = self.game._notation.secret(secret)
        return self.game._moves(follow(self.game._model, self._model, index, self._children))

    @explained
    def guess_after(self, *feedback: str) -> str | None:
        """Return the guess after some feedback to the tree's guesses, or None.

        >>> cb.grow(cb.game("mm-4-6"), "entropy", opening="1123").guess_after("2,1")
        '1242'
        """
        node: int | None = 0
        for text in feedback:
            if node is not None:
                node = self._children[node].get(self.game._notation.feedback(text))
        return None if node is None else self.game.guesses[int(self._model.guess[node])]

    def to_frame(self) -> "pl.DataFrame":
        """Return a row per node, turn by turn, (n_nodes, 5).

        `parent` is the row of the node above, from 0, or -1 at the root; `turn` counts from 1;
        `feedback` is that before the `guess`, null at the root; `candidates` is the number of
        secrets that reach the node.
        """
        import polars as pl

        labels = self.game.feedback_labels
        tree = self._model
        return pl.DataFrame(
            {
                "parent": tree.parent,
                "turn": tree.turn,
                "feedback": [
                    labels[number] if number >= 0 else None for number in tree.feedback.tolist()
                ],
                "guess": [self.game.guesses[guess] for guess in tree.guess.tolist()],
                "candidates": tree.n_candidates,
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as JSON has them, and `tree`, the guesses as in the format `json`.

        Written to a file, it is read by `read_tree`. Raises `CodebreakerError` for trees of more
        than 100 turns.

        >>> cb.grow("mm-1-2", "entropy").to_dict()["tree"]
        {'guess': '1', 'after': {'0B-0C': {'guess': '2'}}}
        """
        return {
            "game": self.game.name,
            "name": self.name,
            "total": self.total,
            "mean": float(self.mean),
            "maximum": self.maximum,
            "profile": [*self.profile],
            "tree": nested(self.game._model, self._model),
        }

    def to_pandas(self) -> Any:  # noqa: ANN401 (pandas is an extra)
        """Return `to_frame` as a pandas.DataFrame; raise `CodebreakerError` without the extra."""
        require("pandas", "Tree.to_pandas")
        return self.to_frame().to_pandas()

    @explained
    def draw(self, turns: int | None = None) -> str:
        """Return the tree as text, a line per node; `turns`, at least 1, limits the depth.

        >>> print(cb.grow(cb.game("mm-2-2"), "entropy").draw())
        11 (4)
            0,0 22 (1)
            1,0 12 (2)
                0,2 21 (1)
        """
        if turns is not None and turns < 1:
            raise CodebreakerError(f"turns can't be {turns}: draw at least 1")
        lines = tree_lines(self.game._model, self._model, self.game.feedback_labels, turns)
        return "\n".join(lines)

    @explained
    def write(self, path: str | Path, form: str | None = None) -> None:
        """Write the tree; raise `CodebreakerError` for a format that is unknown or unfit."""
        from codebreaker.files import atomic_write
        from codebreaker.trees.formats.registry import encode

        ending = Path(path).suffix[1:]
        if form is None and not ending:
            raise CodebreakerError(f"{path} has no ending that says the format, as .json does")
        content = encode(ending if form is None else form, self.game._notation, self._model)
        with atomic_write(path) as temporary:
            temporary.write_bytes(content)

    @property
    def figures(self) -> str:
        """The total, unless the game has a prior, the mean and the maximum as text."""
        total = "" if self.game.has_prior else f"{counted(self.total, 'guess', 'es')}, "
        return f"{total}{self.mean:.4f} on average, at most {self.maximum}"

    @property
    def _known(self) -> str:
        """The known criterion that has the same tree, as text."""
        return "" if self.plays_as is None else f"; plays as {self.plays_as}"

    @cached_property
    def _children(self) -> list[dict[int, int]]:
        """By node: its children by feedback id."""
        return children_of(self._model)

    def __eq__(self, other: object) -> bool:
        """Return whether another tree has the same guesses in an equal game, whatever its name."""
        if not isinstance(other, Tree):
            return NotImplemented
        if self.game != other.game:
            return False
        columns = ("parent", "feedback", "guess")
        pairs = ((getattr(self._model, name), getattr(other._model, name)) for name in columns)
        return all(np.array_equal(mine, others) for mine, others in pairs)

    def __hash__(self) -> int:
        return hash((self.game, self.profile))

    def __len__(self) -> int:
        """Return the number of nodes."""
        return len(self._model.guess)

    def __iter__(self) -> Iterator[tuple[int, str, str | None, int]]:
        """Yield turn, guess, the feedback before it and the number of candidates, node by node."""
        frame = self.to_frame()
        columns = (frame[name] for name in ("turn", "guess", "feedback", "candidates"))
        yield from zip(*columns, strict=True)

    def __repr__(self) -> str:
        """Return the game, the strategy and the figures."""
        return f"Tree({self.game.name!r}, {self.name!r}: {self.figures}{self._known})"

    def _repr_html_(self) -> str:
        """Return the figures and the tree as lists to unfold, for notebooks."""
        profile = " ".join(map(str, self.profile))
        return (
            f"<p><b>{escape(self.name)}</b> on {escape(self.game.name)}: {self.figures}; "
            f"solved at guess 1, 2, ...: {profile}{self._known}</p>"
            f"{LIST}{self._node_html(0, 1)}</ul>"
        )

    def _node_html(self, node: int, depth: int) -> str:
        """Return a node at a depth from 1, with those below it down to TURNS_SHOWN."""
        game = self.game
        model = self._model
        feedback = int(model.feedback[node])
        guess = game.guesses[model.guess[node]]
        label = f"{escape(game.feedback_labels[feedback])} → " if feedback >= 0 else ""
        line = f"{label}{game._pegs_html(guess)} <small>{model.n_candidates[node]:,}</small>"
        below = self._children[node].values()
        if not below or depth == TURNS_SHOWN:
            return f"<li>{line}</li>"
        inner = "".join(self._node_html(child, depth + 1) for child in below)
        opened = " open" if depth == 1 else ""
        return f"<li><details{opened}><summary>{line}</summary>{LIST}{inner}</ul></details></li>"


def of_game(tree: Tree, game: Game) -> Tree:
    """Return a tree if it is one of a game; raise `CodebreakerError` if it is of another."""
    if tree.game != game:
        raise CodebreakerError(
            f"the tree {tree.name!r} is of the game {tree.game.name!r}, which is not this "
            f"{game.name!r}: grow or read one of this game"
        )
    return tree


@explained
def read_tree(path: str | Path, game: Game | str | None = None, form: str | None = None) -> Tree:
    """Return the tree of a file, after playing every secret against it by the game's rules.

    The format (one of docs/formats.md that is read) is recognised unless it is given.
    Raises `CodebreakerError` for a malformed file or one that lacks its game, and for a tree that
    does not solve every secret, with the first history after which it fails.
    """
    from codebreaker.trees.formats.registry import open_tree
    from codebreaker.trees.verify import verify

    file = open_tree(path, form)
    named = file.game() if game is None else game
    if named is None:
        raise CodebreakerError(f"{path} doesn't name its game: give it")
    game = game_called(named)
    verdict = verify(file, game._notation)
    if verdict.replay.tree is None:
        raise CodebreakerError(f"{path}: {verdict.fault()}")
    return Tree(game, verdict.replay.tree, Path(path).stem)


@explained
def grow(
    game: Game | str,
    policy: str | Tree,
    opening: str | None = None,
    *,
    guess_pool: AnyPool | None = None,
    tie_break: TieBreak | None = None,
    endgames: int = 0,
    exact_from: int | None = None,
) -> Tree:
    """Return the tree of a policy: a criterion such as `entropy`, or one with published weights.

    `best-known` is the recorded tree with the lowest total, `optimal` one with the minimum total,
    which is searched for as long as it takes; these, and a `Tree` of the game, which is returned as
    it is, have no settings. `knuth`, `minimax`, `max-entropy` and other names of the literature
    stand for the criteria that they mean.

    `opening` forces the first guess, or several, as in `1123,4456`: these are the first ones
    whatever the feedback is, until the secret is known; one that would tell nothing is left out.
    The `guess_pool` is `all` codes, `consistent` ones (candidates only), or with marks those of
    Wordle's `hard` mode. `tie_break` chooses between equal scores.
    By default (`consistent then lexicographic`) the first candidate is played, or the first guess
    if none is a candidate. `lexicographic` ignores candidates; `first consistent then last` and
    `consistent then reversed lexicographic` play the last guess if none is a candidate, and the
    latter the last candidate.
    Sets of up to `endgames` candidates, or all from turn `exact_from` on, are played optimally.
    Raises `CodebreakerError` for an unknown policy, for one that can't play the game, and for
    settings of a tree.

    >>> cb.grow("mm-4-8", "best-known")
    Tree('mm-4-8', 'best-known': 20,471 guesses, 4.9978 on average, at most 7)
    >>> [cb.grow("mm-4-6", "entropy", guess_pool=pool).total for pool in ("all", "consistent")]
    [5722, 5786]
    >>> cb.grow("mm-4-6", "entropy", tie_break="lexicographic").total
    6017
    """
    game = game_called(game)
    settings = Settings(opening, guess_pool, tie_break, endgames, exact_from)
    if isinstance(policy, Tree):
        tree = of_game(policy, game)
        resolve(game._notation, tree._model, settings, name=tree.name)  # refuses settings
        return policy
    refuse_function(policy)
    if not isinstance(policy, str):
        raise TypeError(policy)  # which `explained` puts in words
    refuse_player(policy)
    return tree_of(game, resolve(game._notation, policy, settings))


def tree_of(game: Game, assistant: "AnyAssistant") -> Tree:
    """Return what an assistant plays from the start; raise `CodebreakerError` for samples."""
    strategy = assistant.grown_by
    if strategy is None:
        return Tree(game, assistant.tree(), assistant.name)
    # Compiled code, also for small games: programs grow many trees.
    return Tree(game, trees.grow(game._model, strategy), assistant.name, strategy)


@dataclass(frozen=True)
class Solved:
    """The best tree of an exact search, with a lower bound; the `optimum` can be certified.

    Results with equal trees and bounds are equal.
    """

    tree: Tree
    bound: int
    optimum: "Optimum | None" = field(repr=False, compare=False)  # it holds the tree's arrays
    has_lowest_maximum: bool = False
    """Whether no tree with as low a total has a lower maximum; otherwise that is unknown."""

    @property
    def is_proven(self) -> bool:
        """Whether the tree is proven to have the minimum total."""
        return is_proven(self.tree.total, self.bound)

    @property
    def _proof(self) -> str:
        """What is proven of the total."""
        return "the proven minimum" if self.is_proven else f"not proven: at least {self.bound:,}"

    def __repr__(self) -> str:
        """Return the game, the tree's figures and what is proven, on one line."""
        return f"Solved({self.tree.game.name!r}: {self.tree.figures}; {self._proof})"

    def _repr_html_(self) -> str:
        """Return what is proven, and the tree, for notebooks."""
        return f"<p>{self._proof}</p>{self.tree._repr_html_()}"

    def to_dict(self) -> dict[str, Any]:
        """Return `to_dict` of the tree, with what is proven of it."""
        proof = {
            "bound": self.bound,
            "is_proven": self.is_proven,
            "has_lowest_maximum": self.has_lowest_maximum,
        }
        return self.tree.to_dict() | proof

    def certificate(self) -> str:
        """Return tree and bounds as JSON for a checker.

        Raises `CodebreakerError` with a prior and in hard mode.
        """
        from codebreaker.search.certificate import write_certificate

        if self.optimum is None:
            raise CodebreakerError("games with a prior, or in hard mode, have no certificates")
        with TemporaryDirectory() as folder:
            path = Path(folder) / "certificate.json"
            write_certificate(self.tree.game._model, self.optimum, path)
            return json.dumps(json.loads(path.read_text(encoding="utf-8")), ensure_ascii=False)


@explained
def solve(
    game: Game | str,
    *,
    max_guesses: int | None = None,
    guess_pool: AnyPool = "all",
    opening: str | None = None,
    time_limit_s: float = 60.0,
    memory_mib: float = 256.0,
    checkpoints: str | Path | None = None,
) -> Solved:
    """Return a tree with the minimum total, by exact search.

    Small games, up to MM(4,5), are solved in plain NumPy within a second or two. Others, and those
    with further limits, are searched by compiled code; the time limit starts once it is compiled.

    `max_guesses` limits the guesses for any secret, `opening` forces the first. A prior weights
    guesses, and excludes these and other pools. If the time ends first, the tree is not proven to
    be optimal; it is no worse than the recorded tree of the game and than those of some policies.
    In `hard` mode there is no time limit. `memory_mib` limits what the search remembers, except in
    hard mode: with more it repeats less. In small games the tree has the lowest maximum of all
    trees with the minimum total, and `has_lowest_maximum` says so; elsewhere it is not looked for:
    a smaller `max_guesses` does that.

    A killed search resumes from `checkpoints`, a folder, and its earlier time counts; priors and
    hard mode have none. Raises `CodebreakerError` if there is no such tree, for limits below their
    range, if the game has no table, if the guess pool forbids the opening, or if no tree was found
    in time (with a prior: proven in time).

    >>> solved = cb.solve(cb.game("mm-3-4"))
    >>> solved.tree.total, solved.bound, solved.is_proven
    (206, 206, True)
    """
    limits = Limits(max_guesses, guess_pool, None, time_limit_s, memory_mib)
    if guess_pool == "hard":
        limits = replace(limits, time_limit_s=inf)
    game = game_called(game)
    if opening is not None:
        limits = replace(limits, opening=read_one_guess(game._notation, opening, "a search"))
    best = solve_game(game._table_game, limits, checkpoints)
    return Solved(
        Tree(game, best.tree, best.name), best.bound, best.optimum, best.has_lowest_maximum
    )
