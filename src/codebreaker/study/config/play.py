"""The configuration of word lists, of players, and of terminals."""

from string import ascii_lowercase
from typing import Annotated

from pydantic import Field

from codebreaker.study.config.section import Section


class Words(Section):
    """A word list; paths are from the folder of the Snakefile."""

    secrets: str
    """A text file with a word a line, all equally long: the words that may be the secret."""
    guesses: str | None = None
    """A file of other words that may be guessed; without it the secrets alone may."""
    alphabet: str = ascii_lowercase
    """The letters that words may have, small ones."""


class Contest(Section):
    """Games that every player plays against the same secrets."""

    game: str
    """The game of Mastermind that is played."""
    opening: str = Field(coerce_numbers_to_str=True)
    """The first guess of all players but the random ones."""
    games: int = Field(default=1000, ge=2)
    """How many games each player plays; no secret is used over once more than another."""
    players: list[str] = Field(min_length=1)
    """Who plays."""
    options: dict[str, dict[str, float]] = Field(default_factory=dict)
    """What is set otherwise of a player, by the player's name and the option's."""


class Players(Section):
    """Players that draw or search for their guesses at random."""

    random_consistent: list[str] = Field(default_factory=list)
    """The games to play with guesses drawn from the candidates, exactly and not by simulation."""
    seed: int = Field(default=1, ge=0)
    """From which secrets and all random numbers of contests are drawn."""
    contests: dict[str, Contest] = Field(default_factory=dict)
    """Games of many players, by a name of yours."""


class Terminals(Section):
    """Terminals of Fallout 3, drawn at random from a word list."""

    words: str = "src/codebreaker/data/words/english.txt"
    """A text file with words of several lengths; its path is from the Snakefile's folder."""
    lengths: list[Annotated[int, Field(ge=1, le=254)]] = Field(
        default_factory=lambda: list(range(4, 13)), min_length=1
    )
    """How many letters the words of a terminal have."""
    sizes: list[Annotated[int, Field(ge=1, le=24)]] = Field(
        default_factory=lambda: list(range(5, 13)), min_length=1
    )
    """How many words a terminal has."""
    count: int = Field(default=30, ge=1)
    """Terminals of each length and size."""
    seed: int = Field(default=1, ge=0)
    """The seed of the draw."""
    attempts: int = Field(default=4, ge=1)
    """The attempts that the game allows."""
