"""Proofs of bounds on weights, for a checker that shares no code with the search."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from codebreaker.files import write_text
from codebreaker.games.model import TableGame
from codebreaker.policies.criteria import CRITERIA
from codebreaker.proofs.patterns import Choice, Lead, ProofNode, distinct_options
from codebreaker.search.lower_bound import RegretBounds
from codebreaker.sets.partition import all_secrets, split

SHARE_DIGITS = 9
"""Decimals of the shares in refutations."""


def write_proof(
    game: TableGame,
    facts: dict[str, Any],
    root: ProofNode | None,
    path: str | Path,
    one_row: bool = False,
) -> None:
    """Write a bound with its proof as JSON; the proof is null for the opening's optimum.

    A set is written once, in `sets`, with its regrets up to what the whole proof may spend; nodes
    refer to it by index. Options are written by their guess. Nodes whose options cost more than is
    left are not written: the checker refutes these from the regrets.
    """
    index_of: dict[Choice, int] = {}
    settings = facts["settings"]
    left = facts["bound"] - facts["optimum"] - 1

    def at(choice: Choice) -> int:
        """Return the index of a set: they are numbered in the order of their first use."""
        return index_of.setdefault(choice, len(index_of))

    def guess(choice: Choice, option: int) -> str:
        """Return the guess of an option."""
        return game.guesses[int(choice.guesses[option])]

    def leads(rows: list[tuple[Lead, float]]) -> list[list[Any]]:
        """Return leads as lists: the set, the winner, the rival, and the lead's share."""
        return [
            [at(choice), guess(choice, winner), guess(choice, rival), round(share, SHARE_DIGITS)]
            for (choice, winner, rival), share in rows
        ]

    def written(node: ProofNode, left: int) -> ProofNode:
        """Return a node as it is written; `left` is what is left of the budget there."""
        if "rows" in node:
            return {"rows": leads(node["rows"])}
        copy: ProofNode = {}
        if "refuted" in node:
            copy["refuted"] = [
                [
                    at(choice),
                    {guess(choice, option): leads(rows) for option, rows in of_set.items()},
                ]
                for choice, of_set in node["refuted"].items()
            ]
        if "choice" in node:
            choice = node["choice"]
            copy["set"] = at(choice)
            copy["options"] = {
                guess(choice, option): written(child, left - int(choice.regrets[option]))
                for option, child in node["options"].items()
                if choice.regrets[option] <= left
            }
        if "next" in node:
            copy["next"] = written(node["next"], left)
        return copy

    proof = None if root is None else written(root, left)
    sets = [
        {
            "members": [game.secrets[member] for member in choice.members],
            "regrets": {
                guess(choice, option): regret
                for option, regret in enumerate(choice.regrets.tolist())
                if regret <= left
            },
        }
        for choice in index_of
    ]
    data = {name: facts.get(name) for name in ("model", "game", "opening", "guess_limit")}
    data |= {"low": settings["low"], "high": settings["high"], "behind_bits": facts["behind_bits"]}
    data |= {"one_row": one_row, "optimum": facts["optimum"], "bound": facts["bound"]}
    write_text(path, json.dumps(data | {"sets": sets, "proof": proof}, separators=(",", ":")))


def regrets_of(game: TableGame, facts: dict[str, Any]) -> list[RegretBounds]:
    """Return the regrets that a written proof needs, one for each set, with the moves to it.

    These are what the checker of bounds takes on trust; `search.lower_bound` can prove them.
    """
    # 1. The sets that the proof uses, with the turn only if there is a guess limit.
    index_of = {tuple(listed["members"]): i for i, listed in enumerate(facts["sets"])}
    wanted = set(_uses(facts["proof"], 2))
    results = list[RegretBounds]()
    if facts["guess_limit"] is None:  # then a set's regrets are those of any turn
        wanted = {(i, 0) for i, _ in wanted}
    beyond = facts["bound"] - facts["optimum"]
    opening = RegretBounds("", {game.guesses.index(facts["opening"]): 0})
    pending = [(opening, all_secrets(game), 2)]
    # 2. Visit the sets below each affordable guess, as long as the proof uses them: `pending` grows
    #    while it is read. An option that isn't listed in the proof has a regret of `beyond`.
    for regrets, members, turn in pending:
        likely = [guess for guess, regret in regrets.of_guess.items() if regret < beyond]
        cells = ((g, *item) for g in likely for item in split(game, g, members).items())
        for guess, feedback, cell in cells:
            index = index_of.get(tuple(game.secrets[member] for member in cell))
            key = (index, turn if facts["guess_limit"] else 0)
            if index is not None and key in wanted:
                wanted.remove(key)
                listed = facts["sets"][index]["regrets"]
                moves = f"{regrets.moves} {game.guesses[guess]} {game.feedback_labels[feedback]}"
                options, _ = distinct_options(game, CRITERIA["entropy"], cell)
                of_guess = {int(g): listed.get(game.guesses[g], beyond) for g in options}
                results.append(RegretBounds(moves.strip(), of_guess))
                pending.append((results[-1], cell, turn + 1))
    return results


def _uses(node: ProofNode, turn: int) -> Iterator[tuple[int, int]]:
    """Yield the index and the turn of each set that a written proof uses."""
    yield from ((i, turn) for i, _ in node.get("refuted", ()))
    if "set" in node:
        yield node["set"], turn
    for child in node.get("options", {}).values():
        yield from _uses(child, turn)
    if "next" in node:
        yield from _uses(node["next"], turn + 1)
