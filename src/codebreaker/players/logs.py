"""The games of a contest: as arrays, as a table, and its file."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from codebreaker.files import read_frame

SCHEMA: dict[str, type[pl.DataType]] = {
    "contest": pl.String, "game": pl.String, "player": pl.String, "number": pl.Int64,
    "secret": pl.String, "guesses": pl.Int64, "evaluations": pl.Int64, "moves": pl.String,
    "evaluations_by_move": pl.String,
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class GameLog:
    """The games of a player in the order of the secrets, as int32 arrays.

    `secrets` and numbers of `guesses` are (n_games,); `moves` (−1 after the end) and the number of
    codes evaluated for each, `evaluations`, are (n_games, MOST_TURNS).
    """

    secrets: NDArray[np.int32]
    guesses: NDArray[np.int32]
    moves: NDArray[np.int32]
    evaluations: NDArray[np.int32]


def log_frame(
    contest: str, game: str, player: str, log: GameLog, labels: Sequence[str]
) -> pl.DataFrame:
    """Return a log as a table; `moves` are the guesses, the last of which is the secret."""
    secrets, guesses, moves, spent = (array.tolist() for array in vars(log).values())
    played = [[labels[code] for code in row[:n]] for row, n in zip(moves, guesses, strict=True)]
    evaluated = [row[:n] for row, n in zip(spent, guesses, strict=True)]
    columns = {
        "contest": [contest] * len(secrets),
        "game": [game] * len(secrets),
        "player": [player] * len(secrets),
        "number": range(len(secrets)),
        "secret": [labels[secret] for secret in secrets],
        "guesses": guesses,
        "evaluations": [*map(sum, evaluated)],
        "moves": [*map(" ".join, played)],
        "evaluations_by_move": [" ".join(map(str, row)) for row in evaluated],
    }
    return pl.DataFrame(columns, schema=SCHEMA)


def read_log(path: str | Path) -> pl.DataFrame:
    """Read a log; raise `DamagedFileError` if damaged."""
    return read_frame(path, SCHEMA)
