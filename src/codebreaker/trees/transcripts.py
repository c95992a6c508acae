"""Transcripts: every secret's moves under a tree, and the text file of both."""

from pathlib import Path

import numpy as np

from codebreaker.files import write_text
from codebreaker.games.model import Game
from codebreaker.trees.grow import walk
from codebreaker.trees.io import StrategyKey
from codebreaker.trees.text import move_text, tree_lines
from codebreaker.trees.tree import GameTree
from codebreaker.types import Move


def transcripts(game: Game, tree: GameTree) -> list[list[Move]]:
    """Return every secret's moves, in the order of the secrets."""
    moves: list[list[Move]] = [[] for _ in range(game.n_secrets)]
    for frontier, guesses, ids in walk(game, tree):
        played = np.repeat(guesses, frontier.sizes)
        for secret, guess, feedback in zip(
            frontier.sets.members.tolist(), played.tolist(), ids.tolist(), strict=True
        ):
            moves[secret].append((guess, feedback))
    return moves


def write_tree_text(game: Game, tree: GameTree, key: StrategyKey, path: str | Path) -> None:
    """Write a tree and every secret's transcript as readable text."""
    lines = [
        f"# {key.game}, {key.policy}, opening {key.opening}{' (forced)' if key.forced else ''}",
        f"# guesses from {key.guess_pool} codes; ties: {key.tie_break}",
        f"# {tree.total_guesses} guesses over {game.n_secrets} secrets, at most {tree.max_guesses}",
        "",
        "# The tree: feedback, then the next guess, then the number of candidates",
        *tree_lines(game, tree),
        "",
        "# The transcripts: each secret, then its guesses with their feedback",
        *(
            f"{secret}: " + " ".join(move_text(game, move) for move in moves)
            for secret, moves in zip(game.secrets, transcripts(game, tree), strict=True)
        ),
    ]
    write_text(path, "\n".join(lines))
