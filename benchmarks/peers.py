"""Compare this program with others that are already built, both warm, in alternating rounds.

    python benchmarks/peers.py FILE

FILE is TOML, with a `[[row]]` for each comparison: `game`; `task`, a criterion or `exact`;
`opening`; the other `program`, its `commit`, `command` and `folder`; `about`, what its seconds
include; `rounds`; `repeats`, if the command does the task several times; for words, the files
`secrets` and `guesses`; and `seconds`, a regular expression for the CPU seconds that the command
prints, if the process's don't count.
"""

import os
import re
import resource
import statistics
import subprocess
import sys
import time
import tomllib
from pathlib import Path

from pages import machine, processor, publish

from codebreaker.games.registry import make_game
from codebreaker.games.words import WordFiles
from codebreaker.policies.strategy import Strategy
from codebreaker.search.solver import Solver
from codebreaker.trees.grow import grow

HEAD = (
    "| game | task | opening | total | other program | other, ms | here, ms | ratio "
    "| here, game given, ms |"
)


def warm(times):
    """Return the median, without the first of several."""
    return statistics.median(times[1:] or times)


def other_seconds(row):
    """Run the other program once; return its seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    folder = row.get("folder")
    command = row["command"]
    ended = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if "seconds" in row:
        return warm([float(text) for text in re.findall(row["seconds"], ended.stdout)])
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent / row.get("repeats", 1)


def our_game(row):
    """Make the game."""
    if "secrets" not in row:
        return make_game(row["game"])
    name = row["game"].partition("-")[2]
    lists = {name: WordFiles(row["secrets"], row["guesses"])}
    return make_game(row["game"], word_lists=lists)


def our_total(row, game):
    """Do the task; return the total guesses."""
    if row["task"] == "exact":
        return Solver(game, opening=row.get("opening")).solve().tree.total_guesses
    return grow(game, Strategy(row["task"], row.get("opening"))).total_guesses


def our_seconds(row):
    """Return seconds with and without making the game."""
    with_game = []
    given = []
    for _ in range(row.get("repeats", 1)):
        began = time.process_time()
        game = our_game(row)
        our_total(row, game)
        with_game.append(time.process_time() - began)
        began = time.process_time()
        our_total(row, game)
        given.append(time.process_time() - began)
    return warm(with_game), warm(given)


def compare(row):
    """Alternate both programs; return a line of the table."""
    total = our_total(row, our_game(row))
    rounds = row.get("rounds", 9)
    other_seconds(row)
    times = [(other_seconds(row), *our_seconds(row)) for _ in range(rounds)]
    other, here, given = (1e3 * statistics.median(column) for column in zip(*times, strict=True))
    return (
        f"| {row['game']} | {row['task']} | {row.get('opening', '')} | {total} | {row['program']} "
        f"| {other:,.1f} | {here:,.1f} | {here / other:.2f} | {given:,.1f} |"
    )


def main(path):
    """Compare row by row; print and write the table."""
    rows = tomllib.loads(Path(path).read_text(encoding="utf-8"))["row"]
    load = os.getloadavg()[0]
    lines = []
    for row in rows:
        lines.append(compare(row))
        print(lines[-1], flush=True)
    abouts = dict.fromkeys(f"- {row['program']} {row['commit']}: {row['about']}" for row in rows)
    where = machine(f"{processor()}, {os.cpu_count()} cores, load {load:.1f} at the start")
    publish(
        "peers.md",
        "Speed compared with other programs",
        f"{where}. CPU time, medians of alternating rounds, one thread each, all warm.",
        HEAD,
        lines,
        "*Here* includes making the game (with its table or word lists), and growing the tree or "
        "the search with a new memo of 256 MiB; *game given* leaves out the game. The times of the "
        "other programs include:",
        "\n".join(abouts),
        texts=3,
    )


if __name__ == "__main__":
    main(sys.argv[1])
