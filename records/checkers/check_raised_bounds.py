"""Check that no strategy for Mastermind needs fewer guesses than a bound that a search raised.

Usage: python check_raised_bounds.py mm-6-5 72585. `resources/proofs/raised-bounds.csv` claims lower
bounds on the totals of the sets after each first guess and feedback. After each class of first
guesses they are to add up, with one guess for each code, to the bound. second_solver.py looks for a
tree of each set that needs fewer guesses than claimed. Sets are taken by size, the smallest first,
and a set whose claim isn't needed is bounded by the parts into which its best guess divides it.
"""

import csv
import re
import sys
from pathlib import Path

import numpy as np
import second_solver

TABLE = Path(__file__).parents[2] / "resources" / "proofs" / "raised-bounds.csv"
COLUMNS = ["game", "opening", "feedback", "bound"]
BOUND = re.compile(r"[1-9]\d{0,8}", re.ASCII)


def read_claims(path, game):
    """Return the claimed bounds of a game by first guess and feedback."""
    claims = {}
    with path.open(encoding="utf-8") as file:
        reader = csv.DictReader(file)
        if reader.fieldnames != COLUMNS:
            raise ValueError(f"{path}: its columns are not {', '.join(COLUMNS)}")
        for row in reader:
            if not BOUND.fullmatch(str(row["bound"])):
                raise ValueError(f"{path}: {row['bound']!r} is no bound")
            if row["game"] == game:
                claims[row["opening"], row["feedback"]] = int(row["bound"])
    return claims


def bound_after(search, answers, opening, claims, wanted):
    """Return a lower bound on the total after a first guess, by claims that are checked.

    Claims are looked at until the bound is as wanted. Raises ValueError if one doesn't hold.
    """
    game = search.game
    name = "".join(str(colour + 1) for colour in game.codes[opening])
    work = search.after(opening)
    row = game.answers[:, opening]
    parts = []
    total = len(game.codes)
    for answer, (black, white) in enumerate(answers[:-1]):
        members = np.flatnonzero(row == answer)
        if len(members):
            bound = search.least_of_part(work, members, second_solver.IMPOSSIBLE - 1, quick=True)
            total += bound
            parts.append((len(members), f"{black}B-{white}C", members, bound))
    for _, feedback, members, known in sorted(parts, key=lambda part: part[0]):
        claimed = claims.get((name, feedback), 0)
        if total < wanted and claimed > known:
            shown = search.least_of_part(work, members, claimed - 1)
            if shown < claimed:
                raise ValueError(f"the set after {name} {feedback} may need {shown}, not {claimed}")
            total += claimed - known
    return name, total


def main(name, wanted, path=TABLE, megabytes=2048):
    """Print the bound after each first guess; raise ValueError if one is below the wanted one."""
    search = second_solver.Search(name, megabytes=megabytes)
    family, _, colours = name.split("-")
    _, answers = second_solver.answers_of(family, search.game.codes, int(colours))
    claims = read_claims(path, name)
    bounds = []
    for opening in second_solver.openings_of(search.game):
        after, bound = bound_after(search, answers, opening, claims, wanted)
        bounds.append(bound)
        print(f"{name} after {after}: at least {bound:,} guesses", flush=True)
    if min(bounds) < wanted:
        raise ValueError(f"{name} may need {min(bounds):,} guesses, not {wanted:,}")
    print(f"{name}: no strategy needs fewer than {wanted:,} guesses in total")


if __name__ == "__main__":
    given = sys.argv[1:]
    if len(given) != 2 or not given[0].startswith("mm-") or not BOUND.fullmatch(given[1]):
        sys.exit("error: give a game and a bound: check_raised_bounds.py mm-6-5 72585")
    try:
        main(given[0], int(given[1]))
    except (ValueError, OSError) as error:
        sys.exit(f"error: {error}")
