"""Read and write game logs, one row per game, and expected results."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import polars as pl

from codebreaker.errors import DamagedFileError
from codebreaker.files import read_frame, read_json, write_text
from codebreaker.games.model import Game
from codebreaker.players.player import GameLog
from codebreaker.players.random_consistent import mean_guesses
from codebreaker.types import Scores

SCHEMA: dict[str, type[pl.DataType]] = {
    "contest": pl.String,
    "game": pl.String,
    "player": pl.String,
    "number": pl.Int64,
    "secret": pl.String,
    "guesses": pl.Int64,
    "evaluations": pl.Int64,
    "moves": pl.String,
    "evaluations_by_move": pl.String,
}


def log_frame(
    contest: str, game: str, player: str, log: GameLog, labels: Sequence[str]
) -> pl.DataFrame:
    """Return a log as a table; `moves` are the guesses, the last of which is the secret."""
    rows = [
        (
            contest,
            game,
            player,
            number,
            labels[secret],
            guesses,
            sum(evaluations[:guesses]),
            " ".join(labels[code] for code in moves[:guesses]),
            " ".join(map(str, evaluations[:guesses])),
        )
        for number, (secret, guesses, moves, evaluations) in enumerate(
            zip(*(array.tolist() for array in vars(log).values()), strict=True)
        )
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def read_log(path: str | Path) -> pl.DataFrame:
    """Read a log; raise `DamagedFileError` if the file is damaged."""
    frame = read_frame(path)
    if frame.schema != pl.Schema(SCHEMA):
        raise DamagedFileError(path, "its columns are not those of a game log")
    return frame


@dataclass(frozen=True)
class Expectation:
    """The expected results of a player over all secrets of a game.

    `profile` is the expected number of secrets solved at each turn.
    """

    game: str
    player: str
    secrets: int
    mean_guesses: float
    max_guesses: int
    profile: list[float]


def write_expectation(game: Game, player: str, profile: Scores, path: str | Path) -> None:
    """Write an expected profile, (n_turns,) float64, with its mean and maximum, as JSON."""
    expectation = Expectation(
        game.name, player, game.n_secrets, mean_guesses(profile), len(profile), profile.tolist()
    )
    write_text(path, json.dumps(asdict(expectation), indent=0))


def read_expectation(path: str | Path) -> Expectation:
    """Read expected results; raise `DamagedFileError` if the file is damaged."""
    return read_json(path, Expectation)
