"""Proofs of bounds on weights, for a checker that shares no code with the search."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from codebreaker.files import write_text
from codebreaker.games.model import TableGame
from codebreaker.policies.criteria import CRITERIA
from codebreaker.proofs.patterns import Choice, Lead, ProofNode, distinct_options
from codebreaker.search.lower_bound import Regrets
from codebreaker.sets.partition import all_secrets, split

SHARE_DIGITS = 12
"""Decimals of the shares in refutations."""


def write_proof(
    game: TableGame,
    facts: dict[str, Any],
    root: ProofNode | None,
    path: str | Path,
    one_row: bool = False,
) -> None:
    """Write a bound with its proof as JSON; the proof is null for the opening's optimum."""
    index_of: dict[Choice, int] = {}
    settings = facts["settings"]
    left = facts["bound"] - facts["optimum"] - 1

    # Sets are numbered in the order in which the proof first uses them.
    def at(choice: Choice) -> int:
        return index_of.setdefault(choice, len(index_of))

    def guess(choice: Choice, option: int) -> str:
        return game.guesses[int(choice.guesses[option])]

    def leads(rows: list[tuple[Lead, float]]) -> list[list[Any]]:
        return [
            [at(c), guess(c, won), guess(c, rival), round(share, SHARE_DIGITS)]
            for (c, won, rival), share in rows
        ]

    def written(node: ProofNode, left: int) -> ProofNode:
        if "rows" in node:
            return {"rows": leads(node["rows"])}
        copy: ProofNode = {}
        if "refuted" in node:
            copy["refuted"] = [
                [at(choice), {guess(choice, option): leads(r) for option, r in found.items()}]
                for choice, found in node["refuted"].items()
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
    data |= {"low": settings["low"], "high": settings["high"], "margin_bits": facts["margin_bits"]}
    data |= {"one_row": one_row, "optimum": facts["optimum"], "bound": facts["bound"]}
    write_text(path, json.dumps(data | {"sets": sets, "proof": proof}, separators=(",", ":")))


def regrets_of(game: TableGame, facts: dict[str, Any]) -> list[Regrets]:
    """Return the regrets that a written proof needs, by set."""
    index_of = {tuple(listed["members"]): i for i, listed in enumerate(facts["sets"])}
    wanted = set(_uses(facts["proof"], 2))
    results = list[Regrets]()
    if facts["guess_limit"] is None:  # then a set's regrets are those of any turn
        wanted = {(i, 0) for i, _ in wanted}
    beyond = facts["bound"] - facts["optimum"]
    opening = Regrets("", {game.guesses.index(facts["opening"]): 0})
    pending = [(opening, all_secrets(game), 2)]
    # Visit the sets below each affordable guess, as long as the proof uses them.
    for regrets, members, turn in pending:
        likely = [guess for guess, regret in regrets.of_guess.items() if regret < beyond]
        cells = ((g, *item) for g in likely for item in split(game, g, members).items())
        for guess, feedback, cell in cells:
            i = index_of.get(tuple(game.secrets[member] for member in cell))
            key = i, turn if facts["guess_limit"] else 0
            if i is not None and key in wanted:
                wanted.remove(key)
                listed = facts["sets"][i]["regrets"]
                moves = f"{regrets.moves} {game.guesses[guess]} {game.feedback_labels[feedback]}"
                options, _ = distinct_options(game, CRITERIA["entropy"], cell)
                of_guess = {int(g): listed.get(game.guesses[g], beyond) for g in options}
                results.append(Regrets(moves.strip(), of_guess))
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
