"""Feedback tables as files."""

import zlib
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from codebreaker.errors import DamagedFileError
from codebreaker.files import whole
from codebreaker.game import Game


def write_game(game: Game, path: str | Path) -> None:
    """Write a game to a compressed `.npz` file; the same game gives the same bytes."""
    with whole(path) as draft:
        np.savez_compressed(
            draft,
            name=np.array(game.name),
            guesses=np.array(game.guesses),
            secrets=np.array(game.secrets),
            feedback=game.feedback,
            feedback_labels=np.array(game.feedback_labels),
            solved=np.array(game.solved),
            guess_of_secret=game.guess_of_secret,
        )


def read_game(path: str | Path) -> Game:
    """Read a game; raise `DamagedFileError` where the file is not a whole one."""
    try:
        with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as parts:
            game = Game(
                name=str(parts["name"]),
                guesses=tuple(parts["guesses"].tolist()),
                secrets=tuple(parts["secrets"].tolist()),
                feedback=parts["feedback"],
                feedback_labels=tuple(parts["feedback_labels"].tolist()),
                solved=int(parts["solved"]),
                guess_of_secret=parts["guess_of_secret"],
            )
    except (BadZipFile, zlib.error, KeyError, ValueError, EOFError, OSError) as why:
        raise DamagedFileError(path, why) from why
    if game.feedback.shape != (game.n_guesses, game.n_secrets):
        raise DamagedFileError(path, f"its table has the shape {game.feedback.shape}")
    return game
