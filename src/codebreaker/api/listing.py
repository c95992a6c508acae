"""Frames of the games and policies that there are."""

import polars as pl

from codebreaker.advice.resolve import fits
from codebreaker.api.games import Game
from codebreaker.api.games import game as game_called
from codebreaker.games.registry import FAMILIES
from codebreaker.policies.catalogue import Entry, catalogue
from codebreaker.runtime.arguments import explained


def list_games() -> pl.DataFrame:
    """Return the families of games, a row each, yours included.

    `name` is the form of their names, and `example` one of them; `feedback` is how feedback is
    written, and `meaning` what it means.

    >>> cb.list_games().filter(example="mm-4-6").select("name", "feedback").row(0)
    ('mm-PEGS-COLOURS[-distinct]', 'BLACK,WHITE')
    """
    rows = [
        {
            "name": rules.name_form,
            "example": rules.example,
            "about": rules.description,
            "feedback": rules.feedback_kind.form,
            "meaning": rules.feedback_kind.meaning,
        }
        for rules in FAMILIES.values()
    ]
    return pl.DataFrame(rows)


@explained
def list_policies(game: Game | str | None = None) -> pl.DataFrame:
    """Return all policies, or those for a game, a row each, yours included.

    `name` is the form of a policy's name, and `example` one to use, which differ where names have
    parameters. `kind` says what it plays by, `about` what, with its source, and `game` is the game
    for which weights were found. Raises `CodebreakerError` for an unknown game.

    >>> cb.list_policies("mm-4-6").filter(kind="weights")["example"][0]
    'fixed-weighted'
    """
    entries = catalogue()
    if game is not None:
        notation = game_called(game)._notation
        entries = [entry for entry in entries if fits(entry, notation)]
    return pl.DataFrame(entries, schema=dict.fromkeys(Entry._fields, pl.String), orient="row")
