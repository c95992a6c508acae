"""A process that reads a tree's table from stdin and writes its columns to stdout as JSON.

It imports nothing else of the package, so that it starts fast.
"""

import json
import sys
from io import BytesIO

import polars as pl

COLUMNS = ("parent", "feedback", "guess", "n_candidates")


def main() -> None:
    """Write the game's name and the columns; any error ends the process."""
    content = sys.stdin.buffer.read()
    key = json.loads(pl.read_parquet_metadata(BytesIO(content))["strategy"])
    frame = pl.read_parquet(BytesIO(content), columns=list(COLUMNS))
    columns = [frame[name].cast(pl.Int64, strict=True) for name in COLUMNS]
    if any(column.null_count() for column in columns):
        raise ValueError("a tree's table has no empty fields")
    json.dump([key["game"], *(column.to_list() for column in columns)], sys.stdout)


if __name__ == "__main__":
    main()
