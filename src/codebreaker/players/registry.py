"""The registry of players: their settings and defaults.

- Players that choose among all candidates, a random sample of them, or all codes: "Mastermind: no
  strategy is best", 2026; the AM207 project of 2016, sections 2.1 to 2.3; for a sample of one sixth
  of the candidates, Cotta, Merelo, Mora and Runarsson 2010, section 2.3; and for combinations of
  entropy and the number of parts, Merelo's library Algorithm::MasterMind.
- Simulated annealing and genetic algorithms: Bernier et al. 1996, whose cost is the distance from
  consistency and who play the first consistent code; the AM207 project, section 2.3, which searches
  for the guess of highest entropy; and Cotta et al. 2010, section 2.3, who mention players of each
  generation's best code, consistent or not. The sources leave temperatures, rates and sizes open;
  these are our choices.
- eGA, eGACo and eGACm, with random and with seeded initialisation: Cotta et al. 2010, section 3;
  parameters from its section 4.
- EvoRank, which always opens with a code of the pattern ABCA, and variants with other scores:
  Runarsson and Merelo 2010, as Cotta et al. 2010 compare it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from codebreaker.errors import CodebreakerError, unknown
from codebreaker.players.board import make_workspace
from codebreaker.players.kernels import entropic, evorank, sampling, searching
from codebreaker.players.kernels.board import CERTAIN, Board, Choice, draw

MOST_TURNS = 64
"""The length of the longest game that is recorded."""

POPULATION = 50
"""The population of genetic algorithms, but for EvoRank."""


Player = Callable[[Board, int], Choice]
"""Chooses guesses; it has its own workspace and plays one game at a time.

It is given the number of codes that its previous choice knows, 0 at first.
"""

Opening = Callable[[Board, int], int]
"""Returns a player's opening from a board and the contest's opening."""


class Range(NamedTuple):
    """The values that an option may have: from `least` to `most`, whole numbers only if `whole`."""

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
    """A registered kind of player: its name and source, and how to make a player.

    `make_player` takes the board, and the `options` by name; `consistent` says whether every guess
    is consistent.
    """

    name: str
    citation: str
    make_player: Callable[..., Player]
    options: tuple[str, ...] = ()
    opening: Opening = lambda board, opening: opening
    consistent: bool = True

    def check(self, options: Mapping[str, float]) -> None:
        """Raise `CodebreakerError` for an unknown option, or a value out of its range."""
        for option, value in options.items():
            if option not in self.options:
                raise unknown(f"option of {self.name}", option, self.options)
            RANGES[option].check(option, value)


SHARES = {"": 1.0, "-half": 1 / 2, "-third": 1 / 3, "-sixth": 1 / 6, "-twelfth": 1 / 12}
"""The sample's share of the candidates, by the suffix of the player's name."""

COMBINED = "Partition_Plus and Partition_Plus2 of Merelo's Algorithm::MasterMind"


def sampling_player(
    rule: int,
    board: Board,
    share: float = 1.0,
    least: float = 1,
    all_codes: int = 0,
    prefers: int = 0,
    first: int = 0,
) -> Player:
    """Return a player that chooses by a rule among a share of the candidates, or all codes.

    The share is no smaller than the least number; where there are no more candidates than that, it
    chooses among all of them.
    """
    amount = round(CERTAIN * share), max(int(least), 1)
    settings = sampling.SamplingSettings(rule, *amount, all_codes, prefers, first)
    return partial(sampling.guess, settings, make_workspace(board, all_codes=all_codes))


SAMPLING = [
    PlayerSpec(
        "random-consistent",
        "No strategy is best 2026; AM207 project 2016, section 2.2",
        partial(sampling_player, sampling.RANDOM),
        opening=lambda board, opening: draw(board.state, len(board.codes)),
    ),
    *(
        PlayerSpec(
            f"{name}-consistent{suffix}",
            "Cotta et al. 2010, section 2.3; Runarsson and Merelo 2010",
            partial(sampling_player, rule, share=share),
            ("least",),
        )
        for name, rule in (("entropy", sampling.ENTROPY), ("most-parts", sampling.PARTS))
        for suffix, share in SHARES.items()
    ),
    PlayerSpec(
        "expected-size-consistent",
        "Irving 1979; Berghman et al. 2009",
        partial(sampling_player, sampling.SIZE),
    ),
    PlayerSpec("plus-consistent", COMBINED, partial(sampling_player, sampling.PLUS)),
    PlayerSpec("plus2-consistent", COMBINED, partial(sampling_player, sampling.PLUS2)),
    *(
        PlayerSpec(
            f"entropy-all{suffix}",
            "AM207 project 2016, section 2.3",
            partial(sampling_player, sampling.ENTROPY, all_codes=1, prefers=prefers),
            consistent=False,
        )
        for prefers, suffix in enumerate(("", "-consistent-first"))
    ),
    PlayerSpec(
        "knuth",
        "Knuth 1977; AM207 project 2016, section 2.1",
        partial(sampling_player, sampling.WORST, all_codes=1, prefers=1, first=1),
        consistent=False,
    ),
]


GENERATIONS = 20
"""The genetic algorithm's generations if it seeks the highest entropy."""

TEMPERATURES = {searching.CONSISTENCY: (4.0, 0.95, 0.25), searching.ENTROPY: (0.5, 0.9, 0.005)}
"""By goal: the first temperature, in units of distance or in bits, its factor, and the last."""

KINDS = {"annealing": searching.ANNEALING, "genetic": searching.GENETIC}

AM207 = "AM207 project 2016, section 2.3"


def searching_player(
    kind: int,
    goal: int,
    board: Board,
    prefers: int = 0,
    population: float = POPULATION,
    generations: float = 0,
) -> Player:
    """Return a player that searches by annealing or by the genetic algorithm."""
    hottest, cooling, coldest = TEMPERATURES[goal]
    settings = searching.SearchSettings(
        kind=kind,
        goal=goal,
        prefers=prefers,
        hottest=hottest,
        cooling=cooling,
        coldest=coldest,
        population=int(population),
        generations=int(generations),
    )
    return partial(searching.guess, settings, make_workspace(board, settings.population))


SEARCHING = [
    *(
        PlayerSpec(
            name,
            "Bernier et al. 1996; AM207 project 2016",
            partial(searching_player, kind, searching.CONSISTENCY),
        )
        for name, kind in KINDS.items()
    ),
    *(
        PlayerSpec(
            f"{name}-entropy{suffix}",
            AM207,
            partial(
                searching_player, kind, searching.ENTROPY, prefers=prefers, generations=GENERATIONS
            ),
            consistent=False,
        )
        for name, kind in KINDS.items()
        for prefers, suffix in enumerate(("", "-consistent-first"))
    ),
    PlayerSpec(
        "best-so-far",
        "Cotta et al. 2010, section 2.3: the best guess of each generation",
        partial(searching_player, searching.GENETIC, searching.CONSISTENCY, generations=10),
        ("population", "generations"),
        consistent=False,
    ),
]


EVALUATIONS, CROSSOVER = 500, 0.9
VARIANTS = {"eGA": (1, 0), "eGACo": (2, 0), "eGACm": (2, 1)}
"""The number of tiers of each variant, and whether they compete."""


def entropic_player(
    tiers: int,
    competing: int,
    seeded: int,
    board: Board,
    population: float = POPULATION,
    evaluations: float = EVALUATIONS,
    crossover: float = CROSSOVER,
    keeps: float = 0,
    endgames: float = 0,
) -> Player:
    """Return a player that plays a variant."""
    n, pegs = int(population), board.codes.shape[1]
    settings = entropic.EvolutionSettings(
        population=n,
        tiers=tiers,
        competing=competing,
        seeded=seeded,
        keeps=int(keeps),
        crossover=round(CERTAIN * crossover),
        mutation=round(CERTAIN / pegs),
        evaluations=int(evaluations),
        endgames=int(endgames),
    )
    return partial(entropic.guess, settings, make_workspace(board, n))


EVOLVING = [
    PlayerSpec(
        f"{variant}-{initialisation}",
        "Cotta et al. 2010",
        partial(entropic_player, tiers, competing, seeded),
        ("population", "evaluations", "crossover", "keeps", "endgames"),
    )
    for variant, (tiers, competing) in VARIANTS.items()
    for seeded, initialisation in enumerate(("random", "seeded"))
]


MUTATION, PATIENCE, RESET = 1 / 3, 3, 50


def default_target(n_colours: int) -> int:
    """Return how many consistent codes to collect: 20 for 6 colours, 10 more per extra colour."""
    return max(20 + 10 * (n_colours - 6), 10)


def own_opening(board: Board) -> int:
    """Return the code of the pattern ABCA: the first colours in order, then the first one again."""
    pegs, n_colours = board.codes.shape[1], board.n_colours
    colours = [min(peg, n_colours - 1) for peg in range(pegs)]
    colours[-1] = 0
    return int(np.array(colours) @ board.place_values)


def evorank_player(
    rule: int,
    board: Board,
    population: float = 400,
    target: float | None = None,
    mutation: float = MUTATION,
    patience: float = PATIENCE,
    reset: float = RESET,
    endgames: float = 0,
) -> Player:
    """Return a player that plays EvoRank with a rule."""
    n = int(population)
    settings = evorank.EvoRankSettings(
        population=n,
        target=default_target(board.n_colours) if target is None else int(target),
        mutation=round(CERTAIN * mutation),
        patience=int(patience),
        reset=int(reset),
        rule=rule,
        endgames=int(endgames),
    )
    return partial(evorank.guess, settings, make_workspace(board, n))


EVOLVING += [
    PlayerSpec(
        f"EvoRank{suffix}",
        citation,
        partial(evorank_player, rule),
        ("population", "target", "mutation", "patience", "reset", "endgames"),
        lambda board, opening: own_opening(board),
    )
    for suffix, rule, citation in (
        ("", sampling.PARTS, "Runarsson and Merelo 2010; Cotta et al. 2010"),
        ("-expected-size", sampling.SIZE, "EvoRank with the score of Berghman et al. 2009"),
    )
]


PLAYERS: dict[str, PlayerSpec] = {spec.name: spec for spec in (*SAMPLING, *SEARCHING, *EVOLVING)}
"""Every player by its name."""


def player_spec(name: str) -> PlayerSpec:
    """Return the player called `name`; raise `CodebreakerError` if there is none."""
    if name not in PLAYERS:
        raise unknown("player", name, PLAYERS)
    return PLAYERS[name]
