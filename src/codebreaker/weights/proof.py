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


def write_proof(
    game: TableGame,
    facts: dict[str, Any],
    root: ProofNode | None,
    path: str | Path,
    one_row: bool = False,
) -> None:
    """Write facts about a bound with its proof, null for the optimum of the opening.

    A bound on one row omits the regrets that it does not need, all of at least `beyond`.
    """
    index_of: dict[Choice, int] = {}

    def at(choice: Choice) -> int:
        return index_of.setdefault(choice, len(index_of))

    def guess(choice: Choice, option: int) -> str:
        return game.guesses[int(choice.guesses[option])]

    def leads(rows: list[tuple[Lead, float]]) -> list[list[Any]]:
        return [[at(c), guess(c, won), guess(c, rival), share] for (c, won, rival), share in rows]

    def written(node: ProofNode) -> ProofNode:
        if "rows" in node:
            return {"rows": leads(node["rows"])}
        copy: ProofNode = {}
        if "refuted" in node:
            copy["refuted"] = [
                [at(choice), {guess(choice, option): leads(r) for option, r in found.items()}]
                for choice, found in node["refuted"].items()
            ]
        if "choice" in node:
            choice, options = node["choice"], node["options"].items()
            copy["set"] = at(choice)
            copy["options"] = {guess(choice, option): written(child) for option, child in options}
        if "next" in node:
            copy["next"] = written(node["next"])
        return copy

    proof, left = None if root is None else written(root), facts["bound"] - facts["optimum"] - 1
    sets = [
        {
            "members": [game.secrets[member] for member in choice.members],
            "regrets": {
                guess(choice, option): regret
                for option, regret in enumerate(choice.regrets.tolist())
                if regret <= left or not one_row
            },
        }
        for choice in index_of
    ]
    facts = facts | ({"one_row": True, "beyond": left + 1} if one_row else {})
    separators = (",", ":") if one_row else None
    data = json.dumps(
        facts | {"sets": sets, "proof": proof}, ensure_ascii=False, separators=separators
    )
    write_text(path, data)


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
