"""What to play next in a state, and what a guess costs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from typing import Any

from codebreaker.advice.advice import Advice, role_of
from codebreaker.advice.assistant import Assistant
from codebreaker.advice.markup import code_html, rules_named
from codebreaker.advice.regret import regret_of
from codebreaker.advice.resolve import Settings, resolve
from codebreaker.api.games import Game
from codebreaker.api.numbers import Exact
from codebreaker.api.registering import refuse_criterion, refuse_moves, refuse_player
from codebreaker.api.states import State
from codebreaker.api.trees import Tree, of_game
from codebreaker.errors import CodebreakerError, check_seed
from codebreaker.games.unlisted import refuse_unlisted
from codebreaker.policies.criterion import Criterion
from codebreaker.runtime.arguments import explained
from codebreaker.sampling.interval import Interval, rounded
from codebreaker.types import AnyPool


@dataclass(frozen=True)
class Regret:
    """Mean remaining guesses: `expected` with a guess, and the `minimum`, with the guess `best`.

    `game` is the name of the game.
    """

    guess: str
    expected: Exact
    minimum: Exact
    best: str
    game: str = ""

    @property
    def mean(self) -> Exact:
        """The guess's regret, 0 for an optimal one."""
        return Exact(self.expected.exact - self.minimum.exact)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON has it: numbers of guesses are floats.

        >>> list(cb.regret("mm-2-2", "11").to_dict().items())[:3]
        [('game', 'mm-2-2'), ('guess', '11'), ('expected', 2.0)]
        """
        return {
            "game": self.game,
            "guess": self.guess,
            "expected": float(self.expected),
            "best": self.best,
            "minimum": float(self.minimum),
            "mean": float(self.mean),
        }

    @property
    def _words(self) -> str:
        """What the guess needs, before the name of the best guess if there is a better one."""
        needs = f"{self.expected:.4f} more guesses on average"
        if self.mean:
            return f"{needs}, {self.mean:.4f} more than "
        return f"{needs}, the minimum"

    def __repr__(self) -> str:
        """Return what the guess needs, and the best one, on one line."""
        return f"Regret({self.guess!r}: {self._words}{repr(self.best) * bool(self.mean)})"

    def _repr_html_(self) -> str:
        """Return the same with coloured pegs, for notebooks."""
        rules = rules_named(self.game)
        best = code_html(rules, self.best) if self.mean else ""
        return f"<p>{code_html(rules, self.guess)} {self._words}{best}</p>"


@explained
def regret(state: State | Game | str, guess: str, *, guess_pool: AnyPool = "all") -> Regret:
    """Return a guess's regret by exact search, against play with guesses from the pool.

    A game, or its name, stands for its start. Raises `CodebreakerError` if the game is solved or
    too large, for a guess that the pool doesn't have, for moves that the pool `hard` forbids, and
    for other pools than `all` with a prior.

    >>> regret(State(cb.game("mm-4-6"), ["1123:1,1", "1415:2,0"]), "1452").mean.exact
    Fraction(6, 17)
    """
    state = state_of(state)
    if state.is_solved:
        raise CodebreakerError("the game is already solved: no guess has a regret")
    game = state.game
    index = game._guess_index(guess)
    moves, _ = state._line
    exact = regret_of(game._optimal_values(guess_pool), moves, state._members, index)
    best = game.guesses[exact.best]
    expected = Exact(exact.with_guess)
    return Regret(game.guesses[index], expected, Exact(exact.minimum), best, game.name)


@dataclass(frozen=True)
class Suggestion:
    """A guess, how it was found, and what is known of what follows.

    `source` is `tree` (recorded), `search` (exact), `policy` or `samples`, and `basis` says it in
    words. `candidates` is their number, and `left` how many are expected after the guess; each has
    the ends of its 95% interval, which are the number itself if it is exact. `game` is the name of
    the game.
    """

    guess: str
    is_candidate: bool
    policy: str
    source: str
    basis: str
    candidates: tuple[float, float, float]
    left: tuple[float, float, float]
    regret: Regret | None = None
    game: str = ""
    _expected: Exact | None = field(default=None, repr=False)
    _most: int | None = field(default=None, repr=False)

    @classmethod
    def _of(cls, advice: Advice, policy: str, game: Game, regret: Regret | None) -> "Suggestion":
        """Return advice as a suggestion."""
        outlook = advice.outlook
        return cls(
            guess=game.guesses[advice.guess],
            is_candidate=advice.is_candidate,
            policy=policy,
            source=advice.source.value,
            basis=advice.basis,
            candidates=(*advice.number,),
            left=(*advice.left,),
            regret=regret,
            game=game.name,
            _expected=None if outlook is None else Exact(outlook.expected_guesses),
            _most=None if outlook is None else outlook.most_guesses,
        )

    @property
    def expected(self) -> Exact:
        """The mean number of guesses from this one on; an error for samples, which have none."""
        if self._expected is None:
            raise CodebreakerError(f"{NO_GUESSES_TO_GO}: see `left`")
        return self._expected

    @property
    def most(self) -> int:
        """The maximum number of guesses from this one on; an error for samples."""
        if self._most is None:
            raise CodebreakerError(f"{NO_GUESSES_TO_GO}: see `left`")
        return self._most

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON has it; `expected` and `most` of samples are None."""
        return {
            "game": self.game,
            "guess": self.guess,
            "is_candidate": self.is_candidate,
            "policy": self.policy,
            "source": self.source,
            "basis": self.basis,
            "candidates": [*self.candidates],
            "left": [*self.left],
            "expected": None if self._expected is None else float(self._expected),
            "most": self._most,
            "regret": None if self.regret is None else self.regret.to_dict(),
        }

    @property
    def _words(self) -> str:
        """Whether the guess may be the secret, and what it needs, as the command line says it."""
        role = role_of(self.is_candidate)
        if self._expected is None:
            now = Interval(*self.candidates)
            about = f"{now.value:,.0f}" if now.is_exact else f"about {rounded(now.value)}"
            left = f"{rounded(self.left[0])} are left on average"
            return f"{role}; of {about} candidates {left}; {self.basis}"
        expected = f"{self._expected:.4f} more guesses on average"
        how = {"tree": "from a known tree", "search": "by exact search"}
        found = how.get(self.source, f"by {self.policy}")
        words = f"{role}; {expected}, at most {self._most}, {found}"
        if self.regret is not None:
            words += f"; regret {self.regret.mean:.4f}"
        return words

    def __repr__(self) -> str:
        """Return the guess, and what it needs, on one line."""
        return f"Suggestion({self.guess!r}: {self._words})"

    def _repr_html_(self) -> str:
        """Return the same with coloured pegs, for notebooks."""
        rules = rules_named(self.game)
        html = f"<p>{code_html(rules, self.guess)} {escape(self._words)}"
        if self.regret is not None and self.regret.mean:
            html += f", best is {code_html(rules, self.regret.best)}"
        return f"{html}</p>"


NO_GUESSES_TO_GO = "samples estimate candidates, and not how many guesses they need"


@explained
def suggest(
    state: State | Game | str,
    policy: str | Tree | Callable[..., str] | None = None,
    opening: str | None = None,
    *,
    guess_pool: AnyPool | None = None,
    exact: bool = False,
    samples: int | None = None,
    seed: int = 1,
) -> Suggestion:
    """Return the best guess that takes about a second, or that of a policy.

    A game, or its name, stands for its start. By default the best known tree of the game is played.
    Off the tree, and in games without one, sets are searched exactly if this takes about a second,
    and otherwise the game's default policy plays, with optimal endgames. The advice doesn't depend
    on the names of colours, nor on the order of positions and moves. The `guess_pool` is as in
    `grow`; with one, or with an `opening`, no recorded tree is played.

    A policy that is named plays alone, and so does a function of a `State`, as in `cb.evaluate`:
    it is asked for all that may follow. A `Tree` of the game is a policy without settings, which
    plays where the moves follow it, in any order and under any names of colours. With `exact` the
    regret is computed too, with the same pool. Among guesses with the same mean, the lowest maximum
    is not looked for.

    The policy `sampled` plays games of codes of any size, and by default those that are too large
    for the others. It has a number of `samples` of the candidates, and a `seed`. Raises
    `CodebreakerError` if the game is solved, for a policy that can't play it, for moves that leave
    the `Tree`, or that the pool `hard` forbids.

    >>> import codebreaker as cb
    >>> cb.suggest(cb.State("mm-4-6", ["1123:1,1"])).guess
    '1415'
    >>> cb.suggest(cb.State("mm-4-6", ["5561:1,1"])).guess
    '5253'
    """
    check_seed(seed)
    state = state_of(state)
    if state.is_solved:
        raise CodebreakerError("the game is already solved: there is nothing to suggest")
    settings = Settings(opening, guess_pool, samples=samples, seed=seed)
    notation = state.game._notation
    if isinstance(policy, Tree):
        tree = of_game(policy, state.game)
        assistant = resolve(notation, tree._model, settings, name=tree.name)
    elif callable(policy) or isinstance(policy, Criterion):
        refuse_criterion(policy)
        # Importing the kernels takes a second, and names don't need them.
        from codebreaker.api.functions import PlayedFunction

        refuse_unlisted(state.game._model)
        played = PlayedFunction(state.game, policy)
        assistant = resolve(notation, played, settings, name=played.name)
    else:
        refuse_moves(policy)
        refuse_player(policy)
        assistant = resolve(notation, policy, settings)
    if exact and not isinstance(assistant, Assistant):
        raise CodebreakerError(f"policy {assistant.name!r} has only samples: leave out exact")
    moves, _ = state._line
    advice = assistant.suggest(moves)
    cost = None
    if exact:
        cost = regret(state, state.game.guesses[advice.guess], guess_pool=assistant.guess_pool)
    return Suggestion._of(advice, assistant.name, state.game, cost)


def state_of(state: State | Game | str) -> State:
    """Return a state, the start if a game or its name is given."""
    return state if isinstance(state, State) else State(state)
