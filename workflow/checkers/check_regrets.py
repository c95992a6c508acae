"""Check the regrets in a proof of a bound on weights, with NumPy and nothing else.

A regret says how many more guesses a set takes after a guess than at best. The proof of a bound
stays true if regrets are too small, but not if they are too large. So the claims of a second file,
which are checked first, have to show for each set and guess: the guess and the cells that it makes
take as many guesses as the claim on the set, and the regret, together.
"""

import json
import sys
from pathlib import Path

import numpy as np
from check_lower_bound import Checker


def uses(node, turn):
    """Yield the sets that a proof branches on, each with its turn."""
    if "set" in node:
        yield node["set"], turn
    for child in node.get("options", {}).values():
        yield from uses(child, turn)
    if "next" in node:
        yield from uses(node["next"], turn + 1)


def least_after(checker, members, turn, guess):
    """Return what a set takes at least if a guess is made at a turn."""
    row = checker.game.table[checker.game.labels.index(guess)][members]
    kinds = (kind for kind in np.unique(row) if kind != checker.game.solved)
    cells = [members[row == kind] for kind in kinds]
    return len(members) + sum(checker.least_of(cell, turn + 1) for cell in cells)


def check(proof, claims):
    """Return the number of regrets; raise ValueError if one may be too large."""
    checker, regrets = Checker(claims), 0
    if (proof["game"], proof["guess_limit"]) != (claims["game"], claims["guess_limit"]):
        raise ValueError("the claims are those of another game, or of another limit on guesses")
    for members, turn, least in checker.claims.values():
        checker.check(members, turn, least)
    labels = checker.game.labels
    if least_after(checker, np.arange(len(labels)), 1, proof["opening"]) < proof["optimum"]:
        raise ValueError(f"{proof['opening']} may take fewer guesses than {proof['optimum']}")
    for place, turn in sorted(set(uses(proof["proof"], 2))):
        one = proof["sets"][place]
        members = np.sort([labels.index(member) for member in one["members"]])
        least = checker.claims[checker.key(members, turn)][2]
        for guess, regret in one["regrets"].items():
            found = least_after(checker, members, turn, guess) - least
            if found < regret:
                raise ValueError(f"{guess} at set {place} has a regret of {found}, not {regret}")
            regrets += 1
    return regrets


if __name__ == "__main__":
    try:
        texts = [Path(path).read_text(encoding="utf-8") for path in sys.argv[1:]]
        proof, claims = map(json.loads, texts)
        told = f"{proof['model']}: {check(proof, claims):,} regrets hold by "
    except (ValueError, LookupError, TypeError, AttributeError, OSError) as why:
        sys.exit(f"error: these regrets are not shown: {why!r}")
    print(told + f"{len(claims['claims'])} claims")
