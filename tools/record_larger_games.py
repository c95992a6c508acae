"""Play the strategy `sampled` in larger games, for resources/larger-games/ (`make larger-games`).

Games are played in the order of PLAYED, and written to build/larger-games/ one by one: what was
played is not played again. `python tools/record_larger_games.py GAME ...` plays some sizes only;
sizes without games there keep their recorded rows.
"""

import csv
import multiprocessing
import re
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import ceil
from pathlib import Path

import numpy as np
import polars as pl
from recording import RESOURCES, ROOT, renew_readme

from codebreaker.errors import CodebreakerError
from codebreaker.files import write_frame
from codebreaker.games.codes import CodeRules
from codebreaker.games.registry import rules_of, without_table
from codebreaker.games.unlisted import UnlistedGame
from codebreaker.players.registry import MOST_TURNS
from codebreaker.report.tables import read_table
from codebreaker.sampling.player import Sampled, pegs_between
from codebreaker.sampling.settings import SAMPLES
from codebreaker.statistics import critical, holm, standard_error, two_sided

FOLDER = RESOURCES / "larger-games"
GAMES = ROOT / "build" / "larger-games"
PUBLISHED = FOLDER / "published.csv"

PLAYED = {
    "mm-4-6": 8000,
    "mm-5-8": 20000,
    "mm-6-9": 4000,
    "mm-7-8": 4000,
    "mm-7-10": 1000,
    "mm-8-10": 400,
    "mm-8-12": 1000,
    "mm-10-8": 400,
    "mm-10-12": 200,
    "mm-12-20": 200,
}
"""Number of games of each size."""

MEASURED = 3
"""Games of each size that a fresh process plays to measure its memory."""

SEED = 1
COLUMNS = ("number", "secret", "guesses", "seconds", "slowest_guess")
LEVEL = 0.95

OPTIMAL = "optimal strategy"
"""The published tree of a solved game, which no strategy can beat."""

POWER_SCORE = 0.8416
"""Score of the normal distribution that four of five draws stay below."""


def main(names: list[str]) -> None:
    """Play the games that are missing, and write the table."""
    FOLDER.mkdir(exist_ok=True)
    GAMES.mkdir(parents=True, exist_ok=True)
    for name in names or PLAYED:
        _play(name, PLAYED[name], GAMES / f"{name}.csv")
    played = [name for name in PLAYED if (GAMES / f"{name}.csv").exists()]
    # Each size has a process of its own, as the peak of memory is that of a whole process.
    spawning = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawning, max_tasks_per_child=1) as pool:
        peaks = list(pool.map(_peak_mib, played))
    rows = [_row(name, peak) for name, peak in zip(played, peaks, strict=True)]
    recorded = read_table(FOLDER / "sampled.csv") if (FOLDER / "sampled.csv").exists() else None
    if recorded is not None:
        kept = recorded.filter(~pl.col("game").is_in(played)).drop(TESTED, strict=False)
        rows += kept.to_dicts()
    table = with_tests(pl.DataFrame(rows, infer_schema_length=None).sort("secrets"))
    write_frame(table, FOLDER / "sampled.csv")
    renew_readme(FOLDER, read_table(FOLDER / "sampled.csv"))


TESTED = ("difference", "p_holm", "games_to_decide")
"""Columns of the comparison with the lowest published mean."""


def with_tests(table: pl.DataFrame) -> pl.DataFrame:
    """Return the sizes with their differences from the lowest published mean, tested.

    That mean counts as exact. `p_holm` is of Student's test, corrected for all sizes with a
    published mean and without a published optimum; `games_to_decide` is where it isn't significant:
    the games after which a difference of this size would be, in four of five repetitions, if it
    were tested alone.
    """
    rows = table.to_dicts()
    compared = []
    for row in rows:
        row |= dict.fromkeys(TESTED)
        published = [row[key] for key in ("tree_guesses", "player_guesses") if row[key]]
        if published and row["published_tree"] != OPTIMAL:
            row["difference"] = round(row["mean_guesses"] - min(published), 4)
            compared.append(row)
    errors = [_error_of(row) for row in compared]
    scores = [row["difference"] / error for row, error in zip(compared, errors, strict=True)]
    ps = [two_sided(s, row["games"] - 1) for s, row in zip(scores, compared, strict=True)]
    for row, score, p in zip(compared, scores, holm(ps), strict=True):
        row["p_holm"] = round(p, 4)
        if p >= 1 - LEVEL:
            needed = (critical(LEVEL, row["games"] - 1) + POWER_SCORE) / score
            row["games_to_decide"] = ceil(row["games"] * needed**2)
    schema = dict(table.schema) | dict(zip(TESTED, (pl.Float64, pl.Float64, pl.Int64), strict=True))
    return pl.DataFrame(rows, schema=schema)


def _error_of(row: dict[str, object]) -> float:
    """Return the standard error of a row's mean, from its interval."""
    width = float(row["high"]) - float(row["low"])  # type: ignore[arg-type]
    return width / 2 / critical(LEVEL, int(row["games"]) - 1)  # type: ignore[call-overload]


def _play(name: str, games: int, path: Path) -> None:
    """Play games of one size that a file doesn't have yet, and append them to it."""
    rules = rules_of(name)
    if not isinstance(rules, CodeRules):
        raise CodebreakerError(f"{name} is not a game of codes")
    labels = UnlistedGame.of(rules).secrets
    played = len(pl.read_csv(path)) if path.exists() else 0
    secrets = np.random.default_rng(SEED).integers(len(labels), size=games).tolist()
    if played < games:
        _played(rules, labels[secrets[0]], 0)  # compiled code is loaded before times are taken
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if not played:
            writer.writerow(COLUMNS)
        for number in range(played, games):
            writer.writerow([number, *_played(rules, labels[secrets[number]], number)])
            file.flush()
            print(f"{name}: {number + 1}/{games} games", file=sys.stderr)


def _peak_mib(name: str) -> int:
    """Return the peak memory of this process after some games of a size, in MiB (Linux only).

    The kernel's own count is read, as `getrusage` includes the peak of the process that started
    this one.
    """
    rules = without_table(rules_of(name))
    labels = UnlistedGame.of(rules).secrets
    secrets = np.random.default_rng(SEED).integers(len(labels), size=MEASURED).tolist()
    for number, secret in enumerate(secrets):
        _played(rules, labels[secret], number)
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    (peak_kib,) = re.findall(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)
    return int(peak_kib) // 2**10


def _played(rules: CodeRules, secret: str, number: int) -> list[object]:
    """Return a game's secret, its guesses, and its CPU seconds: in all and of its slowest guess."""
    seed = int(np.random.SeedSequence([SEED, number]).generate_state(1)[0])
    answer = partial(pegs_between, rules, secret=rules.colours_of(secret))
    times = [time.process_time()]

    def timed(guess: list[int]) -> tuple[int, int]:
        times.append(time.process_time())
        return answer(guess)

    guesses = Sampled(rules, SAMPLES, seed).play(timed, MOST_TURNS)
    spent = np.diff(times)
    return [secret, len(guesses), round(float(spent.sum()), 4), round(float(spent.max()), 4)]


def _row(name: str, peak_mib: int) -> dict[str, object]:
    """Return the row of a size, with the lowest published means of a tree and of a player."""
    games = pl.read_csv(GAMES / f"{name}.csv")
    guesses = games["guesses"].to_numpy().astype(np.float64)
    mean = float(guesses.mean())
    error = standard_error(guesses)
    margin = critical(LEVEL, len(guesses) - 1) * error
    row: dict[str, object] = {
        "game": name,
        "secrets": len(UnlistedGame.of(without_table(rules_of(name))).secrets),
        "games": len(guesses),
        "mean_guesses": round(mean, 4),
        "low": round(mean - margin, 4),
        "high": round(mean + margin, 4),
        "max_guesses": int(guesses.max()),
        "seconds_per_game": round(float(games["seconds"].mean()), 3),  # type: ignore[arg-type]
        "slowest_guess_s": games["slowest_guess"].max(),
        "peak_mib": peak_mib,
    }
    published = pl.read_csv(PUBLISHED).filter(pl.col("game") == name)
    for kind in ("tree", "player"):
        best = published.filter(pl.col("kind") == kind).sort("guesses").head(1)
        row[f"published_{kind}"] = best["player"][0] if len(best) else None
        row[f"{kind}_guesses"] = best["guesses"][0] if len(best) else None
    return row


if __name__ == "__main__":
    main(sys.argv[1:])
