"""The time and memory that it takes to grow a tree."""

import resource
import sys
import time
from typing import Any

from codebreaker.games.model import CodeGame
from codebreaker.policies.strategy import Strategy
from codebreaker.trees.grow import grow
from codebreaker.trees.profiles import profile_statistics

MAXRSS_UNIT = 1 if sys.platform == "darwin" else 2**10
"""Bytes per unit of `ru_maxrss`: KiB on Linux, bytes on macOS."""


def measure(game: CodeGame, strategy: Strategy, threads: int) -> dict[str, Any]:
    """Grow a tree; return statistics, seconds (compilation included) and peak MiB.

    The peak is that of the process since its start.
    """
    started = time.perf_counter()
    tree = grow(game, strategy, threads)
    seconds = time.perf_counter() - started
    statistics = profile_statistics(tree.profile.tolist())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MAXRSS_UNIT / 2**20
    return {
        "game": game.name,
        "codes": game.n_secrets,
        "policy": strategy.slug,
        "threads": threads,
        "seconds": round(seconds, 3),
        "peak_mib": round(peak),
        "nodes": len(tree.guess),
        **{name: statistics[name] for name in ("total_guesses", "mean_guesses", "max_guesses")},
    }
