"""The command line: `codebreaker suggest`, `play`, `tree` and `games`."""

from typing import Annotated

import typer

from codebreaker import __version__
from codebreaker.cli.games import games
from codebreaker.cli.group import OneLineErrors
from codebreaker.cli.play import play
from codebreaker.cli.suggest import suggest
from codebreaker.cli.tree import tree

app = typer.Typer(
    cls=OneLineErrors,
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (suggest, play, tree, games):
    app.command()(command)


def _tell_version(asked: bool) -> None:
    if asked:
        typer.echo(f"codebreaker {__version__}")
        raise typer.Exit


@app.callback()
def main(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_tell_version, is_eager=True, help="Tell the version."),
    ] = False,
) -> None:
    """Play and analyse Mastermind and other deduction games.

    A move is GUESS:FEEDBACK, as in 1123:1,1 for 1 black and 1 white peg. Black pegs are right in
    colour and place; white pegs are right in colour, in another place. `codebreaker games` says
    which games there are and how the feedback of each is written.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
