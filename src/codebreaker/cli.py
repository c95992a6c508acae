"""The command line."""

import typer

app = typer.Typer()
