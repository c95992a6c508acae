"""`codebreaker games`: the games, and how to write their feedback."""

from codebreaker.cli.options import Format, OutputFormat
from codebreaker.cli.output import Output

NAMES = {
    "mm": ("mm-PEGS-COLOURS", "mm-4-6", "Mastermind"),
    "bc": ("bc-PEGS-SYMBOLS", "bc-4-10", "Bulls and Cows, with no symbol repeated"),
    "black": ("black-PEGS-COLOURS", "black-4-6", "Mastermind with black pegs only"),
    "matches": ("matches-LIST", "matches-example", "words, as in the terminals of Fallout 3"),
    "marks": ("marks-LIST", "marks-five", "words, as in Wordle"),
}
"""The form of a name, an example and a title for each family of games."""


def games(output: OutputFormat = Format.auto) -> None:
    """List the games and how to write their feedback."""
    from codebreaker.games.notation import KINDS
    from codebreaker.games.word_lists import BUNDLED

    out = Output(output)
    if out.json:
        families = {
            family: {"name": name, "example": example, "title": title}
            | {"feedback": KINDS[family].form, "meaning": KINDS[family].meaning}
            for family, (name, example, title) in NAMES.items()
        }
        out.object({"games": families, "word_lists": list(BUNDLED)})
        return
    for family, (name, example, title) in NAMES.items():
        kind = KINDS[family]
        out.line(f"{name}, as in {example}: {title}", style="bold")
        out.line(f"    feedback {kind.form}, as in {kind.example}: {kind.meaning}")
    out.line(f"LIST is {' or '.join(BUNDLED)}; for other words use --words FILE")
