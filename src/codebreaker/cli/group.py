"""User errors as one line on stderr, with exit code 2."""

import os
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import Any

import typer
from typer.completion import completion_init  # type: ignore[attr-defined]
from typer.core import TyperGroup

from codebreaker import progress
from codebreaker.errors import CodebreakerError, Setting

BAD_INPUT = 2
INTERRUPTED = 130

LEAST_WIDTH = 20
"""Columns that an error takes on the narrowest terminal."""

OPTIONS: dict[Setting, str] = {"exact": "--exact", "word_lists": "--words"}
"""The options that stand for settings."""


class OneLineErrors(TyperGroup):
    """A command group that reports user errors in one line."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        """Run a command and exit with its code."""
        completion_init()
        if sys.stderr.isatty():
            progress.tell_of_compiling = _say_compiling
        try:
            code = super().main(args, prog_name, complete_var, False, windows_expand_args, **extra)
            sys.stdout.flush()
        except CodebreakerError as error:
            option = OPTIONS.get(error.setting) if error.setting else None
            _fail(f"{error} (option {option})" if option else str(error))
        except typer.Abort:
            sys.exit(INTERRUPTED)
        except BrokenPipeError:
            # The reader closed the pipe; discard what is still buffered for it.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)
        except Exception as error:
            # Usage errors have no public class of their own.
            message = getattr(error, "format_message", None)
            if message is None:
                raise
            _fail(message())
        sys.exit(code if isinstance(code, int) else 0)


def _say_compiling() -> None:
    typer.echo("compiling, once: later calls take the code from a cache ...", err=True)


def _fail(message: str) -> None:
    typer.echo(error_line(message), err=True)
    sys.exit(BAD_INPUT)


def error_line(message: str) -> str:
    """Return an error as one line, which is wrapped at words on a terminal alone."""
    line = f"error: {' '.join(message.split())}"
    if not sys.stderr.isatty():
        return line
    width = max(shutil.get_terminal_size().columns - 1, LEAST_WIDTH)
    return textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)
