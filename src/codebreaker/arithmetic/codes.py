"""The feedback of two codes, colour by colour."""

from codebreaker.arithmetic.compile import njit
from codebreaker.types import FeedbackIds, SymbolMatrix


@njit(nogil=True)
def feedback_id(
    codes: SymbolMatrix, counts: SymbolMatrix, ids: FeedbackIds, guess: int, secret: int
) -> int:
    """Return the feedback id of a guess to a secret; the arrays are those of a board."""
    black, common = 0, 0
    for peg in range(codes.shape[1]):
        black += codes[guess, peg] == codes[secret, peg]
    for colour in range(counts.shape[1]):
        common += min(counts[guess, colour], counts[secret, colour])
    return int(ids[black, common])
