"""Which answer of a game may be wrong, where its answers contradict each other."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from codebreaker.games.model import Game
from codebreaker.games.notation import Notation
from codebreaker.types import Move

MOST_TOLD = 3
"""The most slips that a message lists."""


class Slip(NamedTuple):
    """Another answer to one move, `number` from 1, and how many secrets fit it and all the rest."""

    number: int
    feedback: int
    secrets: int


def slips(game: Game, moves: Sequence[Move]) -> list[Slip]:
    """Return the answers that resolve a contradiction if they alone are changed.

    Those that leave most secrets come first: if each answer of each move is as likely to be given
    by mistake, they are the likeliest. Among equals later moves come first.
    """
    every, found = np.arange(game.n_secrets, dtype=np.int32), list[Slip]()
    fits = np.array([game.feedback(guess, every) == feedback for guess, feedback in moves])
    for number, (guess, feedback) in enumerate(moves, start=1):
        left = every[np.delete(fits, number - 1, axis=0).all(axis=0)]
        counts = np.bincount(game.feedback(guess, left), minlength=len(game.feedback_labels))
        found += [
            Slip(number, other, int(counts[other]))
            for other in np.flatnonzero(counts).tolist()
            if other != feedback
        ]
    return sorted(found, key=lambda slip: (-slip.secrets, -slip.number, slip.feedback))


def tell_slips(notation: Notation, moves: Sequence[Move]) -> str:
    """Return which single answer may be wrong, in words that end a message."""
    found = slips(notation.game, moves)
    if not found:
        return "more than one of them is wrong"
    told = [
        f"to {notation.text((moves[number - 1][0], feedback))} it leaves {secrets:,}"
        for number, feedback, secrets in found[:MOST_TOLD]
    ]
    told[0] += f" {'secret' if found[0].secrets == 1 else 'secrets'}"
    return f"one of them is wrong; changed alone {', '.join(told)}"
