"""The command line: a module per command of `codebreaker`, and shared ones."""

from typing import Annotated

import typer

from codebreaker.cli.advise import suggest, tree
from codebreaker.cli.judge import score, verify
from codebreaker.cli.listing import games, policies
from codebreaker.cli.options import completion
from codebreaker.cli.output import OneLineErrors, PlainCommand
from codebreaker.cli.play import play
from codebreaker.cli.solve import solve
from codebreaker.constants import VERSION

app = typer.Typer(
    cls=OneLineErrors,
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (suggest, play, tree, solve, verify, score, games, policies, completion):
    # Without a short help of its own, Typer cuts the first line on narrow terminals.
    about = next(iter((command.__doc__ or "").splitlines()), None)  # python -OO has no docstrings
    app.command(cls=PlainCommand, short_help=about)(command)


def _print_version(requested: bool) -> None:
    """Print the version and end the program, if requested."""
    if requested:
        typer.echo(f"codebreaker {VERSION}")
        raise typer.Exit


@app.callback()
def main(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", "-V", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Play and analyse Mastermind and other deduction games.

    A move is GUESS:FEEDBACK, such as 1123:1,1 for 1 black and 1 white peg. Black pegs have the
    right colour in the right place; white pegs have the right colour in the wrong place.
    `codebreaker games` lists the games and how to write their feedback, `codebreaker policies`
    the rules of play.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
