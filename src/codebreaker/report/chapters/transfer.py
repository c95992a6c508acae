"""Weights played on games for which they were not found."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

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
from codebreaker.report.style import INK, MUTED, Chart, by, colour_of, display_names, save, styled
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

DASHES = ([1, 0], [7, 4], [2, 3], [9, 3, 2, 3])


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
    """Draw the difference from entropy per 1,000 secrets."""
    shown = table.filter(pl.col("policy") != BASE).with_columns(
        display_names("policy").alias("weights"),
        pl.col("game").map_elements(notation_of, pl.String).alias("size"),
        pl.format("from {}", "opening").alias("from"),
    )
    names = dict(shown.select("weights", "policy").iter_rows())
    colours = {name: colour_of(policy) for name, policy in names.items()}
    drawn = list(colours.values())
    turns = {name: drawn[:i].count(drawn[i]) for i, name in enumerate(colours)}
    dashes = {name: DASHES[turn % len(DASHES)] for name, turn in turns.items()}
    look = {"sort": list(names), "symbolType": "stroke", "symbolSize": 500, "symbolStrokeWidth": 2}
    games = shown["size"].unique(maintain_order=True).to_list()
    zero = alt.Chart(pl.DataFrame({"y": [0]})).mark_rule(color=MUTED).encode(y="y:Q")
    encoded = alt.Chart().encode(
        x=by.x("size:N", None, sort=games, labelAngle=0, grid=False),
        y=by.y("per_thousand:Q", "guesses per 1,000 secrets above entropy"),
        color=by.colour("weights:N", None, each=colours, **look),
        strokeDash=by.dash("weights:N", None, each=dashes, **look),
        detail="found_for:N",
        tooltip=["policy", "found_for", "game", "opening", "difference"],
    )
    lines = zero + encoded.mark_line(strokeWidth=2, point=alt.OverlayMarkDef(size=45))
    return styled(
        alt.layer(lines, data=shown)
        .properties(width=330, height=300)
        .facet(facet=alt.Facet("from:N", title=None, header=alt.Header(labelColor=INK)), columns=2),
        "Weights on other games, compared with entropy",
        "Totals minus those of entropy from the same opening, by opening and size; lower is better",
    )


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
