"""The configuration of codemakers who answer at will, and of guesses that are made at once."""

from typing import Annotated

from pydantic import Field

from codebreaker.constants import PAPERS_GAME
from codebreaker.study.config.section import Count, Section


class Devious(Section):
    """Games against a codemaker who has no secret, and answers so that they take long."""

    contest: str | None = None
    """The contest of `players.contests` whose players play, with its game, opening and options; its
    game has a table."""
    games: int = Field(default=200, ge=2, le=10**6)
    """The games of each player."""


class WrongAnswers(Section):
    """An erring codemaker: at most one wrong answer, or each answer wrong with some chance."""

    games: list[str] = Field(default=[])
    """Small games of codes for which to find the fewest guesses that always suffice if at most one
    answer is wrong."""
    played: str = PAPERS_GAME
    """The game of codes in which entropy meets wrong answers at random."""
    opening: str = Field(default="1123", coerce_numbers_to_str=True)
    """Its first guess."""
    chances: list[Annotated[float, Field(gt=0, le=0.5)]] = Field(
        default=[0.01, 0.05, 0.1, 0.2], min_length=1
    )
    """The chances that an answer is wrong."""
    rounds: Count = 1
    """How often each secret is played."""


class Codemaker(Section):
    """What other codemakers than the usual one cost, and play without answers in between."""

    static: list[str] = Field(default=[])
    """Games of codes with a table for which to find the fewest guesses that, made at once, tell all
    secrets apart. MM(4,6) takes some minutes."""
    devious: Devious = Devious()
    wrong_answers: WrongAnswers = WrongAnswers()
