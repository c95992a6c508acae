"""The registry of players."""

from codebreaker.errors import unknown
from codebreaker.players import entropic, evorank, sampling, searching
from codebreaker.players.player import PlayerSpec

PLAYERS: dict[str, PlayerSpec] = {
    spec.name: spec
    for spec in (
        *sampling.PLAYERS,
        *searching.PLAYERS,
        *entropic.PLAYERS,
        *evorank.PLAYERS,
    )
}
"""Every player by its name."""


def player_spec(name: str) -> PlayerSpec:
    """Return the player called `name`; raise `CodebreakerError` if there is none."""
    if name not in PLAYERS:
        raise unknown("player", name, PLAYERS)
    return PLAYERS[name]
