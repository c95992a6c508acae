"""`codebreaker games`: the games, and how to write their feedback."""

from codebreaker.cli.options import Format, OutputFormat
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
