"""Measure the growth of game trees, against a naive replay of all games (`make bench`)."""

import statistics
import time

import numpy as np
from pages import machine, processor, publish

from codebreaker.games.model import TableGame
from codebreaker.games.registry import make_game
from codebreaker.policies.strategy import Strategy
from codebreaker.sets.partition import all_secrets, count_table
from codebreaker.trees.grow import grow

ROUNDS = 15
POLICIES = (
    "first-consistent",
    "worst-case",
    "expected-size",
    "entropy",
    "most-parts",
    "fixed-weighted",
    "stage-weighted",
    "entropy-base-parts",
)


def naive_guess(game: TableGame, candidates: np.ndarray) -> int:
    """Return the guess of highest entropy."""
    if len(candidates) == 1:
        return int(candidates[0])
    counts = count_table(game, candidates)
    shares = counts / len(candidates)
    scores = -(shares * np.log2(shares, where=counts > 0, out=np.zeros_like(shares))).sum(axis=1)
    tied = np.flatnonzero(scores >= scores.max() - 1e-6)
    consistent = tied[np.isin(tied, candidates)]
    return int(consistent[0] if len(consistent) else tied[0])


def naive_replay(game: TableGame) -> int:
    """Play every game from the start; return the total guesses."""
    total = 0
    for secret in range(game.n_secrets):
        candidates = all_secrets(game)
        feedback = -1
        while feedback != game.solved:
            guess = naive_guess(game, candidates)
            feedback = int(game.table[guess, secret])
            candidates = candidates[game.table[guess, candidates] == feedback]
            total += 1
    return total


def main() -> None:
    """Publish the measurements."""
    game = make_game("mm-4-6")
    started = time.perf_counter()
    grow(game, Strategy("entropy"))
    compiling = time.perf_counter() - started
    rows = []
    entropy = 0.0
    for name in POLICIES:
        strategy = Strategy(name)
        times = []
        for _ in range(ROUNDS):
            started = time.perf_counter()
            tree = grow(game, strategy)
            times.append(1e3 * (time.perf_counter() - started))
        median = statistics.median(times)
        entropy = median if name == "entropy" else entropy
        rows.append(f"| {name} | {tree.total_guesses} | {median:.1f} | {min(times):.1f} |")
    started = time.perf_counter()
    total = naive_replay(game)
    naive = time.perf_counter() - started
    where = machine(f"{processor()}, one core")
    publish(
        "grow_trees.md",
        "Growing one MM(4,6) tree",
        f"{where}, numpy {np.__version__}. After compilation ({compiling:.1f} s in each process).",
        f"| policy | total guesses | median of {ROUNDS}, ms | minimum, ms |",
        rows,
        f"A naive replay of all games by entropy ({total} guesses, NumPy, nothing shared between "
        f"games) took {naive:.1f} s, {1e3 * naive / entropy:,.0f} times as long as its tree.",
    )


if __name__ == "__main__":
    main()
