"""The registry of players: their settings and sources.

Reading a study needs it, so that Numba is imported only when a player is made.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from codebreaker.constants import SAMPLED
from codebreaker.errors import CodebreakerError, unknown
from codebreaker.players.kernels.settings import (
    ANNEALING,
    CERTAIN,
    CONSISTENCY,
    ENTROPY,
    GENETIC,
    PARTS,
    PLUS,
    PLUS2,
    RANDOM,
    SIZE,
    WORST,
    EligibleSettings,
    EntropicSettings,
    EvoRankSettings,
    SampledSettings,
    SamplingSettings,
    SearchSettings,
)
from codebreaker.sampling.settings import LEAST_SAMPLES, MOST_SAMPLES, SAMPLES

if TYPE_CHECKING:
    from codebreaker.players.kernels.board import Board, Choice, PlayerWorkspace

MOST_TURNS = 64
"""Maximum number of guesses in a game."""

Player = Callable[["Board", int], "Choice"]
"""Chooses guesses, given the number of codes that its last choice knew."""

Opening = Callable[["Board", int], int]
"""Returns a player's opening from a board and the contest's opening."""

EVOLVING = ("entropic", "EvoRank", "eligible")
"""The families of evolutionary algorithms."""


class Range(NamedTuple):
    """What users may set an option to: an integer, or else a number, and its limits."""

    lowest: float
    highest: float
    is_integer: bool


RANGES = {
    "population": Range(2, 65_536, True),
    "target": Range(1, 16_777_216, True),
    "mutation": Range(0.0, 1.0, False),
    "patience": Range(1, 65_536, True),
    "reset": Range(1, 1_048_576, True),
    "evaluations": Range(1, 16_777_216, True),
    "crossover": Range(0.0, 1.0, False),
    "keeps": Range(0, 1, True),
    "stops_by_tier": Range(0, 1, True),
    "cuts_at_ends": Range(0, 1, True),
    "generations": Range(1, 1_048_576, True),
    "minimum": Range(1, 16_777_216, True),
    "endgames": Range(0, 65_536, True),
    "samples": Range(LEAST_SAMPLES, MOST_SAMPLES, True),
}
"""The range of each option; options that are not integers are probabilities."""

SHARES = {"": 1.0, "-half": 1 / 2, "-third": 1 / 3, "-sixth": 1 / 6, "-twelfth": 1 / 12}
"""The shares of candidates that players examine, by the ends of their names."""


def _chooser(family: str) -> Callable[..., "Choice"]:
    """Return the compiled function that chooses guesses; it takes settings of the family's type."""
    from codebreaker.players.kernels import choosing, evolving

    choosers: dict[str, Callable[..., Choice]] = {
        "sampling": choosing.guess_from_sample,
        "search": choosing.guess_by_search,
        "entropic": evolving.guess_by_entropy,
        "EvoRank": evolving.guess_by_rank,
        "eligible": evolving.guess_among_eligible,
    }
    return choosers[family]


def contest_opening(_board: "Board", opening: int) -> int:
    """Return the contest's opening."""
    return opening


def drawn_opening(board: "Board", _opening: int) -> int:
    """Return a random code."""
    from codebreaker.sets.primitives import draw

    return int(draw(board.state, len(board.codes)))


def own_opening(board: "Board", _opening: int) -> int:
    """Return the code of the pattern ABCA: the first colours in order, then the first again."""
    colours = np.minimum(np.arange(board.codes.shape[1]), board.n_colours - 1)
    colours[-1] = 0
    return int(colours @ board.place_values)


@dataclass(frozen=True)
class PlayerSpec:
    """A registered player; users may change its `options`.

    `family` names a function of `_chooser`, and `settings` are of the type that it takes. All
    guesses of a `consistent` player are candidates.
    """

    name: str
    family: str
    citation: str
    settings: Any
    options: tuple[str, ...] = ()
    opening: Opening = contest_opening
    consistent: bool = True

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
            lowest, highest, is_integer = RANGES[option]
            if not lowest <= value <= highest or (is_integer and value != int(value)):
                kind = "an integer" if is_integer else "a number"
                why = f"option {option} is {value:g}: choose {kind} from {lowest:g} to {highest:,g}"
                raise CodebreakerError(why)

    def make_player(self, board: "Board", **options: float) -> Player:
        """Return a player with some options; probabilities are set in units of 2^-20.

        The player has its own working memory: use it in one thread at a time.
        """
        player, _ = self.make_player_with_memory(board, options)
        return player

    def make_player_with_memory(
        self, board: "Board", options: Mapping[str, float]
    ) -> "tuple[Player, PlayerWorkspace]":
        """Return what `make_player` does, and the working memory, which shows what it knows."""
        from codebreaker.players.kernels.board import make_workspace

        changed = {
            name: int(value) if RANGES[name].is_integer else round(CERTAIN * value)
            for name, value in options.items()
        }
        settings = self.settings._replace(**changed)
        if isinstance(settings, SampledSettings):
            from codebreaker.players.sampled import guess_by_samples

            return partial(guess_by_samples, settings), make_workspace(board)
        if isinstance(settings, SamplingSettings):
            work = make_workspace(board, all_codes=settings.all_codes)
        else:
            work = make_workspace(board, population=settings.population)
        return partial(_chooser(self.family), settings, work), work


def _sampling(
    name: str, citation: str, settings: SamplingSettings, *options: str, consistent: bool = True
) -> PlayerSpec:
    """Return a player who compares a sample of the candidates, or all codes."""
    return PlayerSpec(name, "sampling", citation, settings, options, consistent=consistent)


def _by_share(name: str, rule: int) -> list[PlayerSpec]:
    """Return the players who compare each of SHARES of the candidates by a rule."""
    citation = "Cotta et al. 2010, section 2.3; Runarsson and Merelo 2010"
    return [
        _sampling(
            name + suffix, citation, SamplingSettings(rule, share=round(CERTAIN * share)), "minimum"
        )
        for suffix, share in SHARES.items()
    ]


def _entropic(name: str, *, tiers: int, competing: int, seeded: int) -> PlayerSpec:
    """Return one of the evolutionary players of Cotta et al. 2010, whose fitness is entropy."""
    settings = EntropicSettings(tiers=tiers, competing=competing, seeded=seeded)
    options = (
        "population",
        "evaluations",
        "crossover",
        "keeps",
        "stops_by_tier",
        "cuts_at_ends",
        "endgames",
    )
    return PlayerSpec(name, "entropic", "Cotta et al. 2010", settings, options)


_BERNIER = "Bernier et al. 1996; AM207 project 2016"
_MERELO = "Partition_Plus and Partition_Plus2 of Merelo's Algorithm::MasterMind"
_PROJECT = "AM207 project 2016, section 2.3"

_REGISTERED = (
    PlayerSpec(
        "random-consistent",
        "sampling",
        "No strategy is best 2026; AM207 project 2016, section 2.2",
        SamplingSettings(RANDOM),
        opening=drawn_opening,
    ),
    # Players who compare candidates.
    *_by_share("entropy-consistent", ENTROPY),
    *_by_share("most-parts-consistent", PARTS),
    _sampling(
        "expected-size-consistent", "Irving 1979; Berghman et al. 2009", SamplingSettings(SIZE)
    ),
    _sampling("plus-consistent", _MERELO, SamplingSettings(PLUS)),
    _sampling("plus2-consistent", _MERELO, SamplingSettings(PLUS2)),
    # Players who compare all codes.
    _sampling("entropy-all", _PROJECT, SamplingSettings(ENTROPY, all_codes=1), consistent=False),
    _sampling(
        "entropy-all-consistent-first",
        _PROJECT,
        SamplingSettings(ENTROPY, all_codes=1, prefers=1),
        consistent=False,
    ),
    _sampling(
        "knuth",
        "Knuth 1977; AM207 project 2016, section 2.1",
        SamplingSettings(WORST, all_codes=1, prefers=1, first=1),
        consistent=False,
    ),
    # Who compares samples, in games of any size.
    PlayerSpec(
        SAMPLED,
        "sampled",
        "Runarsson and Merelo 2010, and our own",
        SampledSettings(SAMPLES),
        options=("samples",),
        consistent=False,
    ),
    # Players who search for a guess.
    PlayerSpec("annealing", "search", _BERNIER, SearchSettings(ANNEALING, CONSISTENCY)),
    PlayerSpec("genetic", "search", _BERNIER, SearchSettings(GENETIC, CONSISTENCY)),
    PlayerSpec(
        "annealing-entropy",
        "search",
        _PROJECT,
        SearchSettings(ANNEALING, ENTROPY, generations=20),
        consistent=False,
    ),
    PlayerSpec(
        "annealing-entropy-consistent-first",
        "search",
        _PROJECT,
        SearchSettings(ANNEALING, ENTROPY, prefers=1, generations=20),
        consistent=False,
    ),
    PlayerSpec(
        "genetic-entropy",
        "search",
        _PROJECT,
        SearchSettings(GENETIC, ENTROPY, generations=20),
        consistent=False,
    ),
    PlayerSpec(
        "genetic-entropy-consistent-first",
        "search",
        _PROJECT,
        SearchSettings(GENETIC, ENTROPY, prefers=1, generations=20),
        consistent=False,
    ),
    PlayerSpec(
        "best-so-far",
        "search",
        "Cotta et al. 2010, section 2.3: the best guess of each generation",
        SearchSettings(GENETIC, CONSISTENCY, generations=10),
        options=("population", "generations"),
        consistent=False,
    ),
    # Players who evolve codes for each guess.
    _entropic("eGA-random", tiers=1, competing=0, seeded=0),
    _entropic("eGA-seeded", tiers=1, competing=0, seeded=1),
    _entropic("eGACo-random", tiers=2, competing=0, seeded=0),
    _entropic("eGACo-seeded", tiers=2, competing=0, seeded=1),
    _entropic("eGACm-random", tiers=2, competing=1, seeded=0),
    _entropic("eGACm-seeded", tiers=2, competing=1, seeded=1),
    PlayerSpec(
        "EvoRank",
        "EvoRank",
        "Runarsson and Merelo 2010; Cotta et al. 2010",
        EvoRankSettings(),
        options=("population", "target", "mutation", "patience", "reset", "endgames"),
        opening=own_opening,
    ),
    PlayerSpec(
        "Berghman",
        "eligible",
        "Berghman et al. 2009",
        EligibleSettings(),
        options=("population", "target", "generations", "mutation"),
    ),
)

PLAYERS = {player.name: player for player in _REGISTERED}


def player_spec(name: str) -> PlayerSpec:
    """Return a player; raise `CodebreakerError` for an unknown name."""
    if name not in PLAYERS:
        raise unknown("player", name, PLAYERS)
    return PLAYERS[name]
