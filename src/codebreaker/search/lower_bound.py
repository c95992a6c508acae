"""Proofs of lower bounds for an independent checker.

Each claim bounds the total of a candidate set, and of all sets into which another order of the pegs
and other names of the colours turn it. It follows from claims on the parts of each guess, and from
bounds that the checker computes: from a set's size, from the largest number of parts, and by
looking one guess ahead from a small set.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from codebreaker.constants import MAX_DEPTH
from codebreaker.errors import CodebreakerError
from codebreaker.games.model import Symmetry, TableGame
from codebreaker.games.symmetry import (
    class_representatives,
    exchanges_of_pairs,
    representatives_of_set,
)
from codebreaker.runtime.progress import report_progress
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.size_bounds import size_bounds
from codebreaker.types import FeedbackIds, GuessPool, Indices

NEVER = 1 << 20
"""The bound of a set that can't be solved in the guesses left, as the checker has it."""

WORD = np.uint64(0x9E3779B97F4A7C15)
"""An odd number, whose powers look random; the checker has the same."""

MOST_FEEDBACK = 63
"""Maximum number of kinds of feedback, each of which is a bit of an int64."""


@dataclass
class Claim:
    """A lower bound on the total of a set, which moves such as `1123 1B-1C` lead to."""

    moves: str
    members: Indices
    turn: int
    bound: int


@dataclass
class RegretBounds:
    """Lower bounds on the regret of guesses at a set, by index of the guess."""

    moves: str
    of_guess: dict[int, int]


class LowerBound:
    """A proof that no strategy for Mastermind needs fewer guesses; `guess_limit` is per secret."""

    def __init__(
        self, game: TableGame, guess_pool: GuessPool = "all", guess_limit: int | None = None
    ) -> None:
        facts = game.facts
        if not facts.guesses_are_secrets:
            raise CodebreakerError(
                f"not every guess of {game.name} can be the secret: proofs are for games of codes "
                "in which each can"
            )
        # With few colours, some feedback ids don't occur.
        kinds = np.unique(game.table)
        if not facts.solved_is_last or len(kinds) > MOST_FEEDBACK:
            raise CodebreakerError(
                f"the feedback of {game.name} does not suit proofs: the last of at most "
                f"{MOST_FEEDBACK} kinds of feedback has to win"
            )
        if game.n_secrets * MAX_DEPTH >= NEVER:
            raise CodebreakerError(f"{game.name} has too many secrets for a proof")
        self.game = game
        self.guess_pool = guess_pool
        self.guess_limit = guess_limit
        self.claims: dict[tuple[bytes, int], Claim] = {}
        self._fewest = game.n_secrets  # candidates of a claim: smaller sets have none
        self._forms = _Forms(game)
        self._n_kinds = len(kinds) - 1  # without that of a solved game
        self._search = CostToGo(game, guess_limit, guess_pool=guess_pool)
        self._feedback_bits = 1 << np.searchsorted(kinds, game.table)
        self._exchanges = exchanges_of_pairs(game)
        self._sizes: dict[int, NDArray[np.int64]] = {}
        self._bounds: dict[tuple[bytes, int], int] = {}
        self._bounds_ahead: dict[tuple[bytes, int], int] = {}

    def to_dict(self) -> dict[str, Any]:
        """Return the proof as the checker reads it; None marks a set that can't be solved."""
        return {
            "game": self.game.name,
            "guess_pool": self.guess_pool,
            "guess_limit": self.guess_limit,
            "claims": [
                [claim.moves, claim.bound if claim.bound < NEVER else None]
                for claim in self.claims.values()
            ],
        }

    def prove(self, bound: int | None, regrets: Iterable[RegretBounds] = ()) -> None:
        """Find claims that prove a bound on the total (None: no tree exists), and regrets.

        Raises `CodebreakerError` if a tree needs fewer guesses than the bound.
        """
        members = np.arange(self.game.n_secrets, dtype=np.int32)
        pending = [self._claim("", members, 1, NEVER if bound is None else bound)]
        optima = [(self._optimum(regret.moves), regret.of_guess) for regret in regrets]
        for claim, of_guess in optima:
            pool = np.array(list(of_guess), dtype=np.int32)
            wanted = claim.bound + np.array(list(of_guess.values()), dtype=np.int64)
            pending += [claim, *self._support(claim, pool, wanted, self._n_kinds)]
        while pending:
            claim = pending.pop()
            # A later claim may have replaced it by a larger bound on the same set.
            if self.claims[self._key(claim.members, claim.turn)] is claim:
                pool = self._pool(claim.moves, claim.members)
                pending += self._support(claim, pool, np.full(len(pool), claim.bound))
            report_progress(f"{len(self.claims):,} claims, {len(pending):,} open", 0, 1)

    def _optimum(self, moves: str) -> Claim:
        """Claim the minimum total of the set to which moves lead."""
        words = moves.split()
        members = np.arange(self.game.n_secrets, dtype=np.int32)
        for guess, label in zip(words[::2], words[1::2], strict=True):
            row = self.game.table[self.game.guesses.index(guess)]
            members = members[row[members] == self.game.feedback_labels.index(label)]
        turn = 1 + len(words) // 2
        return self._claim(moves, members, turn, self._minimum(moves, members, turn, NEVER))

    def _claim(self, moves: str, members: Indices, turn: int, bound: int) -> Claim:
        """Add a claim, in place of one on the same set, and return it."""
        self._fewest = min(self._fewest, len(members))
        claim = Claim(moves, members, turn, bound)
        self.claims[self._key(members, turn)] = claim
        return claim

    def _pool(self, moves: str, members: Indices) -> Indices:
        """Return the guesses that a claim has to refute, one of each class."""
        if self._is_small(members):
            return self._allowed(representatives_of_set(self._exchanges, members), members)
        past = [self.game.guesses.index(guess) for guess in moves.split()[::2]]
        return self._allowed(class_representatives(self.game, past), members)

    def _is_small(self, members: Indices) -> bool:
        return len(members) <= 3 * self._n_kinds

    def _allowed(self, guesses: Indices, members: Indices) -> Indices:
        return guesses[np.isin(guesses, members)] if self.guess_pool == "consistent" else guesses

    def _support(
        self, claim: Claim, pool: Indices, wanted: NDArray[np.int64], most: int | None = None
    ) -> list[Claim]:
        """Return new claims on cells, with which each guess of a pool has the wanted total.

        `wanted` (n_guesses,) are bounds on the guesses' totals. If the pool lacks a class of
        guesses, `most` bounds the cells of all. Raises `CodebreakerError` if a total can't be
        proven.
        """
        game = self.game
        members = claim.members
        left = self._left(claim.turn)
        new = list[Claim]()
        # 1. Most guesses are refuted by the bounds of the sizes of their cells. A guess that splits
        #    nothing needs no claim, as the same set follows one turn later.
        rows, divides, by_size, sizes = self._sums(members, left, pool, most)
        for at in np.flatnonzero(divides & (by_size < wanted)):
            guess = int(pool[at])
            feedback_ids, cells = self._cells(members, rows[at])
            # 2. The checker's other bounds of its cells, largest first, until they add up to what
            #    is wanted.
            known = [int(sizes[len(cell)]) for cell in cells]
            lacking = int(wanted[at]) - int(by_size[at])
            for better in (self._known, self._ahead):
                for index, cell in enumerate(cells):
                    if lacking > 0:
                        bound = max(known[index], better(cell, claim.turn + 1))
                        lacking -= bound - known[index]
                        known[index] = bound
            if lacking <= 0:
                continue
            # 3. Search its cells, largest first, until their bounds do.
            for index in range(len(cells)):
                # A claim on an image of the cell may be new.
                bound = max(known[index], self._known(cells[index], claim.turn + 1))
                lacking -= bound - known[index]
                known[index] = bound
                if lacking <= 0:
                    break
                label = game.feedback_labels[feedback_ids[index]]
                moves = f"{claim.moves} {game.guesses[guess]} {label}".strip()
                enough = min(known[index] + lacking, NEVER)
                bound = self._minimum(moves, cells[index], claim.turn + 1, enough)
                if bound > known[index]:
                    new.append(self._claim(moves, cells[index], claim.turn + 1, bound))
                    lacking -= bound - known[index]
                if lacking <= 0:
                    break
            if lacking > 0:
                claimed = "having no strategy" if wanted[at] >= NEVER else f"{wanted[at]:,} guesses"
                raise CodebreakerError(
                    f"{claimed} can't be proven after {claim.moves or 'no move'}: "
                    f"{game.guesses[guess]} does better"
                )
        return new

    def _sums(
        self, members: Indices, left: int, pool: Indices, most: int | None = None
    ) -> tuple[FeedbackIds, NDArray[np.bool], NDArray[np.int64], NDArray[np.int64]]:
        """Return the rows of guesses, which of them divide a set, and totals by sizes of cells.

        Last come the bounds for each size of a cell: no guess divides a cell further than the set,
        into `most` cells or as many as the best guess of the pool.
        """
        n = len(members)
        rows = self.game.table[pool][:, members]
        counts = np.stack([(rows == kind).sum(axis=1) for kind in range(self.game.solved)])
        if most is None:
            most = int((counts > 0).sum(axis=0).max(initial=1))
        sizes = self._by_size(left - 1, most)
        return rows, counts.max(axis=0) < n, n + sizes[counts].sum(axis=0), sizes

    def _cells(self, members: Indices, row: FeedbackIds) -> tuple[list[int], list[Indices]]:
        """Return the feedback ids of a guess and the cells that they leave, largest first."""
        sizes = np.bincount(row, minlength=self.game.solved + 1)
        sizes[self.game.solved] = 0
        ids = np.argsort(-sizes, kind="stable")[: np.count_nonzero(sizes)]
        return ids.tolist(), [members[row == feedback] for feedback in ids]

    def _ahead(self, members: Indices, turn: int) -> int:
        """Return the checker's bound on a set by looking one guess ahead, or its claim."""
        claimed = self._claimed(members, turn)
        if claimed is not None or not self._is_small(members):
            return self._known(members, turn)
        key = self._key(members, turn)
        if key not in self._bounds_ahead:
            # Images may have cells with other bounds, so the form stands for all that have it.
            members = self._forms.members(key[0])
            pool = self._allowed(representatives_of_set(self._exchanges, members), members)
            rows, divides, by_size, sizes = self._sums(members, self._left(turn), pool)
            best = NEVER
            for at in np.argsort(by_size, kind="stable"):
                if by_size[at] >= best:
                    break
                if divides[at]:
                    total = int(by_size[at])
                    for cell in self._cells(members, rows[at])[1]:
                        if total < best:
                            total += max(self._known(cell, turn + 1) - int(sizes[len(cell)]), 0)
                    best = min(best, total)
            self._bounds_ahead[key] = max(best, self._known(members, turn))
        return self._bounds_ahead[key]

    def _claimed(self, members: Indices, turn: int) -> int | None:
        """Return the bound of a claim on a set, or on an image of it; None without one."""
        if len(members) < self._fewest:
            return None
        claim = self.claims.get(self._key(members, turn))
        return None if claim is None else claim.bound

    def _known(self, members: Indices, turn: int) -> int:
        """Return the checker's bound on a set: its claim, or the bound by size and parts."""
        claimed = self._claimed(members, turn)
        if claimed is not None:
            return claimed
        key = members.tobytes(), turn if self.guess_limit else 0
        if key not in self._bounds:
            n = len(members)
            left = self._left(turn)
            bound = int(self._by_size(left, self._n_kinds)[n])
            if 2 < n <= 2 * self._n_kinds and bound < NEVER:
                bound = max(bound, self._by_parts(members, left))
            self._bounds[key] = bound
        return self._bounds[key]

    def _by_parts(self, members: Indices, left: int) -> int:
        """Return a small set's bound by the largest number of parts.

        With p parts of n candidates, a guess that is a candidate solves one now and p − 1 at the
        next turn, 3 n − 1 − p; another guess solves p at the next turn, 3 n − p. With two guesses
        left all must be solved at the next turn: only 2 n − 1 and 2 n are possible.
        """
        n = len(members)
        seen = np.bitwise_or.reduce(self._feedback_bits[:, members], axis=1)
        parts = np.bitwise_count(seen).astype(np.int64)
        candidates = 3 * n - 1 - int(parts[members].max())
        others = 3 * n - int(parts.max())
        if self.guess_pool == "consistent":
            others = NEVER
        if left == 2 and candidates != 2 * n - 1:
            candidates = NEVER
        if left == 2 and others != 2 * n:
            others = NEVER
        return min(candidates, others)

    def _by_size(self, left: int, most: int) -> NDArray[np.int64]:
        """Return lower bounds on totals by size, for sets that no guess divides into more cells."""
        if most not in self._sizes:
            bounds = size_bounds(most + 1, self.game.n_secrets, self.guess_limit or 0)
            self._sizes[most] = np.minimum(bounds, NEVER).astype(np.int64)
        sizes: NDArray[np.int64] = self._sizes[most][max(left, 0) if self.guess_limit else -1]
        return sizes

    def _minimum(self, moves: str, members: Indices, turn: int, wanted: int) -> int:
        """Return a set's minimum total, or `wanted` if it isn't below."""
        if len(members) == 1:
            return 1 if self._left(turn) > 0 else NEVER
        pool = self._pool(moves, members)
        return min(self._search.of(members, turn, wanted, pool), wanted)

    def _left(self, turn: int) -> int:
        """Return the guesses left at a turn; without a limit, as many as any tree needs."""
        return (self.guess_limit or self.game.n_secrets) - turn + 1

    def _key(self, members: Indices, turn: int) -> tuple[bytes, int]:
        """Return the key of a set's claim, which depends on the turn only with a guess limit."""
        return self._forms.of(members), turn if self.guess_limit else 0


class _Forms:
    """Images of sets under orders of the pegs and names of the colours, chosen as by the checker.

    Sets that are images of each other mostly have the same form, and share a claim. The checker has
    to find the claim of each of them, so it chooses by the same sums; its comments explain them.
    """

    def __init__(self, game: TableGame) -> None:
        self._known: dict[bytes, bytes] = {}
        self._symmetry = game.symmetry
        if self._symmetry is not None:
            codes = self._symmetry.codes.astype(np.int64)
            pegs = codes.shape[1]
            colours = self._symmetry.n_colours
            self._shape = pegs, colours
            self._symbols = codes + np.arange(pegs) * colours
            self._powers = colours ** np.arange(pegs - 1, -1, -1)
            self._words = np.cumprod(np.full(len(codes) + pegs, WORD))
            self._index = np.full(colours**pegs, -1, np.int32)
            self._index[codes @ self._powers] = np.arange(len(codes))

    def of(self, members: Indices) -> bytes:
        """Return the form of a set, (n,); without symmetries, the set as it is."""
        known = members.tobytes()
        if self._symmetry is None:
            return known
        if known not in self._known:
            self._known[known] = self._of_codes(self._symbols[members], self._symmetry)
        return self._known[known]

    def members(self, form: bytes) -> Indices:
        """Return the set that a form stands for, (n,)."""
        if self._symmetry is None:
            return np.frombuffer(form, np.int32)
        return self._index[np.frombuffer(form, np.int64)]

    def _of_codes(self, symbols: NDArray[np.int64], symmetry: Symmetry) -> bytes:
        """Return the form of codes, whose colours are numbered by peg, (n, pegs)."""
        pegs, colours = self._shape
        have_own = bool(symmetry.alphabets.any())
        counts = np.bincount(symbols.ravel(), minlength=pegs * colours)
        words = self._words[counts].reshape(self._shape)
        by_peg = words.sum(axis=1, keepdims=True)
        words = words * by_peg if have_own else words * by_peg * words.sum(axis=0)
        of_code = np.multiply.reduce(words.ravel()[symbols], axis=1) >> np.uint64(36)
        sums = np.bincount(symbols.ravel(), np.repeat(of_code, pegs), pegs * colours)
        words *= sums.astype(np.uint64).reshape(self._shape)
        order = np.argsort((words * words).sum(axis=1), kind="stable")
        words[order] *= self._words[:pegs, None]
        by_colour = words if have_own else words.sum(axis=0)
        names = np.argsort(np.argsort(by_colour, axis=-1, kind="stable"), axis=-1)
        values = np.empty(self._shape, np.int64)
        values[order] = self._powers[:, None]
        values *= names
        return np.sort(values.ravel()[symbols].sum(axis=1)).tobytes()
