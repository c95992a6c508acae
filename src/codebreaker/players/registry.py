"""The registry of players: their settings and sources."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from codebreaker.errors import CodebreakerError, unknown
from codebreaker.players.kernels import evolving, sampling, searching
from codebreaker.players.kernels.board import CERTAIN, Board, Choice, draw, make_workspace
from codebreaker.players.kernels.evolving import EntropicSettings, EvoRankSettings
from codebreaker.players.kernels.sampling import SamplingSettings
from codebreaker.players.kernels.searching import SearchSettings

MOST_TURNS = 64
"""The length of the longest game that is recorded."""

Player = Callable[[Board, int], Choice]
"""Chooses guesses from a board and the number of codes that its previous choice knows, 0 at first.

It has its own workspace and plays one game at a time."""

Opening = Callable[[Board, int], int]
"""Returns a player's opening from a board and the contest's opening."""

Settings = SamplingSettings | SearchSettings | EntropicSettings | EvoRankSettings

GUESSES: dict[type, Callable[..., Choice]] = {
    SamplingSettings: sampling.guess,
    SearchSettings: searching.guess,
    EntropicSettings: evolving.guess_by_entropy,
    EvoRankSettings: evolving.guess_by_rank,
}
"""What chooses a guess, by the type of its settings."""


class Range(NamedTuple):
    """The values that an option may have: from `least` to `most`, integers only if `whole`."""

    least: float
    most: float
    whole: bool = True

    def check(self, name: str, value: float) -> None:
        """Raise `CodebreakerError` unless an option may have a value."""
        if not self.least <= value <= self.most or (self.whole and value != int(value)):
            kind = "a whole number" if self.whole else "a number"
            raise CodebreakerError(
                f"option {name} is {value:g}: choose {kind} from {self.least:g} to {self.most:,g}"
            )

    def setting(self, value: float) -> int:
        """Return an option's value as a setting: probabilities are in units of 2^-20."""
        return int(value) if self.whole else round(CERTAIN * value)


RANGES = {
    "population": Range(2, 1 << 16),
    "target": Range(1, 1 << 24),
    "mutation": Range(0, 1, whole=False),
    "patience": Range(1, 1 << 16),
    "reset": Range(1, 1 << 20),
    "evaluations": Range(1, 1 << 24),
    "crossover": Range(0, 1, whole=False),
    "keeps": Range(0, 1),
    "generations": Range(1, 1 << 20),
    "least": Range(1, 1 << 24),
    "endgames": Range(0, 1 << 16),
}
"""The range of each option of the players."""


@dataclass(frozen=True)
class PlayerSpec:
    """A registered kind of player: its name, source and settings.

    `options` are the settings that may be changed; `consistent` says whether every guess is.
    """

    name: str
    citation: str
    settings: Settings
    options: tuple[str, ...] = ()
    opening: Opening = lambda board, opening: opening
    consistent: bool = True

    def check(self, options: Mapping[str, float]) -> None:
        """Raise `CodebreakerError` for an unknown option, or a value out of its range."""
        for option, value in options.items():
            if option not in self.options:
                raise unknown(f"option of {self.name}", option, self.options)
            RANGES[option].check(option, value)

    def make_player(self, board: Board, **options: float) -> Player:
        """Return a player with some options."""
        own = {name: RANGES[name].setting(value) for name, value in options.items()}
        settings = self.settings._replace(**own)
        sizes = (getattr(settings, name, 0) for name in ("population", "all_codes"))
        return partial(GUESSES[type(settings)], settings, make_workspace(board, *sizes))


SHARES = {"": 1.0, "-half": 1 / 2, "-third": 1 / 3, "-sixth": 1 / 6, "-twelfth": 1 / 12}
"""The sample's share of the candidates, by the suffix of the player's name."""

COMBINED = "Partition_Plus and Partition_Plus2 of Merelo's Algorithm::MasterMind"

PREFERRING = (("", 0), ("-consistent-first", 1))
"""Whether candidates are preferred among tied guesses, by the suffix of the player's name."""

SAMPLING = [
    PlayerSpec(
        "random-consistent",
        "No strategy is best 2026; AM207 project 2016, section 2.2",
        SamplingSettings(sampling.RANDOM),
        opening=lambda board, opening: draw(board.state, len(board.codes)),
    ),
    *(
        PlayerSpec(
            f"{name}-consistent{suffix}",
            "Cotta et al. 2010, section 2.3; Runarsson and Merelo 2010",
            SamplingSettings(rule, round(CERTAIN * share)),
            ("least",),
        )
        for name, rule in (("entropy", sampling.ENTROPY), ("most-parts", sampling.PARTS))
        for suffix, share in SHARES.items()
    ),
    PlayerSpec(
        "expected-size-consistent",
        "Irving 1979; Berghman et al. 2009",
        SamplingSettings(sampling.SIZE),
    ),
    PlayerSpec("plus-consistent", COMBINED, SamplingSettings(sampling.PLUS)),
    PlayerSpec("plus2-consistent", COMBINED, SamplingSettings(sampling.PLUS2)),
    *(
        PlayerSpec(
            f"entropy-all{suffix}",
            "AM207 project 2016, section 2.3",
            SamplingSettings(sampling.ENTROPY, all_codes=1, prefers=prefers),
            consistent=False,
        )
        for suffix, prefers in PREFERRING
    ),
    PlayerSpec(
        "knuth",
        "Knuth 1977; AM207 project 2016, section 2.1",
        SamplingSettings(sampling.WORST, all_codes=1, prefers=1, first=1),
        consistent=False,
    ),
]

KINDS = {"annealing": searching.ANNEALING, "genetic": searching.GENETIC}

SEARCHING = [
    *(
        PlayerSpec(
            name,
            "Bernier et al. 1996; AM207 project 2016",
            SearchSettings(kind, searching.CONSISTENCY),
        )
        for name, kind in KINDS.items()
    ),
    *(
        PlayerSpec(
            f"{name}-entropy{suffix}",
            "AM207 project 2016, section 2.3",
            SearchSettings(kind, searching.ENTROPY, prefers, generations=20),
            consistent=False,
        )
        for name, kind in KINDS.items()
        for suffix, prefers in PREFERRING
    ),
    PlayerSpec(
        "best-so-far",
        "Cotta et al. 2010, section 2.3: the best guess of each generation",
        SearchSettings(searching.GENETIC, searching.CONSISTENCY, generations=10),
        ("population", "generations"),
        consistent=False,
    ),
]


def own_opening(board: Board) -> int:
    """Return the code of the pattern ABCA: the first colours in order, then the first one again."""
    colours = np.minimum(np.arange(board.codes.shape[1]), board.n_colours - 1)
    colours[-1] = 0
    return int(colours @ board.place_values)


EVOLVING = [
    *(
        PlayerSpec(
            f"{variant}-{initialisation}",
            "Cotta et al. 2010",
            EntropicSettings(tiers, competing, seeded),
            ("population", "evaluations", "crossover", "keeps", "endgames"),
        )
        for variant, tiers, competing in (("eGA", 1, 0), ("eGACo", 2, 0), ("eGACm", 2, 1))
        for seeded, initialisation in enumerate(("random", "seeded"))
    ),
    *(
        PlayerSpec(
            f"EvoRank{suffix}",
            citation,
            EvoRankSettings(rule),
            ("population", "target", "mutation", "patience", "reset", "endgames"),
            lambda board, opening: own_opening(board),
        )
        for suffix, rule, citation in (
            ("", sampling.PARTS, "Runarsson and Merelo 2010; Cotta et al. 2010"),
            ("-expected-size", sampling.SIZE, "EvoRank with the score of Berghman et al. 2009"),
        )
    ),
]

PLAYERS: dict[str, PlayerSpec] = {spec.name: spec for spec in (*SAMPLING, *SEARCHING, *EVOLVING)}
"""Every player by its name."""


def player_spec(name: str) -> PlayerSpec:
    """Return the player called `name`; raise `CodebreakerError` if there is none."""
    if name not in PLAYERS:
        raise unknown("player", name, PLAYERS)
    return PLAYERS[name]
