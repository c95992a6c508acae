"""A devious codemaker as an opponent: he has no secret, and answers so that the game takes long."""

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import CodeGame, Game, TableGame
from codebreaker.sets.partition import split
from codebreaker.types import Indices, Move

LARGEST = 12
"""The largest cell up to which the least means of all cells are compared, and not their sizes."""

LOOKUPS, MEMO_MIB = 1 << 26, 16.0
"""Limits on the search for a least mean."""


class DeviousCodemaker:
    """Answers guesses so that the player needs many more; one secret fits all his answers.

    Small cells are compared by the least mean of the guesses that solve them, others by size. A
    right guess is confirmed only if no other secret is left.
    """

    def __init__(self, game: Game) -> None:
        self.game = game

    def answer(self, moves: list[Move], guess: int) -> int:
        """Return his answer to a guess after some moves."""
        members = np.arange(self.game.n_secrets, dtype=np.int32)
        for before, told in moves:
            members = members[self.game.feedback(before, members) == told]
        cells = split(self.game, guess, members)
        if len(cells) == 1:
            return next(iter(cells))
        cells.pop(self.game.solved, None)
        means = dict.fromkeys(cells, 0.0)
        if max(map(len, cells.values())) <= LARGEST:
            try:
                means = self._least_means(cells)
            except CodebreakerError:  # it takes too long
                means = dict.fromkeys(cells, 0.0)
        return max(cells, key=lambda told: (means[told], len(cells[told]), -told))

    def _least_means(self, cells: dict[int, Indices]) -> dict[int, float]:
        """Return the least mean guesses of each cell.

        Raises `CodebreakerError` if that takes too long.
        """
        # Importing the kernels takes a second, and large cells don't need them.
        from codebreaker.search.cost_to_go import CostToGo
        from codebreaker.search.endgames import UNSOLVED, Endgames

        if isinstance(self.game, TableGame):
            search = CostToGo(self.game, memo_mib=MEMO_MIB, lookups=LOOKUPS)
            totals = {told: search.of(cell, 1) for told, cell in cells.items()}
        else:
            assert isinstance(self.game, CodeGame)
            endgames = Endgames(self.game, LARGEST)
            totals = {told: endgames.solve(cell)[1] for told, cell in cells.items()}
            if UNSOLVED in totals.values():
                raise CodebreakerError("a cell takes too long to solve")
        return {told: totals[told] / len(cell) for told, cell in cells.items()}
