"""What a command writes: rich text, plain text or JSON, and errors as one line."""

import errno
import inspect
import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NoReturn

import typer
from typer.completion import completion_init  # type: ignore[attr-defined]
from typer.core import TyperCommand, TyperGroup

import codebreaker
from codebreaker.cli.options import Format, option_of
from codebreaker.errors import (
    CodebreakerError,
    Setting,
    check_environment,
    counted,
    nearest,
    printable,
    quoted,
    shortened,
)

if TYPE_CHECKING:
    from fractions import Fraction

    import polars as pl
    from rich.text import Text

    from codebreaker.advice.resolve import AnyAssistant
    from codebreaker.games.notation import Notation
    from codebreaker.types import Indices, Move

PEGS = ("bold white on grey30", "bold black on white")
"""Styles of black and white pegs; their letters distinguish them without colours."""

MARKS = {"g": "black on green", "y": "black on yellow", "b": "white on bright_black"}
MAX_LISTED = 10
"""Number of candidates that are listed by default."""

BAD_INPUT = 2
INTERRUPTED = 130
"""Exit codes."""

PYTHON_TYPE = re.compile(r" <(list\[)?str\]?>")
"""A type in Typer's name of an argument or option, which says less than the help itself."""

LEAST_WIDTH = 20
"""Minimum width of a wrapped error, in characters."""

WIDEST_HELP = 80
NAMES_SHARE = 3
"""Columns of the help, and the share of them, 1 / NAMES_SHARE, that options' names may have."""

NARROW_HELP = 50
"""Columns below which what an option does stands under its names, and not beside them."""

NUMBERS = {
    "int_parsing": "an integer",
    "int_from_float": "an integer",
    "float_parsing": "a number",
}
"""Pydantic's errors for what is no number, and what it should be."""

LIKE_A_COMMAND = 0.7
"""Minimum likeness of an unknown command and the one that it is taken for, from 0 to 1."""

OTHER_OPTIONS = {
    "--json": "--format json",
    "--hard": "--guess-pool hard",
    "--timeout": "--time-limit SECONDS",
    "--out": "> FILE",
    "--output": "> FILE",
    "-o": "> FILE",
}
"""What to write instead of some options that other programs have."""

OPTIONS: dict[Setting, str] = {
    "alphabet": "--alphabet",
    "exact": "--exact",
    "memo_mib": "--memory",
    "table_mib": "--table",
    "time_limit_s": "--time-limit",
    "word_lists": "--words",
}
"""The options that change the settings which errors name."""


class Output:
    """Writes a command's output to stdout in one format."""

    def __init__(self, output: Format, notation: "Notation | None" = None) -> None:
        """Prepare to write in a format; codes and feedback need the game's notation."""
        from rich.console import Console

        # None lets rich decide whether stdout is a terminal. Lines are wrapped at words there, and
        # nowhere else.
        forced = True if output is Format.rich else None
        self._console = Console(
            highlight=False, soft_wrap=not sys.stdout.isatty(), force_terminal=forced
        )
        self._notation = notation
        self.in_letters = False
        """Whether the player types codes in letters of colours."""

        self.json = output is Format.json
        self.rich = output is Format.rich or (output is Format.auto and sys.stdout.isatty())

    def object(self, data: dict[str, Any], one_line: bool = False) -> None:
        """Write an object as JSON."""
        write = partial(json.dumps, data, indent=None if one_line else 2)
        text = write(ensure_ascii=False)
        sys.stdout.write((text if printable(text) == text else write()) + "\n")
        sys.stdout.flush()

    def line(self, *parts: "str | Text", style: str = "") -> None:
        """Write a line."""
        if not self.rich:
            print(printable("".join(map(str, parts))), flush=True)
            return
        from rich.text import Text

        line = Text("", style=style).append_text(Text.assemble(*parts))
        if not line.plain.isprintable():
            line.plain = printable(line.plain)
        self._console.print(line)

    def show_in(self, notation: "Notation") -> None:
        """Show codes and feedback in another notation from now on."""
        self._notation = notation

    def code(self, label: str) -> "str | Text":
        """Return a code, as pegs if rich."""
        if not self.rich or self._notation is None:
            return label
        from rich.text import Text

        from codebreaker.games.codes import COLOURS, CodeRules

        rules = self._notation.rules
        if not isinstance(rules, CodeRules):
            return Text(label, "bold")
        few = self._console.color_system == "standard"
        styles = [
            f"bold {'white' if colour.dark else 'black'} on {colour.basic if few else colour.value}"
            for colour in COLOURS
        ]
        of = {symbol: styles[i % len(styles)] for i, symbol in enumerate(rules.symbols())}
        pegs = rules.symbols_of(label)
        return Text(" ").join(Text(f" {peg} ", of[peg]) for peg in pegs)

    def letters(self, label: str) -> str:
        """Return a code as the player types it, in brackets, if that isn't the usual way.

        Letters of colours are left out where the player sees the colours.
        """
        from codebreaker.games.codes import CodeRules

        if self._notation is None:
            return ""
        rules = self._notation.rules
        dialect = self._notation.dialect
        if dialect is not None and isinstance(rules, CodeRules):
            return f" ({dialect.shown(rules, label)})"
        if self.rich or not self.in_letters:
            return ""
        assert isinstance(rules, CodeRules), "only codes have letters of colours"
        return f" ({rules.in_letters(label)})"

    def feedback(self, feedback: int) -> "str | Text":
        """Return feedback, as pegs or marks if rich."""
        notation = self._notation
        assert notation is not None
        short = notation.short(feedback)
        if not self.rich:
            return short
        from rich.text import Text

        label = notation.game.feedback_labels[feedback]
        if label.strip("byg") == "":
            return Text.assemble(*((f" {mark} ", MARKS[mark]) for mark in label))
        counts = [int(count) for count in short.split(",")]
        letters = notation.kind.letters[: len(counts)]
        pegs = [
            (f" {letter} ", style)
            for letter, style, count in zip(letters, PEGS, counts, strict=False)
            for _ in range(count)
        ]
        return Text.assemble(*pegs, " " if pegs else "", (short, "dim"))

    def move(self, number: int, move: "Move") -> None:
        """Write a move."""
        assert self._notation is not None
        guess, feedback = move
        label = self._notation.game.guesses[guess]
        self.line(f"{number:>2}  ", self.code(label), "  ", self.feedback(feedback))

    def review(self, moves: "pl.DataFrame") -> None:
        """Write the analysis of a game's moves."""
        from codebreaker.advice.verdict import review_in_words

        head, lines, whole = review_in_words(moves)
        self.line(head, style="bold")
        for turn, guess, line in zip(moves["turn"], moves["guess"], lines, strict=True):
            self.line(f"{turn:>2}  ", self.code(guess), f"  {line}")
        self.line(whole)

    def candidates(
        self,
        candidates: "Indices",
        limit: int,
        more: str,
        probabilities: "list[Fraction] | None" = None,
    ) -> None:
        """Write the first candidates; `more` ends a list cut short."""
        assert self._notation is not None
        secrets = self._notation.game.secrets
        if probabilities is None:
            listed = " ".join(secrets[secret] for secret in candidates[:limit])
        else:
            listed = ", ".join(
                f"{secrets[secret]} {100 * float(probability):.1f}%"
                for secret, probability in zip(candidates[:limit], probabilities, strict=False)
            )
        n = len(candidates)
        self.line(f"candidates: {n:,}: {listed}", f" {more}" if limit < n else "")

    def totals(
        self, total: int | None, mean: float, profile: Sequence[int], style: str = ""
    ) -> None:
        """Write a tree's total, mean and profile; no total with a prior, which weights the mean."""
        secrets = counted(sum(profile), "secret")
        all_of_them = f"{secrets} with a prior"
        if total is not None:
            all_of_them = f"{counted(total, 'guess', 'es')} for {secrets}"
        self.line(
            f"{all_of_them}, {mean:.4f}{' guesses' if total is None else ''} on average, "
            f"at most {len(profile)}; "
            f"solved at guess 1, 2, ...: {' '.join(map(str, profile))}",
            style=style,
        )

    def policy(self, assistant: "AnyAssistant", feedback: str) -> None:
        """Write the policy, and what feedback means."""
        self.line(f"policy: {assistant.name} in {assistant.game.name}", style="dim")
        self.line(f"feedback: {feedback}", style="dim")


def about(assistant: "AnyAssistant") -> dict[str, Any]:
    """Return the game and the policy, for JSON."""
    return {
        "game": assistant.game.name,
        "policy": assistant.name,
        "feedback": assistant.notation.legend,
    }


def _prepare_streams() -> None:
    """Replace closed streams, and let bytes or characters that can't be encoded pass.

    Raises `CodebreakerError` if the standard output is closed: nothing could be written.
    """
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 (until the end)
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115
    if sys.stdout is None:
        raise CodebreakerError("standard output is closed: send it to a file, or to /dev/null")
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace")):
        with suppress(AttributeError, OSError):
            stream.reconfigure(errors=errors)  # type: ignore[union-attr]


def _discard_output() -> None:
    """Send what is still buffered nowhere, so that Python's flush at the end doesn't fail again."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def explain(error: OSError) -> str:
    """Return what to do about an error of the operating system."""
    what = error.strerror or str(error) or type(error).__name__
    where = f"{error.filename}: " if error.filename else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return f"{where}{what}: free disk space, or write elsewhere"
    return f"{where}{what}"


EXAMPLES_BEGIN = "\b\n"
"""Click's mark before a paragraph whose lines it keeps: here, examples."""

CONTINUED = "  "
"""Indentation of what belongs to the line above."""


class PlainCommand(TyperCommand):
    """A command that says where a needless argument belongs.

    Its help has no Python types, and fits narrow terminals.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 (Typer's own)
        """Return no arguments that are left; raise `CodebreakerError` for one."""
        ctx.allow_extra_args = True
        left: list[str] = super().parse_args(ctx, args)
        if left and not ctx.resilient_parsing:
            options = [
                parameter.opts[0]
                for parameter in self.get_params(ctx)
                if parameter.param_type_name == "option" and not getattr(parameter, "is_flag", True)
            ]
            option = option_of(left[0])
            remedy = "leave it out"
            if option is not None and option.split()[0] in options:
                remedy = f"write {option}"
            elif options:
                remedy += f", or write it after its option, such as {options[0]}"
            raise CodebreakerError(f"codebreaker {self.name} has no use for {left[0]!r}: {remedy}")
        return left

    def format_help_text(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 (Typer's own)
        """Write what the command does, with its examples."""
        formatter.write_paragraph()
        with formatter.indentation():
            width = formatter.width - formatter.current_indent
            paragraphs = inspect.cleandoc(self.help or "").split("\n\n")
            formatter.write_text("\n\n".join(_narrowed(text, width) for text in paragraphs))

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 (Typer's own)
        """Write the arguments and the options, each with what it does."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                names, about = record
                is_argument = parameter.param_type_name == "argument"
                rows = sections["Arguments" if is_argument else "Options"]
                names = _with_short_lines(PYTHON_TYPE.sub("", names), formatter.width - 2)
                rows.append((names, about))
        is_narrow = formatter.width < NARROW_HELP
        names_width = len(CONTINUED) if is_narrow else min(30, formatter.width // NAMES_SHARE)
        for title, rows in sections.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows, col_max=names_width)


def _narrowed(paragraph: str, width: int) -> str:
    """Return a paragraph of the help whose examples, if it has some, have lines of this width.

    If an example doesn't fit, what they say stands below all of them, and a shell reads on after
    the backslash of a broken line.
    """
    lines = paragraph.removeprefix(EXAMPLES_BEGIN).splitlines()
    if not paragraph.startswith(EXAMPLES_BEGIN) or max(map(len, lines)) <= width:
        return paragraph
    wrap = partial(
        textwrap.wrap, subsequent_indent=CONTINUED, break_long_words=False, break_on_hyphens=False
    )
    narrow = list[str]()
    for line in lines:
        command, _, about = line.partition("  ")
        narrow.append(" \\\n".join(wrap(command, width - len(" \\"))))
        narrow += wrap(about.strip(), width, initial_indent=CONTINUED)
    return EXAMPLES_BEGIN + "\n".join(narrow)


def _with_short_lines(names: str, width: int) -> str:
    """Return an option's names, whose choices are on several lines if they are too wide."""
    lines = [""]
    for piece in re.split(r"(?<=\|)", names):
        if lines[-1] and len(lines[-1]) + len(piece) > width:
            lines.append(3 * CONTINUED)
        lines[-1] += piece
    return "\n".join(lines)


class OneLineErrors(TyperGroup):
    """A command group that reports user errors in one line."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 (Typer's own)
        """Return the command of some arguments; raise `CodebreakerError` for an unknown one."""
        name = args[0]
        if name not in self.commands and not name.startswith("-") and not ctx.resilient_parsing:
            raise _unknown_command(name, [*self.commands])
        return super().resolve_command(ctx, args)

    def main(self, args: Sequence[str] | None = None, *others: Any, **extra: Any) -> Any:  # noqa: ANN401
        """Run a command and exit with its code."""
        completion_init()
        args = _usual_arguments(sys.argv[1:] if args is None else args)
        fail = partial(_fail, _wants_json(args))
        interrupted = "interrupted"
        try:
            _prepare_streams()
            check_environment()
            # Typer itself writes at least 50 columns.
            extra["terminal_width"] = min(shutil.get_terminal_size().columns, WIDEST_HELP) - 2
            code = super().main(args, *others, **extra | {"standalone_mode": False})
            sys.stdout.flush()
        except CodebreakerError as error:
            option = OPTIONS.get(error.setting) if error.setting else None
            fail(f"{error} (option {option})" if option else str(error))
        except typer.Abort as abort:
            code = INTERRUPTED
            interrupted = str(abort) or interrupted
        except BrokenPipeError:  # the reader has closed the pipe
            _discard_output()
            sys.exit(1)
        except OSError as error:
            _discard_output()
            fail(explain(error))
        except MemoryError:
            fail("not enough memory: choose a smaller game, or smaller --endgames or --memory")
        except Exception as error:
            # Usage errors have no public class.
            if not hasattr(error, "format_message"):
                raise
            if reason := _reason_of(error.__cause__):
                error.message = reason  # type: ignore[attr-defined]
            other = OTHER_OPTIONS.get(getattr(error, "option_name", ""))
            if other is not None:
                fail(f"{error.message}: write {other}")  # type: ignore[attr-defined]
            fail(error.format_message())
        if code == INTERRUPTED:
            typer.echo(f"\n{interrupted}", err=True)
        sys.exit(code if isinstance(code, int) else 0)


def _unknown_command(name: str, commands: Sequence[str]) -> CodebreakerError:
    """Return the error for an unknown command, with one that is like it, or else all of them."""
    near = nearest(name, commands, LIKE_A_COMMAND)
    if near is not None:
        return CodebreakerError(f"unknown command {quoted(name)}: did you mean {near!r}?")
    known = f"unknown command {quoted(name)}: known are {', '.join(commands)}"
    if name in codebreaker.__all__:
        known += f"; the library has codebreaker.{name}"
    return CodebreakerError(known)


def _usual_arguments(given: Sequence[str]) -> list[str]:
    """Return the arguments of a call, with options for `help`, `help COMMAND` and `version`."""
    match given:
        case ["version"]:
            return ["--version"]
        case ["help", *command]:
            return [*command, "--help"]
    return [*given]


def _reason_of(cause: BaseException | None) -> str | None:
    """Return why pydantic refused a value, or None for another cause of a usage error.

    Typer's own message has pydantic's kind of error before the reason.
    """
    from pydantic import ValidationError

    if not isinstance(cause, ValidationError):
        return None
    fault = cause.errors(include_url=False)[0]
    if fault["type"] in NUMBERS:
        return f"{fault['input']!r} is not {NUMBERS[fault['type']]}"
    if fault["type"] == "greater_than_equal":
        return f"{fault['input']} is too small: give at least {fault['ctx']['ge']}"
    reason = fault.get("ctx", {}).get("error")
    return None if reason is None else str(reason)


def _wants_json(arguments: Sequence[str]) -> bool:
    """Return whether errors are to be JSON, also if the arguments can't be parsed."""
    return any(
        argument.lower() in ("--format=json", "-fjson")
        or (argument in ("--format", "-f") and following.lower() == "json")
        for argument, following in pairwise([*arguments, ""])
    )


def _fail(as_json: bool, message: str) -> NoReturn:
    """Write an error to stderr and exit with BAD_INPUT."""
    line = json.dumps({"error": shortened(message)}) if as_json else error_line(message)
    with suppress(OSError):  # nobody reads stderr
        typer.echo(line, err=True)
    sys.exit(BAD_INPUT)


def error_line(message: str) -> str:
    """Return an error as one line, wrapped on a terminal only."""
    line = f"error: {shortened(message)}"
    if not sys.stderr.isatty():
        return line
    width = max(shutil.get_terminal_size().columns - 1, LEAST_WIDTH)
    return textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)
