"""`codebreaker games`: which games there are, and how their feedback is written."""

from codebreaker.cli.options import Format, OutputFormat
from codebreaker.cli.screen import Screen


def games(output: OutputFormat = Format.auto) -> None:
    """List the games, and how the feedback of each is written."""
    from codebreaker.games.registry import FAMILIES
    from codebreaker.games.word_lists import BUNDLED

    screen = Screen(output)
    if screen.json:
        listed = {
            family: {"name": rules.name_form, "example": rules.example, "title": rules.description}
            | {"feedback": rules.feedback_kind.form, "meaning": rules.feedback_kind.meaning}
            for family, rules in FAMILIES.items()
        }
        screen.object({"games": listed, "word_lists": list(BUNDLED)})
        return
    for rules in FAMILIES.values():
        kind = rules.feedback_kind
        screen.line(f"{rules.name_form}, as in {rules.example}: {rules.description}", style="bold")
        screen.line(f"    feedback {kind.form}, as in {kind.example}: {kind.meaning}")
    screen.line(f"LIST is {' or '.join(BUNDLED)}; other words come from a file, with --words FILE")
