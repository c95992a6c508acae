"""Seeds of evolutionary players that stay feasible."""

import numpy as np
import pytest
from definitions import all_codes, grade

from codebreaker.players.board import code_index, make_board
from codebreaker.players.contest import Series, draw_secrets, play_batch
from codebreaker.players.registry import player_spec
from codebreaker.players.seeds import count_seeds, seeds_table


def series_of(name, **options):
    return Series(player_spec(name), make_board("mm-3-4"), code_index("mm-3-4", "112"), 3, options)


def feasible_counts(log):
    """Return the turn, and the feasible codes before and after the last feedback, by choice."""
    codes = all_codes(3, 4)
    rows = []
    for secret, guesses, moves in zip(log.secrets, log.guesses, log.moves, strict=True):
        history = [(codes[move], grade(codes[move], codes[secret])) for move in moves[:guesses]]
        left = [
            sum(
                all(grade(guess, code) == answer for guess, answer in history[:n]) for code in codes
            )
            for n in range(guesses)
        ]
        rows += [(turn, left[turn - 2], left[turn - 1]) for turn in range(3, guesses + 1)]
    return rows


@pytest.mark.parametrize("keeps", [0, 1])
@pytest.mark.parametrize("name", ["eGA-seeded", "eGACm-seeded"])
def test_feasible_codes_are_counted_before_and_after_the_feedback(name, keeps):
    series = series_of(name, keeps=keeps)
    secrets = draw_secrets(64, 1, 1)
    counts = count_seeds(series, secrets)
    expected = feasible_counts(play_batch(series, secrets, 0))
    assert counts[:, [0, 2, 4]].tolist() == [[*row] for row in expected]
    _, seeds, feasible_before, stay_feasible, feasible_now = counts.T
    assert (seeds <= feasible_before).all()
    assert (stay_feasible <= np.minimum(seeds - 1, feasible_now)).all()  # the guess is a seed


def test_a_population_that_finds_all_feasible_codes_has_exhaustive_seeds():
    counts = count_seeds(series_of("eGA-seeded", population=4000), draw_secrets(64, 1, 1, 20))
    assert (counts[:, 1] == counts[:, 2]).all()
    assert (counts[:, 3] == counts[:, 4]).all()
    table = seeds_table(counts)
    assert table.select("exhaustive", "overlap", "contain_all").unique().rows() == [(1, 1, 1)]


def test_shares_are_means_over_the_moves_of_a_turn():
    counts = np.array([(3, 4, 5, 2, 2), (3, 2, 2, 0, 1), (4, 1, 1, 1, 1)])
    rows = seeds_table(counts).drop("choices", "seeds").rows()
    third = (3, 1 / 2, 1 / 4, 1 / 2, 1 / 2)
    fourth = (4, 1, 1, 1, 1)
    assert rows == [
        (0, pytest.approx(2 / 3), 1 / 2, pytest.approx(2 / 3), pytest.approx(2 / 3)),
        third,
        fourth,
    ]
    assert seeds_table(counts)["choices"].to_list() == [3, 2, 1]
    assert seeds_table(counts)["seeds"].to_list() == [pytest.approx(7 / 3), 3, 1]
