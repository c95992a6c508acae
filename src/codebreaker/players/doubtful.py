"""Entropy for answers that may be wrong: play the guess whose answer is most informative.

All wrong answers are equally likely; the winning answer is always right. A code whose probability
is 1/2 or more is played; ties go to the likeliest guess, then to the first.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.players.kernels.doubtful import tell_information
from codebreaker.players.registry import MOST_TURNS
from codebreaker.search.lies import fewest_with_lies
from codebreaker.statistics import mean_over_secrets
from codebreaker.types import Scores

TIES = 1e-9
"""Guesses tie within this difference of information, in bits."""

NONE, ONCE, ANY = "never", "at most once", "any"


@dataclass(eq=False)
class DoubtfulPlayer:
    """Plays when answers are wrong with probability `error`, at most one of a game if `once`."""

    game: TableGame
    error: float
    once: bool
    opening: int
    _choices: dict[tuple[int, ...], int] = field(default_factory=dict)

    def start(self) -> Scores:
        """Return the prior, (2, n_secrets); in the first row the next answer may be wrong."""
        prior = np.zeros((2, self.game.n_secrets))
        prior[0] = 1 / self.game.n_secrets
        return prior

    def learn(self, prior: Scores, guess: int, answer: int) -> Scores:
        """Return the posterior after an answer."""
        given, others = self.game.table[guess], max(self.game.n_feedback - 2, 1)
        right, denied = given == answer, given != self.game.solved
        wrong = np.where(~right & denied, self.error / others, 0.0)
        true = np.where(right, 1 - self.error, 0.0)
        if self.once:
            after = np.stack([prior[0] * true, prior[1] * right + prior[0] * wrong])
        else:
            after = np.stack([prior[0] * (true + wrong), prior[1]])
        scaled: Scores = after / after.sum()
        return scaled

    def choose(self, prior: Scores) -> int:
        """Return the next guess."""
        game, every = self.game, prior.sum(axis=0)
        likeliest = int(every.argmax())
        if every[likeliest] >= 0.5:
            return int(game.guess_of_secret[likeliest])
        information = np.empty(game.n_guesses)
        tell_information(game.by_secret, game.solved, prior, self.error, information)
        best = np.flatnonzero(information >= information.max() - TIES)
        likely = np.zeros(game.n_guesses)
        likely[game.guess_of_secret] = every
        return int(best[likely[best].argmax()])

    def play(self, secret: int, draw: np.random.Generator) -> int:
        """Return the number of guesses for a secret, with wrong answers drawn at random."""
        game = self.game
        prior, guess, history, lied = self.start(), self.opening, tuple[int, ...](), False
        false = [answer for answer in range(game.n_feedback) if answer != game.solved]
        for turn in range(1, MOST_TURNS + 1):
            answer = int(game.table[guess, secret])
            if answer == game.solved:
                return turn
            if draw.random() < self.error and not (self.once and lied):
                lied, answer = True, int(draw.choice([one for one in false if one != answer]))
            history = (*history, answer)
            prior = self.learn(prior, guess, answer)
            if history not in self._choices:
                self._choices[history] = self.choose(prior)
            guess = self._choices[history]
        raise CodebreakerError(f"a game of {game.name} needs over {MOST_TURNS} guesses")


def cost_of_a_lie(games: Iterable[TableGame]) -> pl.DataFrame:
    """Return each game's fewest guesses, with right answers and with at most one lie."""
    rows = []
    for game in games:
        (right, _), (wrong, first) = (fewest_with_lies(game, lies) for lies in (False, True))
        rows.append((game.name, game.n_secrets, right, wrong, wrong - right, game.guesses[first]))
    columns = ["game", "secrets", "guesses", "with a lie", "cost", "first guess"]
    return pl.DataFrame(rows, schema=columns, orient="row")


def with_recorded(found: pl.DataFrame, recorded: pl.DataFrame) -> pl.DataFrame:
    """Return both tables' rows, by game."""
    joined = pl.concat([found, recorded]).unique("game", keep="first", maintain_order=True)
    return joined.sort(pl.col("game").str.extract("^([a-z]+)"), "secrets", "game")


def entropy_with_errors(
    game: TableGame, opening: str, errors: Sequence[float], repetitions: int, seed: int
) -> pl.DataFrame:
    """Return mean guesses without and with wrong answers, over the same secrets and draws.

    Without wrong answers each secret is played once, and the mean is exact: its error is 0.
    """
    kinds = [(NONE, 0.0), *((kind, error) for error in errors for kind in (ONCE, ANY))]
    rows = []
    for kind, error in kinds:
        player = DoubtfulPlayer(game, error, kind == ONCE, game.guesses.index(opening))
        times = 1 if kind == NONE else repetitions
        secrets = np.tile(np.arange(game.n_secrets), times).tolist()
        draws = (np.random.default_rng([seed, number]) for number in range(len(secrets)))
        guesses = np.array([*map(player.play, secrets, draws)], dtype=np.float64)
        found = mean_over_secrets(guesses.reshape(times, -1).T, game.n_secrets, kind != NONE)
        spread = None if found.error is None else round(found.error, 4)
        most = int(guesses.max())
        rows.append((game.name, kind, error, len(guesses), round(found.mean, 4), spread, most))
    columns = ["game", "wrong", "probability", "games", "mean", "error", "max"]
    types = {"error": pl.Float64}
    return pl.DataFrame(rows, schema=columns, schema_overrides=types, orient="row")
