"""Check proofs of bounds on weights, deliberately without the package.

Options, partitions and refutations are recomputed here; the regrets are the exact search's.
"""

import csv
import json
from functools import cache
from itertools import product
from math import log2
from operator import eq
from pathlib import Path

SYMBOLS = "123456789abcdefghijklmnopqrstuvwxyz"
ROUNDING = 1e-7


def feedback_of(guess, secret):
    """Return Mastermind's feedback: black pegs, white pegs."""
    black = sum(map(eq, guess, secret))
    return black, common_of(ordered(guess), ordered(secret)) - black


@cache
def ordered(code):
    """Return a code's colours in order."""
    return "".join(sorted(code))


@cache
def common_of(guess, secret):
    """Return how many colours two codes of one length have in common, wherever they are."""
    if len(guess) != len(secret):
        raise ValueError(f"{guess} and {secret} have different lengths")
    return sum(min(guess.count(colour), secret.count(colour)) for colour in set(guess))


def cells_of(guess, members):
    """Return a set's cells by feedback."""
    cells = {}
    for member in members:
        cells.setdefault(feedback_of(guess, member), []).append(member)
    return cells


def score_of(guess, members):
    """Return each feedback's term of the entropy, in bits."""
    n = len(members)
    return {f: len(c) * log2(n / len(c)) / n for f, c in cells_of(guess, members).items()}


class Checker:
    """Checks one proof."""

    def __init__(self, proof):
        pegs, colours = (int(part) for part in proof["game"].split("-")[1:])
        self.codes = ["".join(code) for code in product(SYMBOLS[:colours], repeat=pegs)]
        self.proof, self.sets = proof, proof["sets"]
        self.low, self.high = proof["settings"]["low"], proof["settings"]["high"]
        self.members = [tuple(one["members"]) for one in self.sets]
        self.place_of = {members: place for place, members in enumerate(self.members)}
        self.refuted = 0

    def check(self):
        """Raise ValueError unless no weights take fewer guesses than the bound."""
        left = self.proof["bound"] - self.proof["optimum"] - 1
        opening = cells_of(self.proof["opening"], self.codes)
        if left >= 0 and self.proof.get("one_row"):
            self.fixed_node(self.proof["proof"], sets_below([opening]), {}, left, {})
        elif left >= 0:
            self.node(self.proof["proof"], sets_below([opening]), {}, left)

    @cache  # noqa: B019 (a checker lives for one proof)
    def terms(self, place, guess):
        """Return a guess's terms at a set; refutations ask for the same ones again and again."""
        return score_of(guess, self.members[place])

    @cache  # noqa: B019
    def regrets(self, place):
        """Return the regret of every option, one guess for each distinct score."""
        members, claimed = self.members[place], self.sets[place]["regrets"]
        seen, regrets = set(), {}
        for guess in (*members, *(code for code in self.codes if code not in members)):
            score = tuple(
                sorted((f, round(s, 10)) for f, s in score_of(guess, members).items() if s)
            )
            if score and score not in seen:
                seen.add(score)
                one_row = self.proof.get("one_row")
                regrets[guess] = (
                    claimed.get(guess, self.proof["beyond"]) if one_row else claimed[guess]
                )
        return regrets

    def node(self, node, sets, fixed, left):
        """Check a node: the sets of its turn, the options fixed so far, and the regret left."""
        if "rows" in node:
            self.refute(node["rows"], fixed)
        elif "set" in node:
            place = node["set"]
            if self.members[place] not in sets or place in fixed:
                raise ValueError(f"set {place} is not open")
            for guess, regret in self.regrets(place).items():
                if regret <= left:
                    self.node(node["options"][guess], sets, fixed | {place: guess}, left - regret)
        else:
            if {self.members[place] for place in fixed} != sets:
                raise ValueError("a pattern does not fix all sets")
            below = [cells_of(guess, self.members[place]) for place, guess in fixed.items()]
            self.node(node["next"], sets_below(below), {}, left)

    def fixed_node(self, node, sets, fixed, left, refuted):
        """Check a node of a proof for one row of all turns: all sets that are reached are open.

        `refuted` holds the options refuted so far by set, under options that are still fixed.
        """
        if "rows" in node:
            self.refute(node["rows"], fixed)
            return
        refuted = {place: set(guesses) for place, guesses in refuted.items()}
        for place, found in node["refuted"]:
            if self.members[place] not in sets:
                raise ValueError(f"set {place} is not open")
            for guess, rows in found.items():
                self.refute(rows, fixed | {place: guess})
                refuted.setdefault(place, set()).add(guess)
        least = {}
        for members in sets:
            place = self.place_of.get(members)
            if place is not None:
                open_to = self.regrets(place).items()
                gone = refuted.get(place, ())
                least[place] = min(
                    (r for guess, r in open_to if guess not in gone), default=left + 1
                )
        spare = left - sum(least.values())
        if spare < 0:
            return
        place = node["set"]
        for guess, regret in self.regrets(place).items():
            if regret <= spare + least[place] and guess not in refuted.get(place, ()):
                cells = sets_below([cells_of(guess, self.members[place])])
                self.fixed_node(
                    node["options"][guess],
                    (sets - {self.members[place]}) | cells,
                    fixed | {place: guess},
                    left - regret,
                    refuted,
                )

    def refute(self, rows, fixed):
        """Check that not all fixed options can lead their rivals by the margin."""
        total, shares = {}, 0.0
        for place, option, rival, share in rows:
            if fixed.get(place) != option or share < 0:
                raise ValueError(f"{option} is not fixed at set {place}")
            for sign, guess in ((share, option), (-share, rival)):
                for f, part in self.terms(place, guess).items():
                    total[f] = total.get(f, 0.0) + sign * part
            shares += share
        most = sum(max(self.low * part, self.high * part) for part in total.values())
        if most >= (self.proof["margin_bits"] + ROUNDING) * shares:
            raise ValueError("a refutation does not hold")
        self.refuted += 1


def sets_below(cells):
    """Return the cells with two or more candidates."""
    return {tuple(cell) for one in cells for cell in one.values() if len(cell) > 1}


if __name__ == "__main__":
    rows = [["model", "bound", "optimum", "refutations", "verdict"]]
    for path in map(Path, snakemake.input.bounds):
        try:
            checker = Checker(json.loads(path.read_text(encoding="utf-8")))
            checker.check()
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise SystemExit(f"error: the proof {path} does not hold: {error!r}") from None
        proof = checker.proof
        rows.append([proof["model"], proof["bound"], proof["optimum"], checker.refuted, "holds"])
    with Path(snakemake.output.checked).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    Path(snakemake.log[0]).write_text(f"{len(rows) - 1} proofs hold\n", encoding="utf-8")
