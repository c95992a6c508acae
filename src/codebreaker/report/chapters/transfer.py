"""Weights played on games for which they were not found."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import cycle
from textwrap import wrap
from typing import Any

import numpy as np
import polars as pl

from codebreaker.constants import PAPERS_GAME
from codebreaker.games.model import TableGame
from codebreaker.games.registry import make_game
from codebreaker.policies.strategy import Strategy, found_strategy
from codebreaker.policies.weights import Weights, first_turn, read_weights
from codebreaker.report.chapters import Files
from codebreaker.report.names import notation_of
from codebreaker.report.style import INK, TURN_COLOURS, Chart, by, display_names, save, styled
from codebreaker.report.tables import notes_of, write_page

NOTES = notes_of(__file__)
BASE = "entropy"

REGISTERED = (
    *("fixed-weighted", "stage-weighted", "stage-weighted-5630"),
    *("context-weighted-5626", "context-weighted-5625"),
)

Compared = tuple[Strategy, tuple[str, ...]]
"""A strategy, and the games that its weights were found for."""

FOUND_HERE = "weights found for this game"
ELSEWHERE = "weights found for another"
FOUND_SHAPES = {FOUND_HERE: "diamond", ELSEWHERE: "circle"}

LINE = 24
"""Maximum characters of a line of a name on the axis, so that charts fit on a phone."""

LINES = "split(datum.label, '\\n')"
"""Vega's expression for a label of several lines."""

LANE = 8
"""The height of a game's lane, in pixels."""


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
    from codebreaker.trees.grow import grow  # slow to import

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


def _is_found_here() -> pl.Expr:
    """Return whether the weights of a row were found for its game."""
    return pl.col("found_for").str.split(", ").list.contains(pl.col("game"))


def _better_of(table: pl.DataFrame) -> str:
    """Return in how many of a table's rows weights beat entropy."""
    return f"{table.filter(pl.col('difference') < 0).height} of {table.height}"


def better_elsewhere(table: pl.DataFrame) -> str:
    """Return how often weights beat entropy on other games, such as `5 of 16`."""
    return _better_of(table.filter(pl.col("parameters") > 0, ~_is_found_here()))


def transfer_finding(table: pl.DataFrame) -> str:
    """Return how often weights beat entropy on other games, in words."""
    return f"On other games, weights beat entropy in {better_elsewhere(table)} cases"


def _named_weights() -> pl.Expr:
    """Return the name of a row's weights in lines; those for several games have these in it."""
    several = pl.col("found_for").str.contains(", ", literal=True)
    weights = display_names("policy")
    games = pl.col("found_for").map_elements(_notations_of, pl.String)
    joint = pl.format("{} for {}", weights, games)
    name = pl.when(several).then(joint).otherwise(weights)
    return name.map_elements(lambda text: "\n".join(wrap(text, LINE)), pl.String)


def transfer_chart(table: pl.DataFrame) -> Chart:
    """Draw the difference from entropy per 1,000 secrets, in a panel for each opening.

    Each set of weights is a row with a lane for each game.
    """
    import altair as alt  # slow to import

    shown = table.filter(pl.col("policy") != BASE).with_columns(
        _named_weights().alias("weights"),
        pl.col("game").map_elements(notation_of, pl.String).alias("size"),
        pl.format("from {}", "opening").alias("panel"),
        pl.when(_is_found_here()).then(pl.lit(FOUND_HERE)).otherwise(pl.lit(ELSEWHERE)).alias("is"),
    )
    sizes = shown["size"].unique(maintain_order=True).to_list()
    colours = dict(zip(sizes, cycle(TURN_COLOURS), strict=False))
    weights = shown["weights"].unique(maintain_order=True).to_list()
    zero = alt.Chart().mark_rule().encode(x=alt.datum(0))
    bands: dict[str, Any] = {"tickBand": "extent", "grid": True, "labelExpr": LINES}
    dots = (
        alt.Chart()
        .mark_point(filled=True, opacity=1)
        .encode(
            x=by.x("per_thousand:Q", "above entropy, per 1,000 secrets", tickCount=5, grid=True),
            y=by.y("weights:N", None, sort=weights, paddingInner=0.25, **bands),
            yOffset=alt.YOffset("size:N", sort=sizes),
            color=by.colour("size:N", "game", each=colours, orient="top"),
            shape=by.shape("is:N", None, each=FOUND_SHAPES, orient="top"),
            size=alt.condition(alt.datum["is"] == FOUND_HERE, alt.value(90), alt.value(45)),
            tooltip=["policy", "found_for", "game", "opening", "difference"],
        )
    )
    panels = shown["panel"].unique(maintain_order=True).to_list()
    facet = alt.Facet("panel:N", title=None, sort=panels, header=alt.Header(labelColor=INK))
    return styled(
        alt.layer(zero, dots, data=shown)
        .properties(width=300, height=alt.Step(LANE, **{"for": "offset"}))
        .facet(facet=facet, columns=2),
        "Weights on other games, compared with entropy",
        f"{transfer_finding(table)}; on a game that they were found for, in "
        f"{_better_of(shown.filter(_is_found_here()))}. "
        "Marks left of the line need fewer guesses than entropy from the same opening",
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
        game = make_game(name, math.inf).with_table()
        parts.append(transfer_rows(game, compared, params.openings))
    table = pl.concat(parts)
    finding = transfer_finding(table)
    title = "Weights on other games"
    write_page(table, output.tables, title, f"{finding}.", table, NOTES[title])
    save(transfer_chart(table), output.figures[0], params.png_scale)
    return finding
