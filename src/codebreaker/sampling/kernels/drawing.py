"""Candidates drawn at random: uniformly by rejection, and by levels where those are too rare."""

import numpy as np

from codebreaker.compiling.cpu import inner, njit
from codebreaker.sampling.kernels.space import (
    History,
    Space,
    Symbols,
    add_peg,
    draw_code,
    is_consistent,
    take_peg,
)
from codebreaker.sets.primitives import draw
from codebreaker.types import Counts, Hashes

MOST_CHANGES = 3
"""Maximum number of pegs that one proposal changes."""

MOST_STUCK = 8
"""Levels without a closer code after which a set is taken for empty, or out of reach."""


@njit(nogil=True)
def draw_candidates(
    space: Space, history: History, room: Symbols, n_draws: int, state: Hashes
) -> tuple[int, int]:
    """Draw codes uniformly and keep the candidates in `room`, (n, pegs), until it is full.

    Returns the number kept and the number drawn, at most `n_draws`. What is kept is a uniform
    sample of the candidates, with replacement.
    """
    code = np.zeros(space.pegs, np.uint8)
    n_kept = 0
    for n_drawn in range(1, n_draws + 1):
        draw_code(space, state, code)
        if is_consistent(space, history, code):
            room[n_kept] = code
            n_kept += 1
            if n_kept == len(room):
                return n_kept, n_drawn
    return n_kept, n_draws


@njit(nogil=True)
def draw_by_levels(
    space: Space, history: History, codes: Symbols, n_steps: int, state: Hashes
) -> tuple[int, float]:
    """Fill `codes`, (n, pegs), with candidates by multilevel splitting; return how many there are.

    These are all n or none. The second number is the natural logarithm of the estimated share of
    candidates among the secrets.

    A code's distance is the sum of what its feedback to all guesses differs by. The codes are first
    drawn from all secrets. At each level a limit of the distance falls: codes beyond it are
    replaced by copies of the others, and every code makes `n_steps` random steps that never pass
    the limit. As proposals are symmetric, the uniform distribution over the codes within the limit
    is invariant (Metropolis et al. 1953; Botev and Kroese 2012, "Efficient Monte Carlo simulation
    via the generalized splitting method"). The last limit is 0, which candidates alone have.
    Without candidates the levels stop where no code comes closer, and 0 is returned.
    """
    n = len(codes)
    n_moves = len(history.blacks)
    # Of each code, what `add_peg` counts, and the distance.
    copies = np.zeros((n, space.n_colours), np.int64)
    blacks = np.zeros((n, n_moves), np.int64)
    commons = np.zeros((n, n_moves), np.int64)
    distances = np.zeros(n, np.int64)
    # 1. Draw from all secrets.
    for i in range(n):
        draw_code(space, state, codes[i])
        for peg in range(space.pegs):
            add_peg(history, peg, codes[i, peg], copies[i], blacks[i], commons[i])
        distances[i] = distance(space, history, blacks[i], commons[i])
    log_share = 0.0
    limit = np.max(distances) + 1
    stuck = 0
    while limit > 0:
        # 2. The next limit keeps about a quarter of the codes, and is lower than the last one.
        ordered = np.sort(distances)
        limit = min(ordered[n // 4], limit - 1)
        n_within = np.searchsorted(ordered, limit, side="right")
        if n_within == 0:
            # No code is closer: the limit stays where it was, and the codes walk again.
            limit += 1
            stuck += 1
            if stuck == MOST_STUCK:
                return 0, 0.0
        else:
            stuck = 0
            # The share of candidates is the product of the shares that survive each level.
            log_share += np.log(n_within / n)
            within = np.flatnonzero(distances <= limit)
            # 3. Replace the codes beyond the limit by copies of the others.
            for i in range(n):
                if distances[i] > limit:
                    other = within[draw(state, n_within)]
                    codes[i] = codes[other]
                    copies[i] = copies[other]
                    blacks[i] = blacks[other]
                    commons[i] = commons[other]
                    distances[i] = distances[other]
        # 4. Walk within the limit.
        for i in range(n):
            distances[i] = walk(
                space,
                history,
                codes[i],
                copies[i],
                blacks[i],
                commons[i],
                distances[i],
                limit,
                n_steps,
                state,
            )
    return n, log_share


@inner
def walk(
    space: Space,
    history: History,
    code: Symbols,
    copies: Counts,
    black: Counts,
    common: Counts,
    current: int,
    limit: int,
    n_steps: int,
    state: Hashes,
) -> int:
    """Make random steps from a code within a limit of the distance; return the last distance.

    `copies`, `black` and `common` are the code's counts, as in `add_peg`, and change with it;
    `current` is its distance. A step swaps two pegs, turns three pegs in a cycle, or recolours up
    to MOST_CHANGES of them. A proposal is as likely as its reverse; it is refused if it passes the
    limit.
    """
    pegs = space.pegs
    changed = np.zeros(MOST_CHANGES, np.int64)
    old = np.zeros(MOST_CHANGES, np.uint8)
    new = np.zeros(MOST_CHANGES, np.uint8)
    for _ in range(n_steps):
        # 1. Choose the pegs, all different, and whether they exchange colours or get new ones.
        n_changed = 1 + draw(state, min(MOST_CHANGES, pegs))
        for i in range(n_changed):
            is_new = False
            while not is_new:
                changed[i] = draw(state, pegs)
                is_new = True
                for other in range(i):
                    is_new = is_new and changed[other] != changed[i]
            old[i] = code[changed[i]]
        exchanges = n_changed > 1 and draw(state, 2) == 0
        for i in range(n_changed):
            if exchanges:
                new[i] = old[(i + 1) % n_changed]
            else:
                new[i] = draw(state, space.n_colours)
        # 2. Make the change, and take it back if the code is no secret or passes the limit.
        for i in range(n_changed):
            change_peg(history, changed[i], code, old[i], new[i], copies, black, common)
        proposed = distance(space, history, black, common)
        is_allowed = proposed <= limit
        if space.is_unique:
            for i in range(n_changed):
                is_allowed = is_allowed and copies[new[i]] == 1
        if is_allowed:
            current = proposed
        else:
            for i in range(n_changed):
                change_peg(history, changed[i], code, new[i], old[i], copies, black, common)
    return current


@inner(forceinline=True)
def change_peg(
    history: History,
    peg: int,
    code: Symbols,
    old: int,
    new: int,
    copies: Counts,
    black: Counts,
    common: Counts,
) -> None:
    """Change a peg's colour from `old` to `new`, and all counts with it, as in `add_peg`."""
    take_peg(history, peg, old, copies, black, common)
    add_peg(history, peg, new, copies, black, common)
    code[peg] = new


@njit(nogil=True, forceinline=True)
def distance(space: Space, history: History, black: Counts, common: Counts) -> int:
    """Return by how many pegs a code's feedback differs from the observed, over all moves."""
    total = 0
    for move in range(len(black)):
        total += abs(black[move] - history.blacks[move])
        if space.has_whites:
            total += abs(common[move] - history.commons[move])
    return total
