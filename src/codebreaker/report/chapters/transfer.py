"""Weights played on games for which they were not found."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import cycle

import altair as alt
import numpy as np
import polars as pl

from codebreaker.constants import PAPERS_GAME
from codebreaker.games.model import TableGame
from codebreaker.games.registry import make_game
from codebreaker.policies.strategy import Strategy, found_strategy
from codebreaker.policies.weights import Weights, first_turn, read_weights
from codebreaker.report.chapters import Files
from codebreaker.report.names import notation_of
from codebreaker.report.style import INK, MUTED, SERIES, Chart, by, display_names, save, styled
from codebreaker.report.tables import notes_of, write_page
from codebreaker.trees.grow import grow

NOTES = notes_of(__file__)
BASE = "entropy"

REGISTERED = (
    *("fixed-weighted", "stage-weighted", "stage-weighted-5630"),
    *("context-weighted-5626", "context-weighted-5625"),
)

Compared = tuple[Strategy, tuple[str, ...]]
"""A strategy, and the games that its weights were found for."""

OPENING_COLOURS = (SERIES, "#d55e00", "#009e73", MUTED)
OPENING_SHAPES = ("circle", "diamond", "square", "triangle-up")

FOUND_HERE = " *"
"""The mark of a game that weights were found for."""


def compared_strategies(searches: Sequence[tuple[str, Weights]]) -> list[Compared]:
    """Return entropy, the published weights and those of `searches`."""
    papers_games = (PAPERS_GAME,)
    searched = [
        (found_strategy(model, weights, None), tuple(weights.provenance.get("games", papers_games)))
        for model, weights in searches
    ]
    return [
        (Strategy(BASE), ()),
        *((Strategy(name), papers_games) for name in REGISTERED),
        *searched,
    ]


def parameters(strategy: Strategy) -> int:
    """Return the number of weights after the opening; equal rows count once."""
    if strategy.weights is None:
        return 0
    values = strategy.weights.values
    first = first_turn(len(values), strategy.opening)
    rows = np.unique(values[first - 1 :].reshape(-1, values.shape[-1]), axis=0)
    if strategy.weights.by_context:
        rows = rows[(rows != 1).any(axis=1)]
    return int(rows.size)


def transfer_rows(
    game: TableGame, compared: Iterable[Compared], openings: Iterable[str]
) -> pl.DataFrame:
    """Return a row per opening and policy, and its difference from entropy in the same game.

    `total_guesses` counts all secrets; `per_thousand` is the difference per 1,000 secrets. A
    negative difference is better than entropy.
    """
    rows = []
    for opening in openings:
        base = grow(game, Strategy(BASE, opening)).total_guesses
        for played, found_for in compared:
            strategy = replace(played, opening=opening)
            tree = grow(game, strategy)
            difference = tree.total_guesses - base
            rows.append(
                {
                    "policy": strategy.policy,
                    "parameters": parameters(strategy),
                    "found_for": ", ".join(found_for),
                    "game": game.name,
                    "secrets": game.n_secrets,
                    "opening": opening,
                    "total_guesses": tree.total_guesses,
                    "entropy_total": base,
                    "difference": difference,
                    "per_thousand": round(1000 * difference / game.n_secrets, 3),
                    "mean_guesses": round(tree.total_guesses / game.n_secrets, 6),
                    "max_guesses": int(tree.turn.max()),
                }
            )
    return pl.DataFrame(rows)


def transfer_finding(table: pl.DataFrame) -> str:
    """Return how often weights beat entropy on other games."""
    others = table.filter(
        pl.col("parameters") > 0, ~pl.col("found_for").str.split(", ").list.contains(pl.col("game"))
    )
    better = others.filter(pl.col("difference") < 0).height
    return f"On other games, weights beat entropy in {better} of {others.height} cases"


def transfer_chart(table: pl.DataFrame) -> Chart:
    """Draw the difference from entropy per 1,000 secrets, in a panel for each set of weights.

    Games for which the weights were found come first and are marked.
    """
    found_here = pl.col("found_for").str.split(", ").list.contains(pl.col("game"))
    size = pl.col("game").map_elements(notation_of, pl.String)
    weights = display_names("policy")
    several = pl.col("found_for").str.contains(", ", literal=True)
    games = pl.col("found_for").map_elements(_notations_of, pl.String)
    joint = pl.format("{} for {}", weights, games)
    shown = table.filter(pl.col("policy") != BASE).with_columns(
        pl.when(several).then(joint).otherwise(weights).alias("weights"),
        pl.when(found_here)
        .then(pl.format("{}{}", size, pl.lit(FOUND_HERE)))
        .otherwise(size)
        .alias("size"),
    )
    sizes = shown.sort(found_here, descending=True, maintain_order=True)["size"]
    openings = shown["opening"].unique(maintain_order=True).to_list()
    colours = dict(zip(openings, cycle(OPENING_COLOURS), strict=False))
    shapes = dict(zip(openings, cycle(OPENING_SHAPES), strict=False))
    zero = alt.Chart().mark_rule().encode(x=alt.datum(0))
    dots = alt.Chart().mark_point(filled=True, size=60, opacity=1)
    dots = dots.encode(
        x=by.x("per_thousand:Q", "guesses per 1,000 secrets above entropy", tickCount=5, grid=True),
        y=by.y("size:N", None, sort=sizes.unique(maintain_order=True).to_list(), grid=True),
        color=by.colour("opening:N", "opening", each=colours, orient="top"),
        shape=by.shape("opening:N", "opening", each=shapes, orient="top"),
        tooltip=["policy", "found_for", "game", "opening", "difference"],
    )
    facet = alt.Facet(
        "weights:N",
        title=None,
        sort=shown["weights"].unique(maintain_order=True).to_list(),
        header=alt.Header(labelColor=INK),
    )
    return styled(
        alt.layer(zero, dots, data=shown)
        .properties(width=260, height=110)
        .facet(facet=facet, columns=3)
        .resolve_scale(y="independent"),
        "Weights on other games, compared with entropy",
        "Totals minus those of entropy from the same opening; lower is better. "
        f"The game marked with {FOUND_HERE.strip()} is the one that the weights were found for",
    )


def _notations_of(games: str) -> str:
    """Return the short names of games that are joined by commas."""
    return ", ".join(map(notation_of, games.split(", ")))


def transfer_weights(inputs: Files, output: Files, params: Files) -> str:
    """Play weights on games for which they were not found."""
    paths = [*inputs.found, *inputs.joint]
    searches = [
        (model, read_weights(path)) for model, path in zip(params.models, paths, strict=True)
    ]
    compared = compared_strategies(searches)
    parts = []
    for name in params.games:
        game = make_game(name, params.table_limit_mib).with_table()
        parts.append(transfer_rows(game, compared, params.openings))
    table = pl.concat(parts)
    finding = transfer_finding(table)
    title = "Weights on other games"
    write_page(table, output.tables, title, f"{finding}.", table, NOTES[title])
    save(transfer_chart(table), output.figures[0], params.png_scale)
    return finding
