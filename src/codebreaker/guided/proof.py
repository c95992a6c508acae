"""Proofs of bounds on weights, written out for a program that shares no code with the search."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codebreaker.files import write_text
from codebreaker.games.model import TableGame
from codebreaker.guided.choices import Choice
from codebreaker.guided.patterns import Node


@dataclass
class Writer:
    """Turns nodes with indices into nodes with names, and lists the sets that they speak of."""

    game: TableGame
    sets: list[dict[str, Any]] = field(default_factory=list)
    _place: dict[int, int] = field(default_factory=dict)

    def place_of(self, choice: Choice) -> int:
        """Return where a choice stands in the list of sets."""
        if id(choice) not in self._place:
            self._place[id(choice)] = len(self.sets)
            regrets = zip(choice.guesses.tolist(), choice.regrets.tolist(), strict=True)
            self.sets.append(
                {
                    "members": [self.game.secrets[member] for member in choice.members],
                    "regrets": {self.game.guesses[guess]: regret for guess, regret in regrets},
                }
            )
        return self._place[id(choice)]

    def node(self, choices: list[Choice], node: Node) -> Node:
        """Return a node and all below it, in names."""
        if "rows" in node:
            return {
                "rows": [
                    [
                        self.place_of(choices[c]),
                        self._guess(choices[c], option),
                        self._guess(choices[c], rival),
                        share,
                    ]
                    for c, option, rival, share in node["rows"]
                ]
            }
        if "pattern" in node:
            return {"next": self.node(*node["next"])} if "next" in node else {}
        choice = choices[node["choice"]]
        return {
            "set": self.place_of(choice),
            "options": {
                self._guess(choice, option): self.node(choices, child)
                for option, child in node["options"].items()
            },
        }

    def _guess(self, choice: Choice, option: int) -> str:
        return self.game.guesses[int(choice.guesses[option])]


def write_proof(
    game: TableGame, told: dict[str, Any], root: tuple[list[Choice], Node] | None, path: str | Path
) -> None:
    """Write what is told of a bound, with its proof; none where it is the opening's optimum."""
    writer = Writer(game)
    proof = None if root is None else writer.node(*root)
    write_text(path, json.dumps(told | {"sets": writer.sets, "proof": proof}, ensure_ascii=False))
