"""`codebreaker play`: an interactive game, on either side."""

import random
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from codebreaker.cli.options import AssistantOptions, with_assistant_options
from codebreaker.cli.output import Output

if TYPE_CHECKING:
    from codebreaker.games.model import Game


class Codemaker(StrEnum):
    """Who answers the user's guesses."""

    honest = "honest"
    devious = "devious"


@with_assistant_options
def play(
    options: AssistantOptions,
    solver: Annotated[
        bool, typer.Option("--solver", help="Let the program guess your secret.")
    ] = False,
    secret: Annotated[
        str | None, typer.Option(metavar="CODE", help="The secret to guess. Default: random.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Seed of the random secret.")
    ] = None,
    codemaker: Annotated[
        Codemaker,
        typer.Option(
            help="honest has a secret; devious has none, and answers so that it takes long, "
            "without contradicting himself."
        ),
    ] = Codemaker.honest,
) -> None:
    """Guess the program's secret, or with --solver let it guess yours.

    Type guesses such as 1123 (or bbog: b blue, o orange, g green, r red, p pink, y yellow, s sky
    blue, n brown), or with --solver feedback such as 1,2 or 12: 1 black peg (right in colour and
    place) and 2 white pegs (right in colour only). Type ? for a hint, undo to take back the
    last move, quit to end the game. Input may be piped, one line per entry.
    """
    from codebreaker.cli.dialogue import Dialogue
    from codebreaker.cli.sides import evade, guess_secret, hold_secret

    if solver and (secret is not None or seed is not None):
        raise typer.BadParameter(
            "with --solver the secret is yours: leave these out", param_hint="--secret and --seed"
        )
    devious = codemaker is Codemaker.devious
    if devious and (solver or secret is not None or seed is not None):
        raise typer.BadParameter(
            "a devious codemaker has no secret: leave out --solver, --secret and --seed",
            param_hint="--codemaker",
        )
    assistant = options.assistant()
    notation = assistant.notation
    dialogue = Dialogue(Output(options.output, notation), assistant)
    if solver:
        guess_secret(dialogue)
    elif devious:
        evade(dialogue)
    elif secret is not None:
        hold_secret(dialogue, notation.secret(secret))
    else:
        hold_secret(dialogue, _drawn(notation.game, random.Random(seed)))


def _drawn(game: "Game", draw: random.Random) -> int:
    """Return a random secret, by its chance if the game has a prior."""
    from codebreaker.games.model import TableGame

    if not isinstance(game, TableGame) or game.prior is None:
        return draw.randrange(game.n_secrets)
    return draw.choices(range(game.n_secrets), game.prior.tolist())[0]
