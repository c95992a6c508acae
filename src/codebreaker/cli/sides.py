"""The two sides of a game: the program holds the secret, or guesses it."""

import numpy as np

from codebreaker.cli.dialogue import HINT, QUIT, UNDO, Dialogue
from codebreaker.errors import CodebreakerError
from codebreaker.types import Move


def hold_secret(dialogue: Dialogue, secret: int) -> None:
    """Answer guesses until the secret is found or the game is quit."""
    game, moves = dialogue.game, list[Move]()
    dialogue.start("Guess the secret")
    while not moves or moves[-1][1] != game.solved:
        typed = dialogue.ask(f"guess {len(moves) + 1}")
        if typed == QUIT:
            break
        if typed == HINT:
            dialogue.hint(moves)
        elif typed == UNDO:
            dialogue.undo(moves)
        else:
            try:
                guess = dialogue.notation.guess(typed)
            except CodebreakerError as error:
                dialogue.error(str(error))
                continue
            feedback = int(game.feedback(guess, np.array([secret], dtype=np.int32))[0])
            moves.append((guess, feedback))
            dialogue.move(len(moves), moves[-1])
    solved = bool(moves) and moves[-1][1] == game.solved
    dialogue.end(solved, len(moves), game.secrets[secret])


def guess_yours(dialogue: Dialogue) -> None:
    """Guess until the feedback says that the secret is found, or the game is quit."""
    game, moves = dialogue.game, list[Move]()
    dialogue.start("Think of a secret and type the feedback of each guess")
    while not moves or moves[-1][1] != game.solved:
        found = dialogue.asked.suggest(moves)
        dialogue.guess(len(moves) + 1, found.guess, len(found.candidates))
        typed = dialogue.ask("feedback")
        if typed == QUIT:
            dialogue.end(False, len(moves), None)
            return
        if typed == HINT:
            dialogue.hint(moves)
        elif typed == UNDO:
            dialogue.undo(moves)
        else:
            _take(dialogue, moves, found.guess, typed)
    dialogue.end(True, len(moves), game.guesses[moves[-1][0]])


def _take(dialogue: Dialogue, moves: list[Move], guess: int, typed: str) -> None:
    """Add a move with the feedback that was typed, if it can be read and some secret fits it."""
    try:
        move = (guess, dialogue.notation.feedback(typed))
    except CodebreakerError as error:
        dialogue.error(str(error))
        return
    try:
        dialogue.asked.candidates([*moves, move])
    except CodebreakerError as error:
        dialogue.error(f"{error} (type another feedback, or undo)")
        return
    moves.append(move)
    dialogue.move(len(moves), move)
