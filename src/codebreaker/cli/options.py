"""Options that commands share, and what they open."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, cast

import typer

if TYPE_CHECKING:
    from codebreaker.assistant.suggest import Assistant
    from codebreaker.games.notation import Notation


class Format(StrEnum):
    """How output is written."""

    auto = "auto"
    rich = "rich"
    plain = "plain"
    json = "json"


Moves = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[MOVES]...",
        help="The moves so far, as in 1123:1,1 or 1123:1b1w (1 black and 1 white).",
        show_default=False,
    ),
]
GameName = Annotated[
    str, typer.Option("--game", "-g", help="The game; `codebreaker games` lists them.")
]
Words = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="A word a line: the secrets of `matches` or `marks`."),
]
MoreWords = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Words that may be guessed beside those of --words."),
]
PolicyName = Annotated[
    str | None,
    typer.Option(
        "--policy",
        "-p",
        metavar="POLICY",
        help="Who is asked: a criterion such as entropy, most-parts, worst-case or renyi-0.5, or "
        "weights such as stage-weighted-5630. Default: one of the best for mm-4-6 and mm-5-8, "
        "else entropy.",
        show_default=False,
    ),
]
Opening = Annotated[
    str | None, typer.Option(metavar="CODE", help="The first guess, whatever the policy says.")
]
Pool = Annotated[
    str | None,
    typer.Option("--guess-pool", metavar="POOL", help="all, or consistent: candidates only."),
]
Ties = Annotated[
    str | None,
    typer.Option(
        "--tie-break",
        metavar="RULE",
        help="Which of equally good guesses is played: lexicographic (the first), consistent then "
        "lexicographic (candidates before others), or consistent then reversed lexicographic.",
    ),
]
EndgameSize = Annotated[
    int,
    typer.Option(
        "--endgames",
        metavar="SIZE",
        min=0,
        max=62,
        help="Play sets of up to SIZE candidates exactly; for games without a table.",
    ),
]
OutputFormat = Annotated[
    Format,
    typer.Option("--format", "-f", help="auto is rich on a terminal, and plain elsewhere."),
]


def open_notation(game: str, words: str | None, more_words: str | None) -> "Notation":
    """Return the notation of a game, which may be one with the words of a file."""
    from codebreaker.errors import CodebreakerError
    from codebreaker.games.notation import Notation
    from codebreaker.games.registry import WORDS, build_game, rules_of
    from codebreaker.games.word_lists import BUNDLED, WordFiles

    lists = dict(BUNDLED)
    if words is not None:
        family, _, listed = game.partition("-")
        if family not in WORDS:
            raise CodebreakerError(
                f"game {game!r} is not played with words: "
                f"name {' or '.join(WORDS)} with --game beside --words"
            )
        listed = listed or "words"
        game, lists[listed] = f"{family}-{listed}", WordFiles(words, more_words)
    elif more_words is not None:
        raise CodebreakerError("--more-words is for the secrets of --words: name both")
    elif game in WORDS:
        raise CodebreakerError(
            f"game {game!r} needs words: name a file with --words, "
            f"or a list that comes with it, as in {game}-{next(iter(lists))}"
        )
    rules = rules_of(game, lists)
    return Notation(rules, build_game(rules))


def open_assistant(
    notation: "Notation",
    policy: str | None,
    opening: str | None,
    pool: str | None,
    ties: str | None,
    endgames: int,
) -> "Assistant":
    """Return who is asked for guesses."""
    from codebreaker.assistant.suggest import Assistant, PolicySpec
    from codebreaker.types import GuessPool, TieBreak

    # Making the policy checks these names.
    named = cast(GuessPool | None, pool), cast(TieBreak | None, ties)
    wish = PolicySpec(policy, opening, *named, endgames)
    return Assistant(notation, wish.grant(notation))
