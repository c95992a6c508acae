"""The leaderboard of agents: what their guesses cost, told apart from luck."""

from collections.abc import Iterator
from itertools import combinations
from math import ceil, sqrt
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from codebreaker.errors import CodebreakerError
from codebreaker.report import style
from codebreaker.report.chapters import Files
from codebreaker.report.style import Chart, by, save, styled
from codebreaker.report.tables import notes_of, write_page
from codebreaker.statistics import critical, holm, two_sided
from codebreaker.types import Scores

NOTES = notes_of(__file__)
LEVEL = 0.95
"""Level of the intervals."""

ERRORS = 2.0
"""Standard errors at which a difference counts as found, to say how many games this needs."""

MEASURES = ("regret", "length")


class Mean(NamedTuple):
    """A mean over games, its standard error, and the degrees of freedom: secrets less one."""

    mean: float
    error: float | None
    degrees: int

    @property
    def ends(self) -> tuple[float | None, float | None]:
        """The ends of the interval, None without an error."""
        if self.error is None:
            return None, None
        width = critical(LEVEL, self.degrees) * self.error
        return self.mean - width, self.mean + width


def clustered_mean(values: Scores, secrets: list[str]) -> Mean:
    """Return the mean of games whose errors are clustered by secret.

    Games against one secret are not independent: their deviations from the mean are added before
    they are squared (Liang and Zeger 1986), with the factor of secrets / (secrets − 1).
    """
    mean = float(values.mean())
    return Mean(mean, *_error_of((values - mean) / len(values), secrets))


def clustered_difference(
    first: Scores, its_secrets: list[str], other: Scores, other_secrets: list[str]
) -> Mean:
    """Return the difference of two means, paired where both agents played a secret.

    Its degrees of freedom are those of the agent with fewer secrets: few games show no small error.
    """
    deviations = np.concatenate(
        [(first - first.mean()) / len(first), -(other - other.mean()) / len(other)]
    )
    difference = float(first.mean() - other.mean())
    error, _ = _error_of(deviations, [*its_secrets, *other_secrets])
    degrees = min(len(set(its_secrets)), len(set(other_secrets))) - 1
    return Mean(difference, error if degrees > 0 else None, degrees)


def _error_of(deviations: Scores, secrets: list[str]) -> tuple[float | None, int]:
    """Return the standard error of a sum by clusters, and its degrees; None for one cluster."""
    clusters, cluster_of = np.unique(secrets, return_inverse=True)
    n = len(clusters)
    if n < 2:
        return None, 0
    sums = np.bincount(cluster_of, deviations)
    return sqrt(n / (n - 1) * float(sums @ sums)), n - 1


def rank_agents(inputs: Files, output: Files, params: Files) -> str:
    """Tabulate the agents and their differences, and draw their regret."""
    games = pl.concat(pl.read_parquet(path) for path in inputs.games)
    if games.is_empty():
        raise CodebreakerError("no log of agents has a game: look at the pages of the agents")
    board = leaderboard(games)
    pairs = pairs_of(games)
    write_page(board, output.board, "Agents", shown_board(board), NOTES["Agents"])
    write_page(pairs, output.pairs, "Pairs of agents", shown_pairs(pairs), NOTES["Pairs"])
    save(board_chart(board), output.figures[0], params.png_scale)
    return f"{board.height} agents, {pairs.height} comparisons"


def leaderboard(games: pl.DataFrame) -> pl.DataFrame:
    """Return a row for each agent in each game, the lowest regret first."""
    rows = []
    for (game, kind, agent), played in _by_agent(games):
        secrets = played["secret"].to_list()
        row: dict[str, Any] = {
            "game": game,
            "kind": kind,
            "agent": agent,
            "games": len(played),
            "secrets": len(set(secrets)),
            "solved": played["solved"].mean(),
            "mean_guesses": played.filter("solved")["guesses"].mean(),
        }
        for measure in ("regret", "luck", "length"):
            mean = clustered_mean(played[measure].to_numpy(), secrets)
            low, high = mean.ends
            row |= {measure: mean.mean, f"{measure}_low": low, f"{measure}_high": high}
        row["illegal"] = played["illegal"].sum()
        row["contradictions"] = played["contradictions"].sum()
        row["judged_by"] = ", ".join(sorted(set(played["judged_by"])))
        rows.append(row)
    ends = [f"{name}_{end}" for name in ("regret", "luck", "length") for end in ("low", "high")]
    board = pl.DataFrame(rows, schema_overrides=dict.fromkeys([*ends, "mean_guesses"], pl.Float64))
    return board.sort("game", "kind", "regret", "agent", descending=[False, True, False, False])


def pairs_of(games: pl.DataFrame) -> pl.DataFrame:
    """Return a row for each pair of agents of a game and each measure, corrected by Holm.

    `games_needed` is the number of games of each at which the difference is ERRORS standard errors.
    """
    rows = []
    played = dict(_by_agent(games))
    for game, kind in dict.fromkeys(key[:2] for key in played):
        agents = [key[2] for key in played if key[:2] == (game, kind)]
        for measure in MEASURES:
            compared = []
            for first, other in combinations(agents, 2):
                frames = played[game, kind, first], played[game, kind, other]
                compared.append(_pair(measure, first, other, *frames))
            tested = [row for row in compared if row["p"] is not None]
            for row, p in zip(tested, holm([row["p"] for row in tested]), strict=True):
                row["p_holm"] = p
            rows += [{"game": game, "kind": kind} | row for row in compared]
    return pl.DataFrame(rows, schema=PAIRS)


PAIRS = {
    **dict.fromkeys(("game", "kind", "measure", "agent", "other"), pl.String),
    **dict.fromkeys(("difference", "low", "high", "p", "p_holm"), pl.Float64),
    "games_needed": pl.Int64,
}  # fmt: skip


def _pair(
    measure: str, first: str, other: str, played: pl.DataFrame, others: pl.DataFrame
) -> dict[str, Any]:
    """Return a row of `pairs_of`, not yet corrected."""
    difference = clustered_difference(
        played[measure].to_numpy(),
        played["secret"].to_list(),
        others[measure].to_numpy(),
        others["secret"].to_list(),
    )
    low, high = difference.ends
    p = None
    needed = None
    if difference.error:
        p = two_sided(difference.mean / difference.error, difference.degrees)
        if difference.mean:
            n_games = 2 / (1 / len(played) + 1 / len(others))
            needed = max(ceil(n_games * (ERRORS * difference.error / difference.mean) ** 2), 1)
    return {
        "measure": measure, "agent": first, "other": other, "difference": difference.mean,
        "low": low, "high": high, "p": p, "p_holm": None, "games_needed": needed,
    }  # fmt: skip


def _by_agent(games: pl.DataFrame) -> Iterator[tuple[tuple[str, str, str], pl.DataFrame]]:
    """Yield each agent's games of a game and kind."""
    for key, played in games.group_by("game", "kind", "agent", maintain_order=True):
        game, kind, agent = map(str, key)
        yield (game, kind, agent), played


def shown_board(board: pl.DataFrame) -> pl.DataFrame:
    """Return the leaderboard for readers, with intervals in brackets."""

    def bracketed(measure: str, sign: str = "") -> pl.Series:
        columns = (measure, f"{measure}_low", f"{measure}_high")
        texts = [
            f"{mean:{sign}.3f}" + ("" if low is None else f" ({low:{sign}.3f} to {high:{sign}.3f})")
            for mean, low, high in board.select(columns).iter_rows()
        ]
        return pl.Series(texts, dtype=pl.String)

    return board.select(
        "game",
        "kind",
        "agent",
        "games",
        pl.Series("solved", [f"{share:.0%}" for share in board["solved"]], pl.String),
        pl.col("mean_guesses").round(3).alias("guesses if solved"),
        bracketed("regret").alias("regret a game"),
        bracketed("luck", "+").alias("luck a game"),
        "illegal",
        "contradictions",
        pl.col("judged_by").alias("judged by"),
    )


def shown_pairs(pairs: pl.DataFrame) -> pl.DataFrame:
    """Return the pairs for readers."""
    return pairs.select(
        "game",
        "kind",
        "measure",
        "agent",
        pl.col("other").alias("minus"),
        pl.col("difference").round(3),
        pl.col("low").round(3),
        pl.col("high").round(3),
        pl.Series("p (Holm)", [_p_text(p) for p in pairs["p_holm"]], pl.String),
        pl.col("games_needed").alias("games needed"),
    )


def _p_text(p: float | None) -> str:
    """Return a p-value as text."""
    if p is None:
        return ""
    return "below 0.0001" if p < 0.0001 else f"{p:.4f}"


def board_chart(board: pl.DataFrame) -> Chart:
    """Draw each agent's regret with its interval, by game."""
    import altair as alt  # slow to import

    named = board.with_columns(
        title=pl.when(pl.col("kind") == "games")
        .then(pl.col("game"))
        .otherwise(pl.col("game") + ", one answer each")
    )
    order = list(dict.fromkeys(board.sort("regret")["agent"]))
    base = alt.Chart(named).encode(y=by.y("agent:N", None, sort=order))
    across = by.x("regret:Q", "guesses lost a game, with 95 % intervals", zero=True)
    points = base.mark_point(filled=True, size=70, color=style.SERIES).encode(
        x=across, tooltip=["agent", "games", "regret", "regret_low", "regret_high"]
    )
    bars = base.mark_rule(strokeWidth=2, color=style.SERIES).encode(
        x="regret_low", x2="regret_high"
    )
    layers = (bars + points).properties(width=460, height={"step": 24})
    header = alt.Header(labelOrient="top", labelAnchor="start")
    titles = list(dict.fromkeys(named["title"]))
    faceted = layers.facet(
        facet=alt.Facet("title:N", title=None, header=header, sort=titles), columns=1
    ).resolve_scale(x="independent", y="independent")
    # The game with the most agents says the most.
    game, kind, _ = (
        board.group_by("game", "kind", maintain_order=True).len().top_k(1, by="len").row(0)
    )
    ranked = board.filter(game=game, kind=kind)
    best = ranked.row(0, named=True)
    worst = ranked.row(-1, named=True)
    return styled(
        faceted,
        "What agents' guesses cost",
        f"In {game}, {best['agent']} loses {best['regret']:.2f} guesses a game, and "
        f"{worst['agent']} {worst['regret']:.2f}. Luck is left out",
    )
