"""Statistics of profiles: how many secrets are solved at each turn."""

from collections.abc import Sequence

import numpy as np


def profile_statistics(profile: Sequence[int]) -> dict[str, int | float | str]:
    """Return population statistics of a profile, the number of secrets solved at each turn."""
    solved = np.asarray(profile, dtype=np.int64)
    turns = np.arange(1, len(solved) + 1)
    secrets = int(solved.sum())
    total = int(solved @ turns)
    variance = float(solved @ (turns - total / secrets) ** 2) / secrets
    return {
        "secrets": secrets,
        "total_guesses": total,
        "mean_guesses": round(total / secrets, 6),
        "max_guesses": len(solved),
        "std_guesses": round(variance**0.5, 6),
        "profile": " ".join(map(str, solved)),
    }
