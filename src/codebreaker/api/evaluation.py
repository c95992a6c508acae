"""Evaluation of strategies and of finished games, move by move."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from io import BytesIO
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from codebreaker.advice.assistant import Assistant
from codebreaker.advice.markup import escaped, table_html
from codebreaker.advice.resolve import Settings, has_settings, read_one_guess, read_opening, resolve
from codebreaker.advice.transcripts import Reader, games_in
from codebreaker.advice.verdict import Verdict, judge
from codebreaker.api.functions import Function, ask, draws_from, explored, function_name
from codebreaker.api.games import Game
from codebreaker.api.games import game as game_called
from codebreaker.api.registering import STRATEGIES, refuse_criterion
from codebreaker.api.states import State
from codebreaker.api.trees import Tree, of_game, tree_of
from codebreaker.errors import CodebreakerError, check_seed, counted, require, shortened
from codebreaker.games.codes import Mastermind
from codebreaker.games.model import refuse_prior
from codebreaker.games.reading import given_moves
from codebreaker.games.unlisted import refuse_unlisted
from codebreaker.players.board import code_index, make_board
from codebreaker.players.comparisons import (
    COLUMNS,
    PairedGames,
    Setting,
    as_row,
    by_secret,
    contest_summary,
)
from codebreaker.players.contest import Series, draw_secrets, play_batch
from codebreaker.players.logs import SCHEMA, log_frame
from codebreaker.players.registry import MOST_TURNS, PLAYERS, SHARES, contest_opening
from codebreaker.policies.families import family_of
from codebreaker.policies.registry import ALIASES, policy_names, unknown_policy
from codebreaker.runtime.arguments import explained
from codebreaker.runtime.forks import check_tables
from codebreaker.runtime.progress import report_progress
from codebreaker.statistics import Estimate, mean_over_secrets
from codebreaker.types import AnyPool, Indices

if TYPE_CHECKING:
    from codebreaker.advice.sampled import SampledAssistant

MARGINS = {"guesses": 0.05, "evaluations": 0.05}
CONTEST = "comparison"
MEANS = ("player", "games", "mean_guesses", "guesses_error", "max_guesses")
"""Columns of the means of a comparison: those on guesses."""

LOG = {
    "secret": pl.String, "guesses": pl.Int64, "evaluations": pl.Int64, "moves": pl.String,
}  # fmt: skip
"""Columns of a strategy's games."""

EXACT = "exact"
EXACTLY = "exactly"
"""How means and differences without error are marked."""

MOST_GAMES = 1 << 17
"""Maximum number of secrets that the strategy `sampled` plays if nobody says how many."""

MOST_SHUFFLED = 1 << 24
"""Maximum number of secrets that are drawn by shuffling all."""

Transcripts = (
    str
    | Path
    | State
    | Mapping[str, Any]
    | Iterable[State | Mapping[str, Any] | str | Sequence[Any]]
)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A strategy's games: a `log` with a row per game, and the `tree` of a function or policy.

    The log has the `secret`, the number of `guesses`, the guesses themselves as `moves`, and of
    contest players the `evaluations`: the codes that they examined.

    A strategy that `draws` plays every secret equally often; any other plays each secret once.
    Evaluations of the same name and game with the same log and tree are equal.
    """

    name: str
    game: Game
    _log: pl.DataFrame
    tree: Tree | None
    draws: bool = False

    @property
    def log(self) -> pl.DataFrame:
        """A row per game."""
        # Made from lists: Polars' threads, which choose columns, are missing in a forked process.
        columns = {name: self._log[name].to_list() for name in LOG}
        columns["evaluations"] = [number or None for number in columns["evaluations"]]
        return pl.DataFrame(columns, schema=LOG)

    @property
    def mean(self) -> float:
        """The mean number of guesses, by the secrets' probabilities."""
        return self._estimate.mean

    @property
    def error(self) -> float | None:
        """The standard error of the mean: 0 if the mean is exact, None if the games don't show it.

        It is that of the draws (`compare` has the source). A single repetition shows an upper
        bound, and under a prior nothing.
        """
        return self._estimate.error

    @property
    def is_exact(self) -> bool:
        """Whether the mean is exact: a strategy that doesn't draw has played every secret."""
        return self._estimate.is_exact

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
        """The guesses of each game, (n_games,)."""
        return self._log["guesses"].to_numpy()

    @property
    def _estimate(self) -> Estimate:
        """The mean over all secrets, weighted by any prior, with its standard error."""
        weights = None
        if self.game.has_prior:
            probabilities = self.game.probabilities
            secrets = sorted({*self._log["secret"].to_list()})
            weights = np.array([float(probabilities[secret]) for secret in secrets])
            weights /= weights.sum()
        games = by_secret(self._log, "guesses")
        return mean_over_secrets(games, len(self.game.secrets), self.draws, weights)

    def __eq__(self, other: object) -> bool:
        """Return whether another evaluation has the same name, game, log and tree."""
        if not isinstance(other, Evaluation):
            return NotImplemented
        mine = (self.name, self.game, self.tree, self.draws)
        others = (other.name, other.game, other.tree, other.draws)
        return mine == others and self.log.equals(other.log)

    def __hash__(self) -> int:
        return hash((self.name, self.game))

    def to_pandas(self) -> Any:  # noqa: ANN401 (pandas is an extra)
        """Return the log as a pandas.DataFrame; raise `CodebreakerError` without the extra."""
        require("pandas", "Evaluation.to_pandas")
        return self.log.to_pandas()

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON has it: the log's rows as objects, the tree as by its method."""
        return {
            "game": self.game.name,
            "name": self.name,
            "mean": self.mean,
            "error": self.error,
            "is_exact": self.is_exact,
            "draws": self.draws,
            "maximum": self.maximum,
            "profile": [*self.profile],
            "log": self.log.to_dicts(),
            "tree": None if self.tree is None else self.tree.to_dict(),
        }

    def __repr__(self) -> str:
        return f"Evaluation({self.name!r} on {self.game.name!r}: {self._figures})"

    @property
    def _figures(self) -> str:
        """The mean with its error, and whether it is exact or of how many games."""
        how = "exact" if self.is_exact else counted(self.log.height, "game")
        return f"{_with_error(self.mean, self.error)} guesses, {how}"

    def _repr_html_(self) -> str:
        """Return the figures, and how many games end at each guess, for notebooks."""
        rows = [
            [str(turn), f"{games:,}", f"{games / self.log.height:.1%}"]
            for turn, games in enumerate(self.profile, start=1)
        ]
        table = table_html(["guesses", "games", "share"], rows)
        about = f"<b>{escape(self.name)}</b> on {escape(self.game.name)}: {self._figures}"
        return f"<p>{about}, at most {self.maximum}</p>{table}"


def _with_error(mean: float, error: float | None) -> str:
    """Return a mean as text, with its standard error unless that is 0 or unknown."""
    return f"{mean:.4f} ± {error:.4f}" if error else f"{mean:.4f}"


@explained
def evaluate(
    game: Game | str,
    strategy: str | Tree | Function,
    *,
    opening: str | None = None,
    repetitions: int = 1,
    seed: int = 1,
    name: str | None = None,
    n_secrets: int | None = None,
    samples: int | None = None,
) -> Evaluation:
    """Play a strategy against every secret of a game, or against some that are drawn.

    A function of a `State` alone plays every secret once, and its results are exact. It is asked
    twice or more in each state, and refused if it answers differently. A function of a `State` and
    a `numpy.random.Generator` plays every secret `repetitions` times, whatever the prior; it must
    depend on nothing else. A `Tree` of the game is a strategy. A name is that of a registered
    strategy, a policy of `grow` or a contest player.

    With `n_secrets` that many secrets are drawn, all different, and the mean has an error. Large
    games need this, which `sampled` plays with a number of `samples`: see `suggest`.

    `opening` is for policies, as in `grow`, and players, which choose their own without it:
    `random-consistent` draws it, `EvoRank` plays the pattern ABCA, both whatever `opening` is;
    other players need one guess. Trees, `best-known`, `optimal`, `sampled` and functions have their
    own. Raises `CodebreakerError` for an unknown name, an opening that is not a guess of the game
    or not wanted, an impossible guess, a game of more than 64 turns, or other answers to the same
    question.

    >>> import codebreaker as cb
    >>> cb.evaluate(cb.game("mm-4-6"), lambda state: state.candidates[0], name="first candidate")
    Evaluation('first candidate' on 'mm-4-6': 5.7647 guesses, exact)
    """
    game = game_called(game)
    check_seed(seed)
    if repetitions < 1:
        raise CodebreakerError(f"{repetitions} repetitions: choose at least 1")
    if opening is not None:
        read_opening(game._notation, opening)  # raises for anything else
    if not isinstance(strategy, str | Tree) and not callable(strategy):
        raise CodebreakerError(f"{strategy!r} is not a strategy: give a name, a tree or a function")
    if n_secrets is not None and not 0 < n_secrets <= len(game.secrets):
        raise CodebreakerError(
            f"n_secrets can't be {n_secrets:,}: choose from 1 to {len(game.secrets):,}, all of them"
        )
    if not isinstance(strategy, str | Tree):
        refuse_criterion(strategy)
    label = strategy if isinstance(strategy, str) else name or _name_of(strategy)
    if opening is not None and not _takes_opening(strategy):
        raise CodebreakerError(f"{label} has its own opening: leave it out")
    played = STRATEGIES.get(strategy, strategy) if isinstance(strategy, str) else strategy
    # `knuth` is also the name of a policy, which chooses its opening.
    is_player = isinstance(played, str) and _is_player(played)
    is_player = is_player and not (played in ALIASES and opening is None)
    if samples is not None and (is_player or not isinstance(played, str)):
        raise CodebreakerError("samples are for the strategy 'sampled'")
    if isinstance(played, str) and is_player:
        refuse_unlisted(game._model)
        return _play_registered(game, played, opening, repetitions, seed, n_secrets)
    if isinstance(played, str):
        _check_known(played)
        assistant = resolve(game._notation, played, Settings(opening, samples=samples, seed=seed))
        if not isinstance(assistant, Assistant):
            return _play_sampled(game, n_secrets, repetitions, seed, assistant)
        played = tree_of(game, assistant)
    if n_secrets is None:
        refuse_unlisted(game._model)
    if not isinstance(played, Tree) and draws_from(played):
        secrets = draw_secrets(len(game.secrets), repetitions, seed, n_secrets)
        moves = _play(game, label, played, secrets, seed)
        return Evaluation(label, game, _log(game, label, secrets.tolist(), moves), None, draws=True)
    if isinstance(played, Tree):
        tree = of_game(played, game)
    else:
        tree = Tree(game, explored(State(game), label, played), label)
    once = draw_secrets(len(game.secrets), 1, seed, n_secrets).tolist()
    moves = [[guess for guess, _ in tree.play(game.secrets[secret])] for secret in once]
    return Evaluation(label, game, _log(game, label, once, moves), tree)


def _takes_opening(strategy: str | Tree | Function) -> bool:
    """Return whether an opening can be set: for policies and players, by name."""
    return isinstance(strategy, str) and has_settings(strategy) and strategy not in STRATEGIES


def _is_player(name: str) -> bool:
    """Return whether a name is a contest player's; `sampled` plays other games, too."""
    return name in PLAYERS and has_settings(name)


def _check_known(name: str) -> None:
    """Raise `CodebreakerError` for a name that is no policy's, nor that of another strategy."""
    is_policy = name in [*policy_names(), *ALIASES] or family_of(name) is not None
    if has_settings(name) and not is_policy:
        # The players that examine a share of the candidates would make the list too long to read.
        shares = tuple(suffix for suffix in SHARES if suffix)
        players = [player for player in PLAYERS if not player.endswith(shares)]
        raise unknown_policy("strategy", name, [*STRATEGIES, *players])


class Comparison(NamedTuple):
    """Strategies compared: `means`, a row per strategy, and `pairs`, a row per pair of them.

    Comparisons with the same tables are equal.
    """

    means: pl.DataFrame
    pairs: pl.DataFrame

    def __eq__(self, other: object) -> bool:
        """Return whether another comparison has the same tables."""
        return (
            isinstance(other, Comparison)
            and self.means.equals(other.means)
            and self.pairs.equals(other.pairs)
        )

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(tuple(self.means["player"]))

    def to_pandas(self) -> Any:  # noqa: ANN401 (pandas is an extra)
        """Return the means as a pandas.DataFrame; raise `CodebreakerError` without the extra."""
        require("pandas", "Comparison.to_pandas")
        return self.means.to_pandas()

    def to_dict(self) -> dict[str, Any]:
        """Return both tables as JSON has them: a list of objects, one for each row."""
        return {"means": self.means.to_dicts(), "pairs": self.pairs.to_dicts()}

    def __repr__(self) -> str:
        width = max(map(len, self.means["player"]))
        means = [
            f"{player:<{width}}  {mean} guesses, at most {most}, "
            f"{games if games == EXACT else f'in {games} games'}"
            for player, mean, most, games in self._means_as_text()
        ]
        pairs = list[str]()
        for player, other, difference, spread, verdict in self._pairs_as_text():
            around = f" {spread}" if spread == EXACTLY else f" ({spread})" * bool(spread)
            pairs.append(f"{player} minus {other}: {difference}{around}, {verdict}")
        return "\n".join([*means, *pairs])

    def _means_as_text(self) -> list[list[str]]:
        """Return name, mean, maximum, and number of games or EXACT of each strategy."""
        means = self.means.select("player", "mean_guesses", "guesses_error", "max_guesses", "games")
        return [
            [player, _with_error(mean, error), str(most), EXACT if error == 0 else f"{games:,}"]
            for player, mean, error, most, games in means.iter_rows()
        ]

    def _pairs_as_text(self) -> list[list[str]]:
        """Return both names, the difference, its interval or EXACTLY, and the verdict of pairs."""
        exact = set(self.means.filter(pl.col("guesses_error") == 0)["player"])
        pairs = self.pairs.select("player", "other", "difference", "low", "high", "verdict")
        rows = list[list[str]]()
        for player, other, difference, low, high, verdict in pairs.iter_rows():
            spread = "" if low is None else f"{low:+.4f} to {high:+.4f}"
            if {player, other} <= exact:
                spread = EXACTLY
            rows.append([player, other, f"{difference:+.4f}", spread, verdict])
        return rows

    def _repr_html_(self) -> str:
        """Return both tables, for notebooks."""
        means = ["strategy", "guesses", "at most", "games"]
        pairs = ["strategy", "minus", "difference", "95% interval", "verdict"]
        names = ["strategy", "minus", "verdict"]
        html = table_html(means, escaped(self._means_as_text()), left=names)
        if len(self.pairs):
            html += table_html(pairs, escaped(self._pairs_as_text()), left=names)
        return html


@explained
def compare(
    game: Game | str,
    strategies: str
    | Tree
    | Function
    | Mapping[str, str | Tree | Function]
    | Iterable[str | Tree | Function],
    *,
    opening: str | None = None,
    repetitions: int = 4,
    seed: int = 1,
    n_secrets: int | None = None,
) -> Comparison:
    """Let strategies play the same secrets, and compare all pairs of them.

    They play all secrets, or with `n_secrets` that many that are drawn.

    Strategies that draw play every secret `repetitions` times, the others once: the means of the
    latter, and differences between two of them, are exact. What is compared is always the mean
    over all secrets of the expected number of guesses. So only the draws are random: each secret is
    a stratum (Cochran, Sampling techniques, 1977, section 10.4), and a single repetition shows an
    upper bound of the error.

    `means` has the number of games, and of guesses the mean with its standard error, 0 if exact,
    and the maximum. `pairs` has the difference in guesses with
    its 95% interval, p-values by Student's test (null if exact), corrected by Holm's method for
    all pairs, and whether the difference is shown to be within 0.05. `signed_rank_p` is that of a
    signed-rank test with secrets as clusters.

    >>> import codebreaker as cb
    >>> cb.compare("mm-3-4", ["entropy", "worst-case"])
    entropy     3.2500 guesses, at most 4, exact
    worst-case  3.3750 guesses, at most 4, exact
    entropy minus worst-case: -0.1250 exactly, different beyond the margin
    >>> def draw(state, rng):
    ...     return state.candidates[rng.integers(len(state.candidates))]
    >>> cb.compare("mm-3-4", ["entropy", draw])
    entropy  3.2500 guesses, at most 4, exact
    draw     3.3438 ± 0.0508 guesses, at most 5, in 256 games
    entropy minus draw: -0.0938 (-0.1941 to +0.0066), undecided
    """
    check_tables("a comparison")
    game = game_called(game)
    refuse_prior(game._model, "a comparison")
    if opening is not None:
        read_opening(game._notation, opening)
    if isinstance(strategies, str | Tree) or callable(strategies):
        strategies = [strategies]
    named = dict(strategies) if isinstance(strategies, Mapping) else {}
    if not isinstance(strategies, Mapping):
        for strategy in strategies:
            label = strategy if isinstance(strategy, str) else _name_of(strategy)
            if label in named:
                raise CodebreakerError(
                    f"two strategies are called {label!r}: give a dict of names and strategies"
                )
            named[label] = strategy
    evaluations = {
        label: evaluate(
            game,
            strategy,
            opening=opening if _takes_opening(strategy) else None,
            repetitions=repetitions,
            seed=seed,
            name=label,
            n_secrets=n_secrets,
        )
        for label, strategy in named.items()
    }
    if not evaluations:
        raise CodebreakerError("give at least one strategy to compare")
    logs = pl.concat(
        evaluation._log.with_columns(player=pl.lit(label))
        for label, evaluation in evaluations.items()
    )
    exact = {label for label, evaluation in evaluations.items() if not evaluation.draws}
    setting = Setting(len(game.secrets), exact)
    paired = PairedGames(logs, [CONTEST], setting, MARGINS)
    pairs = paired.compare("guesses", list(combinations(named, 2)))
    return Comparison(
        contest_summary(logs, {game.name: setting}).select(MEANS),
        pl.DataFrame(map(as_row, pairs), schema=COLUMNS),
    )


def _name_of(strategy: Tree | Function) -> str:
    """Return the name of a tree or function, or of the class of any other callable."""
    return strategy.name if isinstance(strategy, Tree) else function_name(strategy)


def _play(
    game: Game, label: str, strategy: Function, secrets: Indices, seed: int
) -> list[list[str]]:
    """Return the guesses of games against secrets; each game has random numbers of its own."""
    played = []
    for number in range(len(secrets)):
        rng = np.random.default_rng([seed, number])
        state = State(game)
        while not state.is_solved:
            guess = ask(label, state, strategy, rng)
            ids = game._model.feedback(guess, state._members)
            feedback = int(game._model.feedback(guess, secrets[number : number + 1])[0])
            state._add((guess, feedback), state._members[ids == feedback])
        played.append([guess for guess, _ in state.moves])
    return played


def _log(game: Game, label: str, secrets: list[int], played: list[list[str]]) -> pl.DataFrame:
    """Return the log of games, a row each, with the columns of a contest's; nothing is counted."""
    rows = [
        (
            *(CONTEST, game.name, label, number, game.secrets[secret]),
            *(len(moves), 0, " ".join(moves), " ".join("0" * len(moves))),
        )
        for number, (secret, moves) in enumerate(zip(secrets, played, strict=True))
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _play_sampled(
    game: Game,
    n_secrets: int | None,
    repetitions: int,
    seed: int,
    assistant: "SampledAssistant",
) -> Evaluation:
    """Return the evaluation of play by samples; each game has a seed of its own."""
    from codebreaker.sampling.player import Sampled, pegs_between

    rules = assistant.rules
    if n_secrets is None and len(game.secrets) > MOST_GAMES:
        raise CodebreakerError(
            f"{game.name} has {len(game.secrets):,} secrets: draw some of them, as in n_secrets=200"
        )
    number = len(game.secrets) if n_secrets is None else n_secrets
    once = _drawn_indices(len(game.secrets), number, seed)
    secrets = [secret for _ in range(repetitions) for secret in once]
    played = list[list[str]]()
    for index, secret in enumerate(secrets):
        colours = rules.colours_of(game.secrets[secret])
        words = np.random.SeedSequence([seed, index]).generate_state(1)
        strategy = Sampled(rules, assistant.samples, int(words[0]))
        guesses = strategy.play(partial(pegs_between, rules, secret=colours), MOST_TURNS)
        played.append([rules.label_of(guess) for guess in guesses])
        report_progress(
            f"{assistant.name}: {index + 1}/{len(secrets)} games", index + 1, len(secrets)
        )
    log = _log(game, assistant.name, secrets, played)
    return Evaluation(assistant.name, game, log, None, draws=True)


def _drawn_indices(secrets: int, number: int, seed: int) -> list[int]:
    """Return the indices of different secrets, drawn uniformly; all of them in a random order."""
    draw = np.random.default_rng(seed)
    if secrets <= MOST_SHUFFLED:
        shuffled: list[int] = draw.permutation(secrets)[:number].tolist()
        return shuffled
    drawn = dict.fromkeys(draw.integers(secrets, size=number).tolist())
    while len(drawn) < number:
        drawn |= dict.fromkeys(draw.integers(secrets, size=number - len(drawn)).tolist())
    return list(drawn)


def _play_registered(
    game: Game,
    name: str,
    opening: str | None,
    repetitions: int,
    seed: int,
    n_secrets: int | None = None,
) -> Evaluation:
    """Return the evaluation of a registered player, which plays as in a study's contests."""
    rules = game._notation.rules
    # A family derived from Mastermind may have other codes.
    if type(rules) is not Mastermind or len(game.secrets) != len(game.guesses):
        raise CodebreakerError(f"{name} plays only Mastermind with all secrets, not {game.name!r}")
    spec = PLAYERS[name]
    if opening is None and spec.opening is contest_opening:
        raise CodebreakerError(f"{name} needs an opening, as in opening={game.guesses[0]!r}")
    given = 0
    if opening is not None:
        given = code_index(game.name, read_one_guess(game._notation, opening, name))
    series = Series(spec, make_board(game.name), given, seed)
    times = repetitions if spec.draws else 1
    played = play_batch(series, draw_secrets(len(game.secrets), times, seed, n_secrets), 0)
    log = log_frame(CONTEST, game.name, name, played, game.guesses)
    return Evaluation(name, game, log, None, spec.draws)


@explained
def score(
    games: Transcripts,
    game: Game | str | None = None,
    *,
    player: str | None = None,
    policy: str | None = None,
    exact: bool | None = None,
    guess_pool: AnyPool | None = None,
) -> Verdict:
    """Score finished games move by move: the regret of each guess, and the luck of its feedback.

    `games` are a file, text, the moves of one game as for `State`, or mappings in the forms of
    docs/transcripts.md; `game` and `player` fill in missing ones. They may also be a `State`, or
    several of one game. Optimal play judges where it can
    be computed (everywhere with `exact`), otherwise a policy; both with the `guess_pool` of the
    players, as in `grow`, whose breaches are skipped, or in hard mode after Wordle's star, as in
    3/6*. Raises `CodebreakerError` if the file can't be read, for an unknown game, policy or guess
    pool, and for those that don't fit a game, whether or not a game is judged.

    >>> import codebreaker as cb
    >>> moves = [["1122", "1,0"], ["1344", "3,0"], ["1345", "4,0"]]
    >>> verdict = cb.score([{"game": "mm-4-6", "player": "Ann", "moves": moves}])
    >>> verdict.moves.select("guess", "candidates", "candidates_after").rows()
    [('1122', 1296, 256), ('1344', 256, 9), ('1345', 9, 0)]
    >>> cb.score(moves, "mm-4-6", player="Ann") == verdict
    True
    >>> cb.score(cb.State("mm-4-6", moves), player="Ann") == verdict
    True
    """
    check_tables("a score")
    if exact and policy is not None:
        raise CodebreakerError("exact and policy exclude each other: games have one judge")
    given: list[Any] = []
    if not isinstance(games, str | Path):
        given = [games] if isinstance(games, Mapping | State) else [*games]
        game = _game_of(given, game)
        given = [{"moves": [*each.moves]} if isinstance(each, State) else each for each in given]
    reader = Reader(game._notation if isinstance(game, Game) else game, player)
    if isinstance(games, str | Path):
        return judge(games_in(str(games)), reader, policy, exact, guess_pool)
    texts = [move for move in given if isinstance(move, str)]
    if texts and len(texts) == len(given):
        return judge(BytesIO("\n".join(texts).encode()), reader, policy, exact, guess_pool)
    are_games = {_is_transcript(each) for each in given}
    if len(are_games) > 1:
        raise CodebreakerError(
            "games are mappings, as in {'game': 'mm-4-6', 'moves': [['1122', '4,0']]}, and the "
            "moves of one game are as in [['1122', '4,0']]: don't mix them"
        )
    transcripts = [{"moves": given_moves(given)}] if are_games == {False} else given
    try:
        lines = [json.dumps(dict(each), default=_as_python).encode() for each in transcripts]
    except (TypeError, ValueError) as why:
        raise CodebreakerError(f"a game can't be written as JSON: {shortened(str(why))}") from None
    return judge(BytesIO(b"\n".join(lines)), reader, policy, exact, guess_pool)


def _game_of(given: Iterable[Any], game: Game | str | None) -> Game | str | None:
    """Return the game of the states that are given, if any; raise `CodebreakerError` for several.

    Without states it is the `game` itself.
    """
    for each in given:
        if not isinstance(each, State):
            continue
        if game is not None and game_called(game) != each.game:
            raise CodebreakerError(
                f"a state of {each.game.name} is not one of {game_called(game).name}: score the "
                "states of each game by themselves"
            )
        game = each.game
    return game


def _is_transcript(given: object) -> bool:
    """Return whether something that is given to `score` is a game, and not a move of one."""
    return isinstance(given, Mapping) and "guess" not in given


def _as_python(value: object) -> Any:  # noqa: ANN401 (a number or lists of them)
    """Return NumPy's numbers and arrays as Python's own, for JSON; raise `TypeError` for others."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(f"{shortened(repr(value))} is neither text nor a number nor a list of them")
