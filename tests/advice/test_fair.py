"""Default advice: the same whatever colours are called, and optimal in small sets."""

import random
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from conftest import defined, notation_of
from definitions import minimum_of_all_trees
from disguises import disguised, some_moves

from codebreaker.advice.resolve import resolve
from codebreaker.advice.sources import Position, RecordedTree
from codebreaker.errors import CodebreakerError
from codebreaker.trees.frontier import Frontier
from codebreaker.trees.grow import levels, make_tree

GAMES = (
    *("mm-2-5", "mm-3-3", "mm-3-4", "mm-3-4-distinct", "mm-4-3", "mm-4-4", "mm-4-6-distinct"),
    *("bc-2-4", "bc-3-5", "bc-4-6", "black-3-3", "black-3-4", "mm-3-8", "black-4-4"),
    *("bc-3-10", "mm-2-9", "mm-5-2", "bc-3-3", "mm-3-6", "mm-4-5"),
)
SMALL = 62


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.slow
def test_advice_has_the_same_value_under_other_names_and_orders(name):
    assistant = resolve(notation_of(name))
    game = assistant.game
    draw = random.Random(name)
    for _ in range(12):
        moves = some_moves(game, draw, 3)
        if any(feedback == game.solved for _, feedback in moves):
            continue
        advice = assistant.suggest(moves)
        hidden = assistant.suggest(disguised(game, moves, draw))
        assert hidden.outlook.expected_guesses == advice.outlook.expected_guesses
        assert hidden.outlook.most_guesses == advice.outlook.most_guesses
        assert hidden.source == advice.source
        assert hidden.left == advice.left


@pytest.mark.parametrize(
    "name", ["mm-2-5", "mm-3-3", "bc-2-4", "bc-3-4", "black-3-3", "mm-3-4-distinct", "marks-short"]
)
def test_small_sets_are_advised_optimally_in_every_game(name):
    assistant = resolve(notation_of(name))
    game = assistant.game
    definition = defined(name)
    draw = random.Random(name)
    compared = 0
    known = {}
    for _ in range(40):
        moves = some_moves(game, draw, 2)
        if any(feedback == game.solved for _, feedback in moves):
            continue
        advice = assistant.suggest(moves)
        left = [definition.secrets[secret] for secret in advice.outlook.candidates]
        if len(left) <= 12:
            least = minimum_of_all_trees(definition, left, known)
            assert advice.outlook.expected_guesses == Fraction(least, len(left))
            compared += 1
    assert compared > 8


def test_what_is_printed_agrees_with_exact_search():
    import codebreaker as cb

    for history in (["1123:2,1"], ["1123:1,1"], ["1234:0,2", "5561:0,2"]):
        suggestion = cb.suggest(cb.State("mm-4-6-distinct", history), exact=True)
        assert suggestion.source == "search"
        assert suggestion.expected == suggestion.regret.minimum
        assert suggestion.regret.mean == 0


@pytest.mark.parametrize(
    ("history", "other"),
    [("0123:0,1", "1234:0,1"), ("0123:0,1 1456:1,1", "9876:0,1 8543:1,1")],
)
def test_a_recorded_tree_is_followed_under_other_names(history, other):
    notation = notation_of("bc-4-10")
    advised = [
        resolve(notation).suggest(notation.moves(moves.split())) for moves in (history, other)
    ]
    values = {advice.outlook.expected_guesses for advice in advised}
    assert len(values) == 1
    assert {advice.source for advice in advised} == {"tree"}
    guess = notation.game.guesses[advised[1].guess]
    secrets = [notation.game.secrets[secret] for secret in advised[1].outlook.candidates]
    assert advised[1].is_candidate == (guess in secrets)


def test_a_tree_of_the_users_is_followed_literally_first():
    import codebreaker as cb

    tree = cb.grow("mm-3-4", "worst-case", opening="112")
    state = cb.State("mm-3-4", ["112:1,0"])
    assert cb.suggest(state, tree).guess == tree.guess_after("1,0")
    renamed = cb.suggest(cb.State("mm-3-4", ["442:1,0"]), tree)
    assert renamed.expected == cb.suggest(state, tree).expected
    with pytest.raises(CodebreakerError, match="move 1, 123:1,0, leaves the tree"):
        cb.suggest(cb.State("mm-3-4", ["123:1,0"]), tree)


def test_hard_mode_is_advised_exactly_too():
    notation = notation_of("marks-short")
    from codebreaker.advice.resolve import Settings
    from codebreaker.search.hard import HardCostToGo
    from codebreaker.sets.hard import allowed_after

    assistant = resolve(notation, None, Settings(guess_pool="hard"))
    game = notation.game
    search = HardCostToGo(game.with_table())
    for guess in range(0, game.n_guesses, 2):
        for secret in range(0, game.n_secrets, 2):
            feedback = int(game.feedback(guess, np.array([secret], np.int32))[0])
            if feedback == game.solved:
                continue
            moves = [(guess, feedback)]
            advice = assistant.suggest(moves)
            left = advice.outlook.candidates
            least, _ = search.best(left, allowed_after(game, moves))
            assert advice.outlook.expected_guesses == Fraction(least, len(left))


def every_renaming(game):
    """Yield all changes of positions and names, each as a code for each code."""
    symbols = sorted(set("".join(game.guesses)))
    index = {label: number for number, label in enumerate(game.guesses)}
    for order in permutations(range(len(game.guesses[0]))):
        for names in permutations(symbols):
            name_of = dict(zip(symbols, names, strict=True))
            yield [index["".join(name_of[label[at]] for at in order)] for label in game.guesses]


def test_of_the_nodes_that_equal_moves_lead_to_the_one_with_the_lowest_total_is_played():
    """In this tree of random guesses, four nodes have an equal one with another total."""
    game = notation_of("mm-2-5").game
    draw = random.Random(8)

    def guess_at(cell):
        if len(cell) == 1:
            return int(game.guesses_of(cell)[0])
        answers = [set(game.feedback(guess, cell).tolist()) for guess in range(game.n_guesses)]
        return draw.choice([guess for guess in range(game.n_guesses) if len(answers[guess]) > 1])

    def choose(frontier):
        return np.array([guess_at(cell) for cell in frontier.cells], dtype=np.int32)

    tree = make_tree(levels(game, Frontier.initial(game), choose))
    paths = [frozenset()]
    totals = tree.n_candidates.tolist()
    for node in range(1, len(tree.guess)):
        above = int(tree.parent[node])
        paths.append(paths[above] | {(int(tree.guess[above]), int(tree.feedback[node]))})
    for node in range(len(tree.guess) - 1, 0, -1):
        totals[tree.parent[node]] += totals[node]
    node_of = {path: node for node, path in enumerate(paths)}
    renamings = [*every_renaming(game)]
    n_different = 0
    for path in paths:
        images = {
            frozenset((other[guess], feedback) for guess, feedback in path) for other in renamings
        }
        equal = {totals[node_of[image]] for image in images if image in node_of}
        n_different += len(equal) > 1
        for moves in (sorted(path), sorted(path, reverse=True)):
            sets = [np.arange(game.n_secrets, dtype=np.int32)]
            for guess, feedback in moves:
                sets.append(sets[-1][game.feedback(guess, sets[-1]) == feedback])
            position = Position(game, tuple(moves), tuple(sets), is_hard=False)
            assert RecordedTree(tree, "").tree(position).total_guesses == min(equal)
    assert n_different == 4
