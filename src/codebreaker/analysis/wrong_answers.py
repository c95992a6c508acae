"""What wrong answers cost: the fewest guesses that always suffice, and entropy on average."""

from collections.abc import Iterable, Sequence

import polars as pl

from codebreaker.games.model import TableGame
from codebreaker.players.doubtful import Doubt, DoubtfulPlayer, guesses_of
from codebreaker.search.lies import fewest_with_lies

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
        spread = float(guesses.std(ddof=1) / len(guesses) ** 0.5)
        mean = round(float(guesses.mean()), 4)
        rows.append((game.name, kind, error, len(guesses), mean, round(spread, 4), guesses.max()))
    columns = ["game", "wrong", "chance", "games", "mean", "error", "max"]
    return pl.DataFrame(rows, schema=columns, orient="row")
