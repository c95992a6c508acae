"""A devious codemaker, who has no secret and answers consistently so that the game lasts long.

The codemaker knows a player's rule, but not its draws. Against players that search or sample, it
answers as to random consistent play, which gives a lower bound.
"""

from collections.abc import Callable, Iterator

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import TableGame
from codebreaker.games.symmetry import representatives_of_guesses
from codebreaker.players.contest import Series, play_game
from codebreaker.players.kernels import choosing
from codebreaker.players.kernels import settings as rules
from codebreaker.players.kernels.expectation import value_of
from codebreaker.players.kernels.settings import CERTAIN, SamplingSettings
from codebreaker.players.random_consistent import DEEPEST, make_expectation_workspace
from codebreaker.players.registry import PlayerSpec
from codebreaker.sets.partition import all_secrets, n_log2_n, unsolved
from codebreaker.types import Indices, Move

EXACT = "random-consistent"
RANDOM = SamplingSettings(rules.RANDOM)


class DeviousCodemaker:
    """The best answers to a player who draws one of the best guesses by a rule, and their value.

    A set's value is exact: one guess, plus the mean over its best guesses of the largest value of a
    cell. Without an `opening`, the rule also draws the opening.
    """

    def __init__(
        self,
        game: TableGame,
        rule: SamplingSettings = RANDOM,
        opening: int | None = None,
        memo_mib: float = 64.0,
    ) -> None:
        self.game = game
        self._rule = rule
        self._opening = opening
        every = np.arange(game.n_guesses, dtype=np.int32)
        # Equivalent openings have the same value: without a forced one, each class's is computed
        # once, for its representative.
        self._representative = representatives_of_guesses(game) if opening is None else every
        self._work = make_expectation_workspace(game, memo_mib) if rule == RANDOM else None
        self._after: dict[int, dict[int, float]] = {}
        """By the representative of a class of openings, the value of each answer's cell."""

        self._known: dict[bytes, float] = {}
        """The values of sets, by their members."""

        self._logs = n_log2_n(np.arange(game.n_secrets + 1.0))

    def expected_guesses(self) -> float:
        """Return the expected guesses; raise `CodebreakerError` over DEEPEST turns."""
        secrets = all_secrets(self.game)
        opening = self._opening
        openings = self.best_guesses(secrets) if opening is None else np.array([opening])

        def value(guess: int) -> float:
            return max(self._values(guess, secrets).values(), default=0.0)

        expected = _mean(self._representative[openings], value)
        if not np.isfinite(expected):
            why = f"{self.game.name} takes over {DEEPEST} turns: the answers are not computed"
            raise CodebreakerError(why)
        return expected

    def answer(self, guess: int, members: Indices) -> int:
        """Return the first of the answers to a guess that lead to the most expected guesses."""
        cells = unsolved(self.game, guess, members)
        if len(cells) <= 1:
            return next(iter(cells), self.game.solved)
        values = self._values(guess, members)
        return max(cells, key=lambda f: (values[f], len(cells[f]), -f))

    def _values(self, guess: int, members: Indices) -> dict[int, float]:
        """Return the value of each answer's cell; equivalent openings share their values."""
        if len(members) < self.game.n_secrets:
            return {f: self._value(cell) for f, cell in unsolved(self.game, guess, members).items()}
        opening = int(self._representative[guess])
        if opening not in self._after:
            cells = unsolved(self.game, opening, members)
            representative = representatives_of_guesses(self.game, [opening])
            self._after[opening] = {
                f: self._value(cell, representative) for f, cell in cells.items()
            }
        return self._after[opening]

    def _value(self, members: Indices, representative: Indices | None = None) -> float:
        """Return a set's expected guesses.

        `representative` (n_guesses,) stands for each guess, where this is known to have the same
        value.
        """
        if len(members) <= 2:
            return float(len(members))
        if representative is None and self._work is not None:
            return float(value_of(self._work, 0, members))
        key = members.tobytes()
        if key not in self._known:
            guesses = self.best_guesses(members)
            known = dict[frozenset[bytes], float]()
            guesses = guesses if representative is None else representative[guesses]
            self._known[key] = _mean(guesses, lambda guess: self._largest(guess, members, known))
        return self._known[key]

    def _largest(self, guess: int, members: Indices, known: dict[frozenset[bytes], float]) -> float:
        """Return the largest value of a guess's cells; `known` has those of other partitions."""
        cells = unsolved(self.game, guess, members)
        partition = frozenset(cell.tobytes() for cell in cells.values())
        if partition not in known:
            largest = 0.0
            # A cell's value is at most its size, as each guess rules itself out: once a cell is no
            # larger than the largest value, this and all smaller cells can be left out.
            for cell in sorted(cells.values(), key=len, reverse=True):
                if len(cell) <= largest:
                    break
                largest = max(largest, self._value(cell))
            known[partition] = largest
        return known[partition]

    def best_guesses(self, members: Indices) -> Indices:
        """Return the guesses that the player draws from, for three candidates or more."""
        game = self.game
        settings = self._rule
        candidates = game.guess_of_secret[members]
        if settings.rule == rules.RANDOM:
            return candidates
        # 1. The sizes of the cells of each guess, (n_pool, n_feedback): counted in one array, where
        #    each guess has its own range of feedback ids.
        pool = np.arange(game.n_guesses, dtype=np.int32) if settings.all_codes else candidates
        flat = game.table[pool][:, members] + game.n_feedback * np.arange(len(pool))[:, None]
        sizes = np.bincount(flat.ravel(), minlength=len(pool) * game.n_feedback)
        counts = sizes.reshape(len(pool), game.n_feedback)
        # 2. Scores that order guesses as `choosing.score_of` does.
        parts = np.count_nonzero(counts, axis=1)
        if settings.rule == rules.PARTS:
            scores = parts.astype(np.float64)
        elif settings.rule == rules.WORST:
            scores = -counts.max(axis=1).astype(np.float64)
        elif settings.rule == rules.SIZE:
            scores = -(counts.astype(np.float64) ** 2).sum(axis=1)
        else:
            scores = -self._logs[counts].sum(axis=1) / len(members)
        if settings.prefers:
            scores = scores + choosing.PREFERENCE * np.isin(pool, candidates)
        # 3. The best ones, as in `choosing.guess_from_sample`.
        tied = scores > scores.max() - choosing.TIES
        best: Indices = pool[tied]
        if settings.rule == rules.PLUS:
            most = pool[parts == parts.max()]
            both = np.intersect1d(best, most)
            return both if len(both) else np.union1d(best, most)
        if settings.rule == rules.PLUS2:
            best = best[parts[tied] == parts[tied].max()]
        return best[:1] if settings.first else best


def _mean(guesses: Indices, value: Callable[[int], float]) -> float:
    """Return one guess plus the mean value over guesses, some of which may be repeated."""
    distinct, times = np.unique(guesses, return_counts=True)
    values = np.array([value(guess) for guess in distinct.tolist()])
    return 1.0 + float(values @ times) / len(guesses)


def sampling_rule_of(spec: PlayerSpec) -> SamplingSettings | None:
    """Return the rule of a player who draws one of the best guesses, or None."""
    settings = spec.settings
    if not isinstance(settings, SamplingSettings) or settings.rule == rules.RANDOM:
        return None
    return settings if settings.share == CERTAIN else None


def play_deviously(series: Series, codemaker: DeviousCodemaker, games: int) -> Iterator[list[Move]]:
    """Yield a player's games as lists of moves."""
    game = codemaker.game
    player = series.player.make_player(series.board, **series.options)
    for number in range(games):
        members = all_secrets(game)
        moves = list[Move]()

        def answer(guess: int, moves: list[Move] = moves) -> int | None:
            nonlocal members
            feedback = codemaker.answer(guess, members)
            members = members[game.table[guess, members] == feedback]
            moves.append((guess, feedback))
            return None if feedback == game.solved else feedback

        list(play_game(series, player, number, answer))
        yield moves
