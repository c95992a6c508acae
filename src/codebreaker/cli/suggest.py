"""`codebreaker suggest`: the next guess."""

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from codebreaker.cli.options import AssistantOptions, with_assistant_options
from codebreaker.cli.output import MAX_LISTED, Output, about

if TYPE_CHECKING:
    from codebreaker.advice.hindsight import Hindsight
    from codebreaker.advice.suggest import Assistant, Suggestion
    from codebreaker.games.notation import Notation
    from codebreaker.types import Move


BEST_LISTED = 5
"""The number of best guesses that are listed with their exact costs."""


class Compared(NamedTuple):
    """A suggestion compared with optimal play, and the best guesses with their least means."""

    hindsight: "Hindsight"
    best: "list[tuple[int, Fraction]]"


@with_assistant_options
def suggest(
    options: AssistantOptions,
    moves: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[MOVES]...",
            help="The moves so far, such as 1123:1,1 or 1123:1b1w (1 black and 1 white).",
            show_default=False,
        ),
    ] = None,
    list_all: Annotated[bool, typer.Option("--list", "-l", help="List all candidates.")] = False,
    exact: Annotated[
        bool, typer.Option("--exact", help="Compare with optimal play; takes a few seconds.")
    ] = False,
) -> None:
    """Suggest the next guess after the given moves.

    \b
    codebreaker suggest                        the first guess
    codebreaker suggest 1123:1,1 1415:0,2      the third, after two moves
    codebreaker suggest -g bc-4-10 0123:0,1    in Bulls and Cows

    A move is GUESS:FEEDBACK. In Mastermind 1,2 (or 12, or 1b2w) means 1 black peg, right in colour
    and place, and 2 white pegs, right in colour only. Colours 1 to 8 may also be given by letters:
    b blue, o orange, g green, r red, p pink, y yellow, s sky blue, n brown.
    """  # noqa: D301 (\b keeps the lines below it apart)
    assistant = options.assistant()
    notation = assistant.notation
    history = notation.moves(moves or [])
    out = Output(options.output, notation)
    if history and history[-1][1] == notation.game.solved:
        assistant.candidates(history)  # raises if the moves contradict each other
        secret = notation.game.guesses[history[-1][0]]
        if out.json:
            out.object(_solved(assistant, history) | {"solved": True, "secret": secret})
        else:
            out.line("solved: the secret is ", out.code(secret))
        return
    suggestion = assistant.suggest(history)
    compared = _compared(suggestion, notation) if exact else None
    limit = len(suggestion.candidates) if list_all else MAX_LISTED
    if out.json:
        out.object(_as_json(assistant, suggestion, limit, compared))
    else:
        _print(out, assistant, suggestion, limit, compared)


def _compared(suggestion: "Suggestion", notation: "Notation") -> "Compared":
    """Compare a suggestion with optimal play; list the best guesses after the first one."""
    from codebreaker.advice.hindsight import best_guesses, hindsight_of
    from codebreaker.games.model import TableGame

    game, members = notation.game, suggestion.candidates
    played = [guess for guess, _ in suggestion.moves]
    hindsight = hindsight_of(game, played, members, suggestion.guess)
    best = list[tuple[int, Fraction]]()
    if played and isinstance(game, TableGame):
        best = best_guesses(game, played, members, BEST_LISTED)
    return Compared(hindsight, best)


def _solved(assistant: "Assistant", moves: "list[Move]") -> dict[str, Any]:
    """Return all keys of the JSON output, with their values for a solved game."""
    return about(assistant) | {
        "moves": assistant.notation.objects(moves),
        "solved": False,
        "secret": None,
        "turn": len(moves) + 1,
        "guess": None,
        "is_candidate": None,
        "n_candidates": 1,
        "candidates": [],
        "chances": None,
        "expected_guesses": 0.0,
        "most_guesses": 0,
        "exact": None,
    }


def _as_json(
    assistant: "Assistant", suggestion: "Suggestion", limit: int, compared: "Compared | None"
) -> dict[str, Any]:
    """Return a suggestion with the keys that docs/command-line.md explains."""
    game = assistant.game
    candidates, chances = assistant.likeliest(suggestion.candidates)
    data = _solved(assistant, list(suggestion.moves)) | {
        "guess": game.guesses[suggestion.guess],
        "is_candidate": suggestion.is_candidate,
        "n_candidates": len(suggestion.candidates),
        "candidates": [game.secrets[secret] for secret in candidates[:limit]],
        "chances": None if chances is None else [float(chance) for chance in chances[:limit]],
        "expected_guesses": float(suggestion.expected_guesses),
        "most_guesses": suggestion.most_guesses,
    }
    if compared is not None:
        hindsight, best = compared
        data["exact"] = {
            "expected_guesses": float(hindsight.least),
            "with_guess": float(hindsight.with_guess),
            "cost": float(hindsight.cost),
            "guess": game.guesses[hindsight.best],
            "best": [
                {"guess": game.guesses[guess], "expected_guesses": float(mean)}
                for guess, mean in best
            ],
        }
    return data


def _print(
    out: Output,
    assistant: "Assistant",
    suggestion: "Suggestion",
    limit: int,
    compared: "Compared | None",
) -> None:
    if out.rich:
        for number, move in enumerate(suggestion.moves, start=1):
            out.move(number, move)
    role = "which may be the secret" if suggestion.is_candidate else "which can't be the secret"
    guess = out.code(assistant.game.guesses[suggestion.guess])
    out.line("next guess: ", guess, f", {role}", style="bold")
    candidates, chances = assistant.likeliest(suggestion.candidates)
    out.candidates(candidates, limit, "... (--list for all)", chances)
    out.line(
        f"expected: {float(suggestion.expected_guesses):.4f} more guesses on average, "
        f"at most {suggestion.most_guesses}, including this one"
    )
    if compared is not None:
        _print_compared(out, assistant, compared)
    out.policy(assistant, assistant.notation.legend)


def _print_compared(out: Output, assistant: "Assistant", compared: Compared) -> None:
    hindsight, best = compared
    labels = assistant.game.guesses
    least = f"exact: {float(hindsight.least):.4f} more guesses at best"
    if hindsight.cost:
        cost = f"; this guess costs {float(hindsight.cost):.4f}, and the best is "
        out.line(least, cost, out.code(labels[hindsight.best]))
    else:
        out.line(f"{least}; this guess is optimal")
    for guess, mean in best:
        out.line("    ", out.code(labels[guess]), f"  {float(mean):.4f}")
