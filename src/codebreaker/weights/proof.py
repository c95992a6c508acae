"""Proofs of bounds on weights, for a checker that shares no code with the search."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from codebreaker.files import write_text
from codebreaker.games.model import TableGame
from codebreaker.search.lower_bound import Regrets
from codebreaker.sets.partition import split
from codebreaker.types import Indices
from codebreaker.weights.choices import Choice, Lead
from codebreaker.weights.patterns import ProofNode


@dataclass
class Writer:
    """Converts proof nodes from indices to guesses, and lists the sets that they refer to."""

    game: TableGame
    sets: list[dict[str, Any]] = field(default_factory=list)
    _index_of: dict[int, int] = field(default_factory=dict)

    def index_of(self, choice: Choice) -> int:
        """Return the index of a choice in the list of sets, adding it if it is new."""
        if id(choice) not in self._index_of:
            self._index_of[id(choice)] = len(self.sets)
            regrets = zip(choice.guesses.tolist(), choice.regrets.tolist(), strict=True)
            self.sets.append(
                {
                    "members": [self.game.secrets[member] for member in choice.members],
                    "regrets": {self.game.guesses[guess]: regret for guess, regret in regrets},
                }
            )
        return self._index_of[id(choice)]

    def node(self, node: ProofNode) -> ProofNode:
        """Return a proof node and its descendants, with guesses for options."""
        if "rows" in node:
            return {"rows": self._rows(node["rows"])}
        written: ProofNode = {}
        if "refuted" in node:
            written["refuted"] = [
                [
                    self.index_of(choice),
                    {self._guess(choice, o): self._rows(rows) for o, rows in found.items()},
                ]
                for choice, found in node["refuted"].items()
            ]
        if "choice" in node:
            choice = node["choice"]
            written["set"] = self.index_of(choice)
            written["options"] = {
                self._guess(choice, option): self.node(child)
                for option, child in node["options"].items()
            }
        if "next" in node:
            written["next"] = self.node(node["next"])
        return written

    def _rows(self, rows: list[tuple[Lead, float]]) -> list[list[Any]]:
        return [
            [self.index_of(choice), self._guess(choice, option), self._guess(choice, rival), share]
            for (choice, option, rival), share in rows
        ]

    def _guess(self, choice: Choice, option: int) -> str:
        return self.game.guesses[int(choice.guesses[option])]


def write_proof(
    game: TableGame, facts: dict[str, Any], root: ProofNode | None, path: str | Path
) -> None:
    """Write facts about a bound with its proof, which is null for the optimum of the opening."""
    writer = Writer(game)
    proof = None if root is None else writer.node(root)
    write_text(path, json.dumps(facts | {"sets": writer.sets, "proof": proof}, ensure_ascii=False))


def write_fixed_proof(
    game: TableGame, facts: dict[str, Any], root: ProofNode | None, path: str | Path
) -> None:
    """Write facts about the bound of one row for all turns, with its proof.

    Regrets that the bound does not need are left out; all of them are at least `beyond`.
    """
    writer, left = Writer(game), facts["bound"] - facts["optimum"] - 1
    proof = None if root is None else writer.node(root)
    for one in writer.sets:
        one["regrets"] = {guess: r for guess, r in one["regrets"].items() if r <= left}
    data = facts | {"one_row": True, "beyond": left + 1, "sets": writer.sets, "proof": proof}
    write_text(path, json.dumps(data, ensure_ascii=False, separators=(",", ":")))


def regrets_of(game: TableGame, facts: dict[str, Any]) -> list[Regrets]:
    """Return the regrets on which a written proof rests, turn by turn.

    `facts` is what `write_proof` has written of weights by turn.
    """
    places = {tuple(one["members"]): place for place, one in enumerate(facts["sets"])}
    wanted = set(_uses(facts["proof"], 2))
    codes = np.arange(game.n_secrets, dtype=np.int32)
    found: list[Regrets] = []
    level, turn = [Regrets("", {game.guesses.index(facts["opening"]): 0})], 2
    members_of = {"": codes}
    while level:
        cells = (cell for one in level for cell in _cells(game, one, members_of[one.moves]))
        level = []
        for moves, cell in cells:
            place = places.get(tuple(game.secrets[member] for member in cell))
            if place is not None and (place, turn) in wanted:
                wanted.remove((place, turn))
                regrets = facts["sets"][place]["regrets"]
                of_guess = {game.guesses.index(guess): r for guess, r in regrets.items()}
                level.append(Regrets(moves, of_guess))
                members_of[moves] = cell
        found, turn = found + level, turn + 1
    return found


def _uses(node: ProofNode, turn: int) -> Iterator[tuple[int, int]]:
    """Yield the sets that a node and its descendants branch on, each with its turn."""
    if "set" in node:
        yield node["set"], turn
    for child in node.get("options", {}).values():
        yield from _uses(child, turn)
    if "next" in node:
        yield from _uses(node["next"], turn + 1)


def _cells(game: TableGame, one: Regrets, members: Indices) -> Iterator[tuple[str, Indices]]:
    for guess in one.of_guess:
        for kind, cell in split(game, guess, members).items():
            moves = f"{one.moves} {game.guesses[guess]} {game.feedback_labels[kind]}"
            yield moves.strip(), cell
