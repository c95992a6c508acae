"""Names of strategies in tables and charts."""

from typing import Any

FIRST = "first-consistent"
"""The one policy that guesses only candidates and breaks ties lexicographically by default."""


def name_of(row: dict[str, Any]) -> str:
    """Return a strategy's display name: its policy, and each option that differs from the default.

    `row` has the fields of `trees.io.StrategyKey`.
    """
    options = []
    if row["endgames"]:
        options.append(f"endgames of {row['endgames']}")
    if row["exact_from"]:
        options.append(f"exact from turn {row['exact_from']}")
    if row["guess_limit"]:
        options.append(f"at most {row['guess_limit']}")
    if row["rounds"]:
        options.append(f"most within {row['rounds']}")
    if row["forced"]:
        options.append(f"from {row['opening']}")
    if row["policy"] != FIRST and row["guess_pool"] == "consistent":
        options.append("consistent only")
    if "reversed" in row["tie_break"]:
        options.append("ties reversed")
    if row["tie_break"] == "first consistent then last":
        options.append("first candidate or last guess")
    if row["policy"] != FIRST and row["tie_break"] == "lexicographic":
        options.append("plain ties")
    return ", ".join([row["policy"], *options])
