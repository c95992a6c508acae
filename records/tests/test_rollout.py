"""Rollout against literal play."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from conftest import defined, game_called, grown, same
from definitions import same_by_colours, same_by_symmetry, total_after, total_rolled_out

from codebreaker.errors import CodebreakerError
from codebreaker.files import read_arrays, write_arrays
from codebreaker.games.model import TableGame
from codebreaker.games.registry import rules_of
from codebreaker.policies.strategy import Strategy
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.endgames import endgames_of
from codebreaker.search.optimum import find_optimum
from codebreaker.search.settings import Target
from codebreaker.trees.grow import grow
from codebreaker.trees.io import transcripts
from codebreaker_records.kernels.rollout_game import WORD, count_parts, pool_of, separator
from codebreaker_records.revise import game_of_set
from codebreaker_records.rollout import roll_out
from codebreaker_records.rollout_state import PolicyTerms, allocate_thread
from codebreaker_records.settings import Beam, Rollout

BEAMS = Beam(2), Beam(2, 3, 1000), Beam(3), None
PLANS = {
    "all": [
        ((1,), (1,), 2),
        ((3, 2), (1,), 2),
        ((2,), (2,), 2),
        ((4,), (3, 2), 3),
        ((6,), (2,), 4),
    ],
    "consistent": [((3,), (1,), 2), ((4,), (2,), 3), ((2,), (1,), 8)],
}


def entropy(opening, endgames):
    return Strategy("entropy", opening=opening, endgames=endgames)


def by_turn(numbers, first):
    return lambda turn: numbers[min(max(turn - first, 0), len(numbers) - 1)]


@pytest.mark.parametrize("tabled", [True, False])
@pytest.mark.parametrize(
    ("name", "opening", "criterion", "pool"),
    [
        *(("mm-3-3", "112", name, "all") for name in ("entropy", "most-parts")),
        *(("mm-2-5", "12", name, "all") for name in ("entropy", "worst-case")),
        ("mm-3-4", "112", "expected-size", "all"),
        ("mm-3-4", "112", "entropy", "consistent"),
    ],
)
def test_rollout_is_literal_play(name, opening, criterion, pool, tabled):
    game = game_called(name) if tabled else rules_of(name).on_demand()
    definition = defined(name, pool)
    pegs, colours = map(int, name.split("-")[1:])
    leader_of = partial(same_by_symmetry, pegs=pegs, colours=colours)
    by_colours = partial(same_by_colours, colours=colours)
    for widths, ahead, exact in PLANS[pool]:
        base = Strategy(criterion, opening, pool, endgames=exact)
        tree = roll_out(game, Rollout(base, widths, ahead, exact))
        widest = by_turn([max(w, 1) for w in widths], 2), by_turn(ahead, 3)
        expected = total_rolled_out(
            criterion, definition, tuple(map(int, opening)),
            lambda turn, both=widest: max(both[0](turn), both[1](turn) if turn > 2 else 1),
            widest[1], exact,
            (lambda guess, _: guess) if tabled or pool == "consistent" else by_colours,
            lambda guess, earlier: leader_of(guess, earlier) if len(earlier) <= 2 else guess,
        )  # fmt: skip
        assert tree.total_guesses == expected, (widths, ahead, exact)
        for moves in transcripts(game, tree) if pool == "consistent" else []:
            for turn, (guess, _) in enumerate(moves):
                for earlier, seen in moves[:turn]:
                    assert game.feedback(earlier, np.array([guess], np.int32))[0] == seen


@pytest.mark.parametrize("name", ["mm-3-5", "bc-3-5", "black-2-6", "matches-terminal"])
@pytest.mark.parametrize("criterion", ["worst-case", "most-parts", "entropy"])
def test_it_is_between_the_optimum_and_the_policy(name, criterion):
    game = game_called(name)
    base = Strategy(criterion, endgames=3)
    plain = grow(game, base, endgames=endgames_of(game, base)).total_guesses
    optimum = find_optimum(game, Target(), 64, 600).solution.tree.total_guesses
    for width, ahead in ((1, 1), (5, 1), (5, 3)):
        tree = roll_out(game, Rollout(base, (width,), (ahead,), 3))
        tree.check()
        assert optimum <= tree.total_guesses <= plain
        assert width > 1 or tree.total_guesses == plain


def test_tie_breaks_and_weights_by_feedback_before_them(mm46):
    for base in (
        Strategy("entropy", tie_break="consistent then reversed lexicographic", endgames=20),
        Strategy("entropy-base-parts", endgames=20),
        Strategy("context-weighted-5626", opening="1123", endgames=20),
    ):
        plain = grown(mm46, base)[0].total_guesses
        for width in (1, 4):
            tree = roll_out(mm46, Rollout(base, (width,), (1,), 20))
            assert tree.total_guesses <= plain, base.slug
            if width == 1:
                assert tree.total_guesses == plain, base.slug


def test_the_papers_game_is_played_optimally(mm46):
    tree = roll_out(mm46, Rollout(entropy("1123", 62), (12, 6), exact=62))
    assert tree.total_guesses == 5625  # the optimum: Koyama and Lai 1993


def test_without_a_table_the_tree_is_the_same_with_any_threads_and_after_a_stop(tmp_path):
    game = rules_of("mm-4-5").on_demand()
    path = tmp_path / "decided.npz"
    rollout = Rollout(entropy("1123", 8), (4, 3), (2,), 6)
    tree = roll_out(game, rollout, threads=2)
    by_one_thread = roll_out(game, rollout, threads=1, checkpoint=path, code="code")
    assert same(tree, by_one_thread)
    assert same(tree, roll_out(game_called("mm-4-5"), replace(rollout, table=False)))
    arrays = read_arrays(path)
    assert len(arrays["keys"]) > 1
    kept = arrays | {name: arrays[name][::2] for name in ("keys", "guesses")}
    for change in ({}, {"identity": "another"}):
        write_arrays(path, False, **(kept | change))
        assert same(roll_out(game, rollout, threads=2, checkpoint=path, code="code"), tree)
    path.write_bytes(b"damaged")
    assert same(roll_out(game, rollout, checkpoint=path, code="code"), tree)


@pytest.mark.parametrize("pool", ["all", "consistent"])
@pytest.mark.parametrize(("name", "opening"), [("mm-3-3", "112"), ("mm-2-5", "12")])
def test_a_beam_search_of_all_guesses_is_optimal(name, opening, pool):
    game = game_called(name)
    slow = defined(name, pool)
    base = Strategy("entropy", opening, pool, endgames=2)
    first = tuple(map(int, opening))
    plans = [Rollout(base, (2,), exact=2, beam=beam) for beam in BEAMS]
    totals = [roll_out(game, plan).total_guesses for plan in plans]
    assert totals == sorted(totals)
    assert totals[0] == totals[1] == total_after(slow, first, slow.secrets, {})


def test_two_guesses_with_other_parts_solve_a_set_with_symmetries(mm46):
    """MM(4,3) under other names, which needs 246 guesses: the images of one guess are one guess."""
    row = mm46.table[mm46.guesses.index("1123")]
    left = np.flatnonzero(row == mm46.feedback_labels.index("0B-0C")).astype(np.int32)
    small, _ = game_of_set(mm46, left)
    assert CostToGo(small, beam=(2, 2)).of(np.arange(len(left), dtype=np.int32), 2) == 246


def test_what_is_decided_is_not_looked_for_again(tmp_path, monkeypatch):
    game = rules_of("mm-3-4").on_demand()
    path = tmp_path / "decided.npz"
    rollout = Rollout(entropy("123", 3), (4,), exact=3)
    tree = roll_out(game, rollout, checkpoint=path)
    arrays = read_arrays(path)
    monkeypatch.setattr("codebreaker_records.rollout.kernel.best_after", None)
    assert same(roll_out(game, rollout, checkpoint=path), tree)
    for other in (replace(rollout, widths=(3,)), replace(rollout, exact=2)):
        with pytest.raises(TypeError):
            roll_out(game, other, checkpoint=path)
    assert str(arrays["identity"])


def test_settings_that_make_no_sense_are_refused():
    good = {"base": Strategy("entropy", endgames=8), "widths": (3,), "exact": 4}
    late = Strategy("entropy", tie_break="first consistent then last", endgames=8)
    for settings, why in (
        ({"exact": 9}, "at most the policy's endgames, 8"),
        ({"exact": 1}, "at least 2"),
        ({"widths": ()}, "at least one guess"),
        ({"ahead": (0,)}, "at least one guess"),
        ({"base": Strategy("entropy", endgames=8, exact_from=3)}, "use endgames"),
        ({"base": Strategy("most-parts-two-steps", endgames=8)}, "single criterion"),
        ({"base": Strategy("entropy-with-most-parts", endgames=8)}, "single criterion"),
        ({"base": late}, "another tie-break"),
    ):
        with pytest.raises(CodebreakerError, match=why):
            Rollout(**(good | settings))


def test_games_that_it_is_not_for():
    wide = Rollout(Strategy("entropy", endgames=2), (3,), exact=2)
    game = game_called("marks-wide")
    assert game.n_feedback == 238
    assert roll_out(game, wide).total_guesses <= grown(game, wide.base)[0].total_guesses
    with pytest.raises(CodebreakerError, match="255 kinds of feedback"):
        roll_out(of_kinds(255), wide)
    with pytest.raises(CodebreakerError, match="game 'mm-3-4-distinct' needs its table"):
        roll_out(game_called("mm-3-4-distinct"), replace(wide, table=False))


@pytest.mark.parametrize("beam", [None, Beam(3, 5, 4)])
def test_terms_are_computed_as_sizes_are_met_and_an_emptied_memo_suffices(monkeypatch, beam):
    game = game_called("mm-3-6")
    rollout = Rollout(entropy("123", 4), (4, 2), (2,), 4, beam)
    tree = roll_out(game, rollout, threads=2)
    monkeypatch.setattr("codebreaker_records.rollout_state.ALWAYS", 5)
    monkeypatch.setattr("codebreaker_records.rollout_state.ENTRIES_PER_CANDIDATE", 0)
    assert same(roll_out(game, rollout, threads=2), tree)


def of_kinds(n):
    table = np.random.default_rng(3).integers(0, n - 1, (90, 90)).astype(np.uint8)
    np.fill_diagonal(table, n - 1)
    labels = tuple(map(str, range(90)))
    kinds = tuple(map(str, range(n)))
    guess_of_secret = np.arange(90, dtype=np.int32)
    return TableGame("kinds", labels, labels, kinds, n - 1, table, guess_of_secret)


@pytest.mark.parametrize("name", ["mm-8-2", "mm-11-2", "mm-12-2", None])
def test_cells_are_counted_in_words_of_bits(name):
    games = [game_called(name), rules_of(name).on_demand()] if name else [of_kinds(254)]
    terms = PolicyTerms(games[0], entropy(None, 2), np.ones(3, np.int64), 2).covering()
    rng = np.random.default_rng(1)
    for game in games:
        _, frame = allocate_thread(game, terms, 1)
        words = set()
        compiled = frame.game
        work = frame.work
        for size in (3, 5, 20, 60):
            members = np.sort(rng.choice(game.n_secrets, size, False)).astype(np.int32)
            every = np.array([game.feedback(g, members) for g in range(game.n_guesses)])
            words |= set((every // WORD).ravel().tolist())
            expected = np.array([len(set(row)) for row in every.tolist()])
            expected_here = expected[members]
            pool = pool_of(compiled, members)
            count_parts(compiled, pool, members, work)
            assert np.array_equal(work.parts[pool], expected[pool])
            assert set(expected) == set(work.parts[pool])

            guess, total = separator(compiled, members, work)
            assert total == 2 * size - (expected_here.max() == size)
            if expected_here.max() < size - 1:
                assert guess == -1
            else:
                assert guess == members[np.argmax(expected_here)]
        assert words == set(range(-(-game.n_feedback // WORD)))
