"""Read and write games: feedback tables, or the codes of games without a table."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from codebreaker.errors import DamagedFileError
from codebreaker.files import atomic_write, checked_read
from codebreaker.games.model import CodeGame, Game, Symmetry, TableGame


def write_game(game: Game, path: str | Path) -> None:
    """Write a game to a compressed `.npz` file; the same game gives the same bytes."""
    if isinstance(game, TableGame):
        arrays = {
            "name": np.array(game.name),
            "guesses": np.array(game.guesses),
            "secrets": np.array(game.secrets),
            "feedback": game.table,
            "feedback_labels": np.array(game.feedback_labels),
            "solved": np.array(game.solved),
            "guess_of_secret": game.guess_of_secret,
            **({} if game.symmetry is None else vars(game.symmetry)),
        }
    else:
        arrays = vars(game)
    with atomic_write(path) as draft:
        np.savez_compressed(draft, **arrays)


def read_game(path: str | Path) -> Game:
    """Read a game; raise `DamagedFileError` if the file is damaged."""
    with (
        checked_read(path),
        Path(path).open("rb") as file,
        np.load(file, allow_pickle=False) as parts,
    ):
        if "feedback" not in parts:
            return _code_game(parts)
        game = TableGame(
            name=str(parts["name"]),
            guesses=tuple(parts["guesses"].tolist()),
            secrets=tuple(parts["secrets"].tolist()),
            table=parts["feedback"],
            feedback_labels=tuple(parts["feedback_labels"].tolist()),
            solved=int(parts["solved"]),
            guess_of_secret=parts["guess_of_secret"],
            symmetry=_symmetry(parts),
        )
    if game.table.shape != (game.n_guesses, game.n_secrets):
        raise DamagedFileError(path, f"its table has the shape {game.table.shape}")
    return game


def _code_game(parts: Mapping[str, NDArray[Any]]) -> CodeGame:
    return CodeGame(
        name=str(parts["name"]),
        codes=parts["codes"],
        n_colours=int(parts["n_colours"]),
        ids=parts["ids"],
        feedback_labels=tuple(parts["feedback_labels"].tolist()),
        solved=int(parts["solved"]),
        guesses=tuple(parts["guesses"].tolist()),
    )


def _symmetry(parts: Mapping[str, NDArray[Any]]) -> Symmetry | None:
    if "codes" not in parts:
        return None
    return Symmetry(parts["codes"], int(parts["n_colours"]), parts["alphabets"])
