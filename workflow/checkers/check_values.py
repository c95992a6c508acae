"""Check the values of games, deliberately without the package.

A mixture of trees, each played after a random symmetry, takes all secrets of a class the same mean.
That none of these exceeds the value is checked by playing every secret. Symmetries are products of
exchanges, under which the feedback of pairs of codes is compared: of all pairs in small games, and
of some 40 codes with all others in larger ones. That no tree takes fewer guesses against the
codemaker's chances is checked for small games, by trying all guesses at every set of candidates
that bounds by their number don't rule out.
"""

import csv
import json
import runpy
import sys
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from pathlib import Path

PLAYED = runpy.run_path(str(Path(__file__).with_name("check_certificates.py")))
MOST_SEARCHED = 125
"""The most secrets of games whose lower bounds are checked."""


def classes_of(name, secrets, feedback_of):
    """Return the number of the first secret of each secret's class.

    Symmetries exchange two neighbouring positions, or two neighbouring symbols, at one position
    alone for the black-peg game. Words have none.
    """
    if name.split("-")[0] in ("matches", "marks", "pegs"):
        return list(range(len(secrets)))
    pegs, symbols = len(secrets[0]), sorted(set("".join(secrets)))
    black = name.startswith("black")
    swaps = [
        lambda code, at=at: code[:at] + code[at + 1] + code[at] + code[at + 2 :]
        for at in range(pegs - 1)
    ]
    for one, other in pairwise(symbols):
        renamed = str.maketrans(one + other, other + one)
        places = [slice(at, at + 1) for at in range(pegs)] if black else [slice(0, pegs)]
        swaps += [
            lambda code, renamed=renamed, at=at: (
                code[: at.start] + code[at].translate(renamed) + code[at.stop :]
            )
            for at in places
        ]
    place, first = {code: at for at, code in enumerate(secrets)}, list(range(len(secrets)))
    images = [[place[swap(code)] for code in secrets] for swap in swaps]
    for image in images:
        for one, other in product(
            range(0, len(secrets), 1 + len(secrets) // 40), range(len(secrets))
        ):
            if feedback_of(secrets[one], secrets[other]) != feedback_of(
                secrets[image[one]], secrets[image[other]]
            ):
                raise ValueError("a symmetry changes feedback")
    changed = True
    while changed:
        changed = False
        for image in images:
            for at, other in enumerate(image):
                least = min(first[at], first[other])
                changed |= first[at] != first[other]
                first[at] = first[other] = least
    return first


def least_total(guesses, openings, secrets, weights, feedback_of, enough):
    """Return the least weighted total of guesses over all trees, or `enough` if none is below it.

    All first guesses are images of the openings under symmetries, which keep the weights.
    """
    kinds = sorted({feedback_of(guess, secret) for guess in guesses for secret in secrets})
    solved = {feedback_of(secret, secret) for secret in secrets}
    table = {
        guess: [kinds.index(feedback_of(guess, secret)) for secret in secrets] for guess in guesses
    }

    @cache
    def bound(members):
        """Return what a set takes if guesses could divide it at will: heavy secrets come first."""
        total, turn, room = 0, 1, 1
        for weight in sorted((weights[member] for member in members), reverse=True):
            if room == 0:
                turn, room = turn + 1, (len(kinds) - 1) ** turn
            total, room = total + turn * weight, room - 1
        return total

    best_of = {}

    def search(members, limit, guesses=guesses):
        """Return the least total of a set, if it is below the limit, else a bound at least it."""
        if len(members) == 1 or bound(members) >= limit:
            return bound(members)
        exact, known = best_of.get(members, (False, 0))
        if exact or known >= limit:
            return known
        options = []
        for guess in guesses:
            cells = {}
            for member in members:
                cells.setdefault(table[guess][member], []).append(member)
            if len(cells) > 1:
                rest = [
                    tuple(cell)
                    for kind, cell in cells.items()
                    if not (kinds[kind] in solved and secrets[cell[0]] == guess)
                ]
                options.append((sum(map(bound, rest)), sorted(rest, key=len)))
        whole, best = sum(weights[member] for member in members), limit
        for below, cells in sorted(options):
            total = whole + below
            for cell in cells:
                if total >= best:
                    break
                others = total - bound(cell)
                total = others + search(cell, best - others)
            best = min(best, total)
        best_of[members] = best < limit, best
        return best

    every = tuple(at for at, weight in enumerate(weights) if weight)
    return search(every, enough, openings)


def check(certificate, lists=None):
    """Return an error in a certificate, or "", and whether its lower bound was checked."""
    try:
        return _check(certificate, lists or {})
    except (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError) as why:
        return f"it is malformed or incomplete: {type(why).__name__} {why}", False


def _check(certificate, lists):
    feedback_of, secrets, may_be_guessed = PLAYED["rules_of"](certificate, lists)
    value, classes = Fraction(certificate["value"]), certificate["classes"]
    if certificate["words"] is not None and sorted(certificate["words"]) != secrets:
        return "its words are not those of the list", False
    first = classes_of(certificate["game"], secrets, feedback_of)
    found = [{"first": secrets[at], "size": first.count(at)} for at in sorted(set(first))]
    if found != [{"first": one["first"], "size": one["size"]} for one in classes]:
        return "its classes are not those of the symmetries", False
    means, chances = [Fraction(0)] * len(classes), Fraction(0)
    for entry in certificate["trees"]:
        totals = dict.fromkeys(sorted(set(first)), 0)
        for at, secret in enumerate(secrets):
            moves = PLAYED["moves_of"](entry["tree"], secret, feedback_of, [])
            if not all(may_be_guessed(guess) for guess, _ in moves):
                return "a guess may not be guessed", False
            totals[first[at]] += len(moves)
        if list(totals.values()) != entry["totals"]:
            return f"a tree takes {list(totals.values())} guesses by class", False
        chance = Fraction(entry["chance"])
        if chance < 0:
            return "a chance below 0", False
        chances += chance
        for at, (one, total) in enumerate(zip(classes, totals.values(), strict=True)):
            means[at] += chance * total / one["size"]
    if chances != 1 or max(means) > value:
        return f"the mixture's chances sum to {chances}, and a class takes {max(means)}", False
    weights = {one["first"]: one["weight"] for one in classes}
    if min(weights.values()) < 0 or not any(weights.values()):
        return "weights below 0, or all 0", False
    drawn = [weights[secrets[at]] for at in first]
    if value * sum(drawn) != certificate["least"]:
        return f"the value is {Fraction(certificate['least'], sum(drawn))} by the weights", False
    if len(secrets) > MOST_SEARCHED:
        return "", False
    guesses, openings = secrets, [secrets[at] for at in sorted(set(first))]
    family, size = certificate["game"].split("-", 1)
    if family in ("matches", "marks", "pegs"):
        guesses = openings = sorted({*secrets, *lists[size][1]})
    enough = certificate["least"]
    least = least_total(guesses, openings, secrets, drawn, feedback_of, enough)
    return (f"a tree takes {least} against the codemaker" if least < enough else ""), True


def write_checked(paths, lists, target):
    """Check certificates, end with an error at the first wrong one, and list them."""
    rows = []
    for path in paths:
        certificate = json.loads(Path(path).read_text(encoding="utf-8"))
        mistake, searched = check(certificate, lists)
        if mistake:
            sys.exit(f"error: {path} proves nothing: {mistake}")
        rows.append([certificate["game"], certificate["value"], "yes", "yes" if searched else "no"])
    with Path(target).open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(
            [["game", "value", "mixture_checked", "lower_bound_checked"], *rows]
        )


if __name__ == "__main__":
    files, lists = iter(snakemake.input.words), {}
    for name, count in snakemake.params.word_lists.items():
        secrets, *others = (PLAYED["words_in"](next(files)) for _ in range(count))
        lists[name] = (secrets, [word for words in others for word in words])
    paths = snakemake.input.values
    write_checked(paths, lists, snakemake.output.checked)
    Path(snakemake.log[0]).write_text(f"{len(paths)} values hold\n", encoding="utf-8")
