"""The cells of a guess, laid out, and whether a partition was tried before."""

import numpy as np

from codebreaker.search.kernels.frames import Frame
from codebreaker.search.kernels.options import Search
from codebreaker.sets.compile import inner
from codebreaker.sets.primitives import GOLDEN
from codebreaker.types import Hashes, Indices


@inner(inline="always")
def _split(
    search: Search, frame: Frame, depth: int, members: Indices, column: int
) -> tuple[int, int, np.uint64]:
    """Lay out the cells of a column; list those of three and more, the smallest first.

    Returns how many are listed, the sum of their bounds, and a signature of the partition. Cell f
    is from at[f] to at[f + 1] for the listed f.
    """
    counts = search.counts
    labels, cells, at = frame.labels[column], search.members[depth], search.at[depth]
    listed, n_listed, highest, words = search.cells[depth], 0, 0, search.memo.words
    for member in members:
        label = int(np.int64(labels[frame.row_of[member]]))
        counts[label] += 1
        highest = max(highest, label)
    at[0], bounds, bound = 0, search.cell_bounds[depth], 0
    for f in range(highest + 1):
        at[f + 1] = at[f] + counts[f]
        bound += int(bounds[counts[f]])
        if counts[f] >= 3:
            place = n_listed
            while place > 0 and counts[f] < at[listed[place - 1] + 1] - at[listed[place - 1]]:
                listed[place] = listed[place - 1]
                place -= 1
            listed[place], n_listed = f, n_listed + 1
    signature = np.uint64(0)
    for j in range(len(members) - 1, -1, -1):
        member = members[j]
        f = labels[frame.row_of[member]]
        counts[f] -= 1
        cells[at[f] + counts[f]] = member
    for f in range(highest + 1):
        if at[f] == at[f + 1]:
            continue
        leader = words[cells[at[f]], 1]
        for j in range(at[f], at[f + 1]):
            signature += (words[cells[j], 0] ^ leader) * np.uint64(GOLDEN)
    return n_listed, bound, signature


@inner
def _is_tried(signatures: Hashes, signature: np.uint64) -> bool:
    for one in signatures:  # noqa: SIM110 (compiled)
        if one == signature:
            return True
    return False
