"""The statements of Cotta, Merelo, Mora and Runarsson 2010 as comparisons of players.

Its listing and its text disagree on whether codes of earlier moves may be played, so that its
statements are tested under both readings. That one sixth of the feasible codes is enough is tested
with every share taken literally, and with a least number of codes, as in EvoRank.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from codebreaker.analysis.contests import COLUMNS, Comparison, Inference, PairedGames, as_row

Claim = tuple[str, str, str]
"""A player, another, and what is claimed of the first: `fewer`, `more`, `same` or nothing."""

TEXT, LISTING, LEAST = "", "-keeping", "-least"
"""Readings, by what they add to the name of a contest."""

VARIANTS = ("eGA", "eGACo", "eGACm")


@dataclass(frozen=True)
class Statement:
    """A statement of the source: its measure, claims, and colours, if it is about one size."""

    name: str
    text: str
    measure: str
    claims: tuple[Claim, ...]
    colours: tuple[str, ...] = ("six", "eight")
    readings: tuple[str, ...] = (TEXT, LISTING)

    @property
    def contests(self) -> list[str]:
        """The contests in which the statement is tested."""
        return [f"four-{one}{reading}" for one in self.colours for reading in self.readings]


def _seeded_against_random(claim: str) -> tuple[Claim, ...]:
    return tuple((f"{one}-seeded", f"{one}-random", claim) for one in VARIANTS)


SEEDED = tuple(f"{one}-seeded" for one in VARIANTS)
STATEMENTS = (
    Statement(
        "seeding-evaluations",
        "Seeding lowers the number of evaluations",
        "evaluations",
        _seeded_against_random("fewer"),
    ),
    Statement(
        "seeding-guesses",
        "Seeding makes no remarkable difference in the number of guesses",
        "guesses",
        _seeded_against_random("same"),
    ),
    Statement(
        "six-colours-guesses",
        "With six colours all algorithms need about the same number of guesses",
        "guesses",
        (
            *((one, "EvoRank", "same") for one in SEEDED),
            (SEEDED[0], SEEDED[1], "same"),
            (SEEDED[0], SEEDED[2], "same"),
            (SEEDED[1], SEEDED[2], "same"),
        ),
        ("six",),
    ),
    Statement(
        "eight-colours-guesses",
        "With eight colours EvoRank needs fewer guesses than eGA and eGACo, but not than eGACm",
        "guesses",
        (
            (SEEDED[0], "EvoRank", "more"),
            (SEEDED[1], "EvoRank", "more"),
            (SEEDED[2], "EvoRank", "same"),
        ),
        ("eight",),
    ),
    Statement(
        "evorank-evaluations",
        "All variants need fewer evaluations than EvoRank",
        "evaluations",
        tuple((one, "EvoRank", "fewer") for one in SEEDED),
    ),
    Statement(
        "variants-evaluations",
        "eGA needs fewer evaluations than eGACo and eGACm",
        "evaluations",
        tuple(
            (f"eGA-{start}", f"{other}-{start}", "fewer")
            for start in ("random", "seeded")
            for other in VARIANTS[1:]
        ),
    ),
    Statement(
        "evorank-random",
        "EvoRank needs fewer guesses than random search",
        "guesses",
        (("EvoRank", "random-consistent", "fewer"),),
        readings=(TEXT,),
    ),
    Statement(
        "one-sixth",
        "One sixth of the feasible codes is enough",
        "guesses",
        tuple(
            (f"{rule}-consistent-{share}", f"{rule}-consistent", claim)
            for rule in ("entropy", "most-parts")
            for share, claim in (
                ("half", "same"), ("third", "same"), ("sixth", "same"), ("twelfth", ""),
            )
        ),
        readings=(TEXT,),
    ),
    Statement(
        "one-sixth-of-many",
        "One sixth of the feasible codes is enough where it is not too few",
        "guesses",
        (
            ("entropy-consistent-sixth", "entropy-consistent", "same"),
            ("most-parts-consistent-sixth", "most-parts-consistent", "same"),
            ("EvoRank", "most-parts-consistent", "same"),
        ),
        readings=(LEAST,),
    ),
)  # fmt: skip
"""Statements with the claims that they make."""

SCHEMA: dict[str, type[pl.DataType]] = {
    "statement": pl.String,
    "text": pl.String,
    "contest": pl.String,
    "claim": pl.String,
    **COLUMNS,
    "agrees": pl.String,
}


def paired_games(logs: pl.DataFrame, inference: Inference) -> dict[str, PairedGames]:
    """Return the games of each contest; those of another reading have the first's players too."""
    names = logs["contest"].unique(maintain_order=True)
    plain = {contest: contest.removesuffix(LISTING).removesuffix(LEAST) for contest in names}
    return {
        contest: PairedGames(logs, dict.fromkeys((contest, plain[contest])), inference)
        for contest in names
    }


def check_claims(games: Mapping[str, PairedGames]) -> pl.DataFrame:
    """Test each claim whose players met, one row per statement, contest and pair.

    Significance is corrected for the claims of a statement in a contest.
    """
    rows = [
        row
        for statement in STATEMENTS
        for contest in statement.contests
        if contest in games
        for row in _test(statement, contest, games[contest])
    ]
    return pl.DataFrame(rows, schema=SCHEMA)


def _test(statement: Statement, contest: str, games: PairedGames) -> list[dict[str, str | float]]:
    told = {"statement": statement.name, "text": statement.text, "contest": contest}
    met = [claim for claim in statement.claims if games.has(*claim[:2])]
    pairs = games.compare(statement.measure, [claim[:2] for claim in met])
    return [
        {**told, "claim": claim, **as_row(pair), "agrees": agrees(claim, pair)}
        for (*_, claim), pair in zip(met, pairs, strict=True)
    ]


def agrees(claim: str, pair: Comparison) -> str:
    """Return whether the games bear a claim out: `yes`, `no`, `undecided`, or nothing to tell.

    Players are the same if the difference is shown to lie within the margin, and not if beyond. A
    claimed difference is refuted by one in the other direction, or by equivalence.
    """
    if claim == "":
        return ""
    if claim == "same":
        holds, fails = pair.is_within, pair.differs and pair.is_beyond
    else:
        holds = pair.differs and (pair.difference < 0) == (claim == "fewer")
        fails = pair.differs or pair.is_within
    return "yes" if holds else "no" if fails else "undecided"
