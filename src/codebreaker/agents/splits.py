"""Published splits of a game's secrets: everybody tests with the same ones."""

import hashlib
from typing import Literal, get_args

from codebreaker.api.games import Game
from codebreaker.errors import unknown

Split = Literal["train", "validation", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)

SHARE = 5
"""A fifth of the secrets is for tests, and a fifth for validation."""

MOST = 200
"""Maximum number of secrets for tests, and for validation."""


def secrets_of(game: Game, split: str) -> tuple[str, ...]:
    """Return the secrets of a split, in the order in which they are played.

    The order of all secrets is that of the SHA-256 of `codebreaker 1 GAME SECRET`: the first are
    for tests, the next for validation, and the others to learn from. No version of NumPy or of this
    package changes it.

    >>> import codebreaker as cb
    >>> secrets_of(cb.game("mm-4-6"), "test")[:4]
    ('2355', '4556', '5426', '2412')
    """
    if split not in SPLITS:
        raise unknown("split", split, SPLITS)

    def draw(secret: str) -> bytes:
        return hashlib.sha256(f"codebreaker 1 {game.name} {secret}".encode()).digest()

    ordered = sorted(game.secrets, key=draw)
    held = min(len(ordered) // SHARE, MOST)
    first = {"test": 0, "validation": held, "train": 2 * held}[split]
    last = len(ordered) if split == "train" else first + held
    return tuple(ordered[first:last])
