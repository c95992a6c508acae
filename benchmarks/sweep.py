"""Measure the growth of many policies' trees in a batch, and one by one (`make bench`)."""

import time
from collections.abc import Sequence

import numpy as np
from pages import machine, processor, publish

from codebreaker.games.model import TableGame
from codebreaker.games.registry import make_game
from codebreaker.policies.strategy import Strategy, found_strategy
from codebreaker.policies.weights import Weights, published
from codebreaker.study.config.strategies import Sweep
from codebreaker.trees.batch import grow_all
from codebreaker.trees.grow import grow
from codebreaker.trees.sweep import family_policies

OPENINGS = ["1111", "1112", "1122", "1123", "1234"]
INDIVIDUALS = 4000
SAMPLE = 300


def individuals(n: int) -> list[Strategy]:
    """Return individuals near the published stage weights."""
    draw = np.random.default_rng(0)
    base = published("gur-2025-stage")
    steps = draw.normal(0, 0.1, (n, *base.values.shape))
    return [
        found_strategy("met", Weights("met", "drawn", base.feedback_labels, values), "1123")
        for values in np.clip(base.values + steps, 0.1, 1)
    ]


def row(game: TableGame, name: str, strategies: Sequence[Strategy]) -> str:
    """Measure a batch with one and two threads, and a sample one by one."""
    seconds = []
    for threads in (1, 2):
        began = time.perf_counter()
        grown = grow_all(game, strategies, threads)
        seconds.append(time.perf_counter() - began)
    some = np.random.default_rng(1).choice(len(strategies), SAMPLE, replace=False)
    began = time.perf_counter()
    for i in some:
        grow(game, strategies[i])
    alone = (time.perf_counter() - began) / SAMPLE * len(strategies)
    trees = len(np.unique(grown.key))
    return (
        f"| {name} | {len(strategies):,} | {trees:,} | {seconds[0]:.1f} | {seconds[1]:.1f} "
        f"| {alone:.1f} | {alone / seconds[0]:.0f} |"
    )


def main() -> None:
    """Publish the measurements."""
    game = make_game("mm-4-6")
    sweep = Sweep(openings=OPENINGS)
    families = family_policies(
        sweep.orders.numbers, sweep.shares.numbers, sweep.openings, sweep.guess_pools
    )
    families["individuals near the published weights"] = individuals(INDIVIDUALS)
    warm = [some[0] for some in families.values()]
    grow_all(game, warm)
    where = machine(f"{processor()}, 2 cores")
    publish(
        "sweep.md",
        "Growing the trees of many policies of MM(4,6)",
        f"{where}; seconds after compilation. *One by one* is measured on {SAMPLE} of "
        "the policies, on one core.",
        "| policies | number of policies | distinct trees | batch, 1 thread | batch, 2 threads | "
        "one by one | one by one over batch, 1 thread |",
        [row(game, name, some) for name, some in families.items()],
    )


if __name__ == "__main__":
    main()
