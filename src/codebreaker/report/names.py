"""How tables and charts name things for readers."""

from typing import Any


def name_of(row: dict[str, Any]) -> str:
    """Return a strategy's name for readers: its policy, and what is unusual about it."""
    unusual = []
    if row["opening"].startswith("forced") or row["tree"].startswith("first-consistent"):
        unusual.append(row["opening"].replace("forced", "from"))
    if row["guess_pool"] == "consistent" and row["policy"] != "first-consistent":
        unusual.append("consistent only")
    if "reversed" in row["tie_break"]:
        unusual.append("ties reversed")
    if row["tie_break"] == "lexicographic" and row["policy"] != "first-consistent":
        unusual.append("plain ties")
    return ", ".join([row["policy"], *unusual])
