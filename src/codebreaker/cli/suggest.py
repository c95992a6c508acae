"""`codebreaker suggest`: the next guess."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from codebreaker.cli.options import AssistantOptions, with_assistant_options
from codebreaker.cli.output import MAX_LISTED, Output, about

if TYPE_CHECKING:
    from codebreaker.assistant.hindsight import Hindsight
    from codebreaker.assistant.suggest import Assistant, Suggestion
    from codebreaker.types import Move


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

    A move is GUESS:FEEDBACK. In Mastermind 1,2 (or 1b2w) means 1 black peg, right in colour and
    place, and 2 white pegs, right in colour only.
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
    hindsight = None
    if exact:
        from codebreaker.assistant.hindsight import hindsight_of

        played = [guess for guess, _ in history]
        hindsight = hindsight_of(notation.game, played, suggestion.candidates, suggestion.guess)
    limit = len(suggestion.candidates) if list_all else MAX_LISTED
    if out.json:
        out.object(_as_json(assistant, suggestion, limit, hindsight))
    else:
        _print(out, assistant, suggestion, limit, hindsight)


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
        "expected_guesses": 0.0,
        "most_guesses": 0,
        "exact": None,
    }


def _as_json(
    assistant: "Assistant", suggestion: "Suggestion", limit: int, hindsight: "Hindsight | None"
) -> dict[str, Any]:
    """Return a suggestion with the keys that docs/command-line.md explains."""
    game = assistant.game
    data = _solved(assistant, list(suggestion.moves)) | {
        "guess": game.guesses[suggestion.guess],
        "is_candidate": suggestion.is_candidate,
        "n_candidates": len(suggestion.candidates),
        "candidates": [game.secrets[secret] for secret in suggestion.candidates[:limit]],
        "expected_guesses": float(suggestion.expected_guesses),
        "most_guesses": suggestion.most_guesses,
    }
    if hindsight is not None:
        data["exact"] = {
            "expected_guesses": float(hindsight.least),
            "with_guess": float(hindsight.with_guess),
            "cost": float(hindsight.cost),
        }
    return data


def _print(
    out: Output,
    assistant: "Assistant",
    suggestion: "Suggestion",
    limit: int,
    hindsight: "Hindsight | None",
) -> None:
    if out.rich:
        for number, move in enumerate(suggestion.moves, start=1):
            out.move(number, move)
    role = "which may be the secret" if suggestion.is_candidate else "which can't be the secret"
    guess = out.code(assistant.game.guesses[suggestion.guess])
    out.line("next guess: ", guess, f", {role}", style="bold")
    out.candidates(suggestion.candidates, limit, "... (--list for all)")
    out.line(
        f"expected: {float(suggestion.expected_guesses):.4f} more guesses on average, "
        f"at most {suggestion.most_guesses}, including this one"
    )
    if hindsight is not None:
        cost = f"costs {float(hindsight.cost):.4f}" if hindsight.cost else "is optimal"
        out.line(f"exact: {float(hindsight.least):.4f} more guesses at best; this guess {cost}")
    out.policy(assistant, assistant.notation.legend)
