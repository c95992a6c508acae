"""`codebreaker suggest`: the next guess."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from codebreaker.cli.options import (
    EndgameSize,
    Format,
    GameName,
    MoreWords,
    Moves,
    Opening,
    OutputFormat,
    PolicyName,
    Pool,
    Ties,
    Words,
    open_assistant,
    open_notation,
)
from codebreaker.cli.screen import Screen

if TYPE_CHECKING:
    from codebreaker.assistant.hindsight import Hindsight
    from codebreaker.assistant.suggest import Assistant, Suggestion
    from codebreaker.types import Move

FIRST = 10
"""So many candidates are shown unasked."""


def suggest(
    moves: Moves = None,
    game: GameName = "mm-4-6",
    policy: PolicyName = None,
    opening: Opening = None,
    guess_pool: Pool = None,
    tie_break: Ties = None,
    endgames: EndgameSize = 0,
    words: Words = None,
    more_words: MoreWords = None,
    every: Annotated[bool, typer.Option("--list", "-l", help="List all candidates.")] = False,
    exact: Annotated[
        bool, typer.Option("--exact", help="Compare with the best possible guess; takes a while.")
    ] = False,
    output: OutputFormat = Format.auto,
) -> None:
    r"""Suggest the next guess after some moves.

    \b
    codebreaker suggest                        the first guess
    codebreaker suggest 1123:1,1 1415:0,2      the third, after two moves
    codebreaker suggest -g bc-4-10 0123:0,1    in Bulls and Cows

    A move is GUESS:FEEDBACK. In Mastermind 1,2 (or 1b2w) means 1 black and 2 white pegs: black
    ones are right in colour and place, white ones in colour alone.
    """
    notation = open_notation(game, words, more_words)
    asked = open_assistant(notation, policy, opening, guess_pool, tie_break, endgames)
    made = notation.moves(moves or [])
    if made and made[-1][1] == notation.game.solved:
        asked.candidates(made)
        _tell_solved(Screen(output, notation), asked, made)
        return
    found = asked.suggest(made)
    best = None
    if exact:
        from codebreaker.assistant.hindsight import hindsight

        best = hindsight(notation.game, found)
    shown = len(found.candidates) if every else FIRST
    screen = Screen(output, notation)
    if screen.json:
        screen.object(as_data(asked, made, found, shown, best))
    else:
        _tell(screen, asked, found, shown, best)


def _about(asked: "Assistant", moves: "list[Move]") -> dict[str, Any]:
    """Return the keys of every answer, with the values that they have once the game is over."""
    notation = asked.notation
    return {
        "game": notation.game.name,
        "policy": asked.policy.slug,
        "moves": notation.objects(moves),
        "feedback": notation.legend,
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


def as_data(
    asked: "Assistant",
    moves: "list[Move]",
    found: "Suggestion",
    shown: int,
    best: "Hindsight | None" = None,
) -> dict[str, Any]:
    """Return a suggestion as an object with the keys that docs/command-line.md explains."""
    game = asked.notation.game
    data = _about(asked, moves) | {
        "guess": game.guesses[found.guess],
        "is_candidate": found.is_candidate,
        "n_candidates": len(found.candidates),
        "candidates": [game.secrets[secret] for secret in found.candidates[:shown]],
        "expected_guesses": float(found.expected_guesses),
        "most_guesses": found.most_guesses,
    }
    if best is not None:
        data["exact"] = {
            "expected_guesses": float(best.least),
            "with_guess": float(best.with_guess),
            "cost": float(best.cost),
        }
    return data


def _tell_solved(screen: Screen, asked: "Assistant", moves: "list[Move]") -> None:
    secret = asked.notation.game.guesses[moves[-1][0]]
    if screen.json:
        screen.object(_about(asked, moves) | {"solved": True, "secret": secret})
    else:
        screen.line("solved: the secret is ", screen.code(secret))


def _tell(
    screen: Screen,
    asked: "Assistant",
    found: "Suggestion",
    shown: int,
    best: "Hindsight | None",
) -> None:
    game, n = asked.notation.game, len(found.candidates)
    if screen.rich:
        for number, move in enumerate(found.moves, start=1):
            screen.move(number, move)
    role = "which may be the secret" if found.is_candidate else "which can't be the secret"
    screen.line("next guess: ", screen.code(game.guesses[found.guess]), f", {role}", style="bold")
    listed = " ".join(game.secrets[secret] for secret in found.candidates[:shown])
    screen.line(f"candidates: {n:,}: {listed}", " ... (--list for all)" if shown < n else "")
    screen.line(
        f"expected: {float(found.expected_guesses):.4f} more guesses on average, "
        f"at most {found.most_guesses}, this one among them"
    )
    if best is not None:
        cost = f"costs {float(best.cost):.4f}" if best.cost else "is one of the best"
        screen.line(
            f"exact: {float(best.least):.4f} more guesses on average at best; this guess {cost}"
        )
    screen.line(f"policy: {asked.policy.slug} in {game.name}", style="dim")
    screen.line(f"feedback: {asked.notation.legend}", style="dim")
