"""Record the tables of the study at the published scale; run by `make paper-scale`."""

import shutil
import sys
from pathlib import Path

import polars as pl
from recording import RESOURCES, read_table, renew_readme

from codebreaker.constants import PAPERS_GAME
from codebreaker.files import write_frame
from codebreaker.games.registry import make_game
from codebreaker.games.words import BUNDLED
from codebreaker.policies.registry import FOUND
from codebreaker.policies.strategy import Strategy
from codebreaker.policies.weights import read_weights
from codebreaker.trees.grow import grow

TARGET = RESOURCES / "paper-scale"
OPENING = "1123"
TABLES = (
    *("weights-seeds", "weights-convergence", "entropy-families", "machine"),
    *("players", "cotta-2010-statements"),
)


def main(results: Path) -> None:
    """Copy the tables of a finished study, and write what they are."""
    TARGET.mkdir(parents=True, exist_ok=True)
    for name in TABLES:
        shutil.copy(results / "tables" / f"{name}.csv", TARGET)
    write_frame(times(results), TARGET / "times.csv")
    write_frame(games_left_out(results), TARGET / "games-left-out.csv")
    write_frame(other_games(results), TARGET / "other-games.csv")
    renew_readme(TARGET, pl.read_csv(TARGET / "weights-convergence.csv"))


def games_left_out(results: Path) -> pl.DataFrame:
    """Return how weights for several games play the one that was left out, one row for each."""
    table = read_table(results / "tables" / "weight-transfer.csv").with_columns(
        games=pl.col("found_for").str.split(", ")
    )
    joint = table.filter(pl.col("games").list.len() > 1, pl.col("opening") == OPENING)
    return joint.filter(
        ~pl.col("games").list.contains(pl.col("game")),
        pl.col("game").is_in(joint["games"].explode().unique().to_list()),
    ).select(
        pl.col("policy").str.strip_suffix(FOUND).alias("model"),
        *("parameters", "found_for", "game", "secrets", "opening"),
        *("total_guesses", "entropy_total", "difference"),
    )


def other_games(results: Path) -> pl.DataFrame:
    """Return the least total of each search on another game, beside that of entropy."""
    rows = []
    for path in sorted((results / "weights").glob("*/*/seed-*.json")):
        game, model, _ = path.parts[-3:]
        if game == PAPERS_GAME or model.startswith("endgames"):
            continue
        record = read_weights(path).provenance
        entropy = Strategy("entropy", record["opening"])
        total = grow(make_game(game, word_lists=BUNDLED), entropy).total_guesses
        found = {key: record[key] for key in ("opening", "generations", "total_guesses")}
        own = {"entropy_total": total, "difference": record["total_guesses"] - total}
        rows.append({"game": game, "model": model} | found | own)
    return pl.DataFrame(rows)


def times(results: Path) -> pl.DataFrame:
    """Return the seconds of each model's searches, one row per model of MM(4,6)."""
    folders = sorted((results / "weights" / PAPERS_GAME).iterdir())
    runs = {
        folder.name: [*map(seconds_of, sorted(folder.glob("seed-*.json")))] for folder in folders
    }
    return pl.DataFrame(
        {"model": model, "runs": len(seconds), "seconds": round(sum(seconds))}
        for model, seconds in runs.items()
        if seconds
    )


def seconds_of(run: Path) -> float:
    """Return the seconds that the generations of a run took."""
    population = read_weights(run).provenance["params"]["population"]
    speeds = pl.read_parquet(run.with_suffix(".speed.parquet"))
    return float((population / speeds["individuals_per_second"]).sum())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
