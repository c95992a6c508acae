"""Errors in one line on stderr, with exit code 2."""

import os
import sys
from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperGroup

from codebreaker.errors import CodebreakerError

BAD_INPUT = 2
INTERRUPTED = 130


class OneLineErrors(TyperGroup):
    """The commands, which tell what is wrong with the input in one line."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        """Run a command; end the process by its exit code."""
        try:
            code = super().main(args, prog_name, complete_var, False, windows_expand_args, **extra)
            sys.stdout.flush()
        except CodebreakerError as error:
            _end(str(error))
        except typer.Abort:
            sys.exit(INTERRUPTED)
        except BrokenPipeError:
            # Who reads has enough; what is buffered must not be written to the closed pipe at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)
        except Exception as error:
            # Usage errors have no public class of their own.
            message = getattr(error, "format_message", None)
            if message is None:
                raise
            _end(message())
        sys.exit(code if isinstance(code, int) else 0)


def _end(message: str) -> None:
    typer.echo(f"error: {' '.join(message.split())}", err=True)
    sys.exit(BAD_INPUT)
