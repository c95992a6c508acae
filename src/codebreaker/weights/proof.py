"""Proofs of bounds on weights, for a checker that shares no code with the search."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from codebreaker.files import write_text
from codebreaker.games.model import TableGame
from codebreaker.search.lower_bound import Regrets
from codebreaker.sets.partition import all_secrets, split
from codebreaker.weights.patterns import Choice, Lead, ProofNode


class Writer:
    """Converts proof nodes from indices to guesses, and lists the sets that they refer to."""

    def __init__(self, game: TableGame) -> None:
        self.game = game
        self.sets: list[dict[str, Any]] = []
        self._index_of: dict[Choice, int] = {}

    def index_of(self, choice: Choice) -> int:
        """Return the index of a choice in the list of sets, adding it if it is new."""
        if choice not in self._index_of:
            self._index_of[choice] = len(self.sets)
            guesses = (self.game.guesses[guess] for guess in choice.guesses)
            members = [self.game.secrets[member] for member in choice.members]
            regrets = dict(zip(guesses, choice.regrets.tolist(), strict=True))
            self.sets.append({"members": members, "regrets": regrets})
        return self._index_of[choice]

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
    game: TableGame,
    facts: dict[str, Any],
    root: ProofNode | None,
    path: str | Path,
    one_row: bool = False,
) -> None:
    """Write facts about a bound with its proof, which is null for the optimum of the opening.

    For a bound on one row for all turns, regrets that it does not need are left out; all of them
    are at least `beyond`.
    """
    writer = Writer(game)
    proof = None if root is None else writer.node(root)
    if one_row:
        left = facts["bound"] - facts["optimum"] - 1
        facts = facts | {"one_row": True, "beyond": left + 1}
        for one in writer.sets:
            one["regrets"] = {guess: r for guess, r in one["regrets"].items() if r <= left}
    data = facts | {"sets": writer.sets, "proof": proof}
    separators = (",", ":") if one_row else None
    write_text(path, json.dumps(data, ensure_ascii=False, separators=separators))


def regrets_of(game: TableGame, facts: dict[str, Any]) -> list[Regrets]:
    """Return the regrets on which a written proof of weights by turn rests, turn by turn."""
    places = {tuple(one["members"]): place for place, one in enumerate(facts["sets"])}
    wanted, found = set(_uses(facts["proof"], 2)), list[Regrets]()
    opening = Regrets("", {game.guesses.index(facts["opening"]): 0})
    pending = [(opening, all_secrets(game), 2)]
    for one, members, turn in pending:
        cells = ((g, *item) for g in one.of_guess for item in split(game, g, members).items())
        for guess, feedback, cell in cells:
            place = places.get(tuple(game.secrets[member] for member in cell))
            if place is not None and (place, turn) in wanted:
                wanted.remove((place, turn))
                regrets = facts["sets"][place]["regrets"]
                moves = f"{one.moves} {game.guesses[guess]} {game.feedback_labels[feedback]}"
                of_guess = {game.guesses.index(label): r for label, r in regrets.items()}
                found.append(Regrets(moves.strip(), of_guess))
                pending.append((found[-1], cell, turn + 1))
    return found


def _uses(node: ProofNode, turn: int) -> Iterator[tuple[int, int]]:
    """Yield the sets that a node and its descendants branch on, each with its turn."""
    if "set" in node:
        yield node["set"], turn
    for child in node.get("options", {}).values():
        yield from _uses(child, turn)
    if "next" in node:
        yield from _uses(node["next"], turn + 1)
