"""How tables and charts name strategies for readers."""

from typing import Any

FIRST = "first-consistent"
"""The one policy whose defaults are consistent guesses and plain lexicographic ties."""


def name_of(row: dict[str, Any]) -> str:
    """Return a strategy's name for readers: its policy, and what is unusual about it."""
    unusual = []
    if row["endgames"]:
        unusual.append(f"endgames of {row['endgames']}")
    if row["guess_limit"]:
        unusual.append(f"at most {row['guess_limit']}")
    if row["forced"]:
        unusual.append(f"from {row['opening']}")
    if row["policy"] != FIRST and row["guess_pool"] == "consistent":
        unusual.append("consistent only")
    if "reversed" in row["tie_break"]:
        unusual.append("ties reversed")
    if row["policy"] != FIRST and row["tie_break"] == "lexicographic":
        unusual.append("plain ties")
    return ", ".join([row["policy"], *unusual])
