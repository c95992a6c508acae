"""Terminals of Fallout 3: one of a few words is the password ("No strategy is best", 2026)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from codebreaker.games.model import TableGame
from codebreaker.games.words import Matches, by_length
from codebreaker.players.expectation import mean_guesses
from codebreaker.players.random_consistent import expected_profile
from codebreaker.players.terminal_means import (
    IN_TIME,
    OPTIMAL,
    POLICIES,
    RANDOM,
    attempts_with_resets,
)
from codebreaker.policies.strategy import Strategy
from codebreaker.search.rounds import most_solved_first
from codebreaker.search.solver import Solver
from codebreaker.sets.partition import all_secrets, count_table
from codebreaker.trees.grow import grow

MEMO_MIB = 0.05


@dataclass(frozen=True)
class Terminal:
    """The words of a terminal; `number` distinguishes terminals of the same length and size."""

    length: int
    size: int
    number: int
    words: tuple[str, ...]

    def game(self) -> TableGame:
        """Return the game with these words."""
        return Matches("matches-terminal", self.words, self.words).build()


def draw_terminals(
    path: str, lengths: Sequence[int], sizes: Sequence[int], count: int, seed: int
) -> Iterator[Terminal]:
    """Yield `count` random terminals of each length and size, each from its own generator."""
    words = by_length(path)
    for length, size, number in product(lengths, sizes, range(count)):
        generator = np.random.default_rng([seed, length, size, number])
        drawn = generator.choice(len(words[length]), size, replace=False)
        chosen = sorted(words[length][index] for index in drawn.tolist())
        yield Terminal(length, size, number, tuple(chosen))


def play_terminal(
    terminal: Terminal, attempts: int, resets: int
) -> list[dict[str, int | float | str]]:
    """Return one row per strategy: mean guesses, and the shares solved within the attempts.

    `cut_in_half` is the share of passwords for which the first guess leaves less than half of the
    words. Random play may guess any word first.
    """
    game = terminal.game()
    solution = Solver(game, memo_mib=MEMO_MIB).solve()
    assert solution is not None
    most = solution
    if solution.tree.max_guesses > attempts:
        charges = most_solved_first(game, attempts)
        most = Solver(game, memo_mib=MEMO_MIB, charges=charges).solve() or solution
    allowed = attempts_with_resets(attempts, resets)
    trees = {
        **{name: grow(game, Strategy(name)) for name in POLICIES},
        OPTIMAL: solution.tree,
        IN_TIME: most.tree,
    }
    profiles: dict[str, NDArray[np.number]] = {
        RANDOM: expected_profile(game, MEMO_MIB),
        **{name: tree.profile for name, tree in trees.items()},
    }
    first_guesses: dict[str, NDArray[np.integer]] = {
        RANDOM: np.arange(terminal.size),
        **{name: tree.guess[:1] for name, tree in trees.items()},
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
            "solved_with_resets": float(profile[:allowed].sum() / terminal.size),
            "cut_in_half": cut_in_half(game, first_guesses[strategy]),
        }
        for strategy, profile in profiles.items()
    ]


def cut_in_half(game: TableGame, guesses: NDArray[np.integer]) -> float:
    """Return the mean share of secrets for which a first guess leaves less than half of them."""
    sizes = count_table(game, all_secrets(game))[guesses]
    return float(np.where(2 * sizes < game.n_secrets, sizes, 0).sum(axis=1).mean() / game.n_secrets)
