"""Check the trees of certificates by playing every secret, deliberately without the package.

Trees that `codebreaker tree --format json` writes are checked, too. Whether another tree needs
fewer guesses is not checked: see check_lower_bound.py.
"""

from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import strict_json as strict
from game_rules import WORDS_OPTION, lists_of, require_words, rules_of, turns_of
from strict_json import require

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


def is_text(value):
    """Return whether a value is a text, such as a policy's name or the meaning of feedback."""
    return type(value) is str and len(value) <= 1000 and value.isprintable()


def is_number(value):
    """Return whether a value is a number from 0."""
    return type(value) in (int, Fraction) and value >= 0


TREE = {
    "game": strict.is_word,
    "tree": strict.is_tree,
    **dict.fromkeys(("policy", "feedback"), is_text),
    **dict.fromkeys(("secrets", "n_secrets", "total_guesses", "max_guesses"), strict.COUNT),
    "mean_guesses": is_number,
    "profile": [strict.COUNT],
}
"""The keys of a tree without a bound: the first two, and any of the others."""

SHOWN_TREE = (
    "{game}: a tree that opens with {first} finds all {secrets:,} secrets with {total_guesses:,} "
    "guesses, {max_guesses} at most; it claims no bound"
)


def is_plain_tree(value):
    """Return whether a value has the keys of a tree without a bound."""
    return type(value) is dict and {"game", "tree"} <= value.keys() <= TREE.keys()


def check_tree(stated, lists=None):
    """Return a tree's figures; raise an error unless it finds all secrets and has those stated."""
    strict.shaped(stated, {key: TREE[key] for key in stated})
    rules = rules_of(stated["game"], lists)
    lengths = [turn for _, turn in turns_of(stated["tree"], rules, rules.secrets)]
    n = len(lengths)
    longest = max(lengths)
    figures = {
        "secrets": n,
        "n_secrets": n,
        "total_guesses": sum(lengths),
        "max_guesses": longest,
        "mean_guesses": sum(lengths) / n,
        "profile": [lengths.count(turn) for turn in range(1, longest + 1)],
    }
    for key in figures.keys() & stated.keys():
        same = stated[key] == figures[key]
        if key == "mean_guesses":  # a decimal, rounded to the nearest double
            same = float(stated[key]) == figures[key]
        require(same, f"its {key!r} is {figures[key]}")
    return figures


def check(certificate, lists=None):
    """Raise an error unless a certificate's tree has its figures; bounds are not checked."""
    stated = SimpleNamespace(**strict.shaped(certificate, SHAPE))
    rules = rules_of(stated.game, lists)
    objective = stated.objective
    first = stated.tree["guess"]
    require_words(stated.words, rules)
    require(stated.opening in (None, first), f"{first} is the opening")
    require(rules.allowed.issuperset(stated.openings), "one of its openings may not be guessed")
    consistent = stated.guess_pool == "consistent"
    lengths = [turn for _, turn in turns_of(stated.tree, rules, rules.secrets, consistent)]
    n = len(lengths)
    total = sum(lengths)
    longest = max(lengths)
    counted = (n, total) == (stated.secrets, stated.total_guesses)
    require(counted, f"{total} guesses over {n} secrets")
    limit = stated.guess_limit or longest
    rounds = stated.rounds
    won = None
    require(longest == stated.max_guesses <= limit, f"{longest} guesses for one secret")
    is_minimum = stated.guess_limit == longest or objective not in ("maximum", "lexicographic")
    require(is_minimum, "the minimum of the maximum is not the limit")
    guess = stated.guess_charge
    late = stated.late_charge
    cost = guess * total
    bound = stated.bound
    if rounds is not None:
        won = sum(length <= rounds for length in lengths)
        cost += late * (n - won)
    if objective in ("total", "maximum"):
        agrees = rounds is None and (guess, late) == (1, 0)
    elif objective == "rounds":
        agrees = rounds is not None and guess == 1 and late > 0
    else:  # one guess costs more than all secrets at the maximum
        agrees = rounds == longest - 1 and guess > n - (won or 0) and late == 1
    require(agrees, "the objective contradicts its rounds or its charges")
    require(won == stated.won, f"{won} secrets within {rounds} guesses")
    require(cost == stated.cost, f"a cost of {cost}")
    openings = stated.openings
    agrees = stated.proven == (bound == cost) and bound <= min(openings.values(), default=bound)
    require(agrees, "'proven' contradicts the bound, or the bound an opening")
    require(max(bound, openings.get(first, 0)) <= cost, "a bound above the cost")


def shown(path, lists):
    """Return what a file shows, as a sentence and as a row."""
    certificate = strict.read(path)
    if is_plain_tree(certificate):
        figures = check_tree(certificate, lists)
        first = certificate["tree"]["guess"]
        columns = {key: figures[key] for key in ("total_guesses", "max_guesses")}
        row = {"game": certificate["game"], "tree": Path(path).stem, **columns}
        sentence = SHOWN_TREE.format(game=certificate["game"], first=first, **figures)
        return sentence, row | {"verdict": "tree verified"}
    check(certificate, lists)
    figures = {key: certificate[key] for key in ("total_guesses", "max_guesses")}
    game = certificate["game"]
    row = {"game": game, "tree": Path(path).stem, **figures, "verdict": "tree verified"}
    return SHOWN.format(**certificate, first=certificate["tree"]["guess"]), row


if __name__ == "__main__":
    strict.main(__doc__, shown, WORDS_OPTION, given=lists_of)
