"""Steps for all backends; scores are exact integers in float64, added in any order."""

from typing import Any

from codebreaker.types import Counts, FeedbackIds, Indices, Scores

OptionMemo = Any
"""The arrays of `sets.option_memo.OptionMemo`, on the host or on a device."""

NEAR = 0.3
"""Leading options are tried for weights that differ from the reference by less than this share."""


def pack_cell(feedback_id: int, size: int, shift: int) -> int:
    """Return a cell as one integer; `shift` is the number of bits of its set's size."""
    return feedback_id << shift | size


def unpack_cell(cell: int, shift: int) -> tuple[int, int]:
    """Return a cell's feedback id and its size."""
    return cell >> shift, cell & ((1 << shift) - 1)


def fold_cell(score: float, weight: float, term: float, takes_min: bool) -> float:
    """Fold a cell's value into a score."""
    value = weight * term
    if takes_min:
        return min(score, value)
    return score + value


def tie_threshold(best: float, tolerance: float, tolerance_part: float) -> float:
    """Return the lowest score that ties with the best; `tolerance_part` is relative to |best|."""
    return best - tolerance - tolerance_part * abs(best)


def steps_between(reference: Scores, weights: Scores) -> tuple[float, float]:
    """Return the summed rises and falls of weights from a reference's; −1 and 0 if it isn't near.

    Both are rows of weights, (n_feedback,); near is defined by NEAR.
    """
    rise = 0.0
    fall = 0.0
    sum_of_weights = 0.0
    for f in range(len(reference)):
        step = weights[f] - reference[f]
        rise += max(step, 0.0)
        fall -= min(step, 0.0)
        sum_of_weights += reference[f]
    if rise + fall < NEAR * sum_of_weights:
        return rise, fall
    return -1.0, 0.0


def insert_leader(leaders: Indices, bounds: Scores, option: int, score: float) -> None:
    """Insert an option among the leaders, best first; the last one's score bounds all others.

    Of equal scores the one inserted first stays before. `bounds` are the leaders' scores.
    """
    rank = len(bounds) - 1
    if score > bounds[rank]:
        while rank > 0 and bounds[rank - 1] < score:
            leaders[rank] = leaders[rank - 1]
            bounds[rank] = bounds[rank - 1]
            rank -= 1
        leaders[rank] = option
        bounds[rank] = score


def in_tie_order(index: int, n: int, reverses: bool) -> int:
    """Return a guess's or colour's place among n in the tie order, or the index at a place."""
    return n - 1 - index if reverses else index


def tie_rank(guess: int, n_guesses: int, behind: bool, reverses: bool) -> int:
    """Return a guess's rank among ties, lowest first: its place, plus n_guesses if `behind`."""
    rank = in_tie_order(guess, n_guesses, reverses)
    return rank + n_guesses if behind else rank


def exchange_colours(
    codes: FeedbackIds, place_values: Counts, index_of: Indices, code: int, first: int, second: int
) -> int:
    """Return the index of a code after two colours are exchanged; arrays as in `CodeGrid`."""
    value = 0
    for peg in range(codes.shape[1]):
        colour = int(codes[code, peg])
        if colour == first:
            colour = second
        elif colour == second:
            colour = first
        value += colour * place_values[peg]
    return int(index_of[value])


def find_slot(
    memo: OptionMemo, slot: int, key: int, turn: int, members: Indices, start: int, size: int
) -> int:
    """Return a set's slot in an `OptionMemo`, or the free one for it; `slot` is where to begin.

    The set has `size` members from `start` on.
    """
    mask = len(memo.slots) - 1
    while memo.slots[slot] >= 0:
        set_id = memo.slots[slot]
        if memo.key[set_id] == key and memo.turn[set_id] == turn and memo.size[set_id] == size:
            at = memo.member_at[set_id]
            differ = 0
            for j in range(size):  # to the end, as loads of a loop without an exit overlap
                differ |= memo.members[at + j] ^ members[start + j]
            if differ == 0:
                break
        slot = (slot + 1) & mask
    return slot
