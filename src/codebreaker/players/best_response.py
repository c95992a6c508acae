"""The devious codemaker's best answers to players who draw one of the best guesses.

Which guesses these are depends on the candidates alone, and each is as likely. So the value of a
set is one guess, plus the mean over its best guesses of the largest value of a cell that the
codemaker may choose. That is exact, and is found set by set.
"""

from functools import partial

import numpy as np

from codebreaker.games.model import TableGame
from codebreaker.games.symmetry import orbits
from codebreaker.players import sampling
from codebreaker.players.kernels.board import CERTAIN
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
from codebreaker.players.player import PlayerSpec
from codebreaker.sets.partition import all_secrets, split
from codebreaker.types import Indices, Scores


def rule_of(spec: PlayerSpec) -> SamplingSettings | None:
    """Return the rule of a player who draws one of the best guesses, None for other players."""
    made = spec.make_player
    if not isinstance(made, partial) or made.func is not sampling.make_player:
        return None
    [rule], options = made.args, made.keywords
    if rule == RANDOM or options.get("share", 1.0) < 1:
        return None
    numbers = [int(options.get(name, 0)) for name in ("all_codes", "prefers", "first")]
    return SamplingSettings(rule, CERTAIN, 1, *numbers)


class BestResponse:
    """The best answers to a player with a rule and an opening, and what they attain."""

    def __init__(self, game: TableGame, rule: SamplingSettings, opening: int) -> None:
        self.game, self._rule, self._opening = game, rule, opening
        self._second = orbits(game, [opening])
        self._values: dict[bytes, float] = {}
        n = np.arange(game.n_secrets + 1.0)
        self._logs: Scores = n * np.log2(np.maximum(n, 1))

    def expected_guesses(self) -> float:
        """Return the expected guesses of the player against this codemaker."""
        cells = split(self.game, self._opening, all_secrets(self.game))
        cells.pop(self.game.solved, None)
        return 1.0 + max(self._value(cell, self._second) for cell in cells.values())

    def answer(self, guess: int, members: Indices) -> int:
        """Return his answer to a guess: of those after which most guesses follow, the first."""
        cells = split(self.game, guess, members)
        if len(cells) == 1:
            return next(iter(cells))
        cells.pop(self.game.solved, None)
        first = len(members) == self.game.n_secrets
        values = {
            f: self._value(cell, self._second if first else None) for f, cell in cells.items()
        }
        return max(cells, key=lambda f: (values[f], len(cells[f]), -f))

    def _value(self, members: Indices, alike: Indices | None = None) -> float:
        """Return the value of a set; guesses with the same number in `alike` have equal ones."""
        if len(members) <= 2:
            return float(len(members))
        key = members.tobytes()
        if key not in self._values:
            guesses = self.best_guesses(members)
            guesses = guesses if alike is None else alike[guesses]
            kinds, times = np.unique(guesses, return_counts=True)
            known: dict[frozenset[bytes], float] = {}
            total = sum(
                int(count) * self._largest(int(guess), members, known)
                for guess, count in zip(kinds, times, strict=True)
            )
            self._values[key] = 1.0 + total / len(guesses)
        return self._values[key]

    def _largest(self, guess: int, members: Indices, known: dict[frozenset[bytes], float]) -> float:
        """Return the largest value of a cell; a cell's is at most its size."""
        cells = split(self.game, guess, members)
        cells.pop(self.game.solved, None)
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
