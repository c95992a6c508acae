"""Steps for all backends; scores are exact integers in float64, added in any order."""

from typing import Any

from codebreaker.types import FeedbackIds, Indices, Offsets

Memo = Any


def fold_cell(score: float, weight: float, term: float, takes_min: bool) -> float:
    """Fold a cell's value into a score."""
    value = weight * term
    if takes_min:
        return min(score, value)
    return score + value


def tie_threshold(best: float, tolerance: float, tolerance_part: float) -> float:
    """Return the lowest score that ties with the best; `tolerance_part` is relative to |best|."""
    return best - tolerance - tolerance_part * abs(best)


def in_tie_order(index: int, n: int, reverses: bool) -> int:
    """Return a guess's or colour's place among n in the tie order, or the index at a place."""
    return n - 1 - index if reverses else index


def tie_rank(guess: int, n_guesses: int, behind: bool, reverses: bool) -> int:
    """Return a guess's rank among ties, lowest first: its place, plus n_guesses if `behind`."""
    place = in_tie_order(guess, n_guesses, reverses)
    return place + n_guesses if behind else place


def exchange_colours(
    codes: FeedbackIds, place: Offsets, index_of: Indices, code: int, one: int, other: int
) -> int:
    """Return the index of a code after two colours are exchanged; arrays as in `CodeGrid`."""
    value = 0
    for peg in range(codes.shape[1]):
        colour = int(codes[code, peg])
        if colour == one:
            colour = other
        elif colour == other:
            colour = one
        value += colour * place[peg]
    return int(index_of[value])


def find_slot(
    memo: Memo, slot: int, key: int, turn: int, members: Indices, start: int, size: int
) -> int:
    """Return a set's slot in an `OptionMemo`, or the free one for it."""
    mask = len(memo.slots) - 1
    while memo.slots[slot] >= 0:
        set_id = memo.slots[slot]
        if memo.key[set_id] == key and memo.turn[set_id] == turn and memo.size[set_id] == size:
            at, same = memo.member_at[set_id], 0
            while same < size and memo.members[at + same] == members[start + same]:
                same += 1
            if same == size:
                break
        slot = (slot + 1) & mask
    return slot
