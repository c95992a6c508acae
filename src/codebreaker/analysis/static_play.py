"""The fewest guesses at once, by game: beside published figures, and beside play with answers."""

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

import polars as pl

from codebreaker.games.model import TableGame
from codebreaker.search.static import StaticSet

SCHEMA = {
    "game": pl.String,
    "secrets": pl.Int64,
    "guesses": pl.Int64,
    "set": pl.String,
    "examined": pl.Int64,
}


class Formula(NamedTuple):
    """A published number of guesses at once, by family and pegs, as a function of the colours.

    The final guess that names the secret is not counted.
    """

    family: str
    pegs: int
    guesses: Callable[[int], int]
    source: str


GODDARD = "Goddard 2003, for sufficiently many colours"
FORMULAS = (
    Formula("mm", 2, lambda colours: math.ceil(2 * colours / 3), GODDARD),
    Formula("mm", 3, lambda colours: colours - 1, GODDARD),
    Formula("mm", 4, lambda colours: colours - 1, GODDARD),
    Formula("black", 2, lambda colours: (4 * colours - 2) // 3, "Cáceres et al. 2007"),
    Formula("black", 3, lambda colours: 3 * colours // 2, "Jäger and Drewes 2020"),
)
"""Goddard's are quoted from Jäger and Drewes 2018, who count the final guess."""


def row_of(game: TableGame, found: StaticSet) -> pl.DataFrame:
    """Return a game's row: its secrets, the fewest guesses at once, and a set of them."""
    chosen = " ".join(game.guesses[guess] for guess in found.guesses)
    row = (game.name, game.n_secrets, len(found.guesses), chosen, found.examined)
    return pl.DataFrame([row], schema=SCHEMA, orient="row")


def static_play(found: Iterable[pl.DataFrame], rounds: pl.DataFrame) -> pl.DataFrame:
    """Return all rows, with published figures and the least maximum of play with answers.

    A game is taken from the first frame that has it. `rounds` are the rows of
    `exact.rounds.count_rounds`, which tell the least maximum of its games.
    """
    table = pl.concat(found).unique("game", keep="first", maintain_order=True)
    published = [_published(game) for game in table["game"]]
    all_won = rounds.filter(pl.col("won") == pl.col("secrets"))
    least = all_won.group_by("game").agg(pl.col("rounds").min().alias("with answers"))
    return (
        table.with_columns(
            pl.Series("published", [one and one[0] for one in published], pl.Int64),
            pl.Series("source", [one and one[1] for one in published], pl.String),
            (pl.col("guesses") + 1).alias("to win"),
            pl.Series("order", [_order(game) for game in table["game"]]),
        )
        .join(least, on="game", how="left")
        .sort("order")
        .select(
            *("game", "secrets", "guesses", "published", "source", "to win", "with answers"),
            *("set", "examined"),
        )
    )


def _published(game: str) -> tuple[int, str] | None:
    family, *sizes = game.split("-")
    for formula in FORMULAS:
        if len(sizes) == 2 and (formula.family, formula.pegs) == (family, int(sizes[0])):
            return formula.guesses(int(sizes[1])), formula.source
    return None


def _order(game: str) -> str:
    """Return what sorts games by family, then by their sizes as numbers."""
    family, *rest = game.split("-")
    return " ".join([family, *(part.zfill(3) if part.isdigit() else part for part in rest)])
