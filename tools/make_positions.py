"""Record the fixed positions with the exact regret of every guess: `codebreaker.agents.positions`.

`python tools/make_positions.py` takes minutes, and writes the same bytes each time.
"""

import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

import codebreaker as cb
from codebreaker.advice.regret import guess_totals
from codebreaker.files import atomic_write
from codebreaker.games.model import TableGame
from codebreaker.runtime.progress import without_progress
from codebreaker.sets.partition import n_log2_n, part_sizes
from codebreaker.sets.primitives import Sets
from codebreaker.trees.frontier import Frontier
from codebreaker.types import Indices, Move

from codebreaker.agents.positions import FOLDER, GAMES  # isort: skip

SEED = 1
SIZES = ((3, 6), (7, 15), (16, 40), (41, 120))
"""The numbers of candidates of a stratum."""

EACH = 25
"""Positions of a range of sizes in which entropy's guess errs, and as many in which it is optimal.

Where fewer of the first kind are found, more of the second are taken."""

MOST_VALUED = 200
"""Maximum number of positions of a range of sizes that are valued, to find those of EACH kind."""

MOST_BEGUN = 20_000
"""Maximum number of games that are begun."""

TIES = 1e-9
"""Scores of entropy within this are equal, as in the policy."""


def main() -> None:
    """Write the positions of the games that are named, by default of all."""
    for name in sys.argv[1:] or GAMES:
        positions = positions_of(cb.game(name))
        text = "".join(json.dumps(position, separators=(",", ":")) + "\n" for position in positions)
        with atomic_write(FOLDER / f"{name}.jsonl.gz") as temporary:
            temporary.write_bytes(gzip.compress(text.encode(), mtime=0))
        counted = Counter(position["stratum"] for position in positions)
        print(name, len(positions), dict(counted), flush=True)


def positions_of(game: cb.Game) -> list[dict[str, Any]]:
    """Return a game's positions, by stratum, and then in the order in which they were drawn."""
    table = game._table_game
    draw = np.random.default_rng(SEED)
    found: list[dict[bool, list[dict[str, Any]]]] = [{True: [], False: []} for _ in SIZES]
    valued = [0] * len(SIZES)
    seen = set[bytes]()
    for _ in range(MOST_BEGUN):
        for moves, members in drawn_game(table, draw):
            size = size_of(len(members))
            if size is None or valued[size] == MOST_VALUED or members.tobytes() in seen:
                continue
            if all(len(some) >= EACH for some in found[size].values()):
                continue
            seen.add(members.tobytes())
            valued[size] += 1
            excess = excess_of(game, moves, members)
            # Where all candidates are optimal there is nothing to ask.
            if excess[table.guess_of_secret[members]].any():
                is_right = bool(excess[entropy_guess(table, members)] == 0)
                line = position(game, moves, members, excess, size, is_right)
                found[size][is_right].append(line)
    ordered = []
    for some in found:
        errs = some[False][:EACH]
        ordered += [*some[True][: 2 * EACH - len(errs)], *errs]
    return [{"id": f"{game.name}-{n:03}"} | line for n, line in enumerate(ordered, start=1)]


def drawn_game(
    game: TableGame, draw: np.random.Generator
) -> Iterator[tuple[tuple[Move, ...], Indices]]:
    """Yield the positions of a game in which half of the guesses are candidates."""
    secret = draw.integers(game.n_secrets)
    members = np.arange(game.n_secrets, dtype=np.int32)
    moves = list[Move]()
    while len(members) > 2:
        guess = int(draw.integers(game.n_guesses))
        if draw.random() < 0.5:
            guess = int(game.guess_of_secret[draw.choice(members)])
        feedback = int(game.table[guess, secret])
        if feedback == game.solved:
            return
        members = members[game.table[guess, members] == feedback]
        moves.append((guess, feedback))
        yield tuple(moves), members


def size_of(n_candidates: int) -> int | None:
    """Return the number of the range of sizes, None outside all."""
    for number, (low, high) in enumerate(SIZES):
        if low <= n_candidates <= high:
            return number
    return None


def excess_of(game: cb.Game, moves: tuple[Move, ...], members: Indices) -> NDArray[np.int64]:
    """Return by how much each guess's total exceeds the minimum, (n_guesses,)."""
    table = game._table_game
    # Guesses with the same feedback to all candidates have the same total.
    _, first, which = np.unique(
        table.table[:, members], axis=0, return_index=True, return_inverse=True
    )
    nowhere = np.full(len(first), -1, dtype=np.int32)
    offsets = np.arange(len(first) + 1) * len(members)
    sets = Sets(np.tile(members, len(first)), offsets)
    nodes = Frontier(len(moves) + 1, sets, nowhere, nowhere)
    guesses = first.astype(np.int32)
    before = np.tile([guess for guess, _ in moves], (len(first), 1))
    histories = np.hstack([before, guesses[:, None]]).astype(np.int32)
    with without_progress():
        totals = guess_totals(game._optimal_values(), nodes, guesses, histories).with_guess
    excess: NDArray[np.int64] = (totals - totals.min())[which.ravel()]
    return excess


def entropy_guess(game: TableGame, members: Indices) -> int:
    """Return the guess of the policy entropy: of the best ones a candidate, then the first."""
    bits = -n_log2_n(part_sizes(game, members)).sum(axis=1) / len(members)
    best = np.flatnonzero(bits >= bits.max() - TIES)
    consistent = best[np.isin(best, game.guess_of_secret[members])]
    return int(consistent[0] if len(consistent) else best[0])


def position(
    game: cb.Game,
    moves: tuple[Move, ...],
    members: Indices,
    excess: NDArray[np.int64],
    size: int,
    is_right: bool,
) -> dict[str, Any]:
    """Return a position as a line of the file, without its id."""
    low, high = SIZES[size]
    whether = "is optimal" if is_right else "errs"
    guesses = game._table_game.guess_of_secret[members]
    state = cb.State(game, game._moves(moves))
    best = cb.regret(state, game.guesses[int(excess.argmin())])
    assert best.mean == 0, "the minimum over all guesses is that of the search"
    return {
        "game": game.name,
        "moves": [list(move) for move in state.moves],
        "stratum": f"{low} to {high} candidates, entropy {whether}",
        "candidates": len(members),
        "minimum": round(float(best.minimum) * len(members)),
        "consistent_regret": round(float(excess[guesses].mean()) / len(members), 6),
        "excess": excess.tolist(),
    }


if __name__ == "__main__":
    main()
