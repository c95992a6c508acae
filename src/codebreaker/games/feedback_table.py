"""The feedback table of a game with codes."""

import numpy as np

from codebreaker.types import FeedbackIds, Indices, SymbolMatrix

CELLS_AT_ONCE = 1 << 16
"""The cells of a table that are made together, few enough for the processor's cache."""

BYTE = 256
"""The values of a byte."""


def peg_pairs(pegs: int) -> list[tuple[int, int]]:
    """Return the black and white pegs that can occur, in the papers' order."""
    every = ((black, white) for black in range(pegs + 1) for white in range(pegs - black + 1))
    return [pair for pair in every if pair != (pegs - 1, 1)]


def ids_by_pegs(pegs: int, pairs: list[tuple[int, int]]) -> FeedbackIds:
    """Return ids by pegs in place and colours in common, (pegs + 1, pegs + 1) uint8."""
    ids = np.zeros((pegs + 1, pegs + 1), dtype=np.uint8)
    for index, (black, white) in enumerate(pairs):
        ids[black, black + white] = index
    return ids


def feedback_table(
    codes: SymbolMatrix, secret_indices: Indices, n_colours: int, ids: FeedbackIds
) -> FeedbackIds:
    """Return the feedback id of every code to every secret, (n_codes, n_secrets) uint8.

    Codes with the same first half, second half or selection of colours share the pegs in place of
    that half, or the colours in common, which are computed once.
    """
    pegs, middle, secrets = codes.shape[1], (codes.shape[1] + 1) // 2, codes[secret_indices]
    place = n_colours ** np.arange(pegs, dtype=np.int64)
    counts, secret_counts = (
        np.stack([(rows == c).sum(axis=1, dtype=np.uint8) for c in range(n_colours)], axis=1)
        for rows in (codes, secrets)
    )
    shared = [
        _shared_rows(codes[:, half] @ place[half], codes[:, half], secrets[:, half], np.equal)
        for half in (slice(0, middle), slice(middle, pegs))
    ]
    selections = np.sort(codes, axis=1) @ place
    shared.append(_shared_rows(selections, counts, secret_counts, np.minimum))
    first_of = _first_ids(ids)
    if first_of is not None:
        shared += [(first_of[part], which) for part, which in shared[:2]]
    table = np.empty((len(codes), len(secrets)), dtype=np.uint8)
    at_once = max(CELLS_AT_ONCE // max(len(secrets), 1), 1)
    for start in range(0, len(codes), at_once):
        rows = slice(start, start + at_once)
        first, second, common, *first_ids = (part.take(which[rows], 0) for part, which in shared)
        if first_of is None:
            first += second
            table[rows] = _translated(first, common, ids)
        else:
            first *= second
            common -= first
            common += first_ids[0]
            np.add(common, first_ids[1], out=table[rows])
    table[secret_indices, np.arange(len(secrets))] = ids[pegs, pegs]
    return table


def _first_ids(ids: FeedbackIds) -> FeedbackIds | None:
    """Return by pegs in place what has to be added to the colours in common for the feedback id.

    It is a number f with f(b + b') = f(b) + f(b') - bb', modulo 256, for which the halves of a code
    are enough. None if there are none, as some feedback has no id. Solved is left aside.
    """
    n = len(ids) - 1
    black = np.arange(n + 1)
    first = (black * n - black * (black - 1) // 2).astype(np.uint8)
    every = first[:, None] + np.arange(n + 1, dtype=np.uint8)
    possible = np.triu(np.ones_like(ids, dtype=np.bool_))
    possible[n - 1 :, n] = False
    return first if (ids == every)[possible].all() else None


def _shared_rows(
    keys: Indices, codes: SymbolMatrix, secrets: SymbolMatrix, compare: np.ufunc
) -> tuple[FeedbackIds, Indices]:
    """Return sums of comparisons of codes with all secrets, one row per key, and each code's row.

    The columns of `codes` and `secrets` are compared one by one; codes with one key are alike.
    """
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    rows: FeedbackIds = np.zeros((len(first), len(secrets)), dtype=np.uint8)
    for own, other in zip(codes[first].T, secrets.T, strict=True):
        rows += compare(own[:, None], other[None, :])
    return rows, which.astype(np.int32)


def _translated(black: FeedbackIds, common: FeedbackIds, ids: FeedbackIds) -> FeedbackIds:
    """Return the feedback ids by pegs in place and colours in common; their shape."""
    width = len(ids)
    if width * width > BYTE:
        return ids[black, common]
    raw = common * np.uint8(width)
    raw += black
    by_raw = ids.T.tobytes().ljust(BYTE, b"\0")
    return np.frombuffer(raw.tobytes().translate(by_raw), np.uint8).reshape(raw.shape)
