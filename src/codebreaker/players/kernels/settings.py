"""Settings of the players, which their kernels read.

Reading a study checks them, so that this module doesn't need Numba.
"""

from typing import NamedTuple

CERTAIN = 1 << 20
"""The probability 1: probabilities are integers in units of 2^-20."""

RANDOM, ENTROPY, PARTS, SIZE, WORST, PLUS, PLUS2 = range(7)
"""Rules of `SamplingSettings`; the four of them that score a partition are in `score_of`."""

ANNEALING, GENETIC = range(2)
"""Kinds of search."""

CONSISTENCY = 0
"""The goal of a search for a consistent code; the other goal is the highest ENTROPY."""


class SamplingSettings(NamedTuple):
    """A rule and its guesses: a `share` of candidates, in units of 2^-20, or `all_codes`.

    At least `minimum` candidates are compared; `prefers` and `first` break ties.
    """

    rule: int
    share: int = CERTAIN
    minimum: int = 1
    all_codes: int = 0
    prefers: int = 0
    first: int = 0


class SampledSettings(NamedTuple):
    """Settings of the strategy that plays by a sample of the candidates, of this size."""

    samples: int


class SearchSettings(NamedTuple):
    """Settings of annealing and of the genetic algorithm.

    The `goal` is the minimum distance from consistency, or the highest entropy, where candidates
    win ties if `prefers`. Annealing cools every STEPS steps; below the last temperature it plays
    its best guess, or restarts until it has a consistent one. The genetic algorithm plays its best
    guess after `generations`; with 0, its first consistent code.
    """

    kind: int
    goal: int
    prefers: int = 0
    population: int = 50
    generations: int = 0


class EntropicSettings(NamedTuple):
    """Settings of eGA and its variants (section 4); `crossover` is in units of 2^-20.

    Two `tiers` of equal size compute entropies over each other's codes; if `competing`, the second
    prefers low entropy. If `seeded`, the population starts from the previous turn's consistent
    codes; if `keeps`, they may be played while they stay consistent. A turn takes at least
    `evaluations`, and ends when each tier has a consistent code: until then all tiers go on, or, if
    `stops_by_tier`, only those without one. A crossover cuts between two pegs, or, if
    `cuts_at_ends`, perhaps before the first or after the last one, which copies the parents. Up to
    `endgames` candidates, all are compared.
    """

    tiers: int
    competing: int
    seeded: int
    population: int = 50
    keeps: int = 0
    crossover: int = round(CERTAIN * 0.9)
    evaluations: int = 500
    stops_by_tier: int = 1
    cuts_at_ends: int = 1
    endgames: int = 0


class EvoRankSettings(NamedTuple):
    """Settings of EvoRank, which plays the consistent code with the most parts.

    A child is a mutated code with probability `mutation`, in units of 2^-20, else a crossover. A
    turn ends with `target` consistent codes (0: by the number of colours), or with one or more and
    no new one in `patience` generations. After `reset` generations without any, the population is
    redrawn. Up to `endgames` candidates, all are compared.
    """

    population: int = 400
    target: int = 0
    mutation: int = round(CERTAIN / 3)
    patience: int = 3
    reset: int = 50
    endgames: int = 0


class EligibleSettings(NamedTuple):
    """Settings of Berghman et al.; probabilities are in units of 2^-20.

    A turn ends with `target` consistent codes, or after `generations` with one or more. A child is
    a crossover at one or two points, whose pegs are then redrawn, swapped and reversed with the
    probabilities `mutation`, `swap` and `inversion`; a code that the population has is redrawn.
    """

    population: int = 150
    target: int = 60
    generations: int = 100
    mutation: int = round(CERTAIN * 0.03)
    swap: int = round(CERTAIN * 0.03)
    inversion: int = round(CERTAIN * 0.02)
