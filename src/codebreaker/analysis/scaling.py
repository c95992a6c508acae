"""Scaling with the number of codes: time, memory, and mean and maximum guesses."""

import resource
import sys
import time
from typing import Any

import numpy as np
import polars as pl

from codebreaker.analysis.metrics import profile_statistics
from codebreaker.games.model import CodeGame
from codebreaker.policies.policy import Policy
from codebreaker.trees.grow import grow

MAXRSS_UNIT = 1 if sys.platform == "darwin" else 2**10
"""Bytes per unit of `ru_maxrss`: KiB on Linux, bytes on macOS."""

SHORTEST_FIT_S = 0.3
"""Shorter times are left out of the fit: they are mostly overhead."""


def measure(game: CodeGame, policy: Policy, threads: int) -> dict[str, Any]:
    """Grow a policy's tree; return its statistics, the seconds taken and the peak memory in MiB.

    Grow a small tree of the same kind first, so that compilation is not timed.
    """
    started = time.perf_counter()
    tree = grow(game, policy, threads)
    seconds = time.perf_counter() - started
    statistics = profile_statistics(tree.profile.tolist())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MAXRSS_UNIT / 2**20
    return {
        "game": game.name,
        "codes": game.n_secrets,
        "policy": policy.slug,
        "threads": threads,
        "seconds": round(seconds, 3),
        "peak_mib": round(peak),
        "nodes": len(tree.guess),
        **{name: statistics[name] for name in ("total_guesses", "mean_guesses", "max_guesses")},
    }


def time_exponent(table: pl.DataFrame, policy: str) -> float:
    """Return the exponent of a policy's time as a power of the number of codes.

    It is fitted by least squares on logarithms, to games that take SHORTEST_FIT_S or longer; NaN if
    there are fewer than two of them.
    """
    rows = table.filter(pl.col("policy") == policy, pl.col("seconds") >= SHORTEST_FIT_S)
    if rows["codes"].n_unique() < 2:
        return float("nan")
    codes, seconds = np.log(rows["codes"].to_numpy()), np.log(rows["seconds"].to_numpy())
    return float(np.polyfit(codes, seconds, 1)[0])
