"""`codebreaker suggest` and `codebreaker tree`: a policy's next guess and its whole tree."""

import sys
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from codebreaker.cli.options import (
    OF_SAMPLES,
    Format,
    OutputFormat,
    option,
    refuse_names,
    with_assistant,
)
from codebreaker.cli.output import MAX_LISTED, Output, about
from codebreaker.errors import CodebreakerError

if TYPE_CHECKING:
    from codebreaker.advice.advice import Advice, Outlook
    from codebreaker.advice.regret import GuessRegret
    from codebreaker.advice.resolve import AnyAssistant
    from codebreaker.games.notation import Notation
    from codebreaker.games.reading import MoveReader
    from codebreaker.trees.tree import GameTree
    from codebreaker.types import Indices, Move

    Compared = tuple[GuessRegret, list[tuple[int, Fraction]]]

BEST_LISTED = 5
"""Number of best guesses that `--exact` lists."""

KEYS = (
    *("moves", "solved", "secret", "turn", "guess", "is_candidate", "source", "basis"),
    *("n_candidates", "candidates", "probabilities", "expected_guesses", "most_guesses", "exact"),
)

TreeOutput = StrEnum("TreeOutput", "auto rich plain json dot contest parquet")


Moves = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="MOVES",
        help="The moves so far, such as 1123:1,1 or 1123 1b1w (1 black and 1 white); - reads "
        "them from stdin.",
        show_default=False,
    ),
]


def _moves_of(notation: "Notation", texts: list[str] | None) -> "tuple[list[Move], MoveReader]":
    """Return typed moves and their reader; say which dialect was taken, and what is left out."""
    from codebreaker.games.reading import read_moves

    try:
        history, reader = read_moves(notation, lambda reader: reader.moves(texts or []))
    except CodebreakerError:
        refuse_names(texts or [])
        raise
    if reader.notation.dialect is not None:
        typer.echo(reader.notation.dialect.about(notation.rules), err=True)
    for move in reader.left_out:
        typer.echo(f"left out, as it is marked uncertain: {notation.text(move)}", err=True)
    return history, reader


@with_assistant
def suggest(
    assistant: "AnyAssistant",
    moves: Moves = None,
    list_all: Annotated[bool, option(None, "List all candidates.", "--list", "-l")] = False,
    exact: Annotated[
        bool,
        option(
            None,
            "Compare with optimal play, and list the five best guesses after the first; refused "
            "where it would take more than about half a minute.",
            "--exact",
        ),
    ] = False,
    output: OutputFormat = Format.auto,
) -> None:
    """Suggest the next guess after the given moves.

    \b
    codebreaker suggest                        the first guess
    codebreaker suggest 1123:1,1 1415:0,2      the third, after two moves
    codebreaker suggest -g bc-4-10 0123:0,1    in Bulls and Cows

    A move is GUESS:FEEDBACK, or both with a space between. In Mastermind 1,2 (or 12, 1b2w, bww or
    xoo-) means 1 black peg, right in colour and place, and 2 white pegs, right in colour only.
    Colours 1 to 8 may also be given by letters: b blue, o orange, g green, r red, p pink, y yellow,
    s sky blue, n brown; or by a, b, c in their order. A move with ? is left out.
    """  # noqa: D301 (\b keeps the lines below it apart)
    from codebreaker.advice.assistant import Assistant

    notation = assistant.notation
    history, reader = _moves_of(notation, moves)
    out = Output(output, reader.notation)
    out.in_letters = reader.in_letters
    if history and history[-1][1] == notation.game.solved:
        assistant.check_moves(history)  # raises if the moves contradict each other
        secret = notation.game.guesses[history[-1][0]]
        if out.json:
            out.object(_solved(assistant, history) | {"solved": True, "secret": secret})
        else:
            out.line("solved: the secret is ", out.code(secret), out.letters(secret))
        return
    if (exact or list_all) and not isinstance(assistant, Assistant):
        option_name = "--exact" if exact else "--list"
        raise CodebreakerError(
            f"policy {assistant.name!r} has only samples: leave out {option_name}"
        )
    advice = assistant.suggest(history)
    compared = None
    if exact and advice.outlook is not None:
        compared = _compared(assistant, advice, advice.outlook)
    _write_advice(out, assistant, advice, advice.n_candidates if list_all else MAX_LISTED, compared)


def _compared(assistant: "AnyAssistant", advice: "Advice", outlook: "Outlook") -> "Compared":
    """Return the regret of a guess, and the best guesses with their means.

    The list is empty at the first guess, and in games without a table.
    """
    from codebreaker.advice.regret import OptimalValues, regret_of

    game = assistant.game
    moves = advice.moves
    members = outlook.candidates
    values = OptimalValues(game, guess_pool=assistant.guess_pool)
    regret = regret_of(values, moves, members, advice.guess)
    best = list[tuple[int, Fraction]]()
    if moves and game.has_table:
        best = values.leading(members, moves, BEST_LISTED)
    return regret, best


def _solved(assistant: "AnyAssistant", moves: "list[Move]") -> dict[str, Any]:
    """Return the JSON object of a solved game, with all KEYS, to be completed by the caller."""
    played = {"moves": assistant.notation.objects(moves), "turn": len(moves) + 1}
    left = {"n_candidates": 1, "candidates": [], "expected_guesses": 0.0, "most_guesses": 0}
    return about(assistant) | dict.fromkeys(KEYS) | played | {"solved": False} | left


def _write_advice(
    out: Output,
    assistant: "AnyAssistant",
    advice: "Advice",
    limit: int,
    compared: "Compared | None",
) -> None:
    """Write advice, with at most `limit` candidates, as text or as a JSON object."""
    if out.json:
        out.object(_as_object(assistant, advice, limit, compared))
        return
    from codebreaker.advice.advice import role_of
    from codebreaker.advice.assistant import likeliest

    game = assistant.game
    outlook = advice.outlook
    if out.rich:
        for number, move in enumerate(advice.moves, start=1):
            out.move(number, move)
    label = game.guesses[advice.guess]
    role = f"{out.letters(label)}, which {role_of(advice.is_candidate)}"
    out.line("next guess: ", out.code(label), role, style="bold")
    if outlook is None:
        examples = " ".join(advice.examples(MAX_LISTED))
        listed = f", such as {examples}" if examples else ""
        out.line(f"candidates: {advice.number_in_words}{listed}")
        out.line(f"expected: {advice.left.in_words} candidates after this guess")
    else:
        candidates, probabilities = likeliest(game, outlook.candidates)
        out.candidates(candidates, limit, "... (--list for all)", probabilities)
        expected = f"{float(outlook.expected_guesses):.4f} more guesses on average"
        out.line(f"expected: {expected}, at most {outlook.most_guesses}, including this one")
    if compared is not None:
        _write_compared(out, assistant, compared)
    out.line(f"found: {advice.basis}")
    out.policy(assistant, assistant.notation.legend)


def _write_compared(out: Output, assistant: "AnyAssistant", compared: "Compared") -> None:
    """Write a guess's regret, and the best guesses."""
    labels = assistant.game.guesses
    regret, best = compared
    minimum = f"exact: {float(regret.minimum):.4f} more guesses at best"
    if regret.mean:
        lost = f"; the regret of this guess is {float(regret.mean):.4f}, and the best is "
        out.line(minimum, lost, out.code(labels[regret.best]))
    else:
        out.line(f"{minimum}; this guess is optimal")
    for guess, mean in best:
        out.line("    ", out.code(labels[guess]), f"  {float(mean):.4f}")


def _as_object(
    assistant: "AnyAssistant", advice: "Advice", limit: int, compared: "Compared | None"
) -> dict[str, Any]:
    """Return advice as a JSON object, whose keys don't depend on how it was found."""
    from codebreaker.advice.assistant import likeliest

    game = assistant.game
    data = _solved(assistant, list(advice.moves)) | {
        "guess": game.guesses[advice.guess],
        "is_candidate": advice.is_candidate,
        "source": advice.source.value,
        "basis": advice.basis,
        "n_candidates": advice.n_candidates,
        "candidates": advice.examples(MAX_LISTED),
        "expected_guesses": None,
        "most_guesses": None,
    }
    if advice.outlook is not None:
        candidates, probabilities = likeliest(game, advice.outlook.candidates)
        data |= {
            "candidates": [game.secrets[secret] for secret in candidates[:limit]],
            "probabilities": None
            if probabilities is None
            else [float(probability) for probability in probabilities[:limit]],
            "expected_guesses": float(advice.outlook.expected_guesses),
            "most_guesses": advice.outlook.most_guesses,
        }
    if advice.sampled is not None:
        data["sampled"] = {
            "is_exact": advice.sampled.is_exact,
            "how": advice.sampled.candidates.how.value,
            "members": advice.sampled.n_members,
            "guesses_compared": advice.sampled.n_compared,
            "n_candidates": advice.number._asdict(),
            "candidates_left": advice.left._asdict(),
        }
    if compared is not None:
        regret, best = compared
        data["exact"] = {
            "expected_guesses": float(regret.minimum),
            "with_guess": float(regret.with_guess),
            "regret": float(regret.mean),
            "guess": game.guesses[regret.best],
            "best": [
                {"guess": game.guesses[guess], "expected_guesses": float(mean)}
                for guess, mean in best
            ],
        }
    return data


@partial(with_assistant, without=OF_SAMPLES)
def tree(
    assistant: "AnyAssistant",
    moves: Moves = None,
    secret: Annotated[
        str | None, option("CODE", "Print the moves for this secret instead.")
    ] = None,
    depth: Annotated[
        int | None, typer.Option(min=1, metavar="TURNS", help="Stop after this many turns.")
    ] = None,
    output: Annotated[
        TreeOutput,
        typer.Option(
            "--format",
            "-f",
            case_sensitive=False,
            help="auto means rich on a terminal and plain elsewhere; the last three are formats "
            "of files.",
        ),
    ] = TreeOutput.auto,
) -> None:
    """Print a policy's game tree, from its start or after some moves.

    \b
    codebreaker tree --depth 2                 the first two guesses
    codebreaker tree 1123:1,1                  what is played after a move
    codebreaker tree --secret 4412             the game against one secret
    codebreaker tree --policy entropy -g bc-3-6
    codebreaker tree --format dot > tree.dot   a file for Graphviz

    A line has feedback, the next guess and the number of candidates. Feedback 1B-2C means 1 black
    peg, right in colour and place, and 2 white pegs, right in colour only.
    """  # noqa: D301 (\b keeps the lines below it apart)
    from codebreaker.advice.assistant import Assistant

    notation = assistant.notation
    history, _ = _moves_of(notation, moves)
    index = None if secret is None else notation.secret(secret)
    is_file = output.value not in list(Format)
    if is_file and (history or secret is not None or depth is not None):
        raise typer.BadParameter(
            f"{output} holds whole trees: leave out moves, --secret and --depth",
            param_hint="--format",
        )
    if history and secret is not None:
        raise typer.BadParameter(
            "a game begins without moves: leave them out", param_hint="--secret"
        )
    if history and history[-1][1] == notation.game.solved:
        raise CodebreakerError("the game is already solved: nothing is played after it")
    if not isinstance(assistant, Assistant):
        assistant.tree()  # says that samples have none
    grown = assistant.tree()
    if history:
        outlook = assistant.suggest(history).outlook
        assert outlook is not None, "what has a tree lists its candidates"
        grown = outlook.tree
    if is_file:
        _write(assistant, grown, output)
    elif index is not None:
        _write_game(Output(Format(output), notation), assistant, grown, index)
    else:
        members = assistant.candidates(history)[-1]
        _write_tree(Output(Format(output), notation), assistant, grown, members, depth)


def _write_game(out: Output, assistant: "AnyAssistant", grown: "GameTree", secret: int) -> None:
    """Write a tree's moves for a secret, as text or as a JSON object."""
    from codebreaker.trees.tree import follow

    game = assistant.game
    moves = follow(game, grown, secret)
    if out.json:
        played = assistant.notation.objects(moves)
        out.object(about(assistant) | {"secret": game.secrets[secret], "moves": played})
        return
    for number, move in enumerate(moves, start=1):
        out.move(number, move)
    out.policy(assistant, assistant.notation.legend)


def _write_tree(
    out: Output,
    assistant: "AnyAssistant",
    grown: "GameTree",
    members: "Indices",
    depth: int | None,
) -> None:
    """Write a tree of some candidates with its figures, as text or as a JSON object."""
    from codebreaker.trees.tree import nested, tree_lines

    game = assistant.game
    total = grown.total_guesses
    mean = total / len(members)
    if game.prior is not None:
        from codebreaker.trees.grow import expected_guesses

        expected = expected_guesses(game, grown, members)
        mean = float(expected)
        total = int(expected * int(game.prior[members].sum()))  # each guess times a weight
    profile = grown.profile.tolist()
    if out.json:
        figures = {
            "n_secrets": len(members),
            "total_guesses": total,
            "mean_guesses": mean,
            "max_guesses": len(profile),
            "profile": profile,
            "tree": nested(game, grown, depth),
        }
        out.object(about(assistant) | figures)
        return
    labels = [assistant.notation.short(number) for number in range(game.n_feedback)]
    for line in tree_lines(game, grown, labels, depth):
        out.line(line)
    out.totals(total if game.prior is None else None, mean, profile, "bold")
    out.policy(assistant, assistant.notation.kind.meaning)


def _write(assistant: "AnyAssistant", grown: "GameTree", form: TreeOutput) -> None:
    """Write a tree to the standard output in a format of files."""
    from codebreaker.trees.formats.registry import encode
    from codebreaker.trees.io import strategy_of_tree, tree_to_bytes

    notation = assistant.notation
    if form is TreeOutput.parquet:
        if sys.stdout.isatty():
            raise typer.BadParameter(
                "parquet is not text: redirect the output to a file", param_hint="--format"
            )
        record = strategy_of_tree(notation.game, assistant.strategy, grown, assistant.name)
        content = tree_to_bytes(grown, record)
    else:
        content = encode(form.value, notation, grown)
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()
