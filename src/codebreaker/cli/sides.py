"""The two sides of an interactive game: codemaker and codebreaker."""

from collections.abc import Callable

import numpy as np

from codebreaker.cli.dialogue import HINT, QUIT, UNDO, Dialogue
from codebreaker.errors import CodebreakerError
from codebreaker.types import Move


def hold_secret(dialogue: Dialogue, secret: int) -> None:
    """Give feedback to the user's guesses."""
    game = dialogue.game

    def prompt(moves: list[Move]) -> str:
        return f"guess {len(moves) + 1}"

    def next_move(_moves: list[Move], typed: str) -> Move:
        guess = dialogue.notation.guess(typed)
        return guess, int(game.feedback(guess, np.array([secret], dtype=np.int32))[0])

    dialogue.start("Guess the secret")
    moves, solved = _play(dialogue, prompt, next_move)
    dialogue.end(solved, len(moves), game.secrets[secret])


def evade(dialogue: Dialogue) -> None:
    """Answer the user's guesses so that many more follow, without a secret."""
    from codebreaker.advice.devious import DeviousCodemaker

    codemaker = DeviousCodemaker(dialogue.game)

    def prompt(moves: list[Move]) -> str:
        return f"guess {len(moves) + 1}"

    def next_move(moves: list[Move], typed: str) -> Move:
        guess = dialogue.notation.guess(typed)
        return guess, codemaker.answer(moves, guess)

    dialogue.start("Nobody has chosen a secret: find the only one that fits all answers")
    moves, solved = _play(dialogue, prompt, next_move)
    dialogue.end(solved, len(moves), dialogue.game.guesses[moves[-1][0]] if solved else None)


def guess_secret(dialogue: Dialogue) -> None:
    """Guess the user's secret from typed feedback."""
    assistant = dialogue.assistant

    def prompt(moves: list[Move]) -> str:
        suggestion = assistant.suggest(moves)
        dialogue.guess(len(moves) + 1, suggestion.guess, len(suggestion.candidates))
        return "feedback"

    def next_move(moves: list[Move], typed: str) -> Move:
        move = assistant.suggest(moves).guess, dialogue.notation.feedback(typed)
        try:
            assistant.candidates([*moves, move])
        except CodebreakerError as error:
            raise CodebreakerError(f"{error} (type other feedback, or undo)") from None
        return move

    dialogue.start("Think of a secret and type the feedback to each guess")
    moves, solved = _play(dialogue, prompt, next_move)
    dialogue.end(solved, len(moves), dialogue.game.guesses[moves[-1][0]] if solved else None)


def _play(
    dialogue: Dialogue,
    prompt: Callable[[list[Move]], str],
    next_move: Callable[[list[Move], str], Move],
) -> tuple[list[Move], bool]:
    """Process input to the end of the game; return the moves, and whether they are complete."""
    moves = list[Move]()
    while not moves or moves[-1][1] != dialogue.game.solved:
        typed = dialogue.ask(prompt(moves))
        if typed == QUIT:
            return moves, False
        if typed == HINT:
            dialogue.hint(moves)
        elif typed == UNDO:
            dialogue.undo(moves)
        else:
            try:
                moves.append(next_move(moves, typed))
            except CodebreakerError as error:
                dialogue.error(str(error))
            else:
                dialogue.move(len(moves), moves[-1])
    return moves, True
