"""The configuration of codemakers who answer at will, and of guesses that are made at once."""

from pydantic import Field

from codebreaker.study.config.section import Section


class Codemaker(Section):
    """What other codemakers than the usual one cost, and play without answers in between."""

    static: list[str] = Field(default=[])
    """Games of codes with a table for which to find the fewest guesses that, made at once, tell all
    secrets apart. MM(4,6) takes some minutes."""
