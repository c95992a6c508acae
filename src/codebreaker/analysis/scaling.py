"""How the growth of trees scales with the size of games: time, memory, and what they reach."""

import resource
import sys
import time
from typing import Any

from codebreaker.analysis.metrics import profile_statistics
from codebreaker.games.model import CodeGame
from codebreaker.policies.policy import Policy
from codebreaker.trees.grow import grow

MAXRSS_UNIT = 1 if sys.platform == "darwin" else 2**10
"""What the system counts the largest memory of a process in: KiB, or bytes on macOS."""


def measure(game: CodeGame, policy: Policy, threads: int) -> dict[str, Any]:
    """Grow a policy's tree; return what it reaches, the seconds, and the process's peak in MiB.

    Compile before, by growing a small tree of the same kind.
    """
    started = time.perf_counter()
    tree = grow(game, policy, threads)
    seconds = time.perf_counter() - started
    reached = profile_statistics(tree.profile.tolist())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MAXRSS_UNIT / 2**20
    return {
        "game": game.name,
        "codes": game.n_secrets,
        "policy": policy.slug,
        "threads": threads,
        "seconds": round(seconds, 3),
        "peak_mib": round(peak),
        "nodes": len(tree.guess),
        **{name: reached[name] for name in ("total_guesses", "mean_guesses", "max_guesses")},
    }
