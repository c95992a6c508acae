"""Codes, colour by colour: their feedback, and the exchange of two colours."""

from codebreaker.sets.compile import njit
from codebreaker.types import FeedbackIds, Indices, Offsets, SymbolMatrix


@njit(nogil=True)
def feedback_id(
    codes: SymbolMatrix, counts: SymbolMatrix, ids: FeedbackIds, guess: int, secret: int
) -> int:
    """Return the feedback id of a guess to a secret.

    `codes` is (n_codes, pegs), `counts` (n_codes, n_colours); `ids` is indexed by black pegs and
    colours in common.
    """
    black, common = 0, 0
    for peg in range(codes.shape[1]):
        black += codes[guess, peg] == codes[secret, peg]
    for colour in range(counts.shape[1]):
        common += min(counts[guess, colour], counts[secret, colour])
    return int(ids[black, common])


def exchange_colours(
    codes: FeedbackIds, place: Offsets, index_of: Indices, code: int, one: int, other: int
) -> int:
    """Return the index of a code after two colours are exchanged; a plain function.

    `place` (pegs,) are the place values of the pegs, `index_of` the codes' indices by their value.
    """
    value = 0
    for peg in range(codes.shape[1]):
        colour = int(codes[code, peg])
        if colour == one:
            colour = other
        elif colour == other:
            colour = one
        value += colour * place[peg]
    return int(index_of[value])
