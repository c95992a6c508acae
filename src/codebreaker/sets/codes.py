"""Games of codes without a table: feedback on demand, one guess of each class, codes as bits.

A tile of guesses is laid out by position and by colour, so its feedback to a secret takes a few
vectorised comparisons, counted in bytes that are added up before they overflow.

Two colours are equivalent at a set if exchanging them maps the set onto itself. Guesses that differ
only by equivalent colours have equal parts; the first in tie order is listed. The first colour of a
class is its representative. Of the colours that no candidate has, all but the first have the
representative n_colours and are never guessed.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.compiling.cpu import inner, njit
from codebreaker.games.model import CodeGame
from codebreaker.sets.primitives import Sets, exchange_colours, find_separator, in_tie_order
from codebreaker.types import Bits, Counts, FeedbackIds, Indices, Positions, SymbolMatrix

TILE = 2048
"""Guesses of a tile (decision 2)."""

LARGEST_IN_BYTES = 255
"""Maximum size of sets whose cells are counted in bytes."""

MOVED_AFTER = 252
"""Members after which byte counts of larger sets are moved: the last multiple of 4 up to 255."""

Wide = NDArray[np.uint32]


class CodeGrid(NamedTuple):
    """The codes of a game with feedback on demand.

    The raw feedback c(c + 1)/2 + b, for c pegs in common (black and white) and b ≤ c black ones, is
    different for each pair.
    """

    codes: SymbolMatrix  # (n_codes, pegs), in lexicographic order
    counts: FeedbackIds  # (n_codes, n_colours): pegs of each colour
    place_values: Counts  # (pegs,): of the pegs, as digits of a code's value
    index_of: Indices  # (n_colours ** pegs,): the index of the code with a value, or −1
    raws: FeedbackIds  # (n_feedback,): the raw feedback that occurs
    id_of_raw: Counts  # (n_feedback,): their feedback ids
    ids: FeedbackIds  # (pegs + 1, pegs + 1): feedback ids by b and c
    n_colours: int
    n_feedback: int
    repeats: bool  # whether a code may have a colour twice


@lru_cache(maxsize=4)
def grid_of(game: CodeGame) -> CodeGrid:
    """Return a game in the kernels' form; the last few are cached."""
    pegs = game.codes.shape[1]
    place_values = game.n_colours ** np.arange(pegs - 1, -1, -1, dtype=np.int64)
    index_of = np.full(game.n_colours**pegs, -1, np.int32)
    index_of[game.codes @ place_values] = np.arange(game.n_secrets, dtype=np.int32)
    repeats = game.n_secrets == len(index_of)
    # Without repeated colours, two codes have at least 2 · pegs − n_colours colours in common.
    lowest = 0 if repeats else max(2 * pegs - game.n_colours, 0)
    step = 2 if game.n_colours == 2 else 1  # two colours: white pegs come in pairs
    pairs = [
        (b, c)
        for c in range(lowest, pegs + 1)
        for b in range(c, -1, -step)
        if (b, c) != (pegs - 1, pegs)  # a last peg in common can't be in another position
    ]
    return CodeGrid(
        codes=game.codes,
        counts=game.counts,
        place_values=place_values,
        index_of=index_of,
        raws=np.array([b + c * (c + 1) // 2 for b, c in pairs], np.uint8),
        id_of_raw=np.array([game.ids[pair] for pair in pairs], np.int64),
        ids=game.ids,
        n_colours=game.n_colours,
        n_feedback=game.n_feedback,
        repeats=repeats,
    )


class CodeBits(NamedTuple):
    """Codes as bits, (n_codes, n_words) uint64: common bits of two codes give their feedback."""

    places: Bits
    """A bit for each peg and its colour, at peg · n_colours + colour.

    Common bits are black pegs.
    """

    copies: Bits
    """Of each colour as many bits as the code has pegs, from colour · pegs on.

    Common bits are colours in common.
    """


def bits_of(codes: SymbolMatrix, n_colours: int) -> CodeBits:
    """Return codes, (n_codes, pegs), as bits."""
    n_words = -(-codes.shape[1] * n_colours // 64)
    places = np.zeros((len(codes), n_words), np.uint64)
    copies = np.zeros((len(codes), n_words), np.uint64)
    _pack_bits(codes, n_colours, places, copies)
    return CodeBits(places, copies)


@njit(nogil=True)
def _pack_bits(codes: SymbolMatrix, n_colours: int, places: Bits, copies: Bits) -> None:
    """Set the bits of codes, (n_codes, pegs), in the arrays of `CodeBits`, which are 0 before."""
    pegs = codes.shape[1]
    counts = np.zeros(n_colours, np.int64)
    for code in range(len(codes)):
        counts[:] = 0
        for peg in range(pegs):
            colour = int(codes[code, peg])
            place_bit = peg * n_colours + colour
            copy_bit = colour * pegs + counts[colour]
            places[code, place_bit // 64] |= np.uint64(1) << np.uint64(place_bit % 64)
            copies[code, copy_bit // 64] |= np.uint64(1) << np.uint64(copy_bit % 64)
            counts[colour] += 1


class Planes(NamedTuple):
    """Guesses by position, (pegs, n), and by colour, (n_colours, n) uint8, padded to full tiles."""

    colours: SymbolMatrix
    counts: FeedbackIds


class TileWorkspace(NamedTuple):
    """Working memory: four `rows`, and cell counts by feedback id, in bytes and wider."""

    rows: FeedbackIds
    byte_counts: FeedbackIds
    counts: Wide


@njit(nogil=True)
def make_tile(grid: CodeGrid) -> TileWorkspace:
    """Allocate working memory for tiles."""
    return TileWorkspace(
        np.empty((4, TILE), np.uint8),
        np.empty((grid.n_feedback, TILE), np.uint8),
        np.empty((grid.n_feedback, TILE), np.uint32),
    )


@njit(nogil=True)
def unfold(grid: CodeGrid, pool: Indices) -> Planes:
    """Lay out guesses by position and by colour."""
    pegs = grid.codes.shape[1]
    padded = -(-len(pool) // TILE) * TILE
    colours = np.zeros((pegs, padded), grid.codes.dtype)
    counts = np.zeros((grid.n_colours, padded), np.uint8)
    for i in range(len(pool)):
        for peg in range(pegs):
            colour = grid.codes[pool[i], peg]
            colours[peg, i] = colour
            counts[colour, i] += 1
    return Planes(colours, counts)


@njit(nogil=True)
def fill_row(code: SymbolMatrix, planes: Planes, start: int, row: FeedbackIds) -> None:
    """Compute the raw feedback of a tile's guesses to a code into `row`, (TILE,) uint8.

    `code` is (pegs,), the tile begins at guess `start` of the planes. All arithmetic is in bytes,
    so that vector registers hold as many guesses as possible.
    """
    pegs = len(code)
    end = start + TILE
    # 1. Pegs in common: for each colour of the code, the smaller number of pegs in code and guess.
    for peg in range(pegs):
        n_pegs = 0
        new = True
        for before in range(pegs):
            if code[before] == code[peg]:
                n_pegs += 1
                new &= before >= peg
        cap = np.uint8(n_pegs)
        plane = planes.counts[code[peg], start:end]
        if peg == 0:
            for g in range(TILE):
                row[g] = min(plane[g], cap)
        elif new:
            for g in range(TILE):
                row[g] = np.uint8(row[g] + min(plane[g], cap))
    # 2. From c to c(c + 1)/2 without overflow: of c and c + 1, halve the even one. ⌊(c + 1)/2⌋ is
    #    that half, and c | 1 the odd one.
    for g in range(TILE):
        half = np.uint8(np.uint8(row[g] + np.uint8(1)) >> np.uint8(1))
        row[g] = np.uint8(half * np.uint8(row[g] | np.uint8(1)))
    # 3. Black pegs, two positions at a time.
    for peg in range(0, pegs - 1, 2):
        here = planes.colours[peg, start:end]
        following = planes.colours[peg + 1, start:end]
        colour = code[peg]
        next_colour = code[peg + 1]
        for g in range(TILE):
            both = np.uint8(np.uint8(here[g] == colour) + np.uint8(following[g] == next_colour))
            row[g] = np.uint8(row[g] + both)
    if pegs % 2:
        last = planes.colours[pegs - 1, start:end]
        colour = code[pegs - 1]
        for g in range(TILE):
            row[g] = np.uint8(row[g] + np.uint8(last[g] == colour))


@njit(nogil=True)
def count_tile(
    grid: CodeGrid, planes: Planes, members: Indices, start: int, tile: TileWorkspace
) -> None:
    """Count the cell sizes of a tile's guesses at a set.

    They are in `tile.byte_counts` for sets of up to LARGEST_IN_BYTES, otherwise in `tile.counts`;
    both (n_feedback, TILE).
    """
    byte_counts = tile.byte_counts
    counts = tile.counts
    byte_counts[:] = 0
    fits = len(members) <= LARGEST_IN_BYTES
    if not fits:
        counts[:] = 0
    a = tile.rows[0]
    b = tile.rows[1]
    c = tile.rows[2]
    d = tile.rows[3]
    # Four members at a time, so that a cell's counts are loaded and stored once for all four.
    in_fours = len(members) - len(members) % 4
    for i in range(0, in_fours, 4):
        for j in range(4):
            fill_row(grid.codes[members[i + j]], planes, start, tile.rows[j])
        for k in range(len(grid.raws)):
            raw = grid.raws[k]
            cell = byte_counts[grid.id_of_raw[k]]
            for g in range(TILE):
                in_ab = np.uint8(np.uint8(a[g] == raw) + np.uint8(b[g] == raw))
                in_cd = np.uint8(np.uint8(c[g] == raw) + np.uint8(d[g] == raw))
                cell[g] = np.uint8(cell[g] + np.uint8(in_ab + in_cd))
        if (i + 4) % MOVED_AFTER == 0 and not fits:
            _move_byte_counts(byte_counts, counts)
    for i in range(in_fours, len(members)):
        fill_row(grid.codes[members[i]], planes, start, a)
        for k in range(len(grid.raws)):
            raw = grid.raws[k]
            cell = byte_counts[grid.id_of_raw[k]]
            for g in range(TILE):
                cell[g] = np.uint8(cell[g] + np.uint8(a[g] == raw))
    if not fits:
        _move_byte_counts(byte_counts, counts)


@inner
def _move_byte_counts(byte_counts: FeedbackIds, counts: Wide) -> None:
    """Add byte counts to the wide ones, and clear them."""
    for f in range(len(byte_counts)):
        cell = byte_counts[f]
        total = counts[f]
        for g in range(TILE):
            total[g] += cell[g]
            cell[g] = 0


@inner
def feedback(grid: CodeGrid, guess: int, secret: int) -> int:
    """Return a guess's feedback id."""
    black = 0
    common = 0
    for peg in range(grid.codes.shape[1]):
        black += grid.codes[guess, peg] == grid.codes[secret, peg]
    for colour in range(grid.n_colours):
        common += min(grid.counts[guess, colour], grid.counts[secret, colour])
    return int(grid.ids[black, common])


@inner
def separator(
    grid: CodeGrid, members: Indices, most: int, reverses: bool, stamps: Indices
) -> tuple[int, int]:
    """Return a candidate that separates all members, or −1, as `find_separator`."""
    index, repeats = find_separator(feedback, grid, members, most, reverses, stamps)
    return members[index] if index >= 0 else -1, repeats


@njit(nogil=True)
def feedback_of_sets(grid: CodeGrid, sets: Sets, guesses: Indices) -> FeedbackIds:
    """Return the feedback id of each node's guess to each of its members, (n_members,) uint8.

    The same as `feedback` for each pair, but 8 to 19 % faster, as it doesn't visit all colours.
    """
    ids = np.empty(len(sets.members), np.uint8)
    ahead = np.empty(grid.n_colours, np.int64)  # by colour: the guess's pegs minus the member's
    for node in range(len(guesses)):
        guess = guesses[node]
        for i in range(sets.offsets[node], sets.offsets[node + 1]):
            black = 0
            common = 0
            ahead[:] = 0
            for peg in range(grid.codes.shape[1]):
                guessed = grid.codes[guess, peg]
                colour = grid.codes[sets.members[i], peg]
                black += guessed == colour
                # A peg has a partner of its colour if the other code was ahead with it.
                common += ahead[guessed] < 0
                ahead[guessed] += 1
                common += ahead[colour] > 0
                ahead[colour] -= 1
            ids[i] = grid.ids[black, common]
    return ids


@njit(nogil=True)
def find_representatives(
    grid: CodeGrid,
    sets: Sets,
    nodes: Positions,
    node_of: Indices,
    reverses: bool,
    representatives: SymbolMatrix,
) -> None:
    """Find each colour's representative at some nodes into `representatives`, (n_nodes, n_colours).

    `node_of` (n_codes,) is the node whose set has a code, or −1. A representative is the first
    equivalent colour in tie order, or n_colours for absent colours but the first, if codes may
    repeat colours.
    """
    pegs = grid.codes.shape[1]
    n_colours = grid.n_colours
    places = np.zeros((n_colours, pegs), np.int64)  # members with a colour in a position
    for node in nodes:
        members = sets.members[sets.offsets[node] : sets.offsets[node + 1]]
        places[:] = 0
        for member in members:
            for peg in range(pegs):
                places[grid.codes[member, peg], peg] += 1
        for k in range(n_colours):
            colour = in_tie_order(k, n_colours, reverses)
            representatives[node, colour] = colour
            absent = not places[colour].any()
            for j in range(k):
                other = in_tie_order(j, n_colours, reverses)
                # Quick necessary condition: equivalent colours are in each position equally often.
                if representatives[node, other] != other or (places[colour] != places[other]).any():
                    continue
                if absent and grid.repeats:
                    representatives[node, colour] = n_colours
                    break
                if absent or _equivalent(grid, members, node_of, node, colour, other):
                    representatives[node, colour] = other
                    break


@inner
def _equivalent(
    grid: CodeGrid, members: Indices, node_of: Indices, node: int, colour: int, other: int
) -> bool:
    """Return whether exchanging two colours maps a node's set onto itself."""
    for member in members:
        code = exchange_colours(grid.codes, grid.place_values, grid.index_of, member, colour, other)
        if node_of[code] != node:
            return False
    return True


@njit(nogil=True)
def list_pool(grid: CodeGrid, representatives: SymbolMatrix, reverses: bool) -> Indices:
    """List, in tie order, the guesses in which equivalent colours first appear in tie order.

    These are the first of each class of guesses that differ by equivalent colours. The colours'
    `representatives`, (n_colours,), are those of `find_representatives`; the result is (n_guesses,)
    int32.
    """
    pegs = grid.codes.shape[1]
    n_colours = grid.n_colours
    # 1. Rank each colour within its class, in tie order.
    rank = np.zeros(n_colours, np.int64)
    size = np.zeros(n_colours, np.int64)
    for k in range(n_colours):
        colour = in_tie_order(k, n_colours, reverses)
        if representatives[colour] != n_colours:
            rank[colour] = size[representatives[colour]]
            size[representatives[colour]] += 1
    # 2. Choose colours peg by peg, depth first. A colour may be used if all before it in its class
    #    are used already; it opens its class further if it is the next one.
    pool = np.empty(len(grid.codes), np.int32)
    n = 0
    used = np.zeros(n_colours, np.int64)  # by representative: colours of the class that are used
    opens = np.zeros(pegs, np.int64)  # whether a peg's colour is the first of its colour
    at = np.full(pegs, -1, np.int64)  # by peg: the place of its colour in the tie order
    value = np.zeros(pegs + 1, np.int64)  # of the first pegs, as in `CodeGrid.index_of`
    peg = 0
    while peg >= 0:
        if opens[peg]:
            used[representatives[in_tie_order(at[peg], n_colours, reverses)]] -= 1
            opens[peg] = 0
        at[peg] += 1
        if at[peg] == n_colours:
            at[peg] = -1
            peg -= 1
            continue
        colour = in_tie_order(at[peg], n_colours, reverses)
        representative = representatives[colour]
        if representative == n_colours or rank[colour] > used[representative]:
            continue
        value[peg + 1] = value[peg] + colour * grid.place_values[peg]
        if peg < pegs - 1:
            opens[peg] = rank[colour] == used[representative]
            used[representative] += opens[peg]
            peg += 1
        elif grid.index_of[value[pegs]] >= 0:
            pool[n] = grid.index_of[value[pegs]]
            n += 1
    return pool[:n].copy()


@njit(nogil=True)
def pool_of_set(grid: CodeGrid, members: Indices) -> Indices:
    """List a pool that serves a set and all its subsets, (n_guesses,) int32.

    Only the colours that no member has count as equivalent, as they stay so in subsets.
    """
    present = np.zeros(grid.n_colours, np.bool_)
    representatives = np.empty(grid.n_colours, grid.codes.dtype)
    for member in members:
        for peg in range(grid.codes.shape[1]):
            present[grid.codes[member, peg]] = True
    first_absent = -1
    for colour in range(grid.n_colours):
        representatives[colour] = colour
        if not present[colour] and grid.repeats:
            if first_absent >= 0:
                representatives[colour] = grid.n_colours
            first_absent = colour
    return list_pool(grid, representatives, False)
