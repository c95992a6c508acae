"""Expected results of a player, and their file."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from codebreaker.files import read_json, write_text
from codebreaker.games.model import GameModel
from codebreaker.types import Scores


def mean_guesses(profile: NDArray[np.number]) -> float:
    """Return a profile's mean."""
    return float(profile @ np.arange(1, len(profile) + 1) / profile.sum())


@dataclass(frozen=True)
class Expectation:
    """A player's expected results over all secrets; `profile` is of secrets by turn."""

    game: str
    player: str
    secrets: int
    mean_guesses: float
    max_guesses: int
    share_of_8_or_more: float
    profile: list[float]


def write_expectation(game: GameModel, player: str, profile: Scores, path: str | Path) -> None:
    """Write an expected profile, (n_turns,) float64, with its mean and maximum, as JSON."""
    late = float(profile[7:].sum() / game.n_secrets)
    expectation = Expectation(
        game=game.name,
        player=player,
        secrets=game.n_secrets,
        mean_guesses=mean_guesses(profile),
        max_guesses=len(profile),
        share_of_8_or_more=late,
        profile=profile.tolist(),
    )
    write_text(path, json.dumps(asdict(expectation), indent=0))


def read_expectation(path: str | Path) -> Expectation:
    """Read expected results; raise `DamagedFileError` if damaged."""
    return read_json(path, Expectation)
