"""`codebreaker play`: a game, with either side of the table."""

import random
from typing import Annotated

import typer

from codebreaker.cli.group import INTERRUPTED
from codebreaker.cli.options import (
    EndgameSize,
    Format,
    GameName,
    MoreWords,
    Opening,
    OutputFormat,
    PolicyName,
    Pool,
    Ties,
    Words,
    open_assistant,
    open_notation,
)
from codebreaker.cli.screen import Screen


def play(
    game: GameName = "mm-4-6",
    solver: Annotated[
        bool, typer.Option("--solver", help="The program guesses your secret; you tell feedback.")
    ] = False,
    secret: Annotated[
        str | None, typer.Option(metavar="CODE", help="The secret that you guess; else at random.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Draw the same secret every time.")
    ] = None,
    policy: PolicyName = None,
    opening: Opening = None,
    guess_pool: Pool = None,
    tie_break: Ties = None,
    endgames: EndgameSize = 0,
    words: Words = None,
    more_words: MoreWords = None,
    output: OutputFormat = Format.auto,
) -> None:
    """Guess a secret of the program's, or with --solver let it guess yours.

    Type guesses such as 1123, or with --solver feedback such as 1,2: 1 black peg, right in colour
    and place, and 2 white ones, right in colour alone. ? tells a hint, undo takes the last move
    back, and quit ends the game; each line of a pipe is an input.
    """
    from codebreaker.cli.dialogue import Dialogue
    from codebreaker.cli.sides import guess_yours, hold_secret

    notation = open_notation(game, words, more_words)
    asked = open_assistant(notation, policy, opening, guess_pool, tie_break, endgames)
    dialogue = Dialogue(Screen(output, notation), asked)
    try:
        if solver:
            if secret is not None or seed is not None:
                raise typer.BadParameter(
                    "with --solver the secret is yours: leave these out",
                    param_hint="--secret and --seed",
                )
            guess_yours(dialogue)
        else:
            drawn = random.Random(seed).randrange(notation.game.n_secrets)
            hold_secret(dialogue, drawn if secret is None else notation.secret(secret))
    except KeyboardInterrupt:
        typer.echo("")
        raise typer.Exit(INTERRUPTED) from None
