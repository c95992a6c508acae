"""Strategies by names that people understand, and the few that the page offers first."""

import re
from collections.abc import Sequence

from codebreaker.report.names import name_of
from codebreaker.trees.io import StrategyKey
from codebreaker.trees.tree import GameTree

OPTIMAL, CRITERIA, WEIGHTED, VARIANTS = (
    "Optimal play",
    "One step ahead",
    "Entropy with weights",
    "Variants",
)

NAMES = {
    "optimal": "Optimal play",
    "entropy": "Entropy",
    "entropy-base-parts": "Entropy relative to the number of parts",
    "worst-case": "Knuth's",
    "expected-size": "Fewest candidates expected",
    "most-parts": "Most parts",
    "most-parts-two-steps": "Most parts after two guesses",
    "most-parts-two-then-one": "Most parts after two guesses, then after one",
    "entropy-with-most-parts": "Entropy and most parts together",
    "entropy-then-most-parts": "Entropy, ties by most parts",
    "first-consistent": "First candidate",
}
"""The names of policies without weights."""

WEIGHTS = {
    "stage-weighted": "by turn",
    "stage-weighted-repository": "by turn, as in the authors' code",
    "stage-weighted-turns-4-6-uniform": "by turn, for the first three turns",
    "fixed-weighted": "that are the same at every turn",
    "context-weighted": "by turn and answer",
    "endgame-weighted": "by turn, small sets played optimally",
    "guided-stage-weighted": "by turn, found by exact costs",
    "guided-stage-max-5-weighted": "by turn, found by exact costs for five guesses",
    "guided-context-weighted": "by turn and answer, found by exact costs",
    "guided-context-max-5-weighted": "by turn and answer, found by exact costs for five guesses",
    "renyi-stage-weighted": "by turn, of a Rényi order",
    "tsallis-stage-weighted": "by turn, of a Tsallis order",
    "tsallis-orders-weighted": "of a Tsallis order for each turn",
}
"""What the weights of policies with weights depend on."""

LINES = {
    "best": "the lowest average of all strategies here",
    "sure": "the lowest maximum of all here",
    "worst-case": "keeps the largest cell small, as Knuth did in 1977",
    "entropy": "asks for the most information",
    "most-parts": "lets as many different answers occur as it can",
}
"""What each strategy that is offered first does, in its order."""

NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def label_of(key: StrategyKey) -> str:
    """Return a strategy's name in words, such as `Entropy, candidates only`."""
    options = name_of(vars(key)).removeprefix(key.policy).replace("consistent", "candidates")
    options = options.replace("most within", "most secrets within")
    found = re.fullmatch(r"(.+?)(?:-(\d{4,}))?(-found)?", key.policy)
    assert found is not None
    stem, guesses, is_found = found.groups()
    if stem in NAMES:
        return NAMES[stem] + options
    if family := re.fullmatch(r"(renyi|tsallis)-([0-9.]+)", stem):
        return (
            f"{family[1].replace('renyi', 'Rényi').capitalize()} entropy of order {family[2]}"
            + options
        )
    if stem in WEIGHTS:
        label = f"Entropy with weights {WEIGHTS[stem]}"
    else:
        label = stem.replace("-", " ").capitalize()
    if guesses:
        label += f" ({int(guesses):,} guesses)"
    if is_found and "found" not in label:
        label += ", found in this study"
    return label + options


def group_of(key: StrategyKey) -> str:
    """Return the group under which the page lists a strategy."""
    if key.policy == "optimal":
        return OPTIMAL
    if "weighted" in key.policy:
        return WEIGHTED
    return CRITERIA if key.tree in NAMES else VARIANTS


def featured(strategies: Sequence[tuple[GameTree, StrategyKey]]) -> dict[str, tuple[str, str]]:
    """Return the label and the line of the strategies that are offered first, by tree, in order.

    They are the best on average, that with the smallest maximum, and three classic criteria.
    """
    by_total = sorted(strategies, key=lambda one: (one[0].total_guesses, one[0].max_guesses))
    by_maximum = sorted(strategies, key=lambda one: (one[0].max_guesses, one[0].total_guesses))
    chosen: dict[str, tuple[str, str]] = {}
    for kind, line in LINES.items():
        if kind == "best":
            found, label = by_total[:1], "Best on average"
        elif kind == "sure":
            found = by_maximum[:1]
            most = found[0][0].max_guesses if found else 0
            label = f"Never more than {NUMBERS[most] if most < len(NUMBERS) else most}"
        else:
            found = [one for one in strategies if one[1].tree == kind]
            label = NAMES[kind]
        for tree, key in found:
            mean = tree.total_guesses / tree.n_candidates[0]
            told = f"{mean:.4f} guesses on average, at most {tree.max_guesses}: {line}"
            chosen.setdefault(key.tree, (label, told))
    return chosen
