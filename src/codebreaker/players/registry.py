"""The registry of players: their settings and sources."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from codebreaker.errors import CodebreakerError, unknown
from codebreaker.files import read_toml
from codebreaker.players.kernels import choosing, evolving
from codebreaker.players.kernels.board import CERTAIN, Board, Choice, draw, make_workspace
from codebreaker.players.kernels.choosing import SamplingSettings, SearchSettings
from codebreaker.players.kernels.evolving import EligibleSettings, EntropicSettings, EvoRankSettings

MOST_TURNS = 64
Player = Callable[[Board, int], Choice]
"""Chooses guesses, given the number of codes that its last choice knew."""

Opening = Callable[[Board, int], int]
"""Returns a player's opening from a board and the contest's opening."""

FAMILIES: dict[str, tuple[type, Callable[..., Choice]]] = {
    "sampling": (SamplingSettings, choosing.guess_from_sample),
    "search": (SearchSettings, choosing.guess_by_search),
    "entropic": (EntropicSettings, evolving.guess_by_entropy),
    "EvoRank": (EvoRankSettings, evolving.guess_by_rank),
    "eligible": (EligibleSettings, evolving.guess_among_eligible),
}
EVOLVING = ("entropic", "EvoRank", "eligible")

_DATA = read_toml(Path(__file__).with_suffix(".toml"))
RANGES = {name: (*ends, isinstance(ends[0], int)) for name, ends in _DATA["ranges"].items()}
"""The range of each option, and whether it is an integer (or else a probability)."""

SHARES = {suffix: 1 / part for suffix, part in _DATA["shares"].items()}
"""The shares of candidates that players examine, by the ends of their names."""


@dataclass(frozen=True)
class PlayerSpec:
    """A registered player; users may change its `options`."""

    name: str
    family: str
    citation: str
    settings: Any
    options: tuple[str, ...]
    opening: Opening
    consistent: bool

    @property
    def draws(self) -> bool:
        """Whether the player uses random numbers: not if it plays the first of all best codes."""
        settings = self.settings
        return not (
            isinstance(settings, SamplingSettings) and settings.all_codes and settings.first
        )

    def check(self, options: Mapping[str, float]) -> None:
        """Raise `CodebreakerError` for an unknown option, or a value out of its range."""
        for option, value in options.items():
            if option not in self.options:
                raise unknown(f"option of {self.name}", option, self.options)
            lowest, most, whole = RANGES[option]
            if not lowest <= value <= most or (whole and value != int(value)):
                kind = "an integer" if whole else "a number"
                why = f"option {option} is {value:g}: choose {kind} from {lowest:g} to {most:,g}"
                raise CodebreakerError(why)

    def make_player(self, board: Board, **options: float) -> Player:
        """Return a player with some options; probabilities are set in units of 2^-20."""
        own = {
            name: int(value) if RANGES[name][2] else round(CERTAIN * value)
            for name, value in options.items()
        }
        settings = self.settings._replace(**own)
        sizes = (getattr(settings, name, 0) for name in ("population", "all_codes"))
        return partial(FAMILIES[self.family][1], settings, make_workspace(board, *sizes))


def own_opening(board: Board, _opening: int) -> int:
    """Return the code of the pattern ABCA: the first colours in order, then the first again."""
    colours = np.minimum(np.arange(board.codes.shape[1]), board.n_colours - 1)
    colours[-1] = 0
    return int(colours @ board.place_values)


def _value_of(value: str | int) -> int:
    if isinstance(value, int):
        return value
    return round(CERTAIN * SHARES[value]) if value in SHARES else int(getattr(choosing, value))


OPENINGS: dict[str, Opening] = {
    "contest": lambda board, opening: opening,
    "drawn": lambda board, opening: draw(board.state, len(board.codes)),
    "own": own_opening,
}

PLAYERS = {
    name: PlayerSpec(
        name,
        group["family"],
        group["citation"],
        FAMILIES[group["family"]][0](**{key: _value_of(value) for key, value in values.items()}),
        tuple(group.get("options", ())),
        OPENINGS[group.get("opening", "contest")],
        group.get("consistent", True),
    )
    for group in _DATA["groups"]
    for name, values in group["players"].items()
}


def player_spec(name: str) -> PlayerSpec:
    """Return a player; raise `CodebreakerError` for an unknown name."""
    if name not in PLAYERS:
        raise unknown("player", name, PLAYERS)
    return PLAYERS[name]
