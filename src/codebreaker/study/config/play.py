"""The configuration of word lists, players, terminals, and a devious codemaker."""

from string import ascii_lowercase
from typing import Annotated

from pydantic import Field

from codebreaker.players.registry import MOST_TURNS, PLAYERS
from codebreaker.study.config.searches import Count, Section, Seed

PlayerName = Annotated[str, Field(description="player", examples=list(PLAYERS))]
Option = Annotated[str, Field(description="option")]


class Words(Section):
    """The files of a word list, or names of lists that come with the package."""

    secrets: str
    """A text file with the possible secrets, one per line, all of the same length."""
    guesses: str | None = None
    """Further words that may be guessed."""
    alphabet: str = ascii_lowercase
    """The letters of words, in lower case."""
    prior: str | None = None
    """A file with a secret and its integer weight per line; other words are then not secrets. Such
    games may have strategies only."""


class Match(Section):
    """A game that several players play against the same secrets."""

    game: str
    """Mastermind with up to 2^24 codes."""
    opening: str = Field(coerce_numbers_to_str=True)
    """The first guess, except of `random-consistent` and EvoRank."""
    repetitions: Count = 1
    """How often each player plays against each secret."""
    secrets: int | None = Field(default=None, ge=2, le=1 << 24)
    """How many secrets to draw; by default all codes."""


class Contest(Match):
    """Games of several players against the same secrets."""

    players: list[PlayerName] = Field(min_length=1)
    """Suffixes from `-half` to `-twelfth` limit the choice to that share of the candidates."""
    options: dict[PlayerName, dict[Option, float]] = Field(default={})
    """EvoRank: `population` (400), `target`, the number of consistent codes to collect (20 for 6
    colours, 10 more per further colour), `mutation` (1/3), `patience` (3) and `reset` (50). eGA,
    eGACo and eGACm: `population` (50), `evaluations` (500), `crossover` (0.9), `keeps` (0; 1 if
    feasible codes of earlier moves may be played), `stops_by_tier` (1: after the `evaluations` only
    tiers without a feasible code go on; 0: all tiers do, until each has one) and `cuts_at_ends` (1:
    a crossover may cut before the first or after the last peg; 0: only between pegs). All of these:
    `endgames` (0), the number of candidates up to which all are compared instead of a search.
    best-so-far: `population` (50) and `generations` per guess (10). Players with a share: `minimum`
    (1), the minimum number of candidates."""


class Margins(Section):
    """The largest differences of equivalent players."""

    guesses: float = Field(default=0.05, gt=0, le=64)
    """In mean guesses."""
    evaluations: float = Field(default=0.05, gt=0, lt=1)
    """In mean evaluations, as a share of both players' mean."""


class Method(Section):
    """A player of a table of methods."""

    player: PlayerName = Field(description="As in contests.")
    opening: str | None = Field(default=None, coerce_numbers_to_str=True)
    """Its own first guess."""
    options: dict[Option, float] = Field(default={})
    """As in contests."""


class Methods(Match):
    """Players timed on the same secrets in one job, in `TABLE-methods.csv`."""

    within: int = Field(default=10, ge=1, le=MOST_TURNS)
    """The guesses within which a game is won."""
    players: list[Method] = Field(min_length=1)
    """All are compared with the first."""


class Players(Section):
    """Players that use random numbers."""

    random_consistent: list[str] = Field(default=[])
    """Games for exact expectations of random consistent play. Many secrets with few feedback ids,
    as in `black-4-6`, take too long."""
    seed: Seed = 1
    """The seed of contests."""
    contests: dict[Annotated[str, Field(description="contest")], Contest] = Field(default={})
    margins: Margins = Field(default=Margins())
    methods: dict[Annotated[str, Field(description="table")], Methods] = Field(default={})


class Terminals(Section):
    """Terminals of Fallout 3, drawn at random from a word list."""

    words: str = "english"
    """A list with words of several lengths, or a text file."""
    lengths: list[Annotated[int, Field(ge=1, le=254)]] = Field(
        default=list(range(4, 13)), min_length=1
    )
    """Lengths of words."""
    sizes: list[Annotated[int, Field(ge=1, le=24)]] = Field(
        default=list(range(5, 13)), min_length=1
    )
    """Numbers of words."""
    count: int = Field(default=0, ge=0, le=10**6)
    """Terminals of each length and size."""
    seed: Seed = 1
    attempts: int = Field(default=4, ge=1, le=64)
    """Attempts that the game allows."""
    resets: int = Field(default=1, ge=0, le=64)
    """How often attempts are replenished, in the column with resets."""


class Devious(Section):
    """A codemaker who has no secret, and answers so that games take long."""

    contest: str | None = None
    """The contest whose game, opening, players and options are used. The game needs a table."""
    games: int = Field(default=200, ge=2, le=10**6)
    """Games of each player."""


class Codemaker(Section):
    """Codemakers who don't draw the secret at random."""

    devious: Devious = Devious()
