"""`codebreaker completion`: what a shell needs to complete commands, and what completes them."""

from enum import StrEnum
from typing import Annotated

import typer
from typer.completion import get_completion_script  # type: ignore[attr-defined]


class Shell(StrEnum):
    """The shells that can complete commands."""

    bash = "bash"
    zsh = "zsh"
    fish = "fish"


def completion(
    shell: Annotated[Shell, typer.Argument(help="The shell that reads the output.")],
) -> None:
    """Print the script with which a shell completes commands, options, games and policies.

    \b
    eval "$(codebreaker completion bash)"   in ~/.bashrc
    eval "$(codebreaker completion zsh)"    in ~/.zshrc
    codebreaker completion fish | source    in ~/.config/fish/config.fish
    """  # noqa: D301 (\b keeps the lines below it apart)
    script = get_completion_script(
        prog_name="codebreaker", complete_var="_CODEBREAKER_COMPLETE", shell=shell.value
    )
    typer.echo(script)


def complete_game(incomplete: str) -> list[str]:
    """Return the usual games whose names start so."""
    from codebreaker.games.registry import usual_games

    return [name for name in usual_games() if name.startswith(incomplete)]


def complete_policy(incomplete: str) -> list[str]:
    """Return the policies whose names start so."""
    from codebreaker.policies.registry import catalogue

    return [entry.example for entry in catalogue() if entry.example.startswith(incomplete)]


def complete_tree_format(incomplete: str) -> list[str]:
    """Return the formats of tree files whose names start so."""
    from codebreaker.trees.formats.registry import READ

    return [name for name in READ if name.startswith(incomplete)]
