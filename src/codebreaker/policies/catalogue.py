"""The catalogue of policies; it names every criterion, so nothing that grows trees imports it."""

from pathlib import Path
from typing import NamedTuple

from codebreaker.constants import PAPERS_GAME
from codebreaker.files import read_toml
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.families import FAMILIES
from codebreaker.policies.registry import JOINED, STEPS, WEIGHTED, policy_called


class Entry(NamedTuple):
    """A policy or family, a name to use, and the only game it plays, if any."""

    name: str
    example: str
    kind: str
    about: str
    game: str | None = None


_TEXTS = read_toml(Path(__file__).with_suffix(".toml"))
MEANINGS, TITLES = (dict[str, str](_TEXTS[kind]) for kind in ("meanings", "titles"))
TREES = [Entry(**entry) for entry in _TEXTS["trees"]]
SAMPLES = [Entry(**entry) for entry in _TEXTS["samples"]]


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
    families = [
        Entry(family.form, family.examples[0], "family", family.about)
        for family in FAMILIES.values()
    ]
    return [*TREES, *SAMPLES, *plain, *families, *map(_weighted, WEIGHTED)]


def _weighted(name: str) -> Entry:
    """Return the entry of one of WEIGHTED, with the result of its search if it has one."""
    weights = policy_called(name).weights
    assert weights is not None
    provenance = weights.provenance  # empty for the paper's weights
    about = weights.source + _TEXTS["changed"].get(name, "")
    if provenance:
        about = f"{provenance['total_guesses']:,} guesses from {provenance['opening']} ({about})"
    return Entry(name, name, "weights", about, provenance.get("game", PAPERS_GAME))
