"""Exact optima, secrets solved within r guesses, and mixtures of trees."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import polars as pl

from codebreaker.constants import PAPERS_GAME
from codebreaker.duel.matrix import MatrixGame, classes_of
from codebreaker.files import read_frame, read_json, write_frame
from codebreaker.games.model import TableGame, read_table_game
from codebreaker.policies.strategy import Strategy
from codebreaker.proven import ONE_PROGRAM, Evidence, is_proven, read_evidence
from codebreaker.report.chapters import Files
from codebreaker.report.names import name_of, notation_of
from codebreaker.report.style import INK, SERIES, Chart, by, colour_of, save, styled
from codebreaker.report.tables import named, notes_of, write_page
from codebreaker.search.certificate import Certificate
from codebreaker.trees.io import read_tree
from codebreaker.trees.metrics import USUAL_TIES, read_strategies
from codebreaker.trees.tree import GameTree

NOTES = notes_of(__file__)
CLASSIC = ("first-consistent", "worst-case", "expected-size", "entropy", "most-parts")

WON = (
    pl.col("profile").str.split(" ").cast(pl.List(pl.Int64)).list.head(pl.col("rounds")).list.sum()
)

NEAR = 0.02
"""Strategies whose totals exceed the minimum by more than this share are not drawn."""

FRONTIER = "proven frontier"
BEST_MIXTURE = "best mixture of these trees"
"""The kind of the points of the chart that bound all strategies."""

HEADERS = {
    "rounds": "guesses allowed",
    "most won": "maximum solved",
    "share": "share solved",
    "total": "total of that tree",
    "won by it": "solved by that policy",
    "its total": "total of that policy",
}
"""Headers of the page's table of secrets solved within some guesses, by its columns."""

KINDS = {
    "context": ("weights by turn and last feedback", colour_of("context-weighted")),
    "stage": ("weights by turn", colour_of("stage")),
    "fixed": ("one vector of weights", colour_of("fixed")),
    "renyi": (orders := ("orders of entropies", colour_of("renyi-stage"))),
    "tsallis": orders,
    "optimal": ("exact search", "#d55e00"),
    "": ("criteria without weights", SERIES),
}
"""Kinds of strategies with their colours, by prefixes of policies' names."""


def optima(certificates: Iterable[Certificate], evidence: Evidence) -> pl.DataFrame:
    """Return one row per certificate: an optimum by game, pool of guesses and objective."""
    return pl.DataFrame(
        [
            {
                "game": certificate.game,
                "guesses from": certificate.guess_pool,
                "objective": certificate.objective,
                "rounds": certificate.rounds,
                "secrets": certificate.secrets,
                "won": certificate.won,
                "opening": certificate.tree["guess"],
                "total": certificate.total_guesses,
                "mean": round(certificate.total_guesses / certificate.secrets, 4),
                "max guesses": certificate.max_guesses,
                "bound": _bound(certificate),
                "proven": "yes" if is_proven(certificate.cost, certificate.bound) else "no",
                "evidence": _evidence_for(certificate, evidence),
                "sets searched": certificate.sets_searched,
            }
            for certificate in certificates
        ]
    )


def _evidence_for(certificate: Certificate, evidence: Evidence) -> str | None:
    """Return what a proven total rests on, with the maximum if that comes first; else None."""
    if not is_proven(certificate.cost, certificate.bound):
        return None
    game = certificate.game
    total = certificate.total_guesses
    pool = certificate.guess_pool
    if certificate.objective == "maximum" and pool == "all":
        return evidence.of_total_at_maximum(game, certificate.max_guesses, total)
    if certificate.objective in ("rounds", "maximum"):
        return ONE_PROGRAM
    return evidence.of_total(game, total, certificate.guess_limit, pool)


def _bound(certificate: Certificate) -> int:
    """Return the bound on the total from that on the cost, which counts late secrets too."""
    late = 0 if certificate.won is None else certificate.secrets - certificate.won
    rest = certificate.bound - certificate.late_charge * late
    return -(-rest // certificate.guess_charge)


def most_won(counted: pl.DataFrame, strategies: pl.DataFrame) -> pl.DataFrame:
    """Return the most secrets won by game and rounds, with the best of the classic policies."""
    is_consistent = pl.col("policy") == CLASSIC[0]
    classic = strategies.filter(
        pl.col("policy").is_in(CLASSIC) & ~pl.col("forced") & pl.col("exact_from").is_null(),
        is_consistent | (pl.col("guess_pool") == "all") & (pl.col("tie_break") == USUAL_TIES),
    )
    lowest = pl.col("total").min().over("game").alias("minimum total")
    first = counted.with_columns(lowest).group_by("game", "rounds", maintain_order=True).first()
    best = (
        first.select("game", "rounds")
        .join(named(classic).drop("rounds"), "game", maintain_order="left_right")
        .with_columns(WON.alias("won by it"))
        .sort("won by it", "total_guesses", descending=[True, False], maintain_order=True)
        .unique(["game", "rounds"], keep="first", maintain_order=True)
        .select("game", "rounds", "strategy", "won by it", "total_guesses")
    )
    return first.join(best, ["game", "rounds"], how="left", maintain_order="left").select(
        *("game", "rounds", "secrets", pl.col("won").alias("most won")),
        (pl.col("won") / pl.col("secrets")).round(4).alias("share"),
        *("proven", "opening", "total", "minimum total"),
        *(pl.col("strategy").alias("best classic policy"), "won by it"),
        pl.col("total_guesses").alias("its total"),
    )


def shown_rounds(table: pl.DataFrame) -> pl.DataFrame:
    """Return the table of secrets solved within some guesses with headers for readers."""
    return table.rename(HEADERS)


def pareto_points(counted: pl.DataFrame) -> pl.DataFrame:
    """Return all points of games with frontiers, with means and shares."""
    several = counted.filter(pl.len().over("game", "rounds") > 1)["game"].unique()
    return counted.filter(pl.col("game").is_in(several.implode())).with_columns(
        (pl.col("total") / pl.col("secrets")).round(4).alias("mean"),
        (pl.col("won") / pl.col("secrets")).round(4).alias("share"),
    )


def rounds_chart(pareto: pl.DataFrame, strategies: pl.DataFrame) -> Chart:
    """Draw the frontier of each number of guesses, and the strategies near the minimum."""
    import altair as alt  # slow to import

    points = pareto.filter(pl.col("game") == PAPERS_GAME, pl.col("rounds") > 1)
    drawn = _drawn(strategies.filter(pl.col("game") == PAPERS_GAME), points)
    tooltip: list[Any] = ["strategy", "rounds", "won", "total", alt.Tooltip("mean:Q", format=".4f")]
    colours = {**dict(KINDS.values()), FRONTIER: INK}
    shapes = {kind: "diamond" if kind == FRONTIER else "circle" for kind in colours}
    base = alt.Chart().encode(
        x=by.x("mean:Q", "mean guesses", zero=False, padding=10, format=".2f", tickCount=5),
        y=by.y("won:Q", "secrets solved", zero=False, nice=False, padding=12, format="d"),
    )
    marks = base.encode(
        color=by.colour("kind:N", None, each=colours),
        shape=by.shape("kind:N", None, each=shapes),
        tooltip=tooltip,
    )
    edge = base.transform_filter(alt.datum.kind == FRONTIER)
    look: dict[str, Any] = {"color": INK, "strokeWidth": 2}
    # Drawn over the dots, because the best strategies lie on the frontier.
    panels = (
        marks.transform_filter(alt.datum.kind != FRONTIER).mark_point(
            filled=True, size=110, opacity=0.9
        )
        + edge.transform_filter("datum.is_lowest").mark_rule(**look).encode(y2=alt.value("height"))
        + edge.transform_filter("datum.is_most").mark_rule(**look).encode(x2=alt.value("width"))
        + edge.mark_line(**look).encode(order="total:Q")
        + marks.transform_filter(alt.datum.kind == FRONTIER).mark_point(
            filled=True, size=50, opacity=1
        )
    ).properties(width=330, height=230)
    facet = alt.Facet("panel:N", title=None)
    return styled(
        panels.facet(facet=facet, columns=2, data=drawn, spacing=70, bounds="flush").resolve_scale(
            y="independent"
        ),
        "Mean guesses, and secrets solved within a number of guesses",
        f"{notation_of(PAPERS_GAME)}: no strategy is above or left of the frontier, which is "
        f"proven; drawn are strategies within {NEAR:.0%} of the minimum total",
    )


def _kind(policy: str) -> str:
    """Return the kind of a policy by the beginning of its name."""
    stem = policy.removeprefix("guided-")
    return next(kind for start, (kind, _) in KINDS.items() if stem.startswith(start))


def _drawn(strategies: pl.DataFrame, points: pl.DataFrame) -> pl.DataFrame:
    """Return a row per point of the chart: strategies near the minimum, and the frontier."""
    lowest = min(points["total"].to_list())
    near = strategies.filter(pl.col("total_guesses") <= (1 + NEAR) * lowest)
    each = (
        named(near)
        .drop("rounds")
        .join(points.select("rounds").unique().sort("rounds"), how="cross")
        .with_columns(
            WON.alias("won"),
            pl.col("total_guesses").alias("total"),
            pl.col("mean_guesses").alias("mean"),
        )
    )
    line = points.with_columns(
        (pl.col("total") / pl.col("secrets")).alias("mean"),
        pl.lit("on the frontier").alias("strategy"),
        pl.lit(FRONTIER).alias("kind"),
        (pl.col("total") == pl.col("total").min().over("rounds")).alias("is_lowest"),
        (pl.col("won") == pl.col("won").max().over("rounds")).alias("is_most"),
    )
    each = each.with_columns(
        pl.col("policy").map_elements(_kind, pl.String).alias("kind"),
        pl.lit(False).alias("is_lowest"),
        pl.lit(False).alias("is_most"),
    )
    panel = pl.format("within {} guesses", "rounds").alias("panel")
    figures = ("rounds", "won", "total", "mean")
    columns = (panel, *figures, "strategy", "kind", "is_lowest", "is_most")
    return pl.concat([each.select(columns), line.select(columns)])


def mixtures(
    game: TableGame, trees: Sequence[tuple[GameTree, Strategy]], rounds: pl.DataFrame
) -> pl.DataFrame:
    """Return one row per tree, then the best mixture of them, then mixtures of mean and maximum.

    `past` is the probability of more guesses than the minimum maximum, `worst` the largest mean of
    a class.
    """
    classes = classes_of(game)
    sizes = np.array(classes.sizes)
    matrix = MatrixGame(classes.sizes)
    totals = [classes.totals(game, tree) for tree, _ in trees]
    # Of trees with equal means the last is played.
    balance = [matrix.add(row) for row in reversed(totals)][-1]
    means = np.array(totals) / sizes
    mixture = np.array([float(balance.mixture.get(i, 0)) for i in reversed(range(len(trees)))])
    fewest = min(tree.max_guesses for tree, _ in trees)
    past = np.array([tree.profile[fewest:].sum() / game.n_secrets for tree, _ in trees])
    rows = [
        strategy.row
        | _row(means[i] @ sizes / game.n_secrets, tree.max_guesses, past[i], means[i].max())
        | {"probability": mixture[i], **dict(zip(classes.labels, means[i].tolist(), strict=True))}
        for i, (tree, strategy) in enumerate(trees)
    ]
    mixed = mixture @ means
    most = max(tree.max_guesses for (tree, _), at in zip(trees, mixture, strict=True) if at > 0)
    rows.append(
        {"mixture": BEST_MIXTURE}
        | _row(mixed @ sizes / game.n_secrets, most, mixture @ past, float(balance.value))
        | {"probability": 1.0, **dict(zip(classes.labels, mixed.tolist(), strict=True))}
    )
    rows += _between(game, rounds.filter(pl.col("rounds") == fewest))
    return pl.DataFrame(rows, infer_schema_length=None).sort(
        pl.col("mixture").is_not_null(), "worst", "mean", nulls_last=True, maintain_order=True
    )


def _row(mean: float, most: int, past: float, worst: float | None = None) -> dict[str, Any]:
    """Return a row's figures as plain numbers."""
    return {"mean": float(mean), "max": int(most), "past": float(past), "worst": worst}


def _between(game: TableGame, points: pl.DataFrame) -> list[dict[str, Any]]:
    """Return three mixtures of the trees at both ends of a frontier; none if it is a point."""
    if points.height < 2:
        return []
    ends = [points.row(0, named=True), points.row(-1, named=True)]
    means = [end["total"] / game.n_secrets for end in ends]
    past = [1 - end["won"] / game.n_secrets for end in ends]
    most = [len(end["profile"].split()) for end in ends]
    return [
        {"mixture": "the minimum maximum"} | _row(means[0], most[0], past[0]),
        {"mixture": "either, with probability 1/2"}
        | _row(sum(means) / 2, max(most), sum(past) / 2),
        {"mixture": "the minimum total"} | _row(means[1], most[1], past[1]),
    ]


def tabulate_mixtures(mixtures: pl.DataFrame, game: TableGame) -> pl.DataFrame:
    """Return `mixtures` with names and four decimals."""
    names = [row["mixture"] or name_of(row) for row in mixtures.iter_rows(named=True)]
    fewest = min(mixtures["max"].to_list())
    return mixtures.select(
        pl.Series("strategy", names),
        pl.col("mean").round(5),
        "max",
        pl.col("past").round(6).alias(f"past {fewest}"),
        pl.col("worst").round(4).alias("worst class"),
        pl.col("probability").round(4),
        *(pl.col(label).round(4) for label in classes_of(game).labels),
    )


def tabulate_optima(inputs: Files, output: Files, _params: Files) -> str:
    """Tabulate the proven optima."""
    certificates = [read_json(path, Certificate) for path in inputs.certificates]
    table = optima(certificates, read_evidence(inputs.lower_bounds, inputs.second_solver))
    write_page(table, output.tables, "Exact optima", table, NOTES["Exact optima"])
    return f"{table.height} optima"


def tabulate_rounds(inputs: Files, output: Files, params: Files) -> str:
    """Tabulate and draw the secrets won within a number of rounds."""
    counted = read_frame(inputs.rounds)
    strategies = read_strategies(inputs.strategies)
    table = most_won(counted, strategies)
    pareto = pareto_points(counted)
    title = "Secrets solved within a given number of guesses"
    more = () if pareto.is_empty() else ("## Frontiers", pareto, NOTES["Frontiers"])
    write_page(table, output.tables, title, shown_rounds(table), NOTES["Rounds"], *more)
    write_frame(pareto, output.frontier)
    if output.get("figures"):
        save(rounds_chart(pareto, strategies), output.figures[0], params.png_scale)
    return f"{table.height} rows, {pareto.height} points on the frontiers"


def mix_strategies(inputs: Files, output: Files, _params: Files) -> str:
    """Mix the trees of a game at random."""
    game = read_table_game(inputs.game)
    counted = read_frame(inputs.rounds).filter(pl.col("game") == game.name)
    mixed = mixtures(game, [read_tree(path) for path in inputs.trees], counted)
    table = tabulate_mixtures(mixed, game)
    means = table["mean"].to_list()
    maxima = table["max"].to_list()
    note = NOTES["Mixtures"].format(bound=min(means), fewest=min(maxima))
    write_page(table, output.tables, f"Random choice among trees, {game.name}", table, note)
    return f"{table.height} rows"
