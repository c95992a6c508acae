"""How good a strategy is, and how good finished games were, move by move."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from inspect import signature
from io import BytesIO
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from codebreaker.advice.transcripts import Reader
from codebreaker.advice.verdict import Verdict, judge
from codebreaker.api.games import Game
from codebreaker.api.registering import STRATEGIES
from codebreaker.api.states import State
from codebreaker.api.trees import Tree, grow
from codebreaker.errors import CodebreakerError, unknown
from codebreaker.games.codes import Mastermind
from codebreaker.games.model import check_equal_chances
from codebreaker.players.board import code_index, make_board
from codebreaker.players.comparisons import COLUMNS, Inference, PairedGames, as_row, contest_summary
from codebreaker.players.contest import SCHEMA, Series, draw_secrets, log_frame, play_batch
from codebreaker.players.registry import MOST_TURNS, PLAYERS
from codebreaker.policies.families import ORDERED
from codebreaker.policies.registry import policy_names
from codebreaker.statistics import standard_error
from codebreaker.trees.tree import GameTree

Function = Callable[..., str]
"""A strategy: a function of a state, and of random numbers if it draws, that returns a guess."""

INFERENCE = Inference(resamples=2000, seed=1, margins={"guesses": 0.05})
"""How `compare` tests differences."""

CONTEST = "comparison"


@dataclass(frozen=True)
class Evaluation:
    """A strategy's games: one against each secret if it is deterministic, else `rounds` of them.

    `log` has a row per game, as in the project's contests. `tree` is the game tree of a
    deterministic strategy, whose figures are exact; `error` is then 0, and the standard error of
    the mean otherwise.
    """

    name: str
    game: Game
    log: pl.DataFrame
    tree: Tree | None

    @property
    def mean(self) -> float:
        """The mean number of guesses; that of the chances, if the game has a prior."""
        if not self.game.has_prior:
            return float(self._guesses.mean())
        return float(self._shares @ self._guesses)

    @property
    def error(self) -> float:
        """The standard error of the mean, 0 if it is exact."""
        n = len(self._guesses)
        if self.tree or n < 2:
            return 0.0
        if not self.game.has_prior:
            return standard_error(self._guesses)
        squares = self._shares**2 @ (self._guesses - self.mean) ** 2
        return float((squares * n / (n - 1)) ** 0.5)

    @property
    def maximum(self) -> int:
        """The most guesses in any game."""
        return int(self._guesses.max())

    @property
    def profile(self) -> tuple[int, ...]:
        """The number of games won at guess 1, at guess 2, and so on."""
        return tuple(np.bincount(self._guesses)[1:].tolist())

    @property
    def _guesses(self) -> NDArray[np.int64]:
        return self.log["guesses"].to_numpy()

    @property
    def _shares(self) -> NDArray[np.float64]:
        """What each game counts: its secret's chance, shared by the games against it."""
        chances = self.game.chances
        shares: NDArray[np.float64] = np.array(
            [float(chances[secret]) for secret in self.log["secret"]]
        )
        shares /= shares.sum()
        return shares

    def __repr__(self) -> str:
        figure = f"{self.mean:.4f}" + (f" ± {self.error:.4f}" if self.error else "")
        how = "exact" if self.tree else f"{self.log.height:,} games"
        return f"Evaluation({self.name!r} on {self.game.name!r}: {figure} guesses, {how})"


def evaluate(
    game: Game,
    strategy: str | Function,
    *,
    opening: str | None = None,
    rounds: int = 1,
    seed: int = 1,
    name: str | None = None,
) -> Evaluation:
    """Play a strategy against every secret of a game.

    A function of a `State` is deterministic: it is asked once in each position that it reaches, and
    its results are exact. A function of a `State` and a `numpy.random.Generator` draws: it plays
    every secret `rounds` times. A name is that of a registered strategy, of a policy, or of a
    player of the contests; `opening` is for policies and players. With a prior every secret is
    played as often, and the mean is that of their chances. Raises `CodebreakerError` for an
    unknown name, and for a strategy that plays an impossible guess or goes on for 64 turns.

    >>> import codebreaker as cb
    >>> cb.evaluate(cb.game("mm-4-6"), lambda state: state.candidates[0], name="first candidate")
    Evaluation('first candidate' on 'mm-4-6': 5.7647 guesses, exact)
    """
    if rounds < 1:
        raise CodebreakerError(f"a strategy can't play {rounds} rounds: choose at least 1")
    label = strategy if isinstance(strategy, str) else name or _name_of(strategy)
    if isinstance(strategy, str) and strategy in STRATEGIES:
        strategy = STRATEGIES[strategy]
    if isinstance(strategy, str):
        if strategy in PLAYERS:
            return _play_registered(game, strategy, opening, rounds, seed)
        known = [*STRATEGIES, *policy_names(), *PLAYERS]
        if strategy not in known and not strategy.startswith((*ORDERED, "mix")):
            raise unknown("strategy", strategy, known)
        tree = grow(game, strategy, opening)
        return Evaluation(label, game, _tree_log(game, label, tree, rounds, seed), tree)
    if _draws(strategy):
        return Evaluation(label, game, _play_function(game, label, strategy, rounds, seed), None)
    tree = Tree(game, _explore(game, label, strategy), label)
    return Evaluation(label, game, _tree_log(game, label, tree, rounds, seed), tree)


def compare(
    game: Game,
    strategies: Mapping[str, str | Function] | Iterable[str | Function],
    *,
    opening: str | None = None,
    rounds: int = 4,
    seed: int = 1,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Let strategies play the same secrets, and compare all pairs of them.

    Each strategy is as in `evaluate`; a mapping gives them names. Returns the means with standard
    errors, one row per strategy, and the tests of the project's contests, one row per pair: the
    difference in guesses with its interval, corrected p-values, and whether it is shown to lie
    within 0.05 guesses.
    """
    check_equal_chances(game.model, "a comparison")
    named = dict(strategies) if isinstance(strategies, Mapping) else {}
    if not isinstance(strategies, Mapping):
        for one in strategies:
            label = one if isinstance(one, str) else _name_of(one)
            if label in named:
                raise CodebreakerError(f"two strategies are called {label!r}: give them names")
            named[label] = one
    logs = [
        evaluate(game, one, opening=opening, rounds=rounds, seed=seed, name=label).log.with_columns(
            player=pl.lit(label)
        )
        for label, one in named.items()
    ]
    if not logs:
        raise CodebreakerError("there is no strategy to compare: give at least one")
    games = pl.concat(logs)
    paired = PairedGames(games, [CONTEST], INFERENCE)
    pairs = paired.compare("guesses", list(combinations(named, 2)))
    return contest_summary(games), pl.DataFrame(map(as_row, pairs), schema=COLUMNS)


def _draws(strategy: Function) -> bool:
    """Return whether a function takes random numbers after the state."""
    try:
        names = signature(strategy).parameters.values()
    except (TypeError, ValueError):
        return False
    required = [
        one for one in names if one.default is one.empty and one.kind is not one.VAR_KEYWORD
    ]
    return len(required) > 1


def _name_of(strategy: Function) -> str:
    return getattr(strategy, "__name__", type(strategy).__name__).strip("<>")


def _ask(label: str, state: State, strategy: Function, *more: object) -> int:
    """Return the index of a strategy's guess; raise `CodebreakerError` for an impossible one."""
    if state.turn > MOST_TURNS:
        raise CodebreakerError(f"{label} has not won after {MOST_TURNS} guesses: {state!r}")
    guess = strategy(state, *more)
    if not isinstance(guess, str):
        raise CodebreakerError(f"{label} returned {guess!r} in {state!r}: a guess is text")
    try:
        return state.game.guess_index(guess)
    except CodebreakerError as error:
        raise CodebreakerError(f"{label} played {guess!r} in {state!r}: {error}") from None


def _explore(game: Game, label: str, strategy: Function) -> GameTree:
    """Return the tree of a deterministic function, which is asked once in each position."""
    rows: list[tuple[int, int, int, int, int]] = []
    level = [(-1, -1, State(game))]
    while level:
        following = []
        for parent, feedback, state in level:
            guess, node = _ask(label, state, strategy), len(rows)
            rows.append((parent, state.turn, feedback, guess, len(state.members)))
            ids = game.model.feedback(guess, state.members)
            for number in np.unique(ids).tolist():
                if number != game.model.solved:
                    left = state.members[ids == number]
                    following.append((node, number, state.after(guess, number, left)))
        level = following
    return GameTree(*np.array(rows, dtype=np.int32).T.copy())


def _play_function(
    game: Game, label: str, strategy: Function, rounds: int, seed: int
) -> pl.DataFrame:
    """Return the log of a function that draws; the seed and a game's number determine the game."""
    rows, secrets = [], draw_secrets(len(game.secrets), rounds, seed)
    for number, secret in enumerate(secrets):
        rng, state = np.random.default_rng([seed, number]), State(game)
        while not state.is_solved:
            guess = _ask(label, state, strategy, rng)
            ids = game.model.feedback(guess, state.members)
            feedback = int(game.model.feedback(guess, secrets[number : number + 1])[0])
            state._add((guess, feedback), state.members[ids == feedback])
        rows.append(_row(game, label, number, int(secret), [guess for guess, _ in state.moves]))
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _tree_log(game: Game, label: str, tree: Tree, rounds: int, seed: int) -> pl.DataFrame:
    """Return the log of a tree against the secrets of a contest."""
    secrets = draw_secrets(len(game.secrets), rounds, seed).tolist()
    moves = {one: [guess for guess, _ in tree.play(game.secrets[one])] for one in set(secrets)}
    rows = [_row(game, label, number, one, moves[one]) for number, one in enumerate(secrets)]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _row(game: Game, label: str, number: int, secret: int, moves: list[str]) -> tuple[object, ...]:
    """Return a row of a log; what a strategy evaluates is not known, and counts as 0."""
    effort = " ".join("0" for _ in moves)
    place = (CONTEST, game.name, label, number, game.secrets[secret])
    return (*place, len(moves), 0, " ".join(moves), effort)


def _play_registered(
    game: Game, name: str, opening: str | None, rounds: int, seed: int
) -> Evaluation:
    """Return the games of one of the contests' players."""
    rules = game.notation.rules
    if not isinstance(rules, Mastermind) or len(game.secrets) != len(game.guesses):
        raise CodebreakerError(f"{name} plays only Mastermind with all secrets, not {game.name!r}")
    if opening is None:
        raise CodebreakerError(f"{name} needs an opening, as in opening={game.guesses[0]!r}")
    series = Series(PLAYERS[name], make_board(game.name), code_index(game.name, opening), seed)
    played = play_batch(series, draw_secrets(len(game.secrets), rounds, seed), 0)
    log = log_frame(CONTEST, game.name, name, played, game.guesses)
    return Evaluation(name, game, log, None)


Transcripts = str | Path | Iterable[Mapping[str, Any]]
"""A file of JSON lines, or games as mappings with the keys of such a line."""


def score(
    games: Transcripts,
    game: str | None = None,
    *,
    player: str | None = None,
    policy: str | None = None,
    exact: bool | None = None,
) -> Verdict:
    """Score finished games move by move: what each guess lost, and what luck its feedback was.

    A line or mapping has the form of docs/transcripts.md; `game` and `player` are for those that do
    not say theirs. Optimal play judges where it can be computed, a policy elsewhere; `policy` names
    one, and `exact` insists on optimal play. What can't be read is in the verdict's `skipped`.
    Raises `CodebreakerError` if the file can't be read, or for an unknown game or policy.

    >>> import codebreaker as cb
    >>> moves = [["1122", "1,0"], ["1344", "3,0"], ["1345", "4,0"]]
    >>> verdict = cb.score([{"game": "mm-4-6", "player": "Ann", "moves": moves}])
    >>> verdict.moves.select("guess", "candidates", "candidates_after").rows()
    [('1122', 1296, 256), ('1344', 256, 9), ('1345', 9, 0)]
    """
    reader = Reader(game, player)
    if isinstance(games, str | Path):
        return judge(Path(games), reader, policy, exact)
    try:
        lines = [json.dumps(dict(one)).encode() for one in games]
    except (TypeError, ValueError) as why:
        raise CodebreakerError(f"a game can't be written as JSON: {why}") from None
    return judge(BytesIO(b"\n".join(lines)), reader, policy, exact)
