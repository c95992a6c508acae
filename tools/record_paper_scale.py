"""Record the tables of the study at the published scale; run by `make paper-scale`."""

import base64
import json
import re
import shutil
import sys
from collections import Counter
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import polars as pl
from recording import RESOURCES, renew_readme

from codebreaker.constants import PAPERS_GAME
from codebreaker.files import write_frame, write_text
from codebreaker.games.registry import make_game
from codebreaker.games.words import BUNDLED
from codebreaker.optimise.effects import convergence_table, read_runs, seed_table
from codebreaker.policies.registry import FOUND
from codebreaker.policies.strategy import Strategy
from codebreaker.policies.weights import Weights, read_weights
from codebreaker.report.tables import read_table
from codebreaker.trees.grow import grow

TARGET = RESOURCES / "paper-scale"
RUNS = TARGET / "runs.jsonl"
OPENING = "1123"
KEY = itemgetter("game", "model", "seed")
TABLES = (
    "entropy-families",
    "machine",
    "players",
    "cotta-2010-statements",
    "cotta-2010-readings",
    "cotta-2010-gaps",
    "cotta-2010-seeds",
)


def _record_runs(results: Path) -> None:
    old = RUNS.read_text("utf-8").splitlines() if RUNS.exists() else []
    lines = {KEY(json.loads(line)["provenance"]): line for line in old}
    for path in sorted((results / "weights").glob("*/*/seed-*.json")):
        run = json.loads(path.read_text("utf-8"))
        history = pl.read_parquet(path.with_suffix(".history.parquet"))
        better = history.filter(pl.col("best") < pl.col("best").shift(1, fill_value=2**62))
        run["provenance"] |= {
            "model": path.parent.name,
            "code": _digest_of_code(path, results.parent),
            "history": better.select("generation", "best").rows(),
        }
        lines[KEY(run["provenance"])] = json.dumps(run, ensure_ascii=False)
    write_text(RUNS, "\n".join(lines[key] for key in sorted(lines)))


def _digest_of_code(run: Path, study: Path) -> str:
    name = base64.b64encode(str(run.relative_to(study)).encode()).decode()
    record = (study / ".snakemake" / "metadata" / name).read_text("utf-8")
    digests = re.findall("\"'([0-9a-f]{16})'\"", record)
    return str(digests[0])


def _all_seeds(runs: list[Weights]) -> pl.DataFrame:
    by_model = groupby(runs, lambda run: run.provenance["model"])
    seeds = seed_table({model: [*runs_of_model] for model, runs_of_model in by_model})
    keys = ["model", "seed"]
    so_far = pl.read_csv(TARGET / "weights-seeds.csv")
    return pl.concat([seeds, so_far.join(seeds, on=keys, how="anti")]).sort(keys)


def _games_left_out(results: Path) -> pl.DataFrame:
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


def _other_games(runs: list[Weights]) -> pl.DataFrame:
    rows = []
    for (game, model), runs_of_model in groupby(runs, lambda run: KEY(run.provenance)[:2]):
        if game != PAPERS_GAME:
            provenances = [run.provenance for run in runs_of_model]
            opening = provenances[0]["opening"]
            totals = [provenance["total_guesses"] for provenance in provenances]
            built = make_game(game, word_lists=BUNDLED)
            entropy = grow(built, Strategy("entropy", opening)).total_guesses
            figures = (min(totals), max(totals), entropy, min(totals) - entropy)
            generations = provenances[0]["generations"]
            rows.append((game, model, opening, len(provenances), generations, *figures))
    columns = ["game", "model", "opening", "seeds", "generations"]
    columns += ["lowest_total", "highest_total", "entropy_total", "difference"]
    return pl.DataFrame(rows, columns, orient="row")


def _times(results: Path) -> pl.DataFrame:
    seconds: dict[str, list[float]] = {}
    for path in sorted((results / "weights" / PAPERS_GAME).glob("*/seed-*.json")):
        population = read_weights(path).provenance["params"]["population"]
        speeds = pl.read_parquet(path.with_suffix(".speed.parquet"))["individuals_per_second"]
        seconds.setdefault(path.parent.name, []).append(float((population / speeds).sum()))
    return pl.DataFrame(
        {"model": model, "runs": len(runs), "seconds": round(sum(runs))}
        for model, runs in seconds.items()
    )


if __name__ == "__main__":
    results = Path(sys.argv[1])
    _record_runs(results)
    runs = read_runs(RUNS)
    papers = [run for run in runs if run.provenance["game"] == PAPERS_GAME]
    seeds = _all_seeds(papers)
    spread = convergence_table(seeds)
    write_frame(seeds, TARGET / "weights-seeds.csv")
    write_frame(spread, TARGET / "weights-convergence.csv")
    write_frame(_other_games(runs), TARGET / "other-games.csv")
    for table in (results / "tables").glob("*.csv"):
        if table.stem in TABLES or table.stem.endswith("-methods"):
            shutil.copy(table, TARGET)
    if (results / "tables" / "machine.csv").exists():
        write_frame(_times(results), TARGET / "times.csv")
        write_frame(_games_left_out(results), TARGET / "games-left-out.csv")
    recorded = Counter(run.provenance["model"] for run in papers)
    count = pl.col("model").replace_strict(recorded, default=0, return_dtype=pl.Int64)
    renew_readme(TARGET, spread.with_columns(count.alias("weights recorded")))
