"""`codebreaker games`: which games there are, and how their feedback is written."""

from codebreaker.cli.options import Format, OutputFormat
from codebreaker.cli.screen import Screen

NAMES = {
    "mm": ("mm-PEGS-COLOURS", "mm-4-6", "Mastermind"),
    "bc": ("bc-PEGS-SYMBOLS", "bc-4-10", "Bulls and Cows: no symbol twice"),
    "black": ("black-PEGS-COLOURS", "black-4-6", "Mastermind with black pegs alone"),
    "matches": ("matches-LIST", "matches-example", "words, as in the terminals of Fallout 3"),
    "marks": ("marks-LIST", "marks-five", "words, as in Wordle"),
}


def games(output: OutputFormat = Format.auto) -> None:
    """List the games, and how the feedback of each is written."""
    from codebreaker.games.notation import KINDS
    from codebreaker.games.word_lists import BUNDLED

    screen = Screen(output)
    if screen.json:
        found = {
            family: {"name": name, "example": example, "title": title}
            | {"feedback": KINDS[family].form, "meaning": KINDS[family].meaning}
            for family, (name, example, title) in NAMES.items()
        }
        screen.object({"games": found, "word_lists": list(BUNDLED)})
        return
    for family, (name, example, title) in NAMES.items():
        kind = KINDS[family]
        screen.line(f"{name}, as in {example}: {title}", style="bold")
        screen.line(f"    feedback {kind.form}, as in {kind.example}: {kind.meaning}")
    screen.line(f"LIST is {' or '.join(BUNDLED)}; other words come from a file, with --words FILE")
