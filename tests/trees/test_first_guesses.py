"""First guesses of tiny games against literal play."""

import pytest
from conftest import defined, game_called
from definitions import play, same_by_symmetry

from codebreaker.trees.best_known import FIRST_GUESS_COLUMNS, compare_first_guesses

POLICIES = ("worst-case", "expected-size", "entropy", "most-parts")


@pytest.mark.parametrize(("pegs", "colours"), [(2, 3), (3, 3), (2, 4)])
def test_every_kind_of_first_guess_is_played(pegs, colours):
    name = f"mm-{pegs}-{colours}"
    game = defined(name)
    compared = compare_first_guesses(game_called(name), POLICIES)
    assert compared.columns == list(FIRST_GUESS_COLUMNS)
    kinds = sorted({same_by_symmetry(code, [], pegs, colours) for code in game.guesses})
    for policy in POLICIES:
        rows = [row for row in compared.iter_rows(named=True) if row["policy"] == policy]
        assert [row["opening"] for row in rows] == ["".join(map(str, code)) for code in kinds]
        totals = []
        for row, code in zip(rows, kinds, strict=True):
            games = play(policy, game, opening=code, tie_break="consistent then lexicographic")
            lengths = [len(guesses) for guesses in games.values()]
            totals.append(sum(lengths))
            assert (row["total"], row["max"]) == (sum(lengths), max(lengths))
            assert row["mean"] == round(sum(lengths) / len(game.secrets), 4)
        assert [row["best"] == "yes" for row in rows] == [one == min(totals) for one in totals]
