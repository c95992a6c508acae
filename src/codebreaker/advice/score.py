"""Games scored move by move: the regret of each guess, and the luck of its feedback.

With mean V(S) for candidates S and Q(S, g) if g is played, regret is Q(S, g) − V(S), and luck Q(S,
g) − (1 + V(C)) for the remaining part C. Guesses are exactly V(all) + regrets − lucks.
"""

from collections.abc import Sequence
from itertools import permutations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from codebreaker.advice.assistant import ENDGAMES, strategy_for
from codebreaker.advice.cached import TotalsCache
from codebreaker.advice.regret import GuessTotals, OptimalValues, PolicyValues, Values, guess_totals
from codebreaker.constants import LARGEST_ENDGAME
from codebreaker.errors import CodebreakerError
from codebreaker.games.model import GameModel
from codebreaker.games.notation import Notation
from codebreaker.games.registry import is_as_named
from codebreaker.games.symmetry import MOST_PERMUTED, precedes
from codebreaker.policies.strategy import Strategy
from codebreaker.sets.primitives import Sets
from codebreaker.trees.frontier import Frontier, is_candidate
from codebreaker.trees.grow import start_in
from codebreaker.types import AnyPool, Indices, Move, Offsets, SymbolMatrix

LOOKUPS = 1 << 34
SECONDS = 120.0  # table look-ups per set, seconds per game
LARGEST_EXACT = 1 << 22  # table entries of a game judged by optimal play
STRONGEST = {"mm-5-8": ("endgame-weighted-179064", "11223", LARGEST_ENDGAME)}
"""The policy, opening and endgames of the lowest known total, where it is not the default."""

NO_GUESS = -1
SYMBOLS_AT_ONCE = 1 << 20
MEMBERS_AT_ONCE = 1 << 22


def values_of(
    notation: Notation,
    policy: str | None = None,
    exact: bool | None = None,
    guess_pool: AnyPool | None = None,
) -> Values:
    """Return the values that judge a game's moves: a named policy's, or optimal play's.

    If `exact` is false, or None and the table is too large, the best policy known judges. Judges
    play with the `guess_pool`; without one optimal play has all guesses, and a policy its own.
    """
    game = notation.game
    small = game.has_table and game.n_guesses * game.n_secrets <= LARGEST_EXACT
    if policy is None and (small if exact is None else exact):
        if not game.has_table:
            raise CodebreakerError(
                f"{game.name} has no table, and optimal play is out of reach: judge it by a policy"
            )
        pool = guess_pool or "all"
        cache = TotalsCache(game.with_table(), pool)
        return OptimalValues(game, LOOKUPS, SECONDS, cache=cache, guess_pool=pool)
    return PolicyValues(game, reference_policy(notation, policy, guess_pool))


def reference_policy(
    notation: Notation, policy: str | None = None, guess_pool: AnyPool | None = None
) -> Strategy:
    """Return a policy with its usual opening and endgames, by default the best known."""
    opening = None
    endgames = ENDGAMES
    if policy is None:
        strongest = STRONGEST.get(notation.game.name)
        if strongest is not None and is_as_named(notation.game):
            policy, opening, endgames = strongest
    return strategy_for(notation, policy, opening, guess_pool, endgames=endgames)


def canonical(game: GameModel, guesses: Indices, only_opening: bool = False) -> Indices:
    """Return each game's guesses under the symmetry that makes them lexicographically smallest.

    `guesses`, (n_games, n_turns), are padded with NO_GUESS. With `only_opening` the smallest
    opening decides: of the symmetries that make it smallest, the first order of positions is taken,
    and colours that the opening lacks keep their order. Without known symmetries, guesses are
    returned unchanged.
    """
    symmetry = game.symmetry
    if symmetry is None or symmetry.alphabets.any():
        return guesses
    codes = symmetry.codes
    n_colours = symmetry.n_colours
    result = guesses.copy()
    lengths = (guesses != NO_GUESS).sum(axis=1)
    for length in np.unique(lengths[lengths > 0]).tolist():
        group = np.flatnonzero(lengths == length)
        step = max(SYMBOLS_AT_ONCE // (length * codes.shape[1]), 1)
        for first in range(0, len(group), step):
            some = group[first : first + step]
            played = guesses[some, :length]
            result[some, :length] = _lowest(codes, n_colours, played, only_opening)
    return result


def _lowest(codes: SymbolMatrix, n_colours: int, played: Indices, only_opening: bool) -> Indices:
    n_games, length = played.shape
    pegs = codes.shape[1]
    place = n_colours ** np.arange(pegs - 1, -1, -1, dtype=np.int64)
    rows = codes[played].astype(np.int64)
    decisive = 1 if only_opening else length
    # The identity comes first.
    orders = permutations(range(pegs)) if pegs <= MOST_PERMUTED else [tuple(range(pegs))]
    minimum = np.empty((0, length), dtype=np.int64)
    for positions in map(list, orders):
        moved = rows[:, :, positions].reshape(n_games, -1)
        if only_opening:
            every = np.broadcast_to(np.arange(n_colours), (n_games, n_colours))
            moved = np.hstack([moved[:, :pegs], every, moved[:, pegs:]])
        renamed = _by_appearance(moved, n_colours)
        if only_opening:
            renamed = np.hstack([renamed[:, :pegs], renamed[:, pegs + n_colours :]])
        values = renamed.reshape(n_games, length, pegs) @ place
        if not len(minimum):
            minimum = values
            continue
        lower = precedes(values[:, :decisive], minimum[:, :decisive])
        minimum = np.where(lower[:, None], values, minimum)
    return np.searchsorted(codes @ place, minimum).astype(np.int32)


def _by_appearance(rows: NDArray[np.int64], n_colours: int) -> NDArray[np.int64]:
    games = np.arange(len(rows))
    names = np.full((len(rows), n_colours), -1, dtype=np.int64)
    used = np.zeros(len(rows), dtype=np.int64)
    renamed = np.empty_like(rows)
    for column in range(rows.shape[1]):
        colours = rows[:, column]
        name = names[games, colours]
        new = name < 0
        name[new] = used[new]
        names[games, colours] = name
        used += new
        renamed[:, column] = name
    return renamed


def score_games(
    values: Values, games: Sequence[Sequence[Move]]
) -> tuple[pl.DataFrame, dict[int, int]]:
    """Score games, one row per move, and return the index of the first impossible feedback by game.

    The games obey the values' guess pool. Those with impossible feedback have no rows. A row has
    `game`, `turn`, the number of `candidates`, whether the guess is `consistent`, totals `minimum`
    and `with_guess`, and number and total of `candidates_after`.
    """
    game = values.game
    longest = max(map(len, games), default=0)
    guesses = np.full((len(games), longest), NO_GUESS, dtype=np.int32)
    feedback = np.full((len(games), longest), -1, dtype=np.int64)
    for row, moves in enumerate(games):
        if moves:
            guesses[row, : len(moves)], feedback[row, : len(moves)] = zip(*moves, strict=True)
    guesses = canonical(game, guesses, only_opening=not values.is_exact)
    # Games with the same moves so far share a node.
    nodes = start_in(game, values.guess_pool)
    minimum = np.array([values.root()])
    histories = np.empty((1, 0), dtype=np.int32)
    node_of = np.zeros(len(games), dtype=np.int64)
    frames = list[pl.DataFrame]()
    faults = dict[int, int]()
    for turn in range(longest):
        node_of[guesses[:, turn] == NO_GUESS] = -1
        played = np.flatnonzero(node_of >= 0)
        if not len(played):
            break
        keys = node_of[played] * game.n_guesses + guesses[played, turn]
        moves_made, move_of = np.unique(keys, return_inverse=True)
        node = moves_made // game.n_guesses
        guess = (moves_made % game.n_guesses).astype(np.int32)
        histories = np.hstack([histories[node], guess[:, None]])
        wanted = move_of * game.n_feedback + feedback[played, turn]
        compared, consistent, found = _compared(
            values, nodes, node, guess, histories, np.unique(wanted)
        )
        after = np.where(np.isin(wanted, found), np.searchsorted(found, wanted), -1)
        is_solved = consistent[move_of] & (feedback[played, turn] == game.solved)
        lost = played[(after < 0) & ~is_solved].tolist()
        faults |= dict.fromkeys(lost, turn)
        columns = {
            "game": played,
            "turn": np.full(len(played), turn + 1),
            "candidates": nodes.sizes[node][move_of].astype(np.int64),
            "consistent": consistent[move_of],
            "minimum": minimum[node][move_of],
            "with_guess": compared.with_guess[move_of],
            "candidates_after": np.append(compared.parts.sizes, 0)[after].astype(np.int64),
            "minimum_after": np.append(compared.totals, 0)[after],
        }
        frames.append(pl.DataFrame(columns))
        nodes = compared.parts
        minimum = compared.totals
        histories = histories[found // game.n_feedback]
        node_of[played] = after
    return pl.concat(frames).filter(~pl.col("game").is_in([*faults])).sort("game", "turn"), faults


def _compared(
    values: Values,
    nodes: Frontier,
    node: Offsets,
    guess: Indices,
    histories: Indices,
    wanted: Offsets,
) -> tuple[GuessTotals, NDArray[np.bool_], Offsets]:
    game = values.game
    sizes = nodes.sizes[node]
    ends = np.cumsum(sizes, dtype=np.int64)
    cuts = np.unique(np.searchsorted(ends, np.arange(0, ends[-1], MEMBERS_AT_ONCE)))
    consistent = []
    with_guess = []
    kept = []
    reached_keys = []
    totals = []
    for some in np.split(np.arange(len(node)), cuts[1:]):
        group = nodes.subset(node[some])
        compared = guess_totals(values, group, guess[some], histories[some])
        keys = some[compared.parts.parents] * game.n_feedback + compared.parts.feedback
        reached = np.flatnonzero(np.isin(keys, wanted))
        consistent.append(is_candidate(game, group, guess[some]))
        with_guess.append(compared.with_guess)
        kept.append(compared.parts.subset(reached))
        reached_keys.append(keys[reached])
        totals.append(compared.totals[reached])
    all_keys = np.concatenate(reached_keys)
    sets = Sets(
        np.concatenate([part.sets.members for part in kept]),
        np.append(0, np.cumsum(np.concatenate([part.sizes for part in kept]), dtype=np.int64)),
    )
    parents, feedback = (part.astype(np.int32) for part in divmod(all_keys, game.n_feedback))
    pools = None
    if kept[0].pools is not None:
        pools = [allowed for part in kept for allowed in part.pools or ()]
    parts = Frontier(kept[0].turn, sets, parents, feedback, pools)
    merged = GuessTotals(np.concatenate(with_guess), parts, np.concatenate(totals))
    return merged, np.concatenate(consistent), all_keys
