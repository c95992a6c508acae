"""Read and write games: feedback tables, or the codes of games without a table."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from codebreaker.errors import DamagedFileError
from codebreaker.files import atomic_write, checked_read
from codebreaker.games.model import CodeGame, Game, Symmetry, TableGame


def write_game(game: Game, path: str | Path) -> None:
    """Write a game to a compressed `.npz` file; the same game gives the same bytes."""
    arrays = {field.name: getattr(game, field.name) for field in fields(game)}
    if isinstance(game, TableGame):
        symmetry, arrays["feedback"] = arrays.pop("symmetry"), arrays.pop("table")
        arrays |= {} if symmetry is None else vars(symmetry)
    else:
        del arrays["secrets"]  # they are the guesses
    with atomic_write(path) as draft:
        np.savez_compressed(draft, **arrays)


def read_game(path: str | Path) -> Game:
    """Read a game; raise `DamagedFileError` if the file is damaged."""
    with (
        checked_read(path),
        Path(path).open("rb") as file,
        np.load(file, allow_pickle=False) as parts,
    ):
        guesses = tuple(parts["guesses"].tolist())
        labels: dict[str, Any] = {
            "name": str(parts["name"]),
            "guesses": guesses,
            "feedback_labels": tuple(parts["feedback_labels"].tolist()),
            "solved": int(parts["solved"]),
        }
        codes, n_colours = parts.get("codes"), int(parts.get("n_colours", 0))
        if "feedback" not in parts:
            return CodeGame(
                **labels, secrets=guesses, codes=codes, n_colours=n_colours, ids=parts["ids"]
            )
        known = "alphabets" in parts
        game = TableGame(
            **labels,
            secrets=tuple(parts["secrets"].tolist()),
            table=parts["feedback"],
            guess_of_secret=parts["guess_of_secret"],
            symmetry=Symmetry(codes, n_colours, parts["alphabets"]) if known else None,
        )
    if game.table.shape != (game.n_guesses, game.n_secrets):
        raise DamagedFileError(path, f"its table has the shape {game.table.shape}")
    return game
