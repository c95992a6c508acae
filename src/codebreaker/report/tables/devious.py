"""Tables of strategies and players against a devious codemaker."""

import polars as pl

from codebreaker.report.names import name_of
from codebreaker.report.tables import markdown

DRAWS, PLANNED = "draws", "deterministic"
"""The kinds of players in the ranking."""

NOTE = """The codemaker has no secret. He answers each guess as he likes, as long as one secret fits
all his answers, and he knows the player's rule, but not what it draws. *Mean* is against a secret
drawn at random, *devious* what is expected against him. A deterministic strategy takes its maximum.
For random consistent play, and for players who draw one of the guesses that are best by a criterion
among all candidates or all codes, *exact* is computed, by the best answers to each. Players that
search, or choose from a sample, get the best answers to random consistent play, so that their
means, over games with a standard *error*, are at least reached against him and may be exceeded by
answers made for each of them. *Max* is the longest
game, and *play* one that is as long. Players are ranked by *devious*, then by *mean*."""

STRATEGIES_NOTE = """Against a devious codemaker a deterministic strategy takes its maximum: he
answers as the tree's longest play does, the first of them if there are several. *Secrets* are those
that need the maximum; *mean* is over all secrets."""


def named(strategies: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of `analysis.devious.strategies_row`, with names and sorted."""
    names = [name_of(row) for row in strategies.iter_rows(named=True)]
    return (
        strategies.with_columns(pl.Series("strategy", names))
        .sort("game", "devious", "mean", "strategy")
        .select("game", "strategy", "mean", "devious", "secrets", "play")
    )


def ranking(played: pl.DataFrame, means: pl.DataFrame, strategies: pl.DataFrame) -> pl.DataFrame:
    """Return players and their game's strategies, ranked against the devious codemaker.

    `played` has the rows of `analysis.devious.players_frame`, `means` those of the contest.
    """
    players = played.join(means.select("player", "game", "mean_guesses"), on="player").select(
        pl.lit(DRAWS).alias("kind"),
        *("player", "game", pl.col("mean_guesses").alias("mean"), "devious", "error", "exact"),
        *("games", "max", "play"),
    )
    own = strategies.filter(pl.col("game").is_in(players["game"].unique().implode()))
    planned = own.select(
        pl.lit(PLANNED).alias("kind"),
        *(pl.col("strategy").alias("player"), "game", "mean"),
        pl.col("devious").cast(pl.Float64),
        pl.lit(None, pl.Float64).alias("error"),
        pl.col("devious").cast(pl.Float64).alias("exact"),
        pl.lit(None, pl.Int64).alias("games"),
        *(pl.col("devious").alias("max"), "play"),
    )
    joined = pl.concat([players, planned]).with_columns(
        pl.col("mean").round(4), pl.col("error").round(4), pl.col("exact").round(6)
    )
    ranked = joined.sort("devious", "mean", "player")
    return ranked.select(pl.col("devious").rank("min").cast(pl.Int64).alias("rank"), pl.all())


def to_markdown(table: pl.DataFrame) -> str:
    """Return the ranking as Markdown."""
    return markdown.page("Against a devious codemaker", NOTE, table.drop("game"))


def strategies_to_markdown(table: pl.DataFrame) -> str:
    """Return the longest plays as Markdown."""
    return markdown.page("The longest plays of strategies", STRATEGIES_NOTE, table)
