"""The configuration of word lists, players and terminals."""

from string import ascii_lowercase
from typing import Annotated

from pydantic import Field

from codebreaker.study.config.section import Section


class Words(Section):
    """A word list; paths are relative to the Snakefile's folder."""

    secrets: str
    """A text file with one word per line, all of one length: the possible secrets."""
    guesses: str | None = None
    """A file of other words that may be guessed; by default only the secrets may."""
    alphabet: str = ascii_lowercase
    """The allowed letters, in lower case."""


class Contest(Section):
    """Games of several players against the same secrets."""

    game: str
    """The game of Mastermind to play."""
    opening: str = Field(coerce_numbers_to_str=True)
    """The first guess of all players except the random ones."""
    games: int = Field(default=1000, ge=2)
    """Games per player; secrets are used as evenly as possible."""
    players: list[str] = Field(min_length=1)
    """The players."""
    options: dict[str, dict[str, float]] = Field(default_factory=dict)
    """Options that differ from a player's defaults, by player and option."""


class Players(Section):
    """Players that draw or search for their guesses at random."""

    random_consistent: list[str] = Field(default_factory=list)
    """Games for the player that draws its guesses from the candidates, in exact expectation."""
    seed: int = Field(default=1, ge=0)
    """The seed of the secrets and all random numbers of contests."""
    contests: dict[str, Contest] = Field(default_factory=dict)
    """Contests by name."""


class Terminals(Section):
    """Terminals of Fallout 3, drawn at random from a word list."""

    words: str = "src/codebreaker/data/words/english.txt"
    """A text file with words of several lengths; the path is relative to the Snakefile's folder."""
    lengths: list[Annotated[int, Field(ge=1, le=254)]] = Field(
        default_factory=lambda: list(range(4, 13)), min_length=1
    )
    """Letters per word."""
    sizes: list[Annotated[int, Field(ge=1, le=24)]] = Field(
        default_factory=lambda: list(range(5, 13)), min_length=1
    )
    """Words per terminal."""
    count: int = Field(default=30, ge=1)
    """Terminals for each length and size."""
    seed: int = Field(default=1, ge=0)
    """The seed of the draw."""
    attempts: int = Field(default=4, ge=1)
    """The allowed attempts."""
