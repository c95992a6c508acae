"""What a player's games come to in expectation, as a file."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from codebreaker.errors import DamagedFileError
from codebreaker.files import write_text
from codebreaker.games.model import TableGame
from codebreaker.types import Scores

FIELDS = {"game", "player", "secrets", "mean_guesses", "max_guesses", "profile"}


def write_expectation(game: TableGame, player: str, profile: Scores, path: str | Path) -> None:
    """Write an expected profile, (n_turns,) float64, with its mean and maximum, as JSON."""
    data = {
        "game": game.name,
        "player": player,
        "secrets": game.n_secrets,
        "mean_guesses": mean_guesses(profile),
        "max_guesses": len(profile),
        "profile": profile.tolist(),
    }
    write_text(path, json.dumps(data, indent=0))


def read_expectation(path: str | Path) -> dict[str, Any]:
    """Read what was written of a player; raise `DamagedFileError` where it is not whole."""
    try:
        data: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as why:
        raise DamagedFileError(path, why) from why
    if set(data) != FIELDS:
        raise DamagedFileError(path, "its fields are not those of a player's expectation")
    return data


def mean_guesses(profile: NDArray[np.number]) -> float:
    """Return the mean of the turns at which secrets are solved."""
    return float(profile @ np.arange(1, len(profile) + 1) / profile.sum())
