"""Claims of the sources, each set beside what this project computes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from codebreaker.analysis.metrics import strategy
from codebreaker.analysis.weights import deviations
from codebreaker.games.model import TableGame
from codebreaker.policies.weights import published
from codebreaker.report.tables.comparison import FOLDER, same
from codebreaker.report.tables.gur import signed
from codebreaker.trees.partition import all_secrets, counts


@dataclass(frozen=True)
class Evidence:
    """What the checks look at: a game, the table of strategies, and the cells of source tables.

    `cells` are rows as `comparison.to_frame` makes them, of all tables that the checks name;
    `random` is what `players.expectation` holds of random consistent play.
    """

    game: TableGame
    strategies: pl.DataFrame
    cells: pl.DataFrame
    random: Mapping[str, Any]

    def mean(self, tree: str) -> float:
        """Return the mean guesses of a strategy."""
        return float(strategy(self.strategies, tree)["mean_guesses"])

    def show(self, tree: str, column: str) -> str:
        """Return a column of a strategy's row."""
        return str(strategy(self.strategies, tree)[column])


@dataclass(frozen=True)
class Check:
    """How a claim's number is computed, by which rule, and what is to be said about it.

    `file` is the file in the results that has the number, or what it is computed from.
    """

    compute: Callable[[Evidence], str]
    rule: str
    remark: str = ""
    file: str = "metrics/strategies.csv"


def _mean(tree: str, decimals: int = 4) -> Callable[[Evidence], str]:
    return lambda seen: f"{seen.mean(tree):.{decimals}f}"


def _show(tree: str, column: str) -> Callable[[Evidence], str]:
    return lambda seen: seen.show(tree, column)


def _cell(table: str, row: str, column: str) -> Callable[[Evidence], str]:
    return lambda seen: str(
        seen.cells.row(
            by_predicate=(pl.col("table") == table)
            & (pl.col("row") == row)
            & (pl.col("column") == column),
            named=True,
        )["computed"]
    )


def _cell_check(table: str, row: str, column: str, remark: str = "") -> Check:
    rule = f"compare_{table.split('-')[0]}"
    return Check(_cell(table, row, column), rule, remark, f"tables/{table}.csv")


def _stage_deviations() -> pl.DataFrame:
    weights = published("gur-2025-stage")
    return pl.DataFrame(deviations(weights), schema=list(weights.feedback_labels), orient="row")


def _deviations_off(seen: Evidence) -> str:
    rows = seen.cells.filter(
        pl.col("table") == "gur-2025-table-3", pl.col("column").str.ends_with("deviation")
    )
    gaps = [
        abs(float(row["published"].rstrip("%")) - float(row["computed"].rstrip("%")))
        for row in rows.iter_rows(named=True)
    ]
    return str(sum(gap > 1 for gap in gaps))


def _turn_1_range(seen: Evidence) -> str:
    turn = _stage_deviations().row(0)
    return f"{signed(min(turn))} to {signed(max(turn))}"


def _highest_turn(seen: Evidence) -> str:
    return str(int(np.abs(_stage_deviations().to_numpy()).max(axis=1).argmax()) + 1)


def _mean_deviation(label: str) -> Callable[[Evidence], str]:
    return lambda seen: signed(float(_stage_deviations()[label].to_numpy().mean()))


def _improvement(seen: Evidence) -> str:
    before, after = seen.mean("most-parts"), seen.mean("stage-weighted")
    return f"{100 * (before - after) / before:.2f}%"


def _base_parts_helps(seen: Evidence) -> str:
    return "yes" if seen.mean("entropy-base-parts") < seen.mean("entropy") else "no"


def _opening_entropy(game: TableGame, label: str) -> float:
    sizes = counts(game, game.guesses.index(label), all_secrets(game))
    shares = sizes[sizes > 0] / sizes.sum()
    return float(-(shares * np.log2(shares)).sum())


def _dominated(seen: Evidence) -> str:
    best, *others = (
        (float(row["mean_guesses"]), int(row["max_guesses"]))
        for row in (
            strategy(seen.strategies, name)
            for name in ("optimal-least-maximum", "worst-case", "entropy", "most-parts")
        )
    )
    worse = all(best[0] <= mean and best[1] <= maximum for mean, maximum in others)
    return "yes" if worse else "no"


def _higher_entropy(seen: Evidence) -> str:
    return max(("1123", "1234"), key=lambda label: _opening_entropy(seen.game, label))


def _example_letters(seen: Evidence) -> str:
    return str(len(str(strategy(seen.strategies, "worst-case", "matches-example")["opening"])))


def _average_part(seen: Evidence) -> str:
    sizes = counts(seen.game, seen.game.guesses.index("1122"), all_secrets(seen.game))
    return f"{sizes.sum() / np.count_nonzero(sizes):.1f}"


def _certainty_is_largest(seen: Evidence) -> str:
    certain, open_question = (np.array([1.0]), np.array([0.5, 0.5]))
    entropies = [float(-(p * np.log2(p)).sum()) for p in (certain, open_question)]
    return "yes" if entropies[0] >= entropies[1] else "no"


_KEPT = "_tie-reversed-lexicographic"
STRATEGIES, RANDOM, HERE = "summarise_strategies", "play_random_consistent", "check_sources"
DEVIATIONS, GAME = "tables/gur-2025-table-3.csv", "games/mm-4-6/game.npz"
EXPECTED = "players/mm-4-6/random-consistent.json"

CHECKS: dict[str, Check] = {
    "gur-fixed": Check(_mean("fixed-weighted"), STRATEGIES),
    "gur-stage": Check(
        _mean("stage-weighted"),
        STRATEGIES,
        "tuned on the same secrets that it is measured on: a property of the game's whole tree",
    ),
    "gur-optimal": Check(
        _mean("optimal-least-maximum"),
        "solve_exactly",
        "the optimal mean, 4.3403, takes six guesses for some secret; four are never enough",
        "tables/exact-optima.csv",
    ),
    "gur-opening": Check(_show("stage-weighted", "opening"), STRATEGIES),
    "gur-repository-opening": Check(
        _show("stage-weighted-repository", "opening"),
        STRATEGIES,
        "paper and program lower different weights at turn 1",
    ),
    "gur-repository-mean": Check(_mean("stage-weighted-repository"), STRATEGIES),
    "gur-deviation-turn-2": _cell_check("gur-2025-table-3", "0B-0C", "turn 2 deviation"),
    "gur-deviation-turn-3": _cell_check("gur-2025-table-3", "0B-0C", "turn 3 deviation"),
    "gur-deviations-off": Check(
        _deviations_off, "compare_gur", "both are signs that are lost", DEVIATIONS
    ),
    "gur-turn-1-range": Check(_turn_1_range, HERE, "0B-2C is left out of the claim", DEVIATIONS),
    "gur-highest-turn": Check(_highest_turn, HERE, file=DEVIATIONS),
    "gur-mean-1b-1c": Check(_mean_deviation("1B-1C"), HERE, file=DEVIATIONS),
    "gur-mean-0b-1c": Check(_mean_deviation("0B-1C"), HERE, file=DEVIATIONS),
    "gur-mean-0b-2c": Check(_mean_deviation("0B-2C"), HERE, file=DEVIATIONS),
    "gur-price": Check(
        _show("stage-weighted-turns-4-6-uniform", "max_guesses"),
        STRATEGIES,
        "the sixth guess is no price of the mean: turns 2 and 3 carry the result",
    ),
    "gur-next-best": Check(_improvement, HERE),
    "gur-baseline": Check(_mean("entropy"), STRATEGIES, "the claimed figure is that of Most Parts"),
    "kooi-table-4": _cell_check("kooi-2005-table-04", "AAAA", "expected size"),
    "kooi-table-10-full": Check(
        _show("entropy" + _KEPT, "profile"),
        STRATEGIES,
        "reversing the colours' order maps one order to the other, so nothing can change",
    ),
    "kooi-table-10-kept": Check(_show("entropy_from-1234" + _KEPT, "profile"), STRATEGIES),
    "kooi-table-10-expected-size": Check(
        _show("expected-size_from-1123" + _KEPT, "profile"), STRATEGIES
    ),
    "kooi-table-10-most-parts": Check(_show("most-parts_from-1123" + _KEPT, "profile"), STRATEGIES),
    "kooi-table-11": _cell_check(
        "kooi-2005-table-11",
        "AABB",
        "told apart by answer",
        "the claim holds where partitions with the same sizes are counted once",
    ),
    "kooi-irving": Check(_show("worst-case", "total_guesses"), STRATEGIES),
    "kooi-base": Check(
        _base_parts_helps, STRATEGIES, "the source only suggests it: it plays far worse"
    ),
    "frontier-minimax": Check(
        _mean("worst-case_tie-lexicographic", 3),
        STRATEGIES,
        "given an end: as printed it replays the first code once one candidate is left",
    ),
    "frontier-entropy": Check(
        _mean("entropy_tie-lexicographic", 3),
        STRATEGIES,
        "given an end, and with equal scores tied exactly and not by the rounding of floats",
    ),
    "frontier-none-best": Check(
        _dominated, HERE, "the tree of 5626 guesses with at most 5 beats all three on both counts"
    ),
    "frontier-opening": Check(_higher_entropy, HERE, file=GAME),
    "frontier-average-part": Check(_average_part, HERE, file=GAME),
    "frontier-random": Check(
        lambda seen: f"{seen.random['mean_guesses']:.2f}", RANDOM, file=EXPECTED
    ),
    "frontier-random-worst": Check(
        lambda seen: str(seen.random["max_guesses"]),
        RANDOM,
        "each guess is a candidate and goes out, so the worst case is finite",
        EXPECTED,
    ),
    "frontier-example": Check(
        _example_letters, STRATEGIES, "its five words have five letters; minimax plays GRATE first"
    ),
    "eas-knuth": Check(_mean("worst-case", 3), STRATEGIES),
    "am207-certain": Check(
        _certainty_is_largest, HERE, "0 is the smallest entropy there is", "discrepancies.csv"
    ),
}
"""Every claim's check, by the claim's id in claims.csv."""


def discrepancies(seen: Evidence) -> pl.DataFrame:
    """Return a row a claim: what is claimed and computed, the verdict, and where it comes from."""
    claims = pl.read_csv(FOLDER / "claims.csv", infer_schema=False)
    rows = []
    for claim in claims.iter_rows(named=True):
        check = CHECKS[claim["id"]]
        computed = check.compute(seen)
        rows.append(
            {
                "source": claim["source"],
                "claim": claim["claim"],
                "claimed": claim["claimed"],
                "computed": computed,
                "verdict": "holds" if same(claim["claimed"], computed) else "wrong",
                "rule": check.rule,
                "file": check.file,
                "remark": check.remark,
            }
        )
    return pl.DataFrame(rows)
