"""`codebreaker tree`: a policy's whole tree, or the transcript of one secret."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from codebreaker.cli.options import (
    EndgameSize,
    Format,
    GameName,
    MoreWords,
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
    from codebreaker.assistant.suggest import Assistant
    from codebreaker.trees.tree import GameTree


def tree(
    game: GameName = "mm-4-6",
    policy: PolicyName = None,
    opening: Opening = None,
    guess_pool: Pool = None,
    tie_break: Ties = None,
    endgames: EndgameSize = 0,
    words: Words = None,
    more_words: MoreWords = None,
    secret: Annotated[
        str | None, typer.Option(metavar="CODE", help="Tell the moves for this secret instead.")
    ] = None,
    depth: Annotated[
        int | None, typer.Option(min=1, metavar="TURNS", help="Stop after so many turns.")
    ] = None,
    output: OutputFormat = Format.auto,
) -> None:
    r"""Tell the whole tree of a policy: feedback, next guess, and how many candidates are left.

    \b
    codebreaker tree --depth 2                 the first two guesses
    codebreaker tree --secret 4412             the game against one secret
    codebreaker tree --policy entropy -g bc-3-6

    Feedback is shown as 1B-2C: 1 black peg, right in colour and place, and 2 white ones, right in
    colour alone.
    """
    notation = open_notation(game, words, more_words)
    asked = open_assistant(notation, policy, opening, guess_pool, tie_break, endgames)
    wanted = None if secret is None else notation.secret(secret)
    grown = asked.suggest([]).tree
    screen = Screen(output, notation)
    if wanted is not None:
        _tell_secret(screen, asked, grown, wanted)
    elif screen.json:
        from codebreaker.trees.text import nested

        whole = nested(notation.game, grown, depth)
        screen.object(_about(asked) | _summary(grown) | {"tree": whole})
    else:
        _tell_tree(screen, asked, grown, depth)


def _about(asked: "Assistant") -> dict[str, Any]:
    game = asked.notation.game
    return {"game": game.name, "policy": asked.policy.slug, "feedback": asked.notation.legend}


def _summary(grown: "GameTree") -> dict[str, Any]:
    profile, secrets = grown.profile.tolist(), int(grown.n_candidates[0])
    return {
        "n_secrets": secrets,
        "total_guesses": grown.total_guesses,
        "mean_guesses": grown.total_guesses / secrets,
        "max_guesses": len(profile),
        "profile": profile,
    }


def _tell_tree(screen: Screen, asked: "Assistant", grown: "GameTree", depth: int | None) -> None:
    from codebreaker.trees.text import tree_lines

    for line in tree_lines(asked.notation.game, grown, depth):
        screen.line(line)
    told = _summary(grown)
    screen.line(
        f"{told['total_guesses']:,} guesses for {told['n_secrets']:,} secrets, "
        f"{told['mean_guesses']:.4f} on average, at most {told['max_guesses']}; "
        f"solved at guess 1, 2, ...: {' '.join(map(str, told['profile']))}",
        style="bold",
    )
    screen.line(f"policy: {asked.policy.slug} in {asked.notation.game.name}", style="dim")
    screen.line(f"feedback: {asked.notation.kind.meaning}", style="dim")


def _tell_secret(screen: Screen, asked: "Assistant", grown: "GameTree", secret: int) -> None:
    from codebreaker.trees.tree import follow

    notation, game = asked.notation, asked.notation.game
    moves = follow(game, grown, secret)
    if screen.json:
        told = {"secret": game.secrets[secret], "moves": notation.objects(moves)}
        screen.object(_about(asked) | told)
        return
    for number, move in enumerate(moves, start=1):
        screen.move(number, move)
    screen.line(f"policy: {asked.policy.slug} in {game.name}", style="dim")
    screen.line(f"feedback: {notation.legend}", style="dim")
