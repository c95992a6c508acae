"""The catalogue of policies; it names every criterion, so nothing that grows trees imports it."""

from typing import NamedTuple

from codebreaker.constants import BEST_KNOWN, OPTIMAL, PAPERS_GAME
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.registry import JOINED, STEPS, WEIGHTED, policy_called


class Entry(NamedTuple):
    """A policy or family, a name to use, and the only game it plays, if any."""

    name: str
    example: str
    kind: str
    about: str
    game: str | None = None


MEANINGS = {
    "first-consistent": "the first candidate",
    "worst-case": "the smallest largest part, which is Knuth's rule",
    "expected-size": "the smallest expected number of candidates left",
    "entropy": "the most information",
    "most-parts": "the most parts, that is, different answers that can occur",
    "entropy-base-parts": "the most information, by the number of parts",
    "most-parts-two-steps": "the most parts after two guesses",
    "most-parts-two-then-one": "the most parts after two guesses, ties by those after one",
    "entropy-with-most-parts": "best by both criteria, or else by either",
    "entropy-then-most-parts": "the most information, ties by the number of parts",
}

CHANGED = {
    "stage-weighted-turns-4-6-uniform": ", but uniform from turn 4 on",
    "stage-weighted-repository": ", with turn 1 as in the program published with it",
}

FAMILIES = (
    Entry("renyi-ORDER", "renyi-0.5", "family", "Rényi's entropy of an order, 0 to 200 or inf"),
    Entry("tsallis-ORDER", "tsallis-1.3", "family", "Tsallis's entropy of an order, 0 to 200"),
    Entry(
        "mix-FIRST-SECOND-SHARE",
        "mix-most-parts-entropy-0.4",
        "family",
        "two of most-parts, entropy and expected-size, with the share of the second",
    ),
)


TREES = (
    Entry(BEST_KNOWN, BEST_KNOWN, "tree", "the tree of the lowest total known"),
    Entry(OPTIMAL, OPTIMAL, "tree", "the lowest mean, by exact search, which can take long"),
)


def catalogue() -> list[Entry]:
    """Return all policies, with their sources."""
    sources = (
        ("criterion", {name: rule.citation for name, rule in CRITERIA.items()}),
        ("steps", dict.fromkeys(STEPS, "Kooi 2005")),
        ("joined", dict.fromkeys(JOINED, "Merelo's Algorithm::MasterMind")),
    )
    plain = [
        Entry(name, name, kind, f"{MEANINGS[name]} ({source})" if name in MEANINGS else source)
        for kind, named in sources
        for name, source in named.items()
    ]
    return [*TREES, *plain, *FAMILIES, *map(_weighted, WEIGHTED)]


def _weighted(name: str) -> Entry:
    weights = policy_called(name).weights
    assert weights is not None
    found = weights.provenance  # empty for the paper's weights
    about = weights.source + CHANGED.get(name, "")
    if found:
        about = f"{found['total_guesses']:,} guesses from {found['opening']} ({about})"
    return Entry(name, name, "weights", about, found.get("game", PAPERS_GAME))
