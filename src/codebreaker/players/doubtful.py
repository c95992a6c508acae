"""Entropy for answers that may be wrong: the guess whose answer tells most about the secret.

Each secret has a chance by Bayes's rule. An answer is wrong with a fixed chance, and all wrong
answers are alike; the winning answer is never wrong, and never given by mistake. Either every
answer may be wrong, or at most one of a game. A code at least as likely as all others together is
played; otherwise the guess that tells most, among equals the likeliest, then the first.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.players.kernels.doubtful import tell_information
from codebreaker.players.registry import MOST_TURNS
from codebreaker.search.lies import fewest_with_lies
from codebreaker.statistics import standard_error
from codebreaker.types import Scores

TIES = 1e-9
"""Differences of information up to this, in bits, count as none."""


@dataclass(frozen=True)
class Doubt:
    """How often answers are wrong: with the chance `error`, and at most `once` in a game or not."""

    error: float
    once: bool


@dataclass(eq=False)
class DoubtfulPlayer:
    """Plays a game in which answers may be wrong; choices are remembered by the answers so far."""

    game: TableGame
    doubt: Doubt
    opening: int
    _choices: dict[tuple[int, ...], int] = field(default_factory=dict)

    def start(self) -> Scores:
        """Return the chances of secrets before the first guess, (2, n_secrets).

        The first row are those of secrets whose next answer may be wrong.
        """
        chances = np.zeros((2, self.game.n_secrets))
        chances[0] = 1 / self.game.n_secrets
        return chances

    def learn(self, chances: Scores, guess: int, answer: int) -> Scores:
        """Return the chances after an answer that is not the winning one."""
        given = self.game.table[guess]
        error, others = self.doubt.error, max(self.game.n_feedback - 2, 1)
        right, denied = given == answer, given != self.game.solved
        wrong = np.where(~right & denied, error / others, 0.0)
        true = np.where(right, 1 - error, 0.0)
        if self.doubt.once:
            after = np.stack([chances[0] * true, chances[1] * right + chances[0] * wrong])
        else:
            after = np.stack([chances[0] * (true + wrong), chances[1]])
        scaled: Scores = after / after.sum()
        return scaled

    def choose(self, chances: Scores) -> int:
        """Return the next guess."""
        game, every = self.game, chances.sum(axis=0)
        likeliest = int(every.argmax())
        if every[likeliest] >= 0.5:
            return int(game.guess_of_secret[likeliest])
        information = np.empty(game.n_guesses)
        tell_information(game.by_secret, game.solved, chances, self.doubt.error, information)
        best = np.flatnonzero(information >= information.max() - TIES)
        likely = np.zeros(game.n_guesses)
        likely[game.guess_of_secret] = every
        return int(best[likely[best].argmax()])

    def play(self, secret: int, draw: np.random.Generator) -> int:
        """Return the number of guesses that a secret takes, with wrong answers drawn at random."""
        game, doubt = self.game, self.doubt
        chances, guess, told, lied = self.start(), self.opening, tuple[int, ...](), False
        false = [answer for answer in range(game.n_feedback) if answer != game.solved]
        for turn in range(1, MOST_TURNS + 1):
            answer = int(game.table[guess, secret])
            if answer == game.solved:
                return turn
            if draw.random() < doubt.error and not (doubt.once and lied):
                lied, answer = True, int(draw.choice([one for one in false if one != answer]))
            told = (*told, answer)
            chances = self.learn(chances, guess, answer)
            if told not in self._choices:
                self._choices[told] = self.choose(chances)
            guess = self._choices[told]
        raise CodebreakerError(f"a game of {game.name} needs over {MOST_TURNS} guesses")


def guesses_of(player: DoubtfulPlayer, rounds: int, seed: int) -> NDArray[np.int32]:
    """Return the guesses that each secret takes, in each round, (rounds * n_secrets,)."""
    secrets = np.tile(np.arange(player.game.n_secrets), rounds)
    guesses = [
        player.play(secret, np.random.default_rng([seed, number]))
        for number, secret in enumerate(secrets.tolist())
    ]
    return np.array(guesses, dtype=np.int32)


NONE, ONCE, ANY = "never", "at most once", "any"
"""Which answers of a game may be wrong."""


def cost_of_a_lie(games: Iterable[TableGame]) -> pl.DataFrame:
    """Return the fewest guesses of each game, with right answers and with at most one wrong one."""
    rows = []
    for game in games:
        (right, _), (wrong, first) = (fewest_with_lies(game, lies) for lies in (False, True))
        rows.append((game.name, game.n_secrets, right, wrong, wrong - right, game.guesses[first]))
    columns = ["game", "secrets", "guesses", "with a lie", "cost", "first guess"]
    return pl.DataFrame(rows, schema=columns, orient="row")


def with_recorded(found: pl.DataFrame, recorded: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of both tables, by family and secrets; a game's first row counts."""
    joined = pl.concat([found, recorded]).unique("game", keep="first", maintain_order=True)
    return joined.sort(pl.col("game").str.extract("^([a-z]+)"), "secrets", "game")


def entropy_with_errors(
    game: TableGame, opening: str, errors: Sequence[float], rounds: int, seed: int
) -> pl.DataFrame:
    """Return the means of games in which answers are wrong with some chances, never as well.

    Each secret is played in each round, and meets the same draws in all rows.
    """
    kinds = [
        (NONE, 0.0),
        *((kind, error) for error in errors for kind in (ONCE, ANY)),
    ]
    rows = []
    for kind, error in kinds:
        doubt = Doubt(error, once=kind == ONCE)
        guesses = guesses_of(DoubtfulPlayer(game, doubt, game.guesses.index(opening)), rounds, seed)
        spread = standard_error(guesses)
        mean = round(float(guesses.mean()), 4)
        rows.append((game.name, kind, error, len(guesses), mean, round(spread, 4), guesses.max()))
    columns = ["game", "wrong", "chance", "games", "mean", "error", "max"]
    return pl.DataFrame(rows, schema=columns, orient="row")
