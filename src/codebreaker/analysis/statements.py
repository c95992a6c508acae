"""The statements of Cotta, Merelo, Mora and Runarsson 2010, section 4, as comparisons of players.

Its listing and its text disagree on whether codes of earlier moves may be played, so that each
statement is tested under both readings.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from codebreaker.analysis.contests import Comparison, Inference, PairedGames, as_row

Claim = tuple[str, str, str]
"""A player, another, and what is claimed of the first: `fewer`, `more`, `same` or nothing."""

READINGS = {
    "six": (("four-six",), ("four-six-keeping", "four-six")),
    "eight": (("four-eight",), ("four-eight-keeping", "four-eight")),
}
"""The contests of both readings, by colours; the second lacks EvoRank, which the first has."""

VARIANTS = ("eGA", "eGACo", "eGACm")


@dataclass(frozen=True)
class Statement:
    """A statement of the source: its measure, claims, and colours, if it is about one size."""

    name: str
    text: str
    measure: str
    claims: tuple[Claim, ...]
    colours: tuple[str, ...] = ("six", "eight")
    readings: int = 2


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
        readings=1,
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
        readings=1,
    ),
)  # fmt: skip
"""Statements with the claims that they make; `readings` is 1 if both readings agree."""

SCHEMA: dict[str, type[pl.DataType]] = {
    "statement": pl.String,
    "text": pl.String,
    "contest": pl.String,
    "claim": pl.String,
    "measure": pl.String,
    "player": pl.String,
    "other": pl.String,
    "difference": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "p": pl.Float64,
    "p_holm": pl.Float64,
    "signed_rank_p": pl.Float64,
    "verdict": pl.String,
    "agrees": pl.String,
}


def paired_games(logs: pl.DataFrame, inference: Inference) -> dict[str, PairedGames]:
    """Return the games of each contest, with those players of a reading that it lacks."""
    readings = {contests[0]: contests for both in READINGS.values() for contests in both}
    return {
        contest: PairedGames(logs, readings.get(contest, (contest,)), inference)
        for contest in logs["contest"].unique(maintain_order=True)
    }


def test_claims(games: Mapping[str, PairedGames]) -> pl.DataFrame:
    """Test each claim whose players met, one row per statement, contest and pair.

    Significance is corrected for the claims of a statement in a contest.
    """
    rows = []
    for statement in STATEMENTS:
        for colours in statement.colours:
            for contests in READINGS[colours][: statement.readings]:
                if contests[0] in games:
                    rows += _test(statement, contests[0], games[contests[0]])
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _test(statement: Statement, contest: str, games: PairedGames) -> list[tuple[str | float, ...]]:
    met = [claim for claim in statement.claims if games.has(*claim[:2])]
    pairs = games.compare(statement.measure, [claim[:2] for claim in met])
    rows = []
    for (*_, claim), pair in zip(met, pairs, strict=True):
        told = {"statement": statement.name, "text": statement.text, "contest": contest}
        row = {**told, "claim": claim, **as_row(pair), "agrees": agrees(claim, pair)}
        rows.append(tuple(row[column] for column in SCHEMA))
    return rows


def agrees(claim: str, pair: Comparison) -> str:
    """Return whether the games bear a claim out: `yes`, `no`, `undecided`, or nothing to tell.

    Players are the same if they are equivalent. A claimed difference is refuted by one in the other
    direction, or by equivalence without a significant one.
    """
    if claim == "":
        return ""
    if pair.verdict == "undecided":
        return "undecided"
    if claim == "same":
        holds = pair.equivalent
    else:
        holds = pair.differs and (pair.difference < 0) == (claim == "fewer")
    return "yes" if holds else "no"
