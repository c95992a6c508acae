"""Games scored move by move: the regret of each guess, and the luck of its feedback.

With mean V(S) for candidates S and Q(S, g) if g is played, regret is Q(S, g) − V(S), and luck Q(S,
g) − (1 + V(C)) for the remaining part C. Guesses are exactly V(all) + regrets − lucks.
"""

from collections.abc import Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from codebreaker.advice.cached import TotalsCache, best_known_tree
from codebreaker.advice.regret import GuessTotals, OptimalValues, PolicyValues, Values, guess_totals
from codebreaker.advice.resolve import Settings, strategy_for
from codebreaker.constants import LARGEST_ENDGAME, OPTIMAL
from codebreaker.errors import CodebreakerError
from codebreaker.games.model import GameModel
from codebreaker.games.notation import Notation
from codebreaker.games.registry import is_as_named
from codebreaker.games.renaming import by_appearance
from codebreaker.games.symmetry import MOST_PERMUTED, precedes
from codebreaker.policies.strategy import Strategy
from codebreaker.sets.primitives import Sets
from codebreaker.trees.frontier import Frontier, is_candidate
from codebreaker.trees.grow import start_in
from codebreaker.types import AnyPool, Indices, Move, Offsets, SymbolMatrix

LOOKUPS = 1 << 34
"""Maximum number of look-ups in tables per set."""

SECONDS = 120.0
"""Maximum time of exact search per game, in seconds; see `OptimalValues`."""

ENDGAMES = 12
"""Maximum size of the sets that a policy as a judge plays optimally."""

LARGEST_EXACT = 1 << 22
LARGEST_PROVEN = 1 << 25
"""Maximum number of table entries of a game that optimal play judges by default: of any game, and
of one whose minimum total is recorded."""

STRONGEST = {"mm-5-8": ("endgame-weighted-179064", "11223", LARGEST_ENDGAME)}
"""The policy, opening and endgames of the lowest known total, where it is not the default."""

NO_GUESS = -1
"""Pads the guesses of games that are shorter than the longest one."""

NO_NODE = -1
"""The node of a game that has ended, or whose feedback leaves no candidate."""

SYMBOLS_AT_ONCE = 1 << 20
"""Maximum number of symbols of games that are renamed at once, to limit memory."""

MEMBERS_AT_ONCE = 1 << 22
"""Maximum number of candidates in sets that are split at once, to limit memory."""


def values_of(
    notation: Notation,
    policy: str | None = None,
    exact: bool | None = None,
    guess_pool: AnyPool | None = None,
) -> Values:
    """Return the values that judge a game's moves: a named policy's, or optimal play's.

    If `exact` is false, or None and the game too large, the best policy known judges. Judges
    play with the `guess_pool`; without one optimal play has all guesses, and a policy its own.
    """
    game = notation.game
    if policy is None and (is_judged_exactly(game) if exact is None else exact):
        if not game.has_table:
            raise CodebreakerError(
                f"{game.name} has no table, and optimal play is out of reach: judge it by a policy"
            )
        pool = guess_pool or "all"
        cache = TotalsCache(game.with_table(), pool)
        return OptimalValues(game, LOOKUPS, SECONDS, cache=cache, guess_pool=pool)
    return PolicyValues(game, reference_policy(notation, policy, guess_pool))


def is_judged_exactly(game: GameModel) -> bool:
    """Return whether optimal play judges a game's moves by default."""
    if not game.has_table:
        return False
    _, found_by = best_known_tree(game) or (None, "")
    largest = LARGEST_PROVEN if found_by == OPTIMAL else LARGEST_EXACT
    return game.n_guesses * game.n_secrets <= largest


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
    settings = Settings(opening, guess_pool, endgames=endgames)
    return strategy_for(notation, policy, settings)


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
    """Return the lowest equivalent of games' guesses, (n_games, n_turns) as `played`.

    Each order of positions is tried. For a given order, naming colours in the order of their first
    appearance gives the lowest codes. A code's number, its symbols read as digits, orders codes as
    their indices do.
    """
    n_games, length = played.shape
    pegs = codes.shape[1]
    digit_values = n_colours ** np.arange(pegs - 1, -1, -1, dtype=np.int64)
    rows = codes[played].astype(np.int64)
    decisive = 1 if only_opening else length
    # The identity comes first, so that it wins ties.
    orders = permutations(range(pegs)) if pegs <= MOST_PERMUTED else [tuple(range(pegs))]
    minimum = np.empty((0, length), dtype=np.int64)
    for positions in map(list, orders):
        moved = rows[:, :, positions].reshape(n_games, -1)
        # All colours stand behind the opening, so that those it lacks are named in their own order.
        if only_opening:
            every = np.broadcast_to(np.arange(n_colours), (n_games, n_colours))
            moved = np.hstack([moved[:, :pegs], every, moved[:, pegs:]])
        renamed = by_appearance(moved, n_colours)
        if only_opening:
            renamed = np.hstack([renamed[:, :pegs], renamed[:, pegs + n_colours :]])
        numbers = renamed.reshape(n_games, length, pegs) @ digit_values
        if not len(minimum):
            minimum = numbers
            continue
        lower = precedes(numbers[:, :decisive], minimum[:, :decisive])
        minimum = np.where(lower[:, None], numbers, minimum)
    return np.searchsorted(codes @ digit_values, minimum).astype(np.int32)


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
    # Games with the same moves so far share a node, and those with the same guess there a step.
    nodes = start_in(game, values.guess_pool)
    minimum = np.array([values.root()])
    histories = np.empty((1, 0), dtype=np.int32)
    node_of = np.zeros(len(games), dtype=np.int64)
    frames = list[pl.DataFrame]()
    faults = dict[int, int]()
    for turn in range(longest):
        # 1. The distinct steps, and the step of each game that goes on.
        node_of[guesses[:, turn] == NO_GUESS] = NO_NODE
        played = np.flatnonzero(node_of != NO_NODE)
        if not len(played):
            break
        keys = _pack(node_of[played], guesses[played, turn], game.n_guesses)
        distinct, step_of = np.unique(keys, return_inverse=True)
        node, guess = _unpack(distinct, game.n_guesses)
        histories = np.hstack([histories[node], guess[:, None]])
        # 2. The values of the steps, and of the parts that the games' feedback leaves.
        wanted = _pack(step_of, feedback[played, turn], game.n_feedback)
        steps = _Steps(node, guess, histories)
        compared = _compared(values, nodes, steps, np.unique(wanted))
        after = _positions(compared.parts, wanted)
        # 3. Feedback without a part is impossible, unless it is that of a candidate that wins.
        totals = compared.totals
        consistent = compared.consistent[step_of]
        is_solved = consistent & (feedback[played, turn] == game.solved)
        faulty = played[(after == NO_NODE) & ~is_solved].tolist()
        faults |= dict.fromkeys(faulty, turn)
        # 4. A row for each game. `after` is −1 where nothing is left: the 0 that is appended.
        columns = {
            "game": played,
            "turn": np.full(len(played), turn + 1),
            "candidates": nodes.sizes[node][step_of].astype(np.int64),
            "consistent": consistent,
            "minimum": minimum[node][step_of],
            "with_guess": totals.with_guess[step_of],
            "candidates_after": np.append(totals.parts.sizes, 0)[after].astype(np.int64),
            "minimum_after": np.append(totals.totals, 0)[after],
        }
        frames.append(pl.DataFrame(columns))
        # 5. The parts are the next turn's nodes.
        nodes = totals.parts
        minimum = totals.totals
        histories = histories[nodes.parents]
        node_of[played] = after
    return pl.concat(frames).filter(~pl.col("game").is_in([*faults])).sort("game", "turn"), faults


def _pack(first: Offsets, second: Indices | Offsets, n: int) -> Offsets:
    """Return pairs of a number and another below n as one integer each, in the pairs' order."""
    return first * n + second


def _unpack(packed: Offsets, n: int) -> tuple[Offsets, Indices]:
    """Return both numbers of each pair of `_pack`."""
    return packed // n, (packed % n).astype(np.int32)


def _positions(present: Offsets, wanted: Offsets) -> Offsets:
    """Return where wanted numbers are in an ascending list, NO_NODE if they aren't."""
    return np.where(np.isin(wanted, present), np.searchsorted(present, wanted), NO_NODE)


class _Steps(NamedTuple):
    """Guesses at nodes, by step: the node, the guess, and all guesses up to it."""

    node: Offsets  # (n_steps,)
    guess: Indices  # (n_steps,)
    histories: Indices  # (n_steps, turn)


class _ComparedSteps(NamedTuple):
    """The values of steps, and the parts that some games reach."""

    totals: GuessTotals
    consistent: NDArray[np.bool_]  # (n_steps,), whether the guess is a candidate
    parts: Offsets  # (n_parts,), each part's step and feedback, packed, ascending


def _compared(values: Values, nodes: Frontier, steps: _Steps, wanted: Offsets) -> _ComparedSteps:
    """Return the values of steps; of their parts only the `wanted` ones, by step and feedback.

    Steps are compared in groups of about MEMBERS_AT_ONCE candidates, whose results are joined.
    """
    game = values.game
    # 1. Cut the steps where the number of candidates so far passes a multiple of the limit.
    ends = np.cumsum(nodes.sizes[steps.node], dtype=np.int64)
    cuts = np.unique(np.searchsorted(ends, np.arange(0, ends[-1], MEMBERS_AT_ONCE)))
    consistent = []
    with_guess = []
    parts = []
    packed = []
    totals = []
    # 2. Compare each group, and keep the wanted parts.
    for group in np.split(np.arange(len(steps.node)), cuts[1:]):
        at = nodes.subset(steps.node[group])
        guesses = steps.guess[group]
        compared = guess_totals(values, at, guesses, steps.histories[group])
        step_of_part = group[compared.parts.parents]
        keys = _pack(step_of_part, compared.parts.feedback, game.n_feedback)
        reached = np.flatnonzero(np.isin(keys, wanted))
        consistent.append(is_candidate(game, at, guesses))
        with_guess.append(compared.with_guess)
        parts.append(compared.parts.subset(reached))
        packed.append(keys[reached])
        totals.append(compared.totals[reached])
    # 3. Join the groups: one frontier, whose parents are steps.
    keys = np.concatenate(packed)
    step_of_part, feedback = _unpack(keys, game.n_feedback)
    sizes = np.concatenate([part.sizes for part in parts])
    members = np.concatenate([part.sets.members for part in parts])
    pools = None
    if parts[0].pools is not None:
        pools = [allowed for part in parts for allowed in part.pools or ()]
    joined = Frontier(
        turn=parts[0].turn,
        sets=Sets(members, np.append(0, np.cumsum(sizes, dtype=np.int64))),
        parents=step_of_part.astype(np.int32),
        feedback=feedback,
        pools=pools,
    )
    values_of_steps = GuessTotals(np.concatenate(with_guess), joined, np.concatenate(totals))
    return _ComparedSteps(values_of_steps, np.concatenate(consistent), keys)
