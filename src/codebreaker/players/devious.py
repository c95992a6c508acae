"""A devious codemaker: he has no secret, and answers so that a game takes long.

He answers each guess, and at least one secret fits all his answers. He knows the rule that a player
follows, but not what it draws. His best answers, and the guesses that are then expected, are
computed for random consistent play and for players who draw one of the best guesses. Against
players that search, or look at a sample of the candidates, the answers to random consistent play
show what a codemaker attains at least.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import Game, TableGame
from codebreaker.games.symmetry import orbits
from codebreaker.players import registry
from codebreaker.players.contest import Series, play_game
from codebreaker.players.kernels.board import CERTAIN
from codebreaker.players.kernels.expectation import value_of
from codebreaker.players.kernels.sampling import (
    ENTROPY,
    PARTS,
    PLUS,
    PREFERENCE,
    RANDOM,
    SIZE,
    TIES,
    WORST,
    SamplingSettings,
)
from codebreaker.players.random_consistent import DEEPEST, make_workspace
from codebreaker.players.registry import PlayerSpec
from codebreaker.policies.strategy import Strategy
from codebreaker.sets.partition import all_secrets, split
from codebreaker.statistics import standard_error
from codebreaker.trees.tree import GameTree
from codebreaker.types import Indices, Move, Scores

EXACT = "random-consistent"
"""The player whose expected guesses are computed from all candidates."""


class Codemaker(ABC):
    """The best answers to a player's rule, and what they attain.

    A guess that is right is answered so only if no other secret is left.
    """

    def __init__(self, game: TableGame) -> None:
        self.game = game

    @abstractmethod
    def expected_guesses(self) -> float:
        """Return the expected guesses of the player against this codemaker."""

    @abstractmethod
    def _values(self, guess: int, members: Indices) -> dict[int, float]:
        """Return the guesses expected after each answer but the winning one."""

    def answer(self, guess: int, members: Indices) -> int:
        """Return his answer to a guess: of those after which most guesses follow, the first."""
        cells = self._cells(guess, members)
        if len(cells) <= 1:
            return next(iter(cells), self.game.solved)
        values = self._values(guess, members)
        return max(cells, key=lambda f: (values[f], len(cells[f]), -f))

    def _cells(self, guess: int, members: Indices) -> dict[int, Indices]:
        """Return the cells of a guess, without that of the winning answer."""
        cells = split(self.game, guess, members)
        cells.pop(self.game.solved, None)
        return cells


class DeviousCodemaker(Codemaker):
    """The best answers to random consistent play."""

    def __init__(self, game: TableGame, memo_mib: float = 64.0) -> None:
        super().__init__(game)
        self._work = make_workspace(game, memo_mib)
        self._first = orbits(game, [])
        self._after: dict[int, dict[int, float]] = {}

    def expected_guesses(self) -> float:
        """Return the expected guesses of random consistent play against this codemaker.

        Raises `CodebreakerError` if a game may take more than DEEPEST turns.
        """
        guesses, times = np.unique(self._first[self.game.guess_of_secret], return_counts=True)
        values = [max(self._after_first(guess).values(), default=0.0) for guess in guesses.tolist()]
        expected = 1.0 + float(np.array(values) @ times) / self.game.n_secrets
        if not np.isfinite(expected):
            raise CodebreakerError(
                f"{self.game.name} takes over {DEEPEST} turns: his answers are not computed"
            )
        return expected

    def _values(self, guess: int, members: Indices) -> dict[int, float]:
        if len(members) == self.game.n_secrets:
            return self._after_first(int(self._first[guess]))
        return {f: value_of(self._work, 0, one) for f, one in self._cells(guess, members).items()}

    def _after_first(self, guess: int) -> dict[int, float]:
        """Return the value of each cell of a first guess; second guesses up to symmetry."""
        if guess not in self._after:
            cells, second = self._cells(guess, all_secrets(self.game)), orbits(self.game, [guess])
            self._after[guess] = {f: self._value(cell, second) for f, cell in cells.items()}
        return self._after[guess]

    def _value(self, members: Indices, orbit: Indices) -> float:
        """Return the value of a set whose symmetries have these orbits of guesses."""
        own = self.game.guess_of_secret[members]
        guesses, times = np.unique(orbit[own], return_counts=True)
        values = [
            max(
                (value_of(self._work, 0, one) for one in self._cells(guess, members).values()),
                default=0,
            )
            for guess in guesses.tolist()
        ]
        return 1.0 + float(np.array(values) @ times) / len(members)


def play_deviously(
    series: Series, codemaker: Codemaker, games: int
) -> Iterator[list[tuple[int, int]]]:
    """Yield a player's games against the codemaker: each a list of moves, the last one solved."""
    game = codemaker.game
    player = series.player.make_player(series.board, **series.options)
    for number in range(games):
        members, moves = all_secrets(game), list[tuple[int, int]]()

        def answer(guess: int, moves: list[tuple[int, int]] = moves) -> int | None:
            nonlocal members
            feedback = codemaker.answer(guess, members)
            members = members[game.table[guess, members] == feedback]
            moves.append((guess, feedback))
            return None if feedback == game.solved else feedback

        for _ in play_game(series, player, number, answer):
            pass
        yield moves


def rule_of(spec: PlayerSpec) -> SamplingSettings | None:
    """Return the rule of a player who draws one of the best guesses, None for other players."""
    made = spec.make_player
    if not isinstance(made, partial) or made.func is not registry.sampling_player:
        return None
    [rule], options = made.args, made.keywords
    if rule == RANDOM or options.get("share", 1.0) < 1:
        return None
    numbers = [int(options.get(name, 0)) for name in ("all_codes", "prefers", "first")]
    return SamplingSettings(rule, CERTAIN, 1, *numbers)


class BestResponse(Codemaker):
    """The best answers to a player who draws one of the best guesses, and has an opening.

    Which guesses are best depends on the candidates alone, and each is as likely. So the value of a
    set is one guess, plus the mean over its best guesses of the largest value of a cell that the
    codemaker may choose. That is exact, and is found set by set.
    """

    def __init__(self, game: TableGame, rule: SamplingSettings, opening: int) -> None:
        super().__init__(game)
        self._rule, self._opening = rule, opening
        self._second = orbits(game, [opening])
        self._known: dict[bytes, float] = {}
        n = np.arange(game.n_secrets + 1.0)
        self._logs: Scores = n * np.log2(np.maximum(n, 1))

    def expected_guesses(self) -> float:
        """Return the expected guesses of the player against this codemaker."""
        return 1.0 + max(self._values(self._opening, all_secrets(self.game)).values())

    def _values(self, guess: int, members: Indices) -> dict[int, float]:
        alike = self._second if len(members) == self.game.n_secrets else None
        return {f: self._value(cell, alike) for f, cell in self._cells(guess, members).items()}

    def _value(self, members: Indices, alike: Indices | None = None) -> float:
        """Return the value of a set; guesses with the same number in `alike` have equal ones."""
        if len(members) <= 2:
            return float(len(members))
        key = members.tobytes()
        if key not in self._known:
            guesses = self.best_guesses(members)
            guesses = guesses if alike is None else alike[guesses]
            kinds, times = np.unique(guesses, return_counts=True)
            known: dict[frozenset[bytes], float] = {}
            total = sum(
                int(count) * self._largest(int(guess), members, known)
                for guess, count in zip(kinds, times, strict=True)
            )
            self._known[key] = 1.0 + total / len(guesses)
        return self._known[key]

    def _largest(self, guess: int, members: Indices, known: dict[frozenset[bytes], float]) -> float:
        """Return the largest value of a cell; a cell's is at most its size."""
        cells = self._cells(guess, members)
        kind = frozenset(cell.tobytes() for cell in cells.values())
        if kind not in known:
            largest = 0.0
            for cell in sorted(cells.values(), key=len, reverse=True):
                if len(cell) <= largest:
                    break
                largest = max(largest, self._value(cell))
            known[kind] = largest
        return known[kind]

    def best_guesses(self, members: Indices) -> Indices:
        """Return the guesses that the player draws from, for three candidates or more."""
        game, rule, own = self.game, self._rule, self.game.guess_of_secret[members]
        pool = np.arange(game.n_guesses, dtype=np.int32) if rule.all_codes else own
        flat = game.table[pool][:, members] + game.n_feedback * np.arange(len(pool))[:, None]
        sizes = np.bincount(flat.ravel(), minlength=len(pool) * game.n_feedback)
        counts = sizes.reshape(len(pool), game.n_feedback)
        parts = np.count_nonzero(counts, axis=1)
        if rule.rule == PARTS:
            scores = parts.astype(np.float64)
        elif rule.rule == WORST:
            scores = -counts.max(axis=1).astype(np.float64)
        elif rule.rule == SIZE:
            scores = -(counts.astype(np.float64) ** 2).sum(axis=1)
        else:
            scores = -self._logs[counts].sum(axis=1) / len(members)
        if rule.prefers:
            scores = scores + PREFERENCE * np.isin(pool, own)
        best: Indices = pool[scores > scores.max() - TIES]
        if rule.rule in (ENTROPY, PARTS, SIZE, WORST):
            return best[:1] if rule.first else best
        most = pool[parts == parts.max()]
        if rule.rule == PLUS:
            both = np.intersect1d(best, most)
            return both if len(both) else np.union1d(best, most)
        own_parts = parts[scores > scores.max() - TIES]
        chosen: Indices = best[own_parts == own_parts.max()]
        return chosen


def longest_play(game: Game, tree: GameTree) -> list[Move]:
    """Return the first of a tree's longest plays: what he answers to a strategy without draws."""
    node = int(np.flatnonzero(tree.turn == tree.turn.max())[0])
    moves = [(int(tree.guess[node]), game.solved)]
    while tree.parent[node] >= 0:
        feedback, node = int(tree.feedback[node]), int(tree.parent[node])
        moves.insert(0, (int(tree.guess[node]), feedback))
    return moves


def write_play(game: Game, moves: Sequence[Move]) -> str:
    """Return moves as text: each guess with the label of its answer."""
    return " ".join(f"{game.guesses[guess]}:{game.feedback_labels[told]}" for guess, told in moves)


def strategies_row(game: Game, tree: GameTree, key: Strategy) -> dict[str, Any]:
    """Return a strategy's key, mean and maximum, how many secrets need it, and its longest play."""
    profile = tree.profile
    return key.row | {
        "mean": round(tree.total_guesses / int(tree.n_candidates[0]), 4),
        "devious": len(profile),
        "secrets": int(profile[-1]),
        "play": write_play(game, longest_play(game, tree)),
    }


def players_frame(
    games: Iterable[tuple[str, float | None, Game, list[list[Move]]]],
) -> pl.DataFrame:
    """Return one row per player: mean guesses with their error, the most, and a longest game.

    `games` are its name, the exact expectation if known, the game, and all moves of all games.
    """
    rows = []
    for player, exact, game, played in games:
        guesses = np.array([len(moves) for moves in played])
        rows.append(
            {
                "player": player,
                "games": len(guesses),
                "devious": float(guesses.mean()),
                "error": standard_error(guesses),
                "exact": exact,
                "max": int(guesses.max()),
                "play": write_play(game, played[int(guesses.argmax())]),
            }
        )
    return pl.DataFrame(rows, schema_overrides={"exact": pl.Float64})
