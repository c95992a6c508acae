"""Evaluation of strategies and of finished games, move by move."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from inspect import signature
from io import BytesIO
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from codebreaker.advice.transcripts import Reader, games_in
from codebreaker.advice.verdict import Verdict, judge
from codebreaker.api.games import Game
from codebreaker.api.games import game as game_called
from codebreaker.api.registering import STRATEGIES
from codebreaker.api.states import State
from codebreaker.api.trees import Tree, grow
from codebreaker.errors import CodebreakerError, shortened, unknown
from codebreaker.games.codes import Mastermind
from codebreaker.games.model import refuse_prior
from codebreaker.players.board import code_index, make_board
from codebreaker.players.comparisons import COLUMNS, Inference, PairedGames, as_row, contest_summary
from codebreaker.players.contest import SCHEMA, Series, draw_secrets, log_frame, play_batch
from codebreaker.players.registry import MOST_TURNS, PLAYERS
from codebreaker.policies.families import ORDERED
from codebreaker.policies.registry import policy_names
from codebreaker.runtime.forks import check_tables
from codebreaker.statistics import standard_error
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import levels, make_tree
from codebreaker.types import AnyPool, Indices

Function = Callable[..., str]
INFERENCE = Inference(resamples=2000, seed=1, margins={"guesses": 0.05})
CONTEST = "comparison"
Transcripts = str | Path | Iterable[Mapping[str, Any]]


@dataclass(frozen=True)
class Evaluation:
    """A strategy's games: a `log` with a row per game; a deterministic strategy has a `tree`."""

    name: str
    game: Game
    log: pl.DataFrame
    tree: Tree | None

    @property
    def mean(self) -> float:
        """The mean number of guesses, by the secrets' probabilities."""
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
        """The maximum number of guesses in any game."""
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
        probabilities = self.game.probabilities
        shares = np.array([float(probabilities[secret]) for secret in self.log["secret"]])
        shares /= shares.sum()
        return shares

    def __repr__(self) -> str:
        figure = f"{self.mean:.4f}" + (f" ± {self.error:.4f}" if self.error else "")
        how = "exact" if self.tree else f"{self.log.height:,} games"
        return f"Evaluation({self.name!r} on {self.game.name!r}: {figure} guesses, {how})"


def evaluate(
    game: Game | str,
    strategy: str | Function,
    *,
    opening: str | None = None,
    repetitions: int = 1,
    seed: int = 1,
    name: str | None = None,
) -> Evaluation:
    """Play a strategy against every secret of a game.

    A function of a `State` is deterministic, and its results are exact. A function of a `State` and
    a `numpy.random.Generator` plays every secret `repetitions` times, whatever the prior. A name is
    that of a registered strategy, a policy or a contest player; `opening` is for the last two.
    Raises `CodebreakerError` for an unknown name, an impossible guess, or a game of more than 64
    turns.

    >>> import codebreaker as cb
    >>> cb.evaluate(cb.game("mm-4-6"), lambda state: state.candidates[0], name="first candidate")
    Evaluation('first candidate' on 'mm-4-6': 5.7647 guesses, exact)
    """
    game = game_called(game)
    if seed < 0:
        raise CodebreakerError(f"the seed {seed} is negative: choose 0 or more")
    if repetitions < 1:
        raise CodebreakerError(f"{repetitions} repetitions: choose at least 1")
    if not isinstance(strategy, str) and not callable(strategy):
        raise CodebreakerError(f"{strategy!r} is not a strategy: give a name or a function")
    label = strategy if isinstance(strategy, str) else name or _name_of(strategy)
    played = STRATEGIES.get(strategy, strategy) if isinstance(strategy, str) else strategy
    if isinstance(played, str) and played in PLAYERS:
        return _play_registered(game, played, opening, repetitions, seed)
    secrets, tree = draw_secrets(len(game.secrets), repetitions, seed), None
    if isinstance(played, str):
        known = [*STRATEGIES, *policy_names(), *PLAYERS]
        if played not in known and not played.startswith((*ORDERED, "mix")):
            raise unknown("strategy", played, known)
        tree = grow(game, played, opening)
    elif _draws(played):
        moves = _play(game, label, played, secrets, seed)
    else:
        tree = _explore(game, label, played)
    if tree is not None:
        guesses = [[guess for guess, _ in tree.play(secret)] for secret in game.secrets]
        moves = [guesses[secret] for secret in secrets.tolist()]
    return Evaluation(label, game, _log(game, label, secrets.tolist(), moves), tree)


class Comparison(NamedTuple):
    """Strategies compared: `means`, a row per strategy, and `pairs`, a row per pair of them."""

    means: pl.DataFrame
    pairs: pl.DataFrame

    def __repr__(self) -> str:
        width = max(map(len, self.means["player"]))
        means = self.means.select("player", "games", "mean_guesses", "guesses_error", "max_guesses")
        lines = [
            f"{player:<{width}}  {mean:.4f}{'' if error is None else f' ± {error:.4f}'} guesses, "
            f"at most {most}, in {games:,} games"
            for player, games, mean, error, most in means.iter_rows()
        ]
        pairs = self.pairs.select("player", "other", "difference", "low", "high", "verdict")
        lines += [
            f"{player} minus {other}: {difference:+.4f} ({low:+.4f} to {high:+.4f}), {verdict}"
            for player, other, difference, low, high, verdict in pairs.iter_rows()
        ]
        return "\n".join(lines)


def compare(
    game: Game | str,
    strategies: str | Function | Mapping[str, str | Function] | Iterable[str | Function],
    *,
    opening: str | None = None,
    repetitions: int = 4,
    seed: int = 1,
) -> Comparison:
    """Let strategies play the same secrets, and compare all pairs of them.

    `means` has means with standard errors; `pairs` the difference in guesses with its interval,
    corrected p-values, and whether it is shown to be within 0.05.

    >>> import codebreaker as cb
    >>> cb.compare("mm-3-4", ["entropy", "worst-case"])
    entropy     3.2500 ± 0.0414 guesses, at most 4, in 256 games
    worst-case  3.3750 ± 0.0407 guesses, at most 4, in 256 games
    entropy minus worst-case: -0.1250 (-0.2070 to -0.0469), different
    """
    check_tables("a comparison")
    game = game_called(game)
    refuse_prior(game.model, "a comparison")
    if isinstance(strategies, str) or callable(strategies):
        strategies = [strategies]
    named = dict(strategies) if isinstance(strategies, Mapping) else {}
    if not isinstance(strategies, Mapping):
        for one in strategies:
            label = one if isinstance(one, str) else _name_of(one)
            if label in named:
                raise CodebreakerError(f"two strategies are called {label!r}: give them names")
            named[label] = one
    logs = [
        evaluate(
            game, one, opening=opening, repetitions=repetitions, seed=seed, name=label
        ).log.with_columns(player=pl.lit(label))
        for label, one in named.items()
    ]
    if not logs:
        raise CodebreakerError("give at least one strategy to compare")
    games = pl.concat(logs)
    paired = PairedGames(games, [CONTEST], INFERENCE)
    pairs = paired.compare("guesses", list(combinations(named, 2)))
    return Comparison(contest_summary(games), pl.DataFrame(map(as_row, pairs), schema=COLUMNS))


def _draws(strategy: Function) -> bool:
    try:
        names = signature(strategy).parameters.values()
    except (TypeError, ValueError):
        return False
    required = [one for one in names if one.default is one.empty and one.kind != one.VAR_KEYWORD]
    if not names or len(required) > 2:
        raise CodebreakerError(
            f"{_name_of(strategy)} takes {len(required)} arguments: a strategy takes a state, and "
            "random numbers if it draws"
        )
    return len(required) > 1


def _name_of(strategy: Function) -> str:
    return getattr(strategy, "__name__", type(strategy).__name__).strip("<>")


def _ask(label: str, state: State, strategy: Function, *more: object) -> int:
    if state.turn > MOST_TURNS:
        raise CodebreakerError(f"{label} has not won after {MOST_TURNS} guesses: {state!r}")
    guess = strategy(state, *more)
    if not isinstance(guess, str):
        raise CodebreakerError(f"{label} returned {guess!r} in {state!r}: a guess is text")
    try:
        return state.game.guess_index(guess)
    except CodebreakerError as error:
        raise CodebreakerError(f"{label} played {guess!r} in {state!r}: {error}") from None


def _explore(game: Game, label: str, strategy: Function) -> Tree:
    states, guesses = [State(game)], list[int]()

    def choose(frontier: Frontier) -> Indices:
        nonlocal states, guesses
        if frontier.turn > 1:
            sets = np.split(frontier.sets.members, frontier.sets.offsets[1:-1])
            above = zip(frontier.parents.tolist(), frontier.feedback.tolist(), sets, strict=True)
            states = [states[node].after(guesses[node], told, left) for node, told, left in above]
        guesses = [_ask(label, state, strategy) for state in states]
        return np.array(guesses, dtype=np.int32)

    grown = levels(game.model, Frontier.initial(game.model), choose)
    return Tree(game, make_tree(grown), label)


def _play(
    game: Game, label: str, strategy: Function, secrets: Indices, seed: int
) -> list[list[str]]:
    played = []
    for number in range(len(secrets)):
        rng, state = np.random.default_rng([seed, number]), State(game)
        while not state.is_solved:
            guess = _ask(label, state, strategy, rng)
            ids = game.model.feedback(guess, state.members)
            feedback = int(game.model.feedback(guess, secrets[number : number + 1])[0])
            state._add((guess, feedback), state.members[ids == feedback])
        played.append([guess for guess, _ in state.moves])
    return played


def _log(game: Game, label: str, secrets: list[int], played: list[list[str]]) -> pl.DataFrame:
    rows = [
        (
            *(CONTEST, game.name, label, number, game.secrets[secret]),
            *(len(moves), 0, " ".join(moves), " ".join("0" * len(moves))),
        )
        for number, (secret, moves) in enumerate(zip(secrets, played, strict=True))
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _play_registered(
    game: Game, name: str, opening: str | None, repetitions: int, seed: int
) -> Evaluation:
    rules = game.notation.rules
    if not isinstance(rules, Mastermind) or len(game.secrets) != len(game.guesses):
        raise CodebreakerError(f"{name} plays only Mastermind with all secrets, not {game.name!r}")
    if opening is None:
        raise CodebreakerError(f"{name} needs an opening, as in opening={game.guesses[0]!r}")
    series = Series(PLAYERS[name], make_board(game.name), code_index(game.name, opening), seed)
    played = play_batch(series, draw_secrets(len(game.secrets), repetitions, seed), 0)
    log = log_frame(CONTEST, game.name, name, played, game.guesses)
    return Evaluation(name, game, log, None)


def score(
    games: Transcripts,
    game: str | None = None,
    *,
    player: str | None = None,
    policy: str | None = None,
    exact: bool | None = None,
    guess_pool: AnyPool | None = None,
) -> Verdict:
    """Score finished games move by move: the regret of each guess, and the luck of its feedback.

    `games` are a file, text or mappings in the forms of docs/transcripts.md; `game` and `player`
    fill in missing ones. Optimal play judges where it can be computed (everywhere with `exact`),
    otherwise a policy; both with the `guess_pool` of the players, as in `grow`, whose breaches are
    skipped. Raises `CodebreakerError` if the file can't be read, and for an unknown game
    or policy.

    >>> import codebreaker as cb
    >>> moves = [["1122", "1,0"], ["1344", "3,0"], ["1345", "4,0"]]
    >>> verdict = cb.score([{"game": "mm-4-6", "player": "Ann", "moves": moves}])
    >>> verdict.moves.select("guess", "candidates", "candidates_after").rows()
    [('1122', 1296, 256), ('1344', 256, 9), ('1345', 9, 0)]
    """
    check_tables("a score")
    reader = Reader(game, player)
    if isinstance(games, str | Path):
        return judge(games_in(str(games)), reader, policy, exact, guess_pool)
    given = [*games]
    try:
        lines = [json.dumps(dict(one)).encode() for one in given]
    except (TypeError, ValueError) as why:
        raise CodebreakerError(f"a game can't be written as JSON: {shortened(str(why))}") from None
    return judge(BytesIO(b"\n".join(lines)), reader, policy, exact, guess_pool)
