"""`codebreaker games` and `codebreaker policies`: what can be played, and how."""

from typing import Annotated

from codebreaker.cli.options import (
    Format,
    OutputFormat,
    TableLimit,
    game_option,
    notation_with_files,
)
from codebreaker.cli.output import Output


def games(output: OutputFormat = Format.auto) -> None:
    """List the games and how to write their feedback."""
    from codebreaker.games.registry import FAMILIES
    from codebreaker.games.words import BUNDLED

    out = Output(output)
    if out.json:
        listed = {
            family: {"name": rules.name_form, "example": rules.example, "title": rules.description}
            | {"feedback": rules.feedback_kind.form, "meaning": rules.feedback_kind.meaning}
            for family, rules in FAMILIES.items()
        }
        out.object({"games": listed, "word_lists": list(BUNDLED)})
        return
    for rules in FAMILIES.values():
        kind = rules.feedback_kind
        out.line(f"{rules.name_form}, as in {rules.example}: {rules.description}", style="bold")
        out.line(f"    feedback {kind.form}, as in {kind.example}: {kind.meaning}")
    *others, last = BUNDLED
    out.line(f"LIST is {', '.join(others)} or {last}; for other words use --words FILE")


def policies(
    game: Annotated[
        str | None, game_option("Only the policies that can play this game.", show_default=False)
    ] = None,
    table: TableLimit = None,
    output: OutputFormat = Format.auto,
) -> None:
    """List the policies, and a game's default.

    \b
    codebreaker policies              all
    codebreaker policies -g mm-5-8    policies that can play MM(5,8)
    """  # noqa: D301 (\b keeps the lines below it apart)
    from codebreaker.advice.resolve import default_name, fits
    from codebreaker.constants import BEST_KNOWN, SAMPLED
    from codebreaker.games.codes import MOST_CODES
    from codebreaker.policies.catalogue import TITLES, catalogue
    from codebreaker.policies.registry import ALIASES

    entries = catalogue()
    default = (
        f"{BEST_KNOWN}; for games without a recorded tree exact search and entropy, or {SAMPLED} "
        "if they are large"
    )
    if game is not None:
        notation = notation_with_files(game, table_mib=table, most_listed=MOST_CODES)
        entries = [entry for entry in entries if fits(entry, notation)]
        default = default_name(notation)
    out = Output(output)
    if out.json:
        listed = [entry._asdict() for entry in entries]
        out.object({"policies": listed, "aliases": ALIASES, "default": default})
        return
    width = max(len(entry.name) for entry in entries)
    for kind, title in TITLES.items():
        entries_of_kind = [entry for entry in entries if entry.kind == kind]
        if entries_of_kind:
            out.line(title, style="bold")
        for entry in entries_of_kind:
            only = f"{entry.game}: " if entry.game and game is None else ""
            out.line(f"    {entry.name:<{width}}  {only}{entry.about}")
    out.line("other names", style="bold")
    for alias, name in ALIASES.items():
        out.line(f"    {alias:<{width}}  {name}")
    out.line(f"default: {default}")
