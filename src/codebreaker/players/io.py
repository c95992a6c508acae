"""Game logs as tables, a row a game."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl
from polars.exceptions import PolarsError

from codebreaker.errors import DamagedFileError
from codebreaker.files import write_frame
from codebreaker.players.player import GameLog

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
    """Return a log as a table; `moves` are the guesses, the last one being the secret."""
    rows = [
        (
            contest,
            game,
            player,
            number,
            labels[secret],
            guesses,
            sum(effort[:guesses]),
            " ".join(labels[code] for code in moves[:guesses]),
            " ".join(map(str, effort[:guesses])),
        )
        for number, (secret, guesses, moves, effort) in enumerate(
            zip(
                log.secrets.tolist(),
                log.guesses.tolist(),
                log.moves.tolist(),
                log.evaluations.tolist(),
                strict=True,
            )
        )
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def write_log(frame: pl.DataFrame, path: str | Path) -> None:
    """Write a log as parquet."""
    write_frame(frame, path)


def read_log(path: str | Path) -> pl.DataFrame:
    """Read a log; raise `DamagedFileError` where the file is not a whole one."""
    try:
        frame = pl.read_parquet(path)
    except (PolarsError, OSError) as why:
        raise DamagedFileError(path, why) from why
    if frame.schema != pl.Schema(SCHEMA):
        raise DamagedFileError(path, "its columns are not those of a game log")
    return frame
