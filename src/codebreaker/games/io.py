"""Read and write games: feedback tables, or the codes of games without a table."""

from dataclasses import fields
from pathlib import Path
from typing import Any

from codebreaker.errors import DamagedFileError
from codebreaker.files import checked_read, read_arrays, write_arrays
from codebreaker.games.model import CodeGame, Game, Symmetry, TableGame


def write_game(game: Game, path: str | Path) -> None:
    """Write a game to a compressed `.npz` file; the same game gives the same bytes."""
    arrays = {field.name: getattr(game, field.name) for field in fields(game)}
    if isinstance(game, TableGame):
        symmetry, arrays["feedback"] = arrays.pop("symmetry"), arrays.pop("table")
        arrays |= {} if symmetry is None else vars(symmetry)
        if game.prior is None:
            del arrays["prior"]
    else:
        del arrays["secrets"]  # they are the guesses
    write_arrays(path, **arrays)


def read_game(path: str | Path) -> Game:
    """Read a game; raise `DamagedFileError` if the file is damaged."""
    parts: dict[str, Any] = read_arrays(path)
    with checked_read(path):
        guesses = tuple(parts["guesses"].tolist())
        labels: dict[str, Any] = {
            "name": str(parts["name"]),
            "guesses": guesses,
            "feedback_labels": tuple(parts["feedback_labels"].tolist()),
            "solved": int(parts["solved"]),
        }
        if "feedback" not in parts:
            return CodeGame(
                **labels,
                secrets=guesses,
                codes=parts["codes"],
                n_colours=int(parts["n_colours"]),
                ids=parts["ids"],
            )
        symmetry = None
        if "alphabets" in parts:
            symmetry = Symmetry(parts["codes"], int(parts["n_colours"]), parts["alphabets"])
        game = TableGame(
            **labels,
            secrets=tuple(parts["secrets"].tolist()),
            table=parts["feedback"],
            guess_of_secret=parts["guess_of_secret"],
            symmetry=symmetry,
            prior=parts.get("prior"),
        )
    if game.table.shape != (game.n_guesses, game.n_secrets):
        raise DamagedFileError(path, f"its table has the shape {game.table.shape}")
    return game
