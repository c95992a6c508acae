"""Games scored move by move: what each guess costs, and how lucky its feedback is.

Let V(S) be the mean number of further guesses for the candidates S, and Q(S, g) that of playing g
first: 1 + the mean of V over the cells of g, where the solved cell has the value 0. The regret of g
is Q(S, g) − V(S), and the luck of a feedback that leaves the cell C is Q(S, g) − (1 + V(C)). Over a
finished game the number of guesses is V(all secrets) + the regrets − the lucks, exactly: all are
ratios of the integers kept here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from codebreaker.advice.regret import Values
from codebreaker.games.model import CodeGame, Game, TableGame
from codebreaker.games.symmetry import MOST_PERMUTED, precedes
from codebreaker.trees.frontier import Frontier, is_candidate, split
from codebreaker.trees.grow import feedback_of_sets
from codebreaker.types import Indices, Move, Offsets, SymbolMatrix, Totals

NO_GUESS = -1
"""Stands for the turns after a game's last guess."""

CELLS_AT_ONCE = 1 << 20


def canonical(game: Game, guesses: Indices, only_opening: bool = False) -> Indices:
    """Return each game's guesses under the symmetry that makes them least, (n_games, n_turns).

    `guesses` are padded with NO_GUESS. Positions are permuted and colours renamed in the order of
    their appearance; games that are images of each other become equal, and so do equal beginnings.
    With `only_opening` the least opening decides, colours that it lacks keep their order, and a
    game whose opening is least stays as it is. A game without known symmetries, or whose
    positions have colours of their own, returns the guesses as they are.
    """
    symbols = _symbols(game)
    if symbols is None:
        return guesses
    codes, n_colours = symbols
    result = guesses.copy()
    lengths = (guesses != NO_GUESS).sum(axis=1)
    for length in np.unique(lengths[lengths > 0]).tolist():
        group = np.flatnonzero(lengths == length)
        step = max(CELLS_AT_ONCE // (length * codes.shape[1]), 1)
        for first in range(0, len(group), step):
            some = group[first : first + step]
            played = guesses[some, :length]
            result[some, :length] = _least(codes, n_colours, played, only_opening)
    return result


def _symbols(game: Game) -> tuple[SymbolMatrix, int] | None:
    """Return the codes of a game and the number of their colours, if all positions share them."""
    if isinstance(game, CodeGame):
        return game.codes, game.n_colours
    assert isinstance(game, TableGame)
    if game.symmetry is None or game.symmetry.alphabets.any():
        return None
    return game.symmetry.codes, game.symmetry.n_colours


def _least(codes: SymbolMatrix, n_colours: int, played: Indices, only_opening: bool) -> Indices:
    """Return the least image of each game, for games of one length, (n_games, length)."""
    n_games, length = played.shape
    pegs = codes.shape[1]
    place = n_colours ** np.arange(pegs - 1, -1, -1, dtype=np.int64)
    rows = codes[played].astype(np.int64)
    decisive = 1 if only_opening else length
    least: NDArray[np.int64] | None = None
    for positions in _orders(pegs):
        moved = rows[:, :, positions].reshape(n_games, -1)
        if only_opening:
            every = np.broadcast_to(np.arange(n_colours), (n_games, n_colours))
            moved = np.hstack([moved[:, :pegs], every, moved[:, pegs:]])
        renamed = _by_appearance(moved, n_colours)
        if only_opening:
            renamed = np.hstack([renamed[:, :pegs], renamed[:, pegs + n_colours :]])
        values = renamed.reshape(n_games, length, pegs) @ place
        if least is None:
            least = values
            continue
        lower = precedes(values[:, :decisive], least[:, :decisive])
        least = np.where(lower[:, None], values, least)
    assert least is not None
    indices: Indices = np.searchsorted(codes @ place, least).astype(np.int32)
    return indices


def _orders(pegs: int) -> Iterator[list[int]]:
    """Yield the permutations of the positions, that of no change first."""
    every = permutations(range(pegs)) if pegs <= MOST_PERMUTED else [tuple(range(pegs))]
    return map(list, every)


def _by_appearance(rows: NDArray[np.int64], n_colours: int) -> NDArray[np.int64]:
    """Rename the colours of each row to 0, 1, ... in the order of their appearance."""
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


MEMBERS_AT_ONCE = 1 << 22
"""About how many candidates the moves that are priced together have."""


class ScoredMove(NamedTuple):
    """A move by numbers of candidates and totals of guesses over them.

    `least` is the total of the candidates before the guess, `with_guess` that of playing it, and
    `least_after` that of the candidates that the feedback leaves; after the solving guess both
    `left` and `least_after` are 0.
    """

    candidates: int
    least: int
    with_guess: int
    left: int
    least_after: int
    is_consistent: bool

    @property
    def expected(self) -> Fraction:
        """Return the mean number of further guesses before the guess."""
        return Fraction(self.least, self.candidates)

    @property
    def expected_with_guess(self) -> Fraction:
        """Return the same if the guess is played next."""
        return Fraction(self.with_guess, self.candidates)

    @property
    def expected_after(self) -> Fraction:
        """Return the mean number of further guesses after the feedback; 0 if it solves."""
        return Fraction(self.least_after, self.left) if self.left else Fraction(0)

    @property
    def regret(self) -> Fraction:
        """Return what the guess costs; it is negative if it beats the policy that judges it."""
        return Fraction(self.with_guess - self.least, self.candidates)

    @property
    def luck(self) -> Fraction:
        """Return how many guesses the feedback saves, compared with its expectation."""
        return self.expected_with_guess - 1 - self.expected_after


class Contradiction(NamedTuple):
    """The 0-based index of the first move of a game whose feedback no secret gives."""

    move: int


@dataclass(frozen=True)
class _Level:
    """The distinct moves of a turn, with the children of those that the games reach.

    `move_of` (n_games,) is each game's move, `child_of` the state after it; both are −1 where there
    is none. The children's sizes and least totals end with a 0, for −1.
    """

    candidates: Offsets
    least: Totals
    with_guess: Totals
    consistent: NDArray[np.bool_]
    move_of: Offsets
    child_of: Offsets
    child_sizes: Offsets
    child_least: Totals


def score_games(
    values: Values, games: Sequence[Sequence[Move]]
) -> list[list[ScoredMove] | Contradiction]:
    """Score games of one kind, each a sequence of moves that at most its last one solves."""
    game = values.game
    longest = max(map(len, games), default=0)
    guesses = np.full((len(games), longest), NO_GUESS, dtype=np.int32)
    feedback = np.full((len(games), longest), -1, dtype=np.int64)
    for row, moves in enumerate(games):
        if moves:
            guesses[row, : len(moves)], feedback[row, : len(moves)] = zip(*moves, strict=True)
    guesses = canonical(game, guesses, only_opening=not values.is_exact)
    scored: list[list[ScoredMove] | Contradiction] = [[] for _ in games]
    for turn, level in enumerate(_levels(values, guesses, feedback)):
        rows = np.flatnonzero(level.move_of >= 0)
        moves_of, children = level.move_of[rows], level.child_of[rows]
        consistent = level.consistent[moves_of]
        columns = (
            level.candidates[moves_of], level.least[moves_of], level.with_guess[moves_of],
            level.child_sizes[children], level.child_least[children], consistent,
        )  # fmt: skip
        lost = (children < 0) & ~(consistent & (feedback[rows, turn] == game.solved))
        for row, is_lost, *cells in zip(
            rows.tolist(), lost.tolist(), *(column.tolist() for column in columns), strict=True
        ):
            entry = scored[row]
            if is_lost:
                scored[row] = Contradiction(turn)
            elif isinstance(entry, list):
                entry.append(ScoredMove(*cells))
    return scored


def _levels(values: Values, guesses: Indices, feedback: Offsets) -> Iterator[_Level]:
    """Yield the moves turn by turn; equal beginnings of games share their states."""
    game = values.game
    states, least = Frontier.initial(game), np.array([values.root()])
    histories = np.empty((1, 0), dtype=np.int32)
    state_of = np.zeros(len(guesses), dtype=np.int64)
    for turn in range(guesses.shape[1]):
        state_of[guesses[:, turn] == NO_GUESS] = -1
        active = np.flatnonzero(state_of >= 0)
        if not len(active):
            return
        move_of = np.full(len(guesses), -1, dtype=np.int64)
        keys = state_of[active] * game.n_guesses + guesses[active, turn]
        moves, move_of[active] = np.unique(keys, return_inverse=True)
        state, guess = moves // game.n_guesses, (moves % game.n_guesses).astype(np.int32)
        histories = np.hstack([histories[state], guess[:, None]])
        wanted = move_of[active] * game.n_feedback + feedback[active, turn]
        with_guess, consistent, children, found = _price(
            values, states.subset(state), guess, histories, np.unique(wanted)
        )
        child_of = np.full(len(guesses), -1, dtype=np.int64)
        reached = np.isin(wanted, found.keys)
        child_of[active[reached]] = np.searchsorted(found.keys, wanted[reached])
        yield _Level(
            states.sizes[state].astype(np.int64), least[state], with_guess, consistent,
            move_of, child_of, np.append(children.sizes, 0).astype(np.int64),
            np.append(found.totals, 0),
        )  # fmt: skip
        states, least, state_of = children, found.totals, child_of
        histories = histories[found.keys // game.n_feedback]


class _Found(NamedTuple):
    """The keys, move · n_feedback + feedback, of the states that games reach, and their totals."""

    keys: Offsets
    totals: Totals


def _price(
    values: Values, nodes: Frontier, guess: Indices, histories: Indices, wanted: Offsets
) -> tuple[Totals, NDArray[np.bool_], Frontier, _Found]:
    """Return the moves' totals, whether their guesses are candidates, and the wanted cells.

    `nodes` are the moves' states; `wanted` are keys as in `_Found`. The moves are priced in parts
    that fit the memory.
    """
    game = values.game
    with_guess = nodes.sizes.astype(np.int64)
    consistent = np.empty(len(guess), dtype=np.bool_)
    cells, keys, totals = list[Frontier](), list[Offsets](), list[Totals]()
    ends = np.cumsum(with_guess)
    cuts = np.unique(np.searchsorted(ends, np.arange(0, ends[-1], MEMBERS_AT_ONCE)))
    for first, last in zip(cuts.tolist(), [*cuts[1:].tolist(), len(guess)], strict=True):
        part = nodes.subset(np.arange(first, last))
        played = guess[first:last]
        consistent[first:last] = is_candidate(game, part, played)
        below = split(game, part, feedback_of_sets(game, part.sets, played))
        parents = below.parents.astype(np.int64) + first
        found = values.totals(below, histories[parents])
        np.add.at(with_guess, parents, found)
        key = parents * game.n_feedback + below.feedback
        kept = np.flatnonzero(np.isin(key, wanted))
        cells.append(below.subset(kept))
        keys.append(key[kept])
        totals.append(found[kept])
    found_below = _Found(np.concatenate(keys), np.concatenate(totals))
    return with_guess, consistent, _joined(cells), found_below


def _joined(parts: list[Frontier]) -> Frontier:
    """Return the frontier of all nodes of several ones of the same turn."""
    sizes = np.concatenate([part.sizes for part in parts])
    sets = type(parts[0].sets)(
        np.concatenate([part.sets.members for part in parts]),
        np.append(0, np.cumsum(sizes, dtype=np.int64)),
    )
    parents = np.full(len(sizes), -1, dtype=np.int32)
    return Frontier(parts[0].turn, sets, parents, np.concatenate([p.feedback for p in parts]))
