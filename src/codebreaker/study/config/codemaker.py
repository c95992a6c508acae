"""The configuration of codemakers who answer at will, and of guesses that are made at once."""

from pydantic import Field

from codebreaker.study.config.section import Section


class Devious(Section):
    """Games against a codemaker who has no secret, and answers so that they take long."""

    contest: str | None = None
    """The contest of `players.contests` whose players play, with its game, opening and options; its
    game has a table."""
    games: int = Field(default=1000, ge=2, le=10**6)
    """The games of each player."""


class Codemaker(Section):
    """What other codemakers than the usual one cost, and play without answers in between."""

    static: list[str] = Field(default=[])
    """Games of codes with a table for which to find the fewest guesses that, made at once, tell all
    secrets apart. MM(4,6) takes some minutes."""
    devious: Devious = Devious()
