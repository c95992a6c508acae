"""Arithmetic for all backends, with exact integers in float64."""

from codebreaker.types import FeedbackIds, Indices, Offsets


def fold_cell(score: float, weight: float, term: float, takes_min: bool) -> float:
    """Fold a cell's value into a score."""
    value = weight * term
    if takes_min:
        return min(score, value)
    return score + value


def tie_threshold(best: float, tolerance: float, tolerance_part: float) -> float:
    """Return the lowest tying score."""
    return best - tolerance - tolerance_part * abs(best)


def in_tie_order(index: int, n: int, reverses: bool) -> int:
    """Return an index's place in the tie order, or vice versa."""
    return n - 1 - index if reverses else index


def tie_rank(guess: int, n_guesses: int, behind: bool, reverses: bool) -> int:
    """Return a guess's rank among ties, lowest first."""
    place = in_tie_order(guess, n_guesses, reverses)
    return place + n_guesses if behind else place


def exchange_colours(
    codes: FeedbackIds, place: Offsets, index_of: Indices, code: int, one: int, other: int
) -> int:
    """Return a code's index after two colours are exchanged."""
    value = 0
    for peg in range(codes.shape[1]):
        colour = int(codes[code, peg])
        if colour == one:
            colour = other
        elif colour == other:
            colour = one
        value += colour * place[peg]
    return int(index_of[value])
