"""Names of strategies and games in tables and charts, and colours (in names.toml)."""

from pathlib import Path
from typing import Any

from codebreaker.files import read_toml

FIRST = "first-consistent"
"""The one policy that guesses only candidates and breaks ties lexicographically by default."""

NAMES: dict[str, dict[str, str]] = read_toml(Path(__file__).with_suffix(".toml"))
SPOKEN = NAMES["spoken"]
PLAYERS = NAMES["players"]
SHARES = NAMES["shares"]
MODELS = NAMES["models"]
FAMILIES = NAMES["families"]
COLOURS = NAMES["colours"]
WORDS = SPOKEN | NAMES["variants"] | PLAYERS | MODELS
"""Display names of policies, players and models."""


def notation_of(game: str) -> str:
    """Return a game's short name, such as `MM(4,6)`; games on words keep their name."""
    family, *sizes = game.split("-")
    if family not in FAMILIES or len(sizes) != 2:
        return game
    return f"{FAMILIES[family]}({','.join(sizes)})"


def spoken(name: str) -> str:
    """Return a display name; published names stay as they are."""
    head, comma, options = name.partition(", ")
    stem, _, share = head.rpartition("-")
    if stem in PLAYERS and share in SHARES:
        return f"{PLAYERS[stem].removesuffix('all candidates')}{SHARES[share]}"
    return WORDS.get(head, head) + comma + options


def name_of(row: dict[str, Any]) -> str:
    """Return a strategy's display name: its policy, and the options that are not the default."""
    policy = row["policy"]
    ties = row["tie_break"]
    options = {
        f"exact up to {row['endgames']} candidates": row["endgames"],
        f"exact from turn {row['exact_from']}": row["exact_from"],
        f"at most {row['guess_limit']}": row["guess_limit"],
        f"most within {row['rounds']}": row["rounds"],
        f"from {row.get('opening')}": row["forced"],
        "consistent only": policy != FIRST and row["guess_pool"] == "consistent",
        "ties reversed": "reversed" in ties,
        "first candidate or last guess": ties == "first consistent then last",
        "plain ties": policy != FIRST and ties == "lexicographic",
    }
    return ", ".join([policy, *(option for option, differs in options.items() if differs)])
