"""The ids under which gymnasium knows the environments, such as `codebreaker/MM-4-6-v0`."""

import gymnasium

from codebreaker.games.registry import EXAMPLES, usual_games

NAMESPACE = "codebreaker"
VERSION = 0

ANY_GAME = f"{NAMESPACE}/Game-v{VERSION}"
"""The id of an environment whose game is an argument: a name, or a `codebreaker.Game`."""

IN_CAPITALS = ("mm", "bc")
"""Families whose names are initials."""


def environment_id(game: str) -> str:
    """Return the id of a game's environment.

    >>> environment_id("mm-4-6"), environment_id("marks-common")
    ('codebreaker/MM-4-6-v0', 'codebreaker/Marks-Common-v0')
    """
    family, *others = game.split("-")
    title = family.upper() if family in IN_CAPITALS else family.capitalize()
    name = "-".join([title, *(part.capitalize() for part in others)])
    return f"{NAMESPACE}/{name}-v{VERSION}"


def register_all() -> None:
    """Register the usual games, all packaged word lists, small games, and `ANY_GAME`, once."""
    if ANY_GAME in gymnasium.registry:
        return
    settings = {environment_id(game): {"game": game} for game in (*usual_games(), *EXAMPLES)}
    for name, given in {ANY_GAME: {}, **settings}.items():
        gymnasium.register(
            name,
            entry_point="codebreaker.agents.env:GameEnv",
            vector_entry_point="codebreaker.agents.vector:GameVectorEnv",
            kwargs=given,
        )
