"""Check the values of games, deliberately without the package.

If a mixture of trees is played after a random symmetry, all secrets of a class need the same mean.
The program plays every secret to check that no class mean exceeds the value. Symmetries are
products of exchanges that keep feedback, which is compared for all pairs of codes in small games,
for some 40 codes and all others in larger ones. In small games a search also checks that no tree
needs fewer guesses against the codemaker's prior.
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from types import SimpleNamespace

import strict_json as strict
from game_rules import WORDS, WORDS_OPTION, lists_of, require_words, rules_of, turns_of
from strict_json import require

MOST_SEARCHED = 125
"""Maximum secrets of games whose lower bounds are checked."""

SHAPE = {
    "game": strict.is_word,
    "secrets": strict.COUNT,
    "value": strict.is_fraction,
    **dict.fromkeys(("minimum", "optimum", "tried"), strict.COUNT),
    "codebreaker": strict.VERSION,
    "words": (None, [strict.is_word]),
    "classes": [{"first": strict.is_word, "size": strict.COUNT, "weight": strict.COUNT}],
    "trees": [
        {"probability": strict.is_fraction, "totals": [strict.COUNT], "tree": strict.is_tree}
    ],
}


def classes_of(name, secrets, feedback_of):
    """Return the number of the first secret of each secret's class.

    Symmetries exchange two neighbouring positions, or two neighbouring symbols (in the black-peg
    game at one position only). Words have no symmetries.
    """
    if WORDS.fullmatch(name):
        return list(range(len(secrets)))
    pegs = len(secrets[0])
    symbols = sorted(set("".join(secrets)))
    parts = [(at, at + 1) for at in range(pegs)] if name.startswith("black") else [(0, pegs)]
    swaps = [
        lambda code, at=at: code[:at] + code[at + 1] + code[at] + code[at + 2 :]
        for at in range(pegs - 1)
    ]
    for symbol, next_symbol in pairwise(symbols):
        renamed = str.maketrans(symbol + next_symbol, next_symbol + symbol)
        swaps += [
            lambda code, renamed=renamed, a=a, b=b: (
                code[:a] + code[a:b].translate(renamed) + code[b:]
            )
            for a, b in parts
        ]
    number_of = {code: at for at, code in enumerate(secrets)}
    first = list(range(len(secrets)))
    images = [[number_of[swap(code)] for code in secrets] for swap in swaps]
    step = 1 if len(secrets) <= MOST_SEARCHED else len(secrets) // 40
    for image, guess in product(images, range(0, len(secrets), step)):
        for secret, code in enumerate(secrets):
            answer = feedback_of(secrets[image[guess]], secrets[image[secret]])
            if feedback_of(secrets[guess], code) != answer:
                raise ValueError("a symmetry changes feedback")
    before = None
    while before != first:
        before = list(first)
        for image in images:
            for at, other in enumerate(image):
                first[at] = first[other] = min(first[at], first[other])
    return first


def minimum_total(guesses, openings, secrets, weights, feedback_of, enough):
    """Return the minimum weighted total over all trees, or `enough` if no total is lower.

    All first guesses are images of the openings under symmetries that keep the weights.
    """
    kinds = sorted({feedback_of(guess, secret) for guess in guesses for secret in secrets})
    solved = {feedback_of(secret, secret) for secret in secrets}
    table = {
        guess: [kinds.index(feedback_of(guess, secret)) for secret in secrets] for guess in guesses
    }

    @cache
    def bound(members):
        """Return the total of a set if guesses divided it at will: heavy secrets come first."""
        total = 0
        turn = 1
        room = 1
        for weight in sorted((weights[member] for member in members), reverse=True):
            if room == 0:
                turn, room = turn + 1, (len(kinds) - 1) ** turn
            total = total + turn * weight
            room = room - 1
        return total

    best_of = {}

    def search(members, limit, guesses=guesses):
        """Return the minimum total of a set if it is below the limit, else a bound not below it."""
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
        whole = sum(weights[member] for member in members)
        best = limit
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
    """Return whether the lower bound was checked, too; raise an error unless the value holds."""
    stated = SimpleNamespace(**strict.shaped(certificate, SHAPE))
    rules = rules_of(stated.game, lists)
    feedback_of = rules.feedback_of
    secrets = rules.secrets
    value = Fraction(stated.value)
    require_words(stated.words, rules)
    agrees = len(secrets) == stated.secrets and stated.optimum <= value * len(secrets)
    require(agrees, "the number of secrets differs, or the optimum is above the value")
    class_of = classes_of(stated.game, secrets, feedback_of)
    sizes = Counter(class_of)
    places = sorted(sizes)
    same = [(secrets[at], sizes[at]) for at in places] == [
        (c["first"], c["size"]) for c in stated.classes
    ]
    require(same, "its classes differ from the classes under the symmetries")
    means = dict.fromkeys(places, Fraction(0))
    whole = Fraction(0)
    for entry in stated.trees:
        totals = dict.fromkeys(places, 0)
        turns = dict(turns_of(entry["tree"], rules, secrets))
        for secret, at in zip(secrets, class_of, strict=True):
            totals[at] += turns[secret]
        totals_found = [*totals.values()]
        require(totals_found == entry["totals"], f"a tree needs {totals_found} guesses by class")
        whole += (probability := Fraction(entry["probability"]))
        for at, total in totals.items():
            means[at] += probability * total / sizes[at]
    worst = max(means.values())
    agrees = whole == 1 and worst <= value
    require(agrees, f"the probabilities sum to {whole}, and a class mean is {worst}")
    weight_of = dict(zip(places, (c["weight"] for c in stated.classes), strict=True))
    drawn = [weight_of[at] for at in class_of]
    agrees = any(drawn) and value * sum(drawn) == stated.minimum
    require(agrees, "the weights give another value, or are all 0")
    if len(secrets) > MOST_SEARCHED:
        return False
    firsts = [secrets[at] for at in places]  # all first guesses are images of them
    openings = firsts if rules.guesses == secrets else rules.guesses
    lowest = minimum_total(rules.guesses, openings, secrets, drawn, feedback_of, stated.minimum)
    require(lowest >= stated.minimum, f"a tree needs {lowest} against the codemaker")
    return True


def shown(path, lists):
    """Return what a certificate proves, as a sentence and as a row."""
    certificate = strict.read(path)
    searched = check(certificate, lists)
    game = certificate["game"]
    value = certificate["value"]
    words = f"{game}: a mixture of {len(certificate['trees'])} trees needs {value} guesses "
    words += "on average, at most, whatever the secret's class; "
    if not searched:
        words += "on trust: exchanges keep the feedback of all codes, and "
    words += "no tree takes fewer against the codemaker's weights"
    answer = {"mixture_checked": "yes", "lower_bound_checked": "yes" if searched else "no"}
    return words, {"game": game, "value": value, **answer}


if __name__ == "__main__":
    strict.main(__doc__, shown, WORDS_OPTION, given=lists_of)
