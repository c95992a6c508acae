"""The configuration of word lists, players, terminals, and devious or erring codemakers."""

from string import ascii_lowercase
from typing import Annotated

from pydantic import Field

from codebreaker.constants import PAPERS_GAME
from codebreaker.players.registry import MOST_TURNS, PLAYERS
from codebreaker.study.config.searches import Count, Section, Seed

PlayerName = Annotated[str, Field(description="player", examples=list(PLAYERS))]
Option = Annotated[str, Field(description="option")]


class Words(Section):
    """The files of a word list, or the names of lists that come with the package (`five-secrets`).

    Paths are relative to the working folder or, if no such file is there, to the Snakefile's.
    """

    secrets: str
    """A text file with the possible secrets, one per line, all of the same length."""
    guesses: str | None = None
    """A text file of further words that may be guessed."""
    alphabet: str = ascii_lowercase
    """The letters of words, in lower case."""
    prior: str | None = None
    """A file with a secret and its integer weight per line. A secret's probability is its weight
    over the sum; other words are not secrets. Games on the list may then have strategies only, and
    means weighted by the prior."""


class Match(Section):
    """A game that several players play against the same secrets."""

    game: str
    """A game of Mastermind with up to 2^24 codes."""
    opening: str = Field(coerce_numbers_to_str=True)
    """The first guess. `random-consistent` draws one instead, and EvoRank has a fixed one."""
    rounds: Count = 1
    """How often each player plays against each secret."""
    secrets: int | None = Field(default=None, ge=2, le=1 << 24)
    """The number of secrets, drawn at random; by default, all codes of the game."""


class Contest(Match):
    """Games of several players against the same secrets."""

    players: list[PlayerName] = Field(min_length=1)
    """The players. A suffix from `-half` to `-twelfth` limits the choice to that share of the
    candidates."""
    options: dict[PlayerName, dict[Option, float]] = Field(default={})
    """Options that differ from a player's defaults. EvoRank: `population` (400), `target`, the
    number of consistent codes to collect (20 for 6 colours, 10 more per further colour),
    `mutation` (1/3), `patience` (3) and `reset` (50). eGA, eGACo and eGACm: `population` (50),
    `evaluations` (500), `crossover` (0.9) and `keeps` (0; with 1, feasible codes of earlier moves
    may be played). All of these: `endgames` (0), the number of candidates up to which all of them
    are compared instead of a search. best-so-far: `population` (50) and `generations` per guess
    (10). Players with a share: `least` (1), the minimum number of candidates to choose from."""


class Margins(Section):
    """The largest differences at which two players count as equivalent."""

    guesses: float = Field(default=0.05, gt=0, le=64)
    """In the mean number of guesses."""
    evaluations: float = Field(default=0.05, gt=0, lt=1)
    """In the mean number of evaluations, as a share of the mean of both players."""


class Method(Section):
    """A player of a table of methods."""

    player: PlayerName
    """The player."""
    opening: str | None = Field(default=None, coerce_numbers_to_str=True)
    """Its first guess, if that differs from the table's."""
    options: dict[Option, float] = Field(default={})
    """Options that differ from the player's defaults, as in contests."""


class Methods(Match):
    """A table of players, timed on the same secrets in one job."""

    within: int = Field(default=10, ge=1, le=MOST_TURNS)
    """The number of guesses within which a game is won."""
    players: list[Method] = Field(min_length=1)
    """The players; all are compared with the first."""


class Players(Section):
    """Players that use random numbers."""

    random_consistent: list[str] = Field(default=[])
    """Games for which to compute the exact expectation of random consistent play. Many secrets
    with few feedback ids, as in `black-4-6`, take too long."""
    seed: Seed = 1
    """The seed of the secrets and all random numbers of contests."""
    contests: dict[Annotated[str, Field(description="contest")], Contest] = Field(default={})
    """Contests, by any name."""
    margins: Margins = Field(default=Margins())
    """The margins of the tests for equivalence."""
    resamples: int = Field(default=2000, ge=100, le=10**6)
    """The number of bootstrap resamples for the intervals of differences."""
    methods: dict[Annotated[str, Field(description="table")], Methods] = Field(default={})
    """Tables of methods with time per game, by name: `am207` makes `am207-methods.csv`."""


class Terminals(Section):
    """Terminals of Fallout 3, drawn at random from a word list."""

    words: str = "english"
    """A list of words of several lengths: one that comes with the package, or a text file."""
    lengths: list[Annotated[int, Field(ge=1, le=254)]] = Field(
        default=list(range(4, 13)), min_length=1
    )
    """The lengths of words."""
    sizes: list[Annotated[int, Field(ge=1, le=24)]] = Field(
        default=list(range(5, 13)), min_length=1
    )
    """The numbers of words per terminal."""
    count: int = Field(default=0, ge=0, le=10**6)
    """The number of terminals of each length and size."""
    seed: Seed = 1
    """The seed of the draw."""
    attempts: int = Field(default=4, ge=1, le=64)
    """The number of attempts that the game allows."""
    resets: int = Field(default=1, ge=0, le=64)
    """How often the attempts can be replenished, in the column with resets."""


class Devious(Section):
    """Games against a codemaker who has no secret, and answers so that games take long."""

    contest: str | None = None
    """The contest of `players.contests` whose players, game, opening and options are used; its game
    needs a table."""
    games: int = Field(default=200, ge=2, le=10**6)
    """The games of each player."""


class WrongAnswers(Section):
    """An erring codemaker: at most one wrong answer, or wrong answers with some probability."""

    games: list[str] = Field(default=[])
    """Small games of codes for which to find the fewest guesses that always suffice if at most one
    answer is wrong."""
    played: str = PAPERS_GAME
    """The game of codes that entropy plays with random wrong answers."""
    opening: str = Field(default="1123", coerce_numbers_to_str=True)
    """Its first guess."""
    chances: list[Annotated[float, Field(gt=0, le=0.5)]] = Field(
        default=[0.01, 0.05, 0.1, 0.2], min_length=1
    )
    """The probabilities of a wrong answer."""
    rounds: Count = 1
    """How often each secret is played."""


class Codemaker(Section):
    """Devious and erring codemakers, and non-adaptive guesses."""

    static: list[str] = Field(default=[])
    """Games of codes with a table for which to find the fewest non-adaptive guesses that separate
    all secrets. MM(4,6) takes some minutes."""
    devious: Devious = Devious()
    wrong_answers: WrongAnswers = WrongAnswers()
