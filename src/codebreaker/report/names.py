"""Names of strategies and games in tables and charts."""

from typing import Any

FIRST = "first-consistent"
"""The one policy that guesses only candidates and breaks ties lexicographically by default."""

SPOKEN = {
    "optimal": "optimum",
    "context-weighted-5625": "weights by turn and last feedback",
    "stage-weighted-5630": "weights by turn",
    "stage-weighted": "weights by turn (Gür)",
    "fixed-weighted": "one row of weights (Gür)",
    "most-parts": "most parts (Kooi)",
    "expected-size": "expected size (Irving)",
    "entropy": "entropy (Neuwirth)",
    "worst-case": "worst case (Knuth)",
    "first-consistent": "first candidate (Shapiro)",
    "stage-weighted-179273": "weights by turn",
    "endgame-weighted-179064": "weights with exact endgames",
}

VARIANTS = {
    "context-weighted-5626": "weights by turn and last feedback, at most 5",
    "stage-weighted-found": "weights by turn, found here",
    "fixed-weighted-found": "one row of weights, found here",
    "optimal-in-time": "best within the attempts",
}

PLAYERS = {
    "random-consistent": "a random candidate",
    "entropy-consistent": "entropy over all candidates",
    "most-parts-consistent": "most parts over all candidates",
    "annealing": "annealing",
    "genetic": "genetic search",
}
SHARES = {"half": "half", "third": "a third", "sixth": "a sixth", "twelfth": "a twelfth"}

MODELS = {
    "fixed": "one row of weights",
    "stage": "weights by turn",
    "renyi-stage": "Rényi orders and weights",
    "tsallis-stage": "Tsallis orders and weights",
    "tsallis-orders": "Tsallis orders",
}

FAMILIES = {"mm": "MM", "bc": "Bulls and Cows ", "black": "black pegs "}
WORDS = SPOKEN | VARIANTS | PLAYERS | MODELS


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
    policy, ties = row["policy"], row["tie_break"]
    options = {
        f"endgames of {row['endgames']}": row["endgames"],
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
