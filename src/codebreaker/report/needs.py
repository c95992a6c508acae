"""What the report needs of a study: strategies, tables, charts and files; quick to import."""

from collections.abc import Iterator
from pathlib import Path

from codebreaker.files import DATA, read_toml

KOOI_STRATEGIES = {
    "Simple": "first-consistent",
    "Worst case": "worst-case",
    "Expected size": "expected-size",
    "Entropy": "entropy",
    "Most parts": "most-parts",
}
"""Strategies by the rows of Kooi's Tables 7 and 10."""

KOOI_NEEDS = (
    *KOOI_STRATEGIES.values(),
    "first-consistent_from-1122",
    *(f"{policy}_tie-first-consistent-then-last" for policy in [*KOOI_STRATEGIES.values()][1:]),
    "entropy_tie-reversed-lexicographic",
)
"""Trees of MM(4,6) that Kooi's tables need."""

GUR_STRATEGIES = {
    "Optimal": "optimal",
    "Stage-Weighted": "stage-weighted",
    "Fixed-Weight": "fixed-weighted",
    "Most Parts": "most-parts",
    "Shannon Entropy": "entropy",
    "Knuth Minimax": "worst-case",
}
"""Strategies by the rows of Gür's Table 4."""

GUR_NEEDS = (*GUR_STRATEGIES.values(), "optimal-lowest-maximum")
"""Trees of MM(4,6) that Gür's tables need."""

_OF_TEXT = ("entropy-base-parts", "stage-weighted-turns-4-6-uniform", "stage-weighted-repository")

PAPER_NEEDS = tuple(dict.fromkeys((*KOOI_NEEDS, *GUR_NEEDS, *_OF_TEXT)))
"""Trees of MM(4,6) that the report needs."""

PAGE_CHARTS = (
    "above-the-optimum",
    "pareto-mm-4-6",
    "lost-by-turn",
    "weight-transfer",
    "records",
    "ga-convergence",
    "players-guesses",
    "terminals",
)
"""The charts of the page, in its order."""

CLAIMS = DATA / "published" / "claims.toml"

PAPER_SCALE = "paper-scale/"
"""The folder of the results with tables of an earlier run, at the published scale."""

_OTHER_NAMES = {"more-games.csv": "players.csv"}
"""Recorded tables that a run computes under another name."""


def page_cells() -> dict[str, str]:
    """Return the tables whose cells the page counts, with what they are."""
    names: dict[str, dict[str, str]] = read_toml(Path(__file__).parent / "page" / "names.toml")
    return names["published"]


def run_file(recorded: str) -> str:
    """Return where a run computes the table that a recorded file has; empty for other files."""
    if not recorded.startswith(PAPER_SCALE):
        return ""
    name = recorded.removeprefix(PAPER_SCALE)
    return f"tables/{_OTHER_NAMES.get(name, name)}"


def files_of_claims() -> set[str]:
    """Return the result files that claims quote, and those that a run computes itself."""
    files = set(_files_of_claims())
    return files | {run_file(file) for file in files} - {""}


def _files_of_claims() -> Iterator[str]:
    for source in read_toml(CLAIMS)["sources"]:
        for claim in source.get("claims", []):
            for reading in (claim, *claim.get("readings", [])):
                for case in (reading, *reading.get("cases", [])):
                    if "file" in case:
                        yield case["file"]
