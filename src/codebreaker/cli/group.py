"""User errors as one line on stderr, with exit code 2."""

import os
import sys
from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperGroup

from codebreaker.errors import CodebreakerError, Setting

BAD_INPUT = 2
INTERRUPTED = 130

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


def _fail(message: str) -> None:
    typer.echo(f"error: {' '.join(message.split())}", err=True)
    sys.exit(BAD_INPUT)
