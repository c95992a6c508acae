"""Games against the literal rules."""

import numpy as np
import pytest
from conftest import game_called
from definitions import all_codes, feedback_order, grade
from hypothesis import given
from hypothesis import strategies as st

from codebreaker.errors import CodebreakerError
from codebreaker.games import EXAMPLES, FAMILIES, make_game, rules_of

MASTERMIND = [name for name in EXAMPLES if name.startswith("mm-")]


@pytest.mark.parametrize("name", MASTERMIND)
def test_feedback_is_that_of_the_definition(name):
    pegs, colours = map(int, name.split("-")[1:])
    game, codes, order = game_called(name), all_codes(pegs, colours), feedback_order(pegs)
    expected = [[order.index(grade(guess, secret)) for secret in codes] for guess in codes]
    assert game.feedback.tolist() == expected
    assert game.guesses == tuple("".join(map(str, code)) for code in codes)


@pytest.mark.parametrize("pegs", range(1, 8))
def test_feedback_labels_are_in_the_papers_order(pegs):
    labels = rules_of(f"mm-{pegs}-2").feedback_labels()
    assert labels == tuple(f"{black}B-{white}C" for black, white in feedback_order(pegs))
    assert len(labels) == pegs * (pegs + 3) // 2


def test_every_family_has_examples():
    assert {name.split("-")[0] for name in EXAMPLES} == set(FAMILIES)


def test_solved_is_the_feedback_of_a_secret_to_itself_alone(game):
    solved = game.feedback[game.guess_of_secret, np.arange(game.n_secrets)]
    assert (solved == game.solved).all()
    assert (game.feedback == game.solved).sum() == game.n_secrets


def test_the_table_by_secret_is_the_transpose(game):
    assert (game.by_secret == game.feedback.T).all()
    assert game.by_secret.flags.c_contiguous


@given(data=st.data(), name=st.sampled_from([*MASTERMIND, "mm-4-6"]))
def test_permuting_colours_or_positions_changes_no_feedback(data, name):
    pegs, colours = map(int, name.split("-")[1:])
    game = game_called(name)
    codes = np.array(all_codes(pegs, colours))
    recolour = np.array([0, *data.draw(st.permutations(range(1, colours + 1)))])
    reorder = data.draw(st.permutations(range(pegs)))
    images = recolour[codes][:, reorder]
    moved = ((images - 1) * colours ** np.arange(pegs - 1, -1, -1)).sum(axis=1)
    assert (game.feedback[np.ix_(moved, moved)] == game.feedback).all()


@pytest.mark.parametrize("name", ["mm-12-2", "mm-1-4096", "mm-2-64", "mm-6-4", "mm-21-1", "mm-4-8"])
def test_large_and_odd_sizes_have_the_right_feedback(name):
    game, rules = make_game(name), rules_of(name)
    symbols = rules.symbols()

    def colours(label):
        return [symbols.index(s) for s in (label.split(".") if rules.separator else label)]

    order = feedback_order(rules.pegs)
    draw = np.random.default_rng(1).integers(game.n_secrets, size=(200, 2))
    for guess, secret in draw.tolist():
        answer = grade(colours(game.guesses[guess]), colours(game.secrets[secret]))
        assert order[game.feedback[guess, secret]] == answer


def test_a_game_that_is_too_large_is_refused_before_it_is_built():
    message = r"mm-5-8.*1,024\.0 MiB.*limit of 64 MiB.*limits\.table_mib"
    with pytest.raises(CodebreakerError, match=message):
        make_game("mm-5-8")
    with pytest.raises(CodebreakerError, match="limit of 1 MiB"):
        make_game("mm-4-6", table_limit_mib=1)
    with pytest.raises(CodebreakerError, match=r"mm-6-9.* 531,441 secrets: at most 65,535"):
        make_game("mm-6-9", table_limit_mib=10**9)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mm-4", "write mm-PEGS-COLOURS"),
        ("mm-0-6", "write mm-PEGS-COLOURS"),
        ("mm-22-2", "at most 21"),
        ("chess", "unknown game 'chess'"),
    ],
)
def test_bad_names_are_refused(name, message):
    with pytest.raises(CodebreakerError, match=message):
        make_game(name)


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("1127", "peg '7' at position 4: the colours of mm-4-6 are 1 to 6"),
        ("112", "has 3 pegs: the codes of mm-4-6 have 4"),
        ("", "has 0 pegs"),
    ],
)
def test_bad_codes_are_refused(label, message):
    with pytest.raises(CodebreakerError, match=message):
        rules_of("mm-4-6").check_guess(label)


def test_every_guess_of_a_game_passes_its_own_check(game):
    for label in game.guesses:
        rules_of(game.name).check_guess(label)
