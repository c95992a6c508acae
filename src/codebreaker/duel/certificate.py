"""Certificates of the values of games: the play of both sides, for an independent check."""

import json
from pathlib import Path

from codebreaker import __version__
from codebreaker.duel.value import Value
from codebreaker.files import write_text
from codebreaker.games.model import TableGame
from codebreaker.trees.tree import nested


def write_value(game: TableGame, value: Value, path: str | Path) -> None:
    """Write a value with its proof as JSON; the same value writes the same bytes.

    `value` and `chance` are fractions. A secret's chance is the `weight` of its class over the sum
    of all secrets' weights, and no tree takes fewer guesses weighted so than `least`. `totals` are
    a tree's guesses by class, in the order of `classes`. `words` are the secrets of a game whose
    name doesn't determine them; trees are nested by feedback.
    """
    classes = value.classes
    weighted = zip(classes.labels, classes.sizes, value.weights, strict=True)
    mass = sum(weight * size for _, size, weight in weighted)
    certificate = {
        "game": game.name,
        "secrets": game.n_secrets,
        "value": str(value.value),
        "least": int(value.value * mass),
        "optimum": value.optimum,
        "tried": value.tried,
        "codebreaker": __version__,
        "words": None if game.symmetry else game.secrets,
        "classes": [
            {"first": label, "size": size, "weight": weight}
            for label, size, weight in zip(
                classes.labels, classes.sizes, value.weights, strict=True
            )
        ],
        "trees": [
            {"chance": str(chance), "totals": totals, "tree": nested(game, tree)}
            for tree, totals, chance in value.trees
        ],
    }
    write_text(path, json.dumps(certificate, indent=0, ensure_ascii=False))
