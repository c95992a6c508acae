"""Check the trees of certificates by playing every secret, deliberately without the package.

Shown is what the tree takes. That no tree takes fewer guesses is on trust: see check_lower_bound.py
"""

from pathlib import Path

import strict_json as strict
from game_rules import WORDS_OPTION, lists_of, rules_of, turns_of

TURN = range(1, 1000)
COUNTS = ("guess_charge", "late_charge", "secrets", "total_guesses", "max_guesses", "cost", "bound")
SHAPE = {
    "game": strict.is_word,
    "guess_pool": ("all", "consistent"),
    "objective": ("total", "maximum", "rounds", "lexicographic"),
    **dict.fromkeys(("guess_limit", "rounds"), (None, TURN)),
    "opening": (None, strict.is_word),
    **dict.fromkeys((*COUNTS, "sets_searched", "lookups"), strict.COUNT),
    "won": (None, strict.COUNT),
    "proven": (True, False),
    "openings": {strict.is_word: strict.COUNT},
    "codebreaker": strict.VERSION,
    "words": (None, [strict.is_word]),
    "tree": strict.is_tree,
}

SHOWN = (
    "{game}: a tree that opens with {first} finds all {secrets:,} secrets with {total_guesses:,} "
    "guesses, {max_guesses} at most; guesses: {guess_pool}; objective: {objective}, with a cost of "
    "{cost:,} (rounds: {rounds}; limit: {guess_limit}); on trust: that {bound:,} is a bound on it"
)


def check(certificate, lists=None):
    """Return an error in a certificate's tree, or an empty string; bounds are not checked."""
    try:
        return _mistake(strict.shaped(certificate, SHAPE), lists)
    except strict.FAULTS as why:
        return strict.reason(why)


def _mistake(certificate, lists):
    rules, tree = rules_of(certificate["game"], lists), certificate["tree"]
    if certificate["words"] is not None and sorted(certificate["words"]) != rules.secrets:
        return "its words are not those of the list"
    if certificate["opening"] not in (None, tree["guess"]):
        return f"{tree['guess']} is the opening"
    if not rules.allowed.issuperset(certificate["openings"]):
        return "one of its openings may not be guessed"
    consistent = certificate["guess_pool"] == "consistent"
    lengths = [turn for _, turn in turns_of(tree, rules, rules.secrets, consistent)]
    if len(lengths) != certificate["secrets"] or sum(lengths) != certificate["total_guesses"]:
        return f"{sum(lengths)} guesses over {len(lengths)} secrets"
    limit, objective = certificate["guess_limit"], certificate["objective"]
    if max(lengths) != certificate["max_guesses"] or (limit is not None and max(lengths) > limit):
        return f"{max(lengths)} guesses for one secret"
    if objective in ("maximum", "lexicographic") and max(lengths) != limit:
        return "the minimum of the maximum is not the limit"
    return _cost_is_wrong(certificate, lengths)


def _cost_is_wrong(certificate, lengths):
    objective, rounds = certificate["objective"], certificate["rounds"]
    guess, late = certificate["guess_charge"], certificate["late_charge"]
    won = None if rounds is None else sum(length <= rounds for length in lengths)
    if objective in ("total", "maximum"):
        agrees = rounds is None and (guess, late) == (1, 0)
    elif objective == "rounds":
        agrees = rounds is not None and guess == 1 and late > 0
    else:  # one guess costs more than all secrets at the maximum
        agrees = rounds == max(lengths) - 1 and guess > len(lengths) and late == 1
    if not agrees:
        return "the objective contradicts its rounds or its charges"
    if won != certificate["won"]:
        return f"{won} secrets within {rounds} guesses"
    cost, bound = guess * sum(lengths), certificate["bound"]
    cost += 0 if won is None else late * (len(lengths) - won)
    openings = certificate["openings"]
    if cost != certificate["cost"]:
        return f"a cost of {cost}"
    if certificate["proven"] != (bound == cost) or min([bound, *openings.values()]) < bound:
        return "'proven' contradicts the bound, or the bound an opening"
    above = bound > cost or openings.get(certificate["tree"]["guess"], 0) > cost
    return "a bound above the cost" if above else ""


def shown(path, lists):
    """Return what a certificate's file shows, as a sentence and as a row of the table."""
    told = strict.read(path)
    if mistake := check(told, lists):
        raise ValueError(mistake)
    figures = {key: told[key] for key in ("total_guesses", "max_guesses")}
    row = {"game": told["game"], "tree": Path(path).stem, **figures, "verdict": "tree verified"}
    return SHOWN.format(**told, first=told["tree"]["guess"]), row


if __name__ == "__main__":
    options = strict.arguments(__doc__, ("--words", WORDS_OPTION))
    strict.show(options, lists_of(options.words), shown)
