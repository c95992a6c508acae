"""The registry of players: their settings and sources."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from codebreaker.errors import CodebreakerError, unknown
from codebreaker.players.kernels import choosing, evolving
from codebreaker.players.kernels.board import CERTAIN, Board, Choice, draw, make_workspace
from codebreaker.players.kernels.choosing import SamplingSettings, SearchSettings
from codebreaker.players.kernels.evolving import EligibleSettings, EntropicSettings, EvoRankSettings

MOST_TURNS = 64
Player = Callable[[Board, int], Choice]
"""Chooses guesses, given the number of codes that its last choice knew."""

Opening = Callable[[Board, int], int]
"""Returns a player's opening from a board and the contest's opening."""

Settings = SamplingSettings | SearchSettings | EntropicSettings | EvoRankSettings | EligibleSettings

GUESSES: dict[type, Callable[..., Choice]] = {
    SamplingSettings: choosing.guess_from_sample,
    SearchSettings: choosing.guess_by_search,
    EntropicSettings: evolving.guess_by_entropy,
    EvoRankSettings: evolving.guess_by_rank,
    EligibleSettings: evolving.guess_among_eligible,
}

RANGES: dict[str, tuple[float, float, bool]] = {
    "population": (2, 1 << 16, True),
    "target": (1, 1 << 24, True),
    "mutation": (0, 1, False),
    "patience": (1, 1 << 16, True),
    "reset": (1, 1 << 20, True),
    "evaluations": (1, 1 << 24, True),
    "crossover": (0, 1, False),
    "keeps": (0, 1, True),
    "generations": (1, 1 << 20, True),
    "minimum": (1, 1 << 24, True),
    "endgames": (0, 1 << 16, True),
}
"""The range of each option, and whether it is an integer (or else a probability)."""

SHARES = {"": 1.0, "-half": 1 / 2, "-third": 1 / 3, "-sixth": 1 / 6, "-twelfth": 1 / 12}
COMBINED = "Partition_Plus and Partition_Plus2 of Merelo's Algorithm::MasterMind"
PREFERRING = (("", 0), ("-consistent-first", 1))
BERNIER = "Bernier et al. 1996; AM207 project 2016"
KINDS = {"annealing": choosing.ANNEALING, "genetic": choosing.GENETIC}


@dataclass(frozen=True)
class PlayerSpec:
    """A registered player; users may change its `options`."""

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
        return partial(GUESSES[type(settings)], settings, make_workspace(board, *sizes))


SAMPLING = [
    PlayerSpec(
        "random-consistent",
        "No strategy is best 2026; AM207 project 2016, section 2.2",
        SamplingSettings(choosing.RANDOM),
        opening=lambda board, opening: draw(board.state, len(board.codes)),
    ),
    *(
        PlayerSpec(
            f"{name}-consistent{suffix}",
            "Cotta et al. 2010, section 2.3; Runarsson and Merelo 2010",
            SamplingSettings(rule, round(CERTAIN * share)),
            ("minimum",),
        )
        for name, rule in (("entropy", choosing.ENTROPY), ("most-parts", choosing.PARTS))
        for suffix, share in SHARES.items()
    ),
    PlayerSpec(
        "expected-size-consistent",
        "Irving 1979; Berghman et al. 2009",
        SamplingSettings(choosing.SIZE),
    ),
    PlayerSpec("plus-consistent", COMBINED, SamplingSettings(choosing.PLUS)),
    PlayerSpec("plus2-consistent", COMBINED, SamplingSettings(choosing.PLUS2)),
    *(
        PlayerSpec(
            f"entropy-all{suffix}",
            "AM207 project 2016, section 2.3",
            SamplingSettings(choosing.ENTROPY, all_codes=1, prefers=prefers),
            consistent=False,
        )
        for suffix, prefers in PREFERRING
    ),
    PlayerSpec(
        "knuth",
        "Knuth 1977; AM207 project 2016, section 2.1",
        SamplingSettings(choosing.WORST, all_codes=1, prefers=1, first=1),
        consistent=False,
    ),
]

SEARCHING = [
    *(
        PlayerSpec(name, BERNIER, SearchSettings(kind, choosing.CONSISTENCY))
        for name, kind in KINDS.items()
    ),
    *(
        PlayerSpec(
            f"{name}-entropy{suffix}",
            "AM207 project 2016, section 2.3",
            SearchSettings(kind, choosing.ENTROPY, prefers, generations=20),
            consistent=False,
        )
        for name, kind in KINDS.items()
        for suffix, prefers in PREFERRING
    ),
    PlayerSpec(
        "best-so-far",
        "Cotta et al. 2010, section 2.3: the best guess of each generation",
        SearchSettings(choosing.GENETIC, choosing.CONSISTENCY, generations=10),
        ("population", "generations"),
        consistent=False,
    ),
]


def own_opening(board: Board) -> int:
    """Return the code of the pattern ABCA: the first colours in order, then the first again."""
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
    PlayerSpec(
        "EvoRank",
        "Runarsson and Merelo 2010; Cotta et al. 2010",
        EvoRankSettings(),
        ("population", "target", "mutation", "patience", "reset", "endgames"),
        lambda board, opening: own_opening(board),
    ),
    PlayerSpec(
        "Berghman",
        "Berghman et al. 2009",
        EligibleSettings(),
        ("population", "target", "generations", "mutation"),
    ),
]

PLAYERS: dict[str, PlayerSpec] = {spec.name: spec for spec in (*SAMPLING, *SEARCHING, *EVOLVING)}


def player_spec(name: str) -> PlayerSpec:
    """Return a player; raise `CodebreakerError` for an unknown name."""
    if name not in PLAYERS:
        raise unknown("player", name, PLAYERS)
    return PLAYERS[name]
