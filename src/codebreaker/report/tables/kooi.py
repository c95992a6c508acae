"""Kooi 2005, 'Yet another Mastermind strategy': Tables 1 to 12, computed again."""

from collections.abc import Callable, Sequence

import numpy as np
import polars as pl

from codebreaker.analysis.metrics import strategy
from codebreaker.games.model import TableGame
from codebreaker.report.tables.comparison import Comparison, compare
from codebreaker.trees.partition import all_secrets, count_table, counts, split
from codebreaker.types import Counts, Indices

OPENINGS = ("AAAA", "AAAB", "AABB", "AABC", "ABCD")
SIX_LEFT = ("ABAA", "ABAB", "ABAF", "ABDE", "AEAE", "AFAE")
ROUNDS = range(1, 10)

STRATEGIES = {
    "Simple": "first-consistent",
    "Worst case": "worst-case",
    "Expected size": "expected-size",
    "Entropy": "entropy",
    "Most parts": "most-parts",
}
KEPT_OPENINGS = {
    "Worst case": "1122",
    "Expected size": "1123",
    "Entropy": "1234",
    "Most parts": "1123",
}


def tables(two_pegs: TableGame, game: TableGame, strategies: pl.DataFrame) -> list[Comparison]:
    """Return all twelve tables, from MM(2,4), MM(4,6) and the table of strategies."""
    return [
        table_1(two_pegs),
        table_2(game),
        *opening_tables(game),
        table_7(strategies),
        table_8(strategies),
        table_9(game),
        table_10(strategies),
        table_11(game),
        table_12(game),
    ]


def code(game: TableGame, letters: str) -> int:
    """Return the index of a code that is written with Kooi's letters, A for the first colour."""
    return game.guesses.index("".join(str(ord(letter) - ord("A") + 1) for letter in letters))


def answer(game: TableGame, feedback: int) -> str:
    """Return a feedback as Kooi writes it: '1,0' for one black and no white."""
    black, white = game.feedback_labels[feedback].split("-")
    return f"{black[:-1]},{white[:-1]}"


def _counts(game: TableGame, guess: str) -> Counts:
    return counts(game, code(game, guess), all_secrets(game))


def _partitions(name: str, title: str, game: TableGame, guesses: Sequence[str]) -> Comparison:
    cells = {
        (answer(game, feedback), guess): str(count)
        for guess in guesses
        for feedback, count in enumerate(_counts(game, guess))
    }
    return compare(name, title, cells)


def table_1(two_pegs: TableGame) -> Comparison:
    """Return the partitions by the two kinds of first guesses of MM(2,4)."""
    title = "Kooi 2005, Table 1: answers to the first guess, 2 pegs and 4 colours"
    return _partitions("kooi-2005-table-01", title, two_pegs, ("AA", "AB"))


def table_2(game: TableGame) -> Comparison:
    """Return the partitions by the five kinds of first guesses of MM(4,6)."""
    title = "Kooi 2005, Table 2: answers to the first guess, 4 pegs and 6 colours"
    return _partitions("kooi-2005-table-02", title, game, OPENINGS)


def opening_tables(game: TableGame) -> list[Comparison]:
    """Return Tables 3 to 6: what each criterion makes of the five kinds of first guesses."""
    measures: dict[int, tuple[str, str, Callable[[Counts], str]]] = {
        3: ("largest element", "the largest part", lambda sizes: str(sizes.max())),
        4: ("expected size", "the expected size of a part", _expected_size),
        5: ("entropy", "the entropy in bits", _entropy),
        6: ("parts", "the number of parts", lambda sizes: str(np.count_nonzero(sizes))),
    }
    found = []
    for number, (column, words, measure) in measures.items():
        cells = {(guess, column): measure(_counts(game, guess)) for guess in OPENINGS}
        title = f"Kooi 2005, Table {number}: {words} after each first guess"
        found.append(compare(f"kooi-2005-table-{number:02}", title, cells))
    return found


def _expected_size(sizes: Counts) -> str:
    return f"{(sizes**2).sum() / sizes.sum():.1f}"


def _entropy(sizes: Counts) -> str:
    shares = sizes[sizes > 0] / sizes.sum()
    return f"{-(shares * np.log2(shares)).sum():.3f}"


def _rounds(row: str, profile: str) -> dict[tuple[str, str], str]:
    solved = profile.split()
    return {(row, str(turn)): solved[turn - 1] if turn <= len(solved) else "0" for turn in ROUNDS}


def table_7(strategies: pl.DataFrame) -> Comparison:
    """Return the profiles of the five strategies."""
    cells: dict[tuple[str, str], str] = {}
    for row, policy in STRATEGIES.items():
        found = strategy(strategies, policy)
        cells |= _rounds(row, str(found["profile"]))
        cells[row, "total"] = str(found["total_guesses"])
        cells[row, "expected"] = f"{found['mean_guesses']:.3f}"
    return compare("kooi-2005-table-07", "Kooi 2005, Table 7: wins by round", cells)


def table_8(strategies: pl.DataFrame) -> Comparison:
    """Return the profile of the Simple strategy from AABB."""
    found = strategy(strategies, "first-consistent_from-1122")
    cells = _rounds("Simple from AABB", str(found["profile"]))
    note = f"The row is lost in the source's text; computed, its total is {found['total_guesses']}."
    title = "Kooi 2005, Table 8: the Simple strategy from AABB"
    return compare("kooi-2005-table-08", title, cells, (note,))


def table_9(game: TableGame) -> Comparison:
    """Return the answers between six codes that no consistent guess tells apart."""
    cells = {
        (secret, guess): answer(game, game.table[code(game, guess), code(game, secret)])
        for secret in SIX_LEFT
        for guess in (*SIX_LEFT, "ABFA")
    }
    title = "Kooi 2005, Table 9: six codes left, their answers to each other and to ABFA"
    return compare("kooi-2005-table-09", title, cells)


def table_10(strategies: pl.DataFrame) -> Comparison:
    """Return the profiles when the last of the tied guesses is played, in two readings."""
    cells: dict[tuple[str, str], str] = {}
    for row, opening in KEPT_OPENINGS.items():
        slug = f"{STRATEGIES[row]}_from-{opening}_tie-reversed-lexicographic"
        cells |= _rounds(row, str(strategy(strategies, slug)["profile"]))
    for row in KEPT_OPENINGS:
        slug = f"{STRATEGIES[row]}_tie-reversed-lexicographic"
        full = strategy(strategies, slug)
        cells |= _rounds(f"{row}, opening reversed too", str(full["profile"]))
    notes = (
        "Rows named as in the source keep the opening of Table 7 and play the last of the tied "
        "guesses from the second guess on.",
        "With the opening reversed too, every row equals Table 7: reversing the colours' order "
        "turns one lexicographic order into the other, so that reading can't be the source's.",
        "The worst-case row is garbled in the source's text; its fragments are set in order here.",
    )
    title = "Kooi 2005, Table 10: wins by round when ties are broken the other way round"
    return compare("kooi-2005-table-10", title, cells, notes)


def table_11(game: TableGame) -> Comparison:
    """Return the numbers of different partitions after each first guess answered by 1,0."""
    one_black = game.feedback_labels.index("1B-0C")
    cells = {}
    for first in OPENINGS:
        sizes = count_table(game, _after(game, first, one_black))
        cells[first, "partitions"] = str(len(np.unique(np.sort(sizes, axis=1), axis=0)))
        cells[first, "told apart by answer"] = str(len(np.unique(sizes, axis=0)))
    notes = (
        "The published numbers count partitions with the same sizes once, whichever answers "
        "these belong to; counted by answer there are more of them.",
    )
    title = "Kooi 2005, Table 11: partitions by the second guess after the answer 1,0"
    return compare("kooi-2005-table-11", title, cells, notes)


def _after(game: TableGame, first: str, feedback: int) -> Indices:
    empty = np.empty(0, dtype=np.int32)
    return split(game, code(game, first), all_secrets(game)).get(feedback, empty)


def table_12(game: TableGame) -> Comparison:
    """Return the largest number of parts that a second guess makes, by the first answer."""
    cells: dict[tuple[str, str], str] = {}
    for first in OPENINGS:
        most = [
            int((count_table(game, _after(game, first, feedback)) > 0).sum(axis=1).max())
            for feedback in range(game.n_feedback)
        ]
        cells |= {(answer(game, f), first): str(parts) for f, parts in enumerate(most)}
        cells["total", first] = str(sum(most))
    title = "Kooi 2005, Table 12: the most answers to a second guess"
    return compare("kooi-2005-table-12", title, cells)
