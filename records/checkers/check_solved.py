"""Confirm or refute proven minimum totals and lowest maxima, by a second solver.

Usage: python check_solved.py [GAME ...]. For each claim in resources/best-known/, second_solver.py
shows that no tree is better and finds a tree that is as good, and the recorded tree is played by
every secret. The results are in resources/proofs/second-solver.csv; claims that it has are skipped,
so a stopped run goes on, and several runs can add to one table. Nothing comes from the package but
the recorded trees.
"""

import argparse
import csv
import fcntl
import multiprocessing
import os
import platform
import re
import resource
import signal
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import second_solver as solver

ROOT = Path(__file__).resolve().parents[2]
BEST_KNOWN = ROOT / "resources" / "best-known"
TREES = ROOT / "src" / "codebreaker" / "data" / "trees"
TABLE = ROOT / "resources" / "proofs" / "second-solver.csv"

TOTAL = "minimum total"
MAXIMUM = "lowest maximum"
TOTAL_AT_MAXIMUM = "minimum total at the lowest maximum"
QUANTITIES = (TOTAL, MAXIMUM, TOTAL_AT_MAXIMUM)
EFFORT = re.compile(r"\d{1,7}(\.\d)?,\d{1,12},\d{1,7}", re.ASCII)
"""Seconds, sets and MiB of a claim that was decided."""
COLUMNS = ("game", "quantity", "claimed", "bound", "tree", "result", "seconds", "sets", "mib",
           "processor")  # fmt: skip


def recorded_numbers(name, game):
    """Return the solver's number of feedback by its number in recorded trees.

    Those number feedback by black pegs, then white ones. In Mastermind they leave out only all
    black pegs but one, and one white; in Bulls and Cows all that no guess gets.
    """
    family, pegs, colours = name.split("-")
    pegs = int(pegs)
    _, known = solver.answers_of(family, game.codes, int(colours))
    number = {feedback: k for k, feedback in enumerate(known)}
    listed = known
    if family == "mm":
        pairs = [(black, white) for black in range(pegs + 1) for white in range(pegs + 1 - black)]
        listed = [pair for pair in pairs if pair != (pegs - 1, 1)]
    return {k: number[pair] for k, pair in enumerate(listed) if pair in number}


def play(name, path):
    """Return the total and the maximum of a recorded tree, played by every secret."""
    import polars as pl  # reads the file, and nothing else

    game = solver.game_of(name)
    columns = ("parent", "feedback", "guess")
    try:
        tree = pl.read_parquet(path, columns=columns)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise ValueError(f"{path}: no tree can be read from it") from error
    parents, feedback, guesses = (tree[column].to_list() for column in columns)
    number = recorded_numbers(name, game)
    children = {}
    for node, parent in enumerate(parents):
        key = (parent, number.get(feedback[node], -1))
        if key in children:
            raise ValueError(f"{path}: two branches for one answer")
        children[key] = node
    if (-1, -1) not in children:
        raise ValueError(f"{path}: a tree without a first guess")
    solves = game.n_answers - 1
    total = maximum = 0
    waiting = [(children[-1, -1], np.arange(len(game.codes)), 1)]
    n_played = 0
    while waiting:
        node, candidates, turn = waiting.pop()
        n_played += 1
        total += len(candidates)
        maximum = max(maximum, turn)
        if turn >= solver.DEEPEST or not 0 <= guesses[node] < len(game.codes):
            raise ValueError(f"{path}: no tree of the game {name}")
        answers = game.answers[candidates, guesses[node]]
        for answer in np.unique(answers).tolist():
            if answer != solves:
                if (node, answer) not in children:
                    raise ValueError(f"{path}: no branch for an answer of {name}")
                part = candidates[answers == answer]
                waiting.append((children[node, answer], part, turn + 1))
    if n_played != len(guesses):
        raise ValueError(f"{path}: a branch for an answer that can't be")
    return total, maximum


class Claim(NamedTuple):
    """What is claimed of a game, and the tree that is to attain it."""

    game: str
    quantity: str
    claimed: int
    guess_limit: int | None
    tree: Path
    secrets: int


def read_claims(folder=BEST_KNOWN, trees=TREES):
    """Return what is claimed to be proven, smaller games first."""
    with (folder / "best-known.csv").open(encoding="utf-8") as file:
        best = {row["game"]: row for row in csv.DictReader(file)}
    with (folder / "lowest-maximum.csv").open(encoding="utf-8") as file:
        lowest = {row["game"]: row for row in csv.DictReader(file)}
    claims = []
    for game, row in best.items():
        secrets = int(row["secrets"])
        tree = trees / f"{game}.parquet"
        if row["proven"] == "yes":
            claims.append(Claim(game, TOTAL, int(row["total"]), None, tree, secrets))
        low = lowest[game]
        other = folder / "lowest-maximum" / f"{game}.parquet"
        if other.exists():
            tree = other
        maximum = int(low["max"])
        if low["max_bound"] == low["max"]:
            claims.append(Claim(game, MAXIMUM, maximum, maximum - 1, tree, secrets))
        if low["proven"] == "yes" and low["total"] != row["total"]:
            total = int(low["total"])
            claims.append(Claim(game, TOTAL_AT_MAXIMUM, total, maximum, tree, secrets))
    return sorted(claims, key=lambda claim: (claim.quantity != TOTAL, claim.secrets))


def judge(claim, megabytes=1024):
    """Return a row of the table: whether the search and the recorded tree agree with a claim."""
    began = time.process_time()
    total, maximum = play(claim.game, claim.tree)
    if claim.quantity == MAXIMUM:
        search = solver.Search(claim.game, claim.guess_limit, megabytes, any_tree=True)
        bound = claim.guess_limit
        if search.bound(0) > 0:
            bound = claim.guess_limit + 1  # there is no tree within the limit
        sets = search.sets
        confirmed = bound == maximum == claim.claimed
    else:
        limit = claim.guess_limit or solver.NO_LIMIT
        bound, found, sets = solver.minimum_total(claim.game, claim.claimed, limit, megabytes)
        confirmed = bound == found == total == claim.claimed
        if claim.guess_limit and maximum > limit:
            confirmed = False
    row = {
        "game": claim.game,
        "quantity": claim.quantity,
        "claimed": claim.claimed,
        "bound": bound,
        "tree": maximum if claim.quantity == MAXIMUM else total,
        "result": "confirmed" if confirmed else "refuted",
        "seconds": round(time.process_time() - began, 1),
        "sets": sets,
        "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10,
        "processor": processor(),
    }
    return {column: row[column] for column in COLUMNS}


def processor():
    """Return the kind of processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def judge_apart(claim, megabytes, seconds):
    """Judge a claim in a separate process, which ends after `seconds` of CPU time.

    Raises ValueError if the recorded tree is damaged.
    """
    forked = multiprocessing.get_context("fork")  # it has the compiled functions
    receiver, sender = forked.Pipe(duplex=False)
    process = forked.Process(target=send_row, args=(sender, claim, megabytes, seconds))
    process.start()
    sender.close()
    try:
        row = receiver.recv()
    except EOFError:
        row = None
    process.join()
    if process.exitcode == -signal.SIGXCPU:
        row = dict.fromkeys(COLUMNS, "")
        row |= {"game": claim.game, "quantity": claim.quantity, "claimed": claim.claimed}
        row |= {"result": "undecided", "seconds": seconds, "processor": processor()}
    if row is None:
        raise RuntimeError(f"{claim.game}: the search ended with status {process.exitcode}")
    if isinstance(row, ValueError):
        raise row
    return row


def send_row(sender, claim, megabytes, seconds):
    """Judge a claim and send its row through a pipe, or what is wrong with the tree."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    try:
        row = judge(claim, megabytes)
    except ValueError as error:
        row = error
    sender.send(row)


def read_table(path):
    """Return the rows of a table by game and quantity; a missing table is empty."""
    if not path.exists():
        return {}
    with path.open(encoding="utf-8") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
    if reader.fieldnames != list(COLUMNS):
        raise ValueError(f"{path}: its columns are not {', '.join(COLUMNS)}")
    for row in rows:
        if None in row or None in row.values():
            raise ValueError(f"{path}: a row has more or fewer cells than there are columns")
    table = {(row["game"], row["quantity"]): row for row in rows}
    if len(table) < len(rows):
        raise ValueError(f"{path}: two rows for one claim")
    return table


def write_table(path, table, claims):
    """Write the rows in the order of the claims, in one step."""
    temporary = path.with_suffix(".tmp")
    with temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        for claim in claims:
            if (claim.game, claim.quantity) in table:
                writer.writerow(table[claim.game, claim.quantity])
    temporary.replace(path)


def add_row(path, row, claims):
    """Add a row to the table as it is now, and return the table.

    Another run may have added rows since this one read the table, or may do so now: a lock on the
    folder makes one wait for the other. A decided row is not replaced by an undecided one.
    """
    key = (row["game"], row["quantity"])
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        table = read_table(path)
        old = table.get(key)
        decided = old and old["result"] != "undecided" and old["claimed"] == str(row["claimed"])
        if row["result"] != "undecided" or not decided:
            table[key] = row
        write_table(path, table, claims)
    finally:
        os.close(folder)  # unlocks it
    return table


def faults_of(table, claims):
    """Return what is wrong with a table as it stands, without solving anything."""
    claimed = {(claim.game, claim.quantity): str(claim.claimed) for claim in claims}
    faults = []
    for key, row in table.items():
        name = " ".join(key)
        agrees = row["claimed"] == row["bound"] == row["tree"]
        effort = f"{row['seconds']},{row['sets']},{row['mib']}"
        if key not in claimed:
            faults.append(f"{name}: nothing is claimed")
        elif row["claimed"] != claimed[key]:
            faults.append(f"{name}: {claimed[key]} is claimed, not {row['claimed']}")
        elif row["result"] not in ("confirmed", "refuted", "undecided"):
            faults.append(f"{name}: {row['result']} is no result")
        elif agrees != (row["result"] == "confirmed"):
            faults.append(f"{name}: its figures contradict that it is {row['result']}")
        elif row["result"] != "undecided" and not EFFORT.fullmatch(effort):
            faults.append(f"{name}: its seconds, sets or MiB are not numbers")
    return faults


def missing_of(table, claims):
    """Return the claims that have no row."""
    return [claim for claim in claims if (claim.game, claim.quantity) not in table]


def differences(row, repeated):
    """Return how a row differs from the same claim judged again; time and memory may differ."""
    same = ("game", "quantity", "claimed", "bound", "tree", "result", "sets")
    return [
        f"{row['game']} {row['quantity']}: {key} {row[key]} is {repeated[key]} when repeated"
        for key in same
        if str(row[key]) != str(repeated[key])
    ]


def repeat(table, claims, seconds, memory):
    """Judge again each claim whose row took so many seconds at most, and return what differs."""
    rows = [table.get((claim.game, claim.quantity)) for claim in claims]
    repeated = [
        (claim, row)
        for claim, row in zip(claims, rows, strict=True)
        if row and row["result"] != "undecided" and float(row["seconds"]) <= seconds
    ]
    whole = sum(float(row["seconds"]) for _, row in repeated)
    spent = 0.0
    faults = []
    for number, (claim, row) in enumerate(repeated, start=1):
        found = differences(row, judge(claim, memory))
        faults += found
        spent += float(row["seconds"])
        print(
            f"[{number}/{len(repeated)}] {claim.game} {claim.quantity} {row['claimed']}:"
            f" {'differs' if found else 'the same'}; {spent:.0f} of {whole:.0f} recorded seconds",
            flush=True,
        )
    return faults


def main(arguments=None):
    """Judge claims and write the table; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", help="names such as mm-4-6 (default: all)")
    parser.add_argument("--only", choices=QUANTITIES, help="judge this quantity alone")
    parser.add_argument("--table", type=Path, default=TABLE)
    parser.add_argument("--seconds", type=int, default=3600, help="CPU seconds for one claim")
    parser.add_argument("--memory", type=int, default=1024, help="MiB for the table of sets")
    parser.add_argument("--again", action="store_true", help="also judge what the table has")
    parser.add_argument(
        "--repeat",
        type=float,
        metavar="SECONDS",
        help="instead, judge again what took so long at most, and fail if anything differs",
    )
    options = parser.parse_args(arguments)
    claims = read_claims()
    chosen = [
        claim
        for claim in claims
        if claim.game in (options.games or [claim.game])
        and claim.quantity == (options.only or claim.quantity)
    ]
    if unknown := set(options.games) - {claim.game for claim in chosen}:
        parser.error(f"nothing is claimed of {', '.join(sorted(unknown))}")
    if not TREES.is_dir():
        parser.error(f"the recorded trees are missing: copy them to {TREES}")
    solver.minimum_total("mm-2-2", 8)  # compiles
    faults = []
    if options.repeat is not None:
        faults = repeat(read_table(options.table), chosen, options.repeat, options.memory)
    for claim in chosen if options.repeat is None else []:
        table = read_table(options.table)  # with rows of other runs
        row = table.get((claim.game, claim.quantity))
        if row and not options.again and row["result"] != "undecided":
            continue
        row = judge_apart(claim, options.memory, options.seconds)
        table = add_row(options.table, row, claims)
        print(" ".join(str(row[column]) for column in COLUMNS[:-1]), flush=True)
    table = read_table(options.table)
    faults += faults_of(table, claims)
    faults += [
        f"{claim.game} {claim.quantity}: it has no row" for claim in missing_of(table, chosen)
    ]
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    refuted = [key for key, row in table.items() if row["result"] == "refuted"]
    for key in refuted:
        print(f"refuted: {' '.join(key)}", file=sys.stderr)
    return 1 if faults or refuted else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ValueError as error:
        sys.exit(f"error: {error}")
