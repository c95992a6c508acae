"""Trees of games with fewer colours, played in a larger game: at whole sets, or by their moves."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from math import inf

from codebreaker.games.codes import BlackPegs
from codebreaker.games.model import CodeGame
from codebreaker.games.registry import rules_of, without_table
from codebreaker.sets.codes import grid_of
from codebreaker.sets.partition import all_secrets
from codebreaker.trees.grow import walk
from codebreaker.trees.tree import GameTree
from codebreaker.types import Indices
from codebreaker_records.revise import Play, replaced

KnownTrees = Callable[[str], Iterable[GameTree]]
"""Returns the known trees of a game by its name."""


def embed(
    game: CodeGame, tree: GameTree, turn: int, guess_limit: int | None, trees: KnownTrees
) -> GameTree:
    """Return a tree that plays a turn's sets as smaller games by known trees, where better.

    A tree is better if it has fewer guesses, or as many and a lower maximum, or if it alone is
    within `guess_limit`.
    """
    limit = inf if guess_limit is None else guess_limit

    def find(members: Indices, total: int, last: int) -> Iterable[Play]:
        """Yield the plays of ever better trees; later ones replace earlier ones."""
        name = smaller_game(game, members)
        if name is None:
            return
        order = (last > limit, total, last)  # the lowest is best
        for known in trees(name):
            ends = known.max_guesses + turn - 1
            if (ends > limit, known.total_guesses, ends) < order:
                order = (ends > limit, known.total_guesses, ends)
                yield from plays_of(known, name, members, turn)

    return replaced(game, tree, turn, find)


def smaller_game(game: CodeGame, members: Indices) -> str | None:
    """Return the name of the game with fewer colours whose codes, in this order, are a set."""
    rules = without_table(rules_of(game.name))
    colours = [set(column) for column in game.codes[members].T.tolist()]  # at each position
    smaller = replace(rules, colours=len(colours[0]))
    # In games of black pegs alone each position has an alphabet to itself: only its size counts.
    same_colours = isinstance(rules, BlackPegs) or all(here == colours[0] for here in colours)
    fits = same_colours and {len(here) for here in colours} == {smaller.colours}
    # As many codes as the smaller game has, of its colours alone, are all of its codes.
    return smaller.name if fits and smaller.table_shape[0] == len(members) else None


def plays_of(tree: GameTree, name: str, members: Indices, turn: int) -> Iterator[Play]:
    """Yield the plays of a smaller game's tree at a set that is this game."""
    for level in walk(code_game(name), tree):
        for some, guess in zip(level.frontier.cells, level.guesses, strict=True):
            yield Play(turn - 1 + level.frontier.turn, members[some], int(members[guess]))


def plays_like(game: CodeGame, name: str, tree: GameTree, smallest: int) -> Iterator[Play]:
    """Yield a smaller game's plays after the same moves, at sets of `smallest` secrets or more."""
    small = code_game(name)
    grid = grid_of(game)
    sets = dict[int, Indices]()  # by node; a node is missing if its set, or one above, is too small
    feedback_ids = [game.feedback_labels.index(label) for label in small.feedback_labels]
    guesses = grid.index_of[small.codes[tree.guess] @ grid.place_values].tolist()
    for node, (parent, turn) in enumerate(zip(tree.parent.tolist(), tree.turn, strict=True)):
        members = sets.get(parent) if node else all_secrets(game)
        if members is not None and node:
            feedback = game.feedback(guesses[parent], members)
            members = members[feedback == feedback_ids[tree.feedback[node]]]
        if members is not None and len(members) >= smallest:
            sets[node] = members
            yield Play(int(turn), members, guesses[node])


def code_game(name: str) -> CodeGame:
    """Return a game of codes without its table."""
    return without_table(rules_of(name)).on_demand()
