"""Terminals of Fallout 3: a few words of one length, one of them the password.

Source: "Mastermind: no strategy is best", 2026, section "The Fallout 3 connection".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from codebreaker.errors import CodebreakerError
from codebreaker.exact.solver import Solver
from codebreaker.games.model import TableGame
from codebreaker.games.word_lists import read_words
from codebreaker.games.words import Matches
from codebreaker.players.expectation import mean_guesses
from codebreaker.players.random_consistent import expected_profile
from codebreaker.policies.policy import make_policy
from codebreaker.trees.grow import grow

POLICIES = ("worst-case", "expected-size", "entropy", "most-parts")
RANDOM, OPTIMAL = "random-consistent", "optimal"
STRATEGIES = (RANDOM, *POLICIES, OPTIMAL)
"""How each terminal is played."""

MEMO_MIB = 0.05
"""A terminal has few sets of candidates."""


@dataclass(frozen=True)
class Terminal:
    """A terminal; `number` tells those of one length and size apart."""

    length: int
    size: int
    number: int
    words: tuple[str, ...]

    def game(self) -> TableGame:
        """Return the game of its words."""
        return Matches("matches-terminal", self.words, self.words).build()


def check_terminals(path: str, lengths: Sequence[int], most_words: int) -> None:
    """Raise `CodebreakerError` unless a file has enough words of each length."""
    words = by_length(path)
    for length in lengths:
        found = len(words.get(length, ()))
        if found < most_words:
            raise CodebreakerError(
                f"{path} has {found} words of {length} letters, fewer than a terminal of "
                f"{most_words}: add words, or change terminals.lengths or terminals.sizes"
            )


def by_length(path: str) -> dict[int, tuple[str, ...]]:
    """Return a file's words by their number of letters, in lexicographic order."""
    words: dict[int, list[str]] = {}
    for text in sorted(word.text for word in read_words(path)):
        words.setdefault(len(text), []).append(text)
    return {length: tuple(group) for length, group in words.items()}


def draw_terminals(
    path: str, lengths: Sequence[int], sizes: Sequence[int], count: int, seed: int
) -> Iterator[Terminal]:
    """Yield so many terminals of each length and size, without a word twice in any.

    Each has a generator of its own, so that it stays the same whatever else is drawn.
    """
    words = by_length(path)
    for length in lengths:
        for size in sizes:
            for number in range(count):
                generator = np.random.default_rng([seed, length, size, number])
                drawn = generator.choice(len(words[length]), size, replace=False)
                chosen = sorted(words[length][place] for place in drawn.tolist())
                yield Terminal(length, size, number, tuple(chosen))


def play_terminal(terminal: Terminal, attempts: int) -> list[dict[str, int | float | str]]:
    """Return a row for each strategy: mean guesses, and the share solved within the attempts."""
    game = terminal.game()
    solution = Solver(game, memo_mib=MEMO_MIB).solve()
    assert solution is not None
    profiles: dict[str, NDArray[np.number]] = {
        RANDOM: expected_profile(game, MEMO_MIB),
        **{name: grow(game, make_policy(name)).profile for name in POLICIES},
        OPTIMAL: solution.tree.profile,
    }
    return [
        {
            "length": terminal.length,
            "words": terminal.size,
            "number": terminal.number,
            "strategy": strategy,
            "mean_guesses": mean_guesses(profile),
            "max_guesses": len(profile),
            "solved_in_time": float(profile[:attempts].sum() / terminal.size),
        }
        for strategy, profile in profiles.items()
    ]
