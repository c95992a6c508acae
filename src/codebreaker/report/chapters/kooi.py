"""Kooi 2005, Yet another Mastermind strategy, and quantities in texts of sources, recomputed."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from codebreaker.games.model import TableGame, read_table_game
from codebreaker.games.registry import make_game
from codebreaker.games.words import BUNDLED
from codebreaker.policies.strategy import Strategy
from codebreaker.report import tables
from codebreaker.report.chapters import Files
from codebreaker.report.needs import KOOI_STRATEGIES
from codebreaker.report.tables import Cells, ComparedTable, compare_with_published, notes_of
from codebreaker.sets.partition import (
    all_secrets,
    count_table,
    counts,
    entropy_of,
    split,
    unsolved,
)
from codebreaker.trees import by_score
from codebreaker.trees.grow import grow, walk
from codebreaker.trees.metrics import row_of_strategy, strategies_of_files
from codebreaker.types import Counts, Indices, TieBreak

NOTES = notes_of(__file__)
OPENINGS = ("AAAA", "AAAB", "AABB", "AABC", "ABCD")
SIX_LEFT = ("ABAA", "ABAB", "ABAF", "ABDE", "AEAE", "AFAE")
IRVING = "FBAC"
EXPECTED = "ABCC"
SYMMETRIC = "DBAC"
ROUNDS = range(1, 10)
ALLOWED = 8
"""The rounds of Table 7, and the number that the source's rules allow."""

SIZE = "Expected size"
"""The row whose scores the source computes in single precision."""

LAST: TieBreak = "first consistent then last"
"""The tie-break of Table 10, as inferred from its figures."""

REVERSED: TieBreak = "consistent then reversed lexicographic"

IRVINGS_TOTAL = 5804
"""Irving's total for Knuth's strategy, from footnote 4."""

BASES = (2.0, np.e, 10.0)
TWO_GUESSES = ("AACD", "ABAE")
"""Guesses after which exactly the six candidates of Table 9 can remain."""

GOALS = ("total", "maximum")
"""What is to be small: the sum of the guesses over the candidates, or the largest number."""

CARDS = 52
"""Cards of the game of section 3, and the sizes of the parts that two questions make."""

QUESTIONS = ((1, 51), (26, 26))

FEW_CARDS = 8
"""Cards of the example in section 2.5, one of which is found by questions with two answers."""

EXAMPLE = ("AABB", "BBAB")
"""The secret and the guess of section 1's example of an answer."""

WEIGHTS_AND_ENTROPY = {
    "entropy from 1123": "entropy",
    "weights by turn": "stage-weighted",
    "fixed weights": "fixed-weighted",
}
"""Policies whose comparisons are counted from 1123, for Gür 2025."""

SIZES = ("mm-2-6", "mm-3-6", "mm-5-5", "mm-4-2")
WORDS = "matches-example"


def kooi_tables(
    two_pegs: TableGame, game: TableGame, strategies: pl.DataFrame
) -> list[ComparedTable]:
    """Return all tables, of MM(2,4) and MM(4,6)."""
    return [
        _figures(two_pegs),
        _partitions(1, "2 pegs and 4 colours", two_pegs, ("AA", "AB")),
        _partitions(2, "4 pegs and 6 colours", game, OPENINGS),
        *_opening_tables(game),
        table_7(game, strategies),
        table_8(strategies),
        _table_9(game),
        table_10(game, strategies),
        _table_11(game),
        _table_12(game),
        _footnote_4(game),
    ]


def code(game: TableGame, letters: str) -> int:
    """Return a code's index; A is the first colour."""
    return game.guesses.index("".join(str(ord(letter) - ord("A") + 1) for letter in letters))


def _feedback_text(game: TableGame, feedback: int) -> str:
    """Return feedback in the source's notation, such as 1,0 for a black peg."""
    black, white = game.feedback_labels[feedback].split("-")
    return f"{black[:-1]},{white[:-1]}"


def _counts(game: TableGame, guess: str) -> Counts:
    """Return the sizes of the parts after a first guess in letters, by feedback."""
    return counts(game, code(game, guess), all_secrets(game))


def _table(
    number: int, title: str, cells: Cells, facts: Mapping[str, Any] | None = None
) -> ComparedTable:
    """Compare computed cells with a table of the source, with its note."""
    name = f"kooi-2005-table-{number:02}"
    notes = NOTES.get(name, "").format_map(facts or {})
    return compare_with_published(name, f"Kooi 2005, Table {number}: {title}", cells, notes)


def _partitions(number: int, size: str, game: TableGame, guesses: Sequence[str]) -> ComparedTable:
    """Return Table 1 or 2: the sizes of the parts after each first guess."""
    cells = {
        (_feedback_text(game, feedback), guess): str(count)
        for guess in guesses
        for feedback, count in enumerate(_counts(game, guess))
    }
    return _table(number, f"partitions by the first guess, {size}", cells)


def _figures(game: TableGame) -> ComparedTable:
    """Return the feedback for two guesses of every code of two pegs and four colours."""
    secrets = ["".join(letters) for letters in product("ABCD", repeat=2)]
    cells = {
        (secret, guess): _feedback_text(game, game.table[code(game, guess), code(game, secret)])
        for secret in secrets
        for guess in ("AA", "DA")
    }
    return compare_with_published(
        "kooi-2005-figures", "Kooi 2005, Figures 1 to 3: feedback for two guesses", cells
    )


MEASURES: tuple[tuple[str, str, Callable[[Counts], str]], ...] = (
    ("largest element", "the largest part", lambda sizes: str(sizes.max())),
    (
        "expected size",
        "the expected size of a part",
        lambda sizes: f"{(sizes**2).sum() / sizes.sum():.1f}",
    ),
    ("entropy", "the entropy in bits", lambda sizes: f"{entropy_of(sizes):.3f}"),
    ("parts", "the number of parts", lambda sizes: str(np.count_nonzero(sizes))),
)


def _opening_tables(game: TableGame) -> list[ComparedTable]:
    """Return Tables 3 to 6: a measure of the parts after each first guess."""
    tables = []
    for number, (column, words, measure) in enumerate(MEASURES, 3):
        cells = {(guess, column): measure(_counts(game, guess)) for guess in OPENINGS}
        tables.append(_table(number, f"{words} after each first guess", cells))
    return tables


def _rounds(row: str, profile: str) -> dict[tuple[str, str], str]:
    """Return the cells of a row of secrets solved at each round, from a profile."""
    solved = profile.split()
    return {(row, str(turn)): solved[turn - 1] if turn <= len(solved) else "0" for turn in ROUNDS}


def _rounds_moved(row: str, profile: str, other: str) -> dict[tuple[str, str], str]:
    """Return these cells, and the number of secrets that another profile has in other rounds."""
    rounds = _rounds(row, profile)
    pairs = zip(rounds.values(), _rounds(row, other).values(), strict=True)
    return rounds | {(row, "moved"): str(sum(abs(int(a) - int(b)) for a, b in pairs) // 2)}


def _in_single_precision(game: TableGame, last: bool) -> str:
    """Return the profile of the expected size with scores in single precision."""
    return " ".join(map(str, by_score.tree_by_score(game, by_score.expected_size, last).profile))


def _won(row: str, profile: str) -> dict[tuple[str, str], str]:
    """Return the cell of the share of secrets solved within the rounds of the source's rules."""
    solved = [int(count) for count in profile.split()]
    return {(row, f"won within {ALLOWED}"): f"{sum(solved[:ALLOWED]) / sum(solved):.2%}"}


def table_7(game: TableGame, strategies: pl.DataFrame) -> ComparedTable:
    """Return the five strategies' profiles."""
    cells: dict[tuple[str, str], str] = {}
    for row, policy in KOOI_STRATEGIES.items():
        computed = row_of_strategy(strategies, policy)
        cells |= _rounds(row, computed["profile"])
        cells[row, "total"] = str(computed["total_guesses"])
        cells[row, "expected"] = f"{computed['mean_guesses']:.3f}"
        cells |= _won(row, computed["profile"])
    cells |= _rounds(f"{SIZE}, single precision", _in_single_precision(game, last=False))
    return _table(7, "wins by round", cells)


def table_8(strategies: pl.DataFrame) -> ComparedTable:
    """Return the Simple strategy's profile from AABB."""
    computed = row_of_strategy(strategies, "first-consistent", "1122")
    row = "Simple from AABB"
    cells = _rounds(row, computed["profile"]) | _won(row, computed["profile"])
    return _table(8, "the Simple strategy from AABB", cells, computed)


def _table_9(game: TableGame) -> ComparedTable:
    """Return the feedback of six candidates, and of one more guess, for each other."""
    cells = {
        (secret, guess): _feedback_text(game, game.table[code(game, guess), code(game, secret)])
        for secret in SIX_LEFT
        for guess in (*SIX_LEFT, "ABFA")
    }
    return _table(
        9,
        "six candidates, their feedback for each other and for ABFA",
        cells,
        {goal: guesses_for_six(game, goal) for goal in GOALS},
    )


def guesses_for_six(game: TableGame, goal: str) -> dict[str, float]:
    """Return the fewest guesses for the six candidates of Table 9, in total or at most.

    Play by ABFA and then by candidates is compared with play by candidates alone.
    """
    six = np.array(sorted(code(game, name) for name in SIX_LEFT), dtype=np.int32)
    return {
        "from ABFA": _fewest_after(game, six, code(game, "ABFA"), goal),
        "candidates alone": _fewest(game, six, goal),
    }


def _fewest(game: TableGame, members: Indices, goal: str) -> int:
    """Return the fewest guesses for a few candidates, by candidates alone."""
    return min(_fewest_after(game, members, guess, goal) for guess in members.tolist())


def _fewest_after(game: TableGame, members: Indices, guess: int, goal: str) -> int:
    """Return the fewest guesses from a given one on; the goal is one of GOALS."""
    after = [_fewest(game, part, goal) for part in unsolved(game, guess, members).values()]
    if goal == "total":
        return len(members) + sum(after)
    return 1 + max(after, default=0)


def table_10(game: TableGame, strategies: pl.DataFrame) -> ComparedTable:
    """Return the profiles with other ties."""
    cells: dict[tuple[str, str], str] = {}
    for row, policy in KOOI_STRATEGIES.items():
        if row != "Simple":
            exact = row_of_strategy(strategies, policy, tie_break=LAST)["profile"]
            name = f"{row}, exact ties" if row == SIZE else row
            cells |= _rounds_moved(name, exact, row_of_strategy(strategies, policy)["profile"])
    cells |= _rounds_moved(SIZE, *(_in_single_precision(game, last) for last in (True, False)))
    everything = row_of_strategy(strategies, "entropy", tie_break=REVERSED)["profile"]
    cells |= _rounds("Entropy, everything reversed", everything)
    return _table(10, "wins by round with other ties", cells)


def _table_11(game: TableGame) -> ComparedTable:
    """Return how many partitions second guesses make, by sizes and by feedback."""
    cells = {}
    for first in OPENINGS:
        sizes = count_table(game, _after(game, first, game.feedback_labels.index("1B-0C")))
        cells[first, "partitions"] = str(len(np.unique(np.sort(sizes, axis=1), axis=0)))
        cells[first, "counted by feedback"] = str(len(np.unique(sizes, axis=0)))
    return _table(11, "partitions by the second guess after the feedback 1,0", cells)


def _after(game: TableGame, first: str, feedback: int) -> Indices:
    """Return the candidates after a first guess in letters and its feedback."""
    empty = np.empty(0, dtype=np.int32)
    return split(game, code(game, first), all_secrets(game)).get(feedback, empty)


def _table_12(game: TableGame) -> ComparedTable:
    """Return the largest number of parts after a second guess, by first guess and feedback."""
    cells: dict[tuple[str, str], str] = {}
    for first in OPENINGS:
        most = [
            int((count_table(game, _after(game, first, feedback)) > 0).sum(axis=1).max())
            for feedback in range(game.n_feedback)
        ]
        cells |= {(_feedback_text(game, f), first): str(parts) for f, parts in enumerate(most)}
        cells["total", first] = str(sum(most))
    return _table(12, "the largest number of parts after a second guess", cells)


def _footnote_4(game: TableGame) -> ComparedTable:
    """Return the sizes of the parts after three second guesses, and what the note says on them."""
    members = _after(game, "AABC", game.feedback_labels.index("3B-0C"))
    sizes = count_table(game, members)
    expected = (sizes**2).sum(axis=1) / len(members)
    parts = np.count_nonzero(sizes, axis=1)
    cells = {}
    for guess in (IRVING, EXPECTED, SYMMETRIC):
        at = code(game, guess)
        cells[guess, "expected size"] = f"{expected[at]:.1f}"
        cells[guess, "parts"] = str(parts[at])
        cells[guess, "average size"] = f"{len(members) / parts[at]:.2f}"
        cells[guess, "largest part"] = str(sizes[at].max())
    name = "kooi-2005-footnote-4"
    title = "Kooi 2005, footnote 4: second guesses after AABC and 3,0"
    facts = {
        "candidates": len(members),
        "smallest": expected.min(),
        "attained": (expected == expected.min()).sum(),
        "parts": parts.max(),
        "most": (parts == parts.max()).sum(),
    }
    return compare_with_published(name, title, cells, NOTES[name].format(**facts))


def quantities(game: TableGame, strategies: pl.DataFrame) -> pl.DataFrame:
    """Return one row for each quantity and the thing that has it."""
    openings = {name: _counts(game, name) for name in OPENINGS}
    partitions = np.sort(count_table(game, all_secrets(game)), axis=1)
    entropies = np.array([entropy_of(sizes) for sizes in openings.values()])
    six = np.array(sorted(code(game, name) for name in SIX_LEFT), dtype=np.int32)
    parts_of_six = (count_table(game, six) > 0).sum(axis=1)
    solved = {
        row: [int(count) for count in row_of_strategy(strategies, policy)["profile"].split()]
        for row, policy in KOOI_STRATEGIES.items()
    }
    two_equal = entropy_of(np.array([1, 1]))
    left = all_secrets(game)
    for guess in TWO_GUESSES:
        left = split(game, code(game, guess), left)[int(game.table[code(game, guess), six[0]])]
    kinds, like = np.unique(partitions, axis=0, return_counts=True)
    words = _table_of(WORDS)
    largest = count_table(words, all_secrets(words)).max(axis=1)
    times = by_score.tree_by_score(game, by_score.entropy_times_log_parts)
    parts: dict[str, dict[str, float]] = {
        "kinds of feedback": {"all": game.n_feedback},
        "kinds of feedback that occur": {n: len(np.unique(_table_of(n).table)) for n in SIZES},
        "kinds of first guesses": {"all": len(kinds)},
        "first guesses of a kind": {
            name: like[(kinds == np.sort(sizes)).all(axis=1)][0] for name, sizes in openings.items()
        },
        "average size of a part": {name: s[s > 0].mean() for name, s in openings.items()},
        "expected size of a part": {name: s @ s / s.sum() for name, s in openings.items()},
        "entropy in bits": {
            "a certain feedback": entropy_of(np.array([2])),
            "two equal parts": two_equal,
            "as many equal parts as kinds of feedback": entropy_of(np.ones(game.n_feedback, int)),
        },
        "sum of p log p in bits, without the minus sign": {
            "a certain feedback": -entropy_of(np.array([2])),
            "two equal parts": -two_equal,
        },
        "orders of the first guesses by entropies with other bases": {
            "all": len({tuple(np.argsort(entropies / np.log2(base))) for base in BASES})
        },
        "mean of Irving's total for Knuth's strategy": {"all": IRVINGS_TOTAL / game.n_secrets},
        "parts of the six candidates of Table 9": {
            "ABFA": parts_of_six[code(game, "ABFA")],
            "the best candidate": parts_of_six[six].max(),
        },
        **{
            f"{goal} guesses for the six candidates of Table 9": guesses_for_six(game, goal)
            for goal in GOALS
        },
        "secrets that the worst case can win at guess 2": {"any rule for ties": _won_second(game)},
        "share of a part at the highest entropy of two parts": {"all": _share_of_highest(game)},
        "cards guessed of 52": {
            f"parts of {one} and {other}": CARDS * (one / CARDS / one + other / CARDS / other)
            for one, other in QUESTIONS
        },
        "pegs of the answer to BBAB for the secret AABB": _example_of_an_answer(game),
        "questions that find one of 8 cards": {"all": _questions(FEW_CARDS)},
        "comparisons of a guess with a candidate": {
            name: _comparisons(game, Strategy(policy, opening="1123"))
            for name, policy in WEIGHTS_AND_ENTROPY.items()
        },
        "candidates left": {"AACD and ABAE, with the feedback of Table 9's six": len(left)},
        "total guesses": {"entropy times the logarithm of the parts": times.total_guesses},
        **_after_guesses(game),
        **_in_the_tree_of_entropy(game),
        "largest part": dict(zip(words.guesses, largest, strict=True)),
        "percent of the list left after a random guess": {
            WORDS: 100 * (count_table(words, all_secrets(words)) ** 2).sum() / words.n_secrets**3
        },
        **{
            f"secrets won within {n} guesses": {row: sum(won[:n]) for row, won in solved.items()}
            for n in (2, 3, 4, 8)
        },
    }
    rows = [
        (quantity, name, f"{value + 0.0:.7g}")
        for quantity, values in parts.items()
        for name, value in values.items()
    ]
    return pl.DataFrame(rows, schema=["quantity", "of", "value"], orient="row")


def _won_second(game: TableGame) -> int:
    """Return for how many answers to minimax's opening a candidate is a second minimax guess.

    A secret is won at guess 2 only if a candidate is played. Minimax has one opening, AABB, up to
    positions and colours, so the number doesn't depend on how ties are broken.
    """
    parts = unsolved(game, code(game, "AABB"), all_secrets(game)).values()
    return sum(_has_minimax_candidate(game, members) for members in parts)


def _has_minimax_candidate(game: TableGame, members: Indices) -> bool:
    """Return whether a candidate's largest part is as small as that of any guess."""
    largest = count_table(game, members).max(axis=1)
    return bool(largest[game.guess_of_secret[members]].min() == largest.min())


def _share_of_highest(game: TableGame) -> float:
    """Return the share of one of two parts of all secrets at which their entropy is highest."""
    sizes = np.arange(1, game.n_secrets)
    entropies = [entropy_of(np.array([size, game.n_secrets - size])) for size in sizes]
    return float(sizes[np.argmax(entropies)] / game.n_secrets)


def _comparisons(game: TableGame, strategy: Strategy) -> int:
    """Return how often a guess is compared with a candidate to grow a tree: each with each."""
    candidates = grow(game, strategy).n_candidates
    return int(game.n_guesses * candidates[candidates > 1].sum())


def compare_kooi(inputs: Files, output: Files, _params: Files) -> str:
    """Compare Kooi's tables with computed cells."""
    two_pegs = read_table_game(inputs.two_pegs)
    game = read_table_game(inputs.game)
    compared = kooi_tables(two_pegs, game, strategies_of_files(inputs.trees))
    return tables.write_tables(compared, Path(output.tables[0]).parent)


def _table_of(name: str) -> TableGame:
    """Return a game with its feedback table."""
    return make_game(name, word_lists=BUNDLED).with_table()


def _after_guesses(game: TableGame) -> dict[str, dict[str, float]]:
    """Return quantities of candidate sets at each turn of the tree of the worst case."""
    largest: dict[str, float] = {}
    most: dict[str, float] = {}
    pairs: list[int] = []
    for level in walk(game, grow(game, Strategy("worst-case"))):
        sets = level.frontier.cells
        turn = str(level.frontier.turn - 1)
        sizes = (np.sort(count_table(game, members)) for members in sets if len(members) > 1)
        largest[turn] = max(map(len, sets))
        pairs.append(sum(len(members) ** 2 for members in sets))
        most[turn] = max((len({row.tobytes() for row in rows}) for rows in sizes), default=1)
    return {
        "largest candidate set after guesses of the worst case": largest,
        "most partitions of a candidate set after guesses of the worst case": most,
        "percent of a game's comparisons in its first two turns": {
            "worst case": 100 * sum(pairs[:2]) / sum(pairs)
        },
    }


def _example_of_an_answer(game: TableGame) -> dict[str, float]:
    """Return the numbers of black and white pegs of section 1's example."""
    secret, guess = EXAMPLE
    feedback = int(game.table[code(game, guess), code(game, secret)])
    black, white = _feedback_text(game, feedback).split(",")
    return {"right places": float(black), "right colours elsewhere": float(white)}


def _questions(cards: int) -> int:
    """Return how many questions with two answers always suffice to find one of some cards."""
    if cards == 1:
        return 0
    return 1 + min(max(_questions(yes), _questions(cards - yes)) for yes in range(1, cards))


def _in_the_tree_of_entropy(game: TableGame) -> dict[str, dict[str, float]]:
    """Return how even the parts of entropy's guesses are, and how many parts of 4B-0C are wrong.

    A part of 4B-0C has one secret if the guess is consistent, and none if it isn't. The guesses for
    which that is not so are counted, in all sets.
    """
    even = dict.fromkeys(("all kinds of feedback", "kinds that occur"), 0.0)
    wrong = 0
    for level in walk(game, grow(game, Strategy("entropy"))):
        for members, guess in zip(level.frontier.cells, level.guesses, strict=True):
            parts = count_table(game, members)
            consistent = np.zeros(len(parts), dtype=bool)
            consistent[game.guess_of_secret[members]] = True
            wrong += int((parts[:, game.solved] != consistent).sum())
            sizes = parts[guess]
            if len(members) > 1:
                even["all kinds of feedback"] += bool((sizes == sizes[0]).all())
                occurring = sizes[sizes > 0]
                even["kinds that occur"] += bool((occurring == occurring[0]).all())
    return {
        "guesses of entropy whose parts are equal over": even,
        "guesses whose part of 4B-0C isn't 1 if consistent, else 0": {"all": float(wrong)},
    }


def compute_quantities(inputs: Files, output: Files, _params: Files) -> str:
    """Compute the quantities that the sources' texts mention outside of tables."""
    table = quantities(read_table_game(inputs.game), strategies_of_files(inputs.trees))
    tables.write_page(table, output.tables, "Quantities that the sources' texts mention", table)
    return f"{table.height} quantities"
