"""User errors as one line on stderr, of text or JSON, with exit code 2."""

import json
import shutil
import sys
import textwrap
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any, NoReturn

import typer
from typer.completion import completion_init  # type: ignore[attr-defined]
from typer.core import TyperGroup

from codebreaker import progress
from codebreaker.cli.streams import discard_output, explain, prepare_streams
from codebreaker.errors import CodebreakerError, Setting

BAD_INPUT = 2
INTERRUPTED = 130

LEAST_WIDTH = 20
"""Columns that an error takes on the narrowest terminal."""

LONGEST_ERROR = 500
"""Characters of an error; it may quote what was typed."""

OPTIONS: dict[Setting, str] = {"exact": "--exact", "word_lists": "--words"}
"""The options that stand for settings."""


class _Errors:
    """How the errors of this call are written: as text, or as JSON."""

    as_json = False


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
        _Errors.as_json = _wants_json(sys.argv[1:] if args is None else args)
        try:
            prepare_streams()
            if sys.stderr.isatty():
                progress.tell_of_compiling = _say_compiling
            code = super().main(args, prog_name, complete_var, False, windows_expand_args, **extra)
            sys.stdout.flush()
        except CodebreakerError as error:
            option = OPTIONS.get(error.setting) if error.setting else None
            _fail(f"{error} (option {option})" if option else str(error))
        except typer.Abort:
            sys.exit(INTERRUPTED)
        except BrokenPipeError:  # the reader has closed the pipe
            discard_output()
            sys.exit(1)
        except OSError as error:
            discard_output()
            _fail(explain(error))
        except MemoryError:
            _fail("not enough memory: choose a smaller game, or smaller sets with --endgames")
        except Exception as error:
            # Usage errors have no public class of their own.
            message = getattr(error, "format_message", None)
            if message is None:
                raise
            _fail(message())
        sys.exit(code if isinstance(code, int) else 0)


def _say_compiling() -> None:
    typer.echo("compiling, once: later calls take the code from a cache ...", err=True)


def _wants_json(arguments: Sequence[str]) -> bool:
    """Return whether a command line asks for JSON; it may be one that can't be parsed."""
    return any(
        argument in ("--format=json", "-fjson")
        or (argument in ("--format", "-f") and following == "json")
        for argument, following in pairwise([*arguments, ""])
    )


def _fail(message: str) -> NoReturn:
    line = json.dumps({"error": shortened(message)}) if _Errors.as_json else error_line(message)
    with suppress(OSError):  # nobody reads stderr
        typer.echo(line, err=True)
    sys.exit(BAD_INPUT)


def shortened(message: str) -> str:
    """Return a message in one line; of one that quotes long input, only both ends."""
    line = " ".join(message.split())
    if len(line) <= LONGEST_ERROR:
        return line
    return f"{line[: LONGEST_ERROR // 2]} ... {line[-LONGEST_ERROR // 2 :]}"


def error_line(message: str) -> str:
    """Return an error as one line, which is wrapped at words on a terminal alone."""
    line = f"error: {shortened(message)}"
    if not sys.stderr.isatty():
        return line
    width = max(shutil.get_terminal_size().columns - 1, LEAST_WIDTH)
    return textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)
