"""The fixed positions: their values against the library's, and the score of answers."""

from collections import Counter

import pytest
from conftest import ROOT

pytest.importorskip("gymnasium")

import codebreaker as cb
from codebreaker.agents.positions import GAMES, Marked, positions_of, score_answers


@pytest.mark.parametrize("name", GAMES)
def test_a_game_has_200_different_positions_in_strata(name):
    positions = list(positions_of(name))
    assert len({position.id for position in positions}) == len(positions) == 200
    sizes = Counter(position.stratum.split(" candidates")[0] for position in positions)
    assert set(sizes.values()) == {50}
    game = cb.game(name)
    candidates = set()
    for position in positions:
        state = cb.State(game, position.moves)
        candidates.add(state.candidates)
        low, high = map(int, position.stratum.split(" candidates")[0].split(" to "))
        assert low <= position.candidates == len(state.candidates) <= high
        assert len(position.excess) == len(game.guesses)
        assert min(position.excess) == 0 <= max(position.excess) <= position.candidates
        regrets = [position.regret(code) for code in state.candidates]
        assert position.consistent_regret == pytest.approx(sum(regrets) / len(regrets), abs=1e-6)
        assert max(regrets) > 0
    assert len(candidates) == 200


@pytest.mark.parametrize("name", GAMES)
def test_regrets_are_those_of_the_library(name):
    game = cb.game(name)
    for position in list(positions_of(name))[3::40]:
        state = cb.State(game, position.moves)
        for guess in (*state.candidates[:2], *game.guesses[:: len(game.guesses) // 5]):
            regret = cb.regret(state, guess)
            assert position.regret(guess) == pytest.approx(float(regret.mean))
            assert position.minimum == regret.minimum.exact * position.candidates
        assert cb.regret(state, position.best[0]).mean == 0
        entropy = cb.suggest(state, "entropy").guess
        assert (position.regret(entropy) == 0) == position.stratum.endswith("is optimal")


def test_answers_are_scored_by_stratum():
    positions = list(positions_of("mm-3-8"))
    best = {position.id: f"Let me see. [{position.best[0]}]" for position in positions}
    rows = score_answers("mm-3-8", best)
    assert rows[0] == Marked("mm-3-8", 200, 200, 1.0, 0.0, 0.0, 0.0)
    assert sum(row.positions for row in rows[1:]) == 200
    first = positions[0]
    worst = max(cb.game("mm-3-8").guesses, key=first.regret)
    rows = score_answers("mm-3-8", best | {first.id: worst, positions[1].id: "no idea"})
    assert rows[0].answered == 199
    assert rows[0].optimal == 198 / 200
    assert rows[0].regret == pytest.approx((first.regret(worst) + 1) / 200)
    assert rows[0].low < rows[0].regret < rows[0].high
    assert score_answers("mm-3-8", {})[0].regret == 1


def test_unknown_games_and_positions_are_refused():
    with pytest.raises(cb.CodebreakerError, match="unknown game with positions 'mm-4-7'"):
        next(positions_of("mm-4-7"))
    with pytest.raises(cb.CodebreakerError, match="unknown position 'mm-4-6-1': did you mean"):
        score_answers("mm-4-6", {"mm-4-6-1": "1122"})


def test_a_question_has_the_moves_and_how_to_answer():
    position = next(positions_of("mm-4-6"))
    question = position.question
    for guess, feedback in position.moves:
        assert f"\n{guess}: {feedback}\n" in question
    assert "4 pegs in 6 colours" in question
    assert "in square brackets" in question


def test_the_card_names_every_file():
    folder = ROOT / "src/codebreaker/data/positions"
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert {path.name for path in folder.glob("*.gz")} == {f"{name}.jsonl.gz" for name in GAMES}
    assert all(f"`{name}.jsonl.gz`" in card for name in GAMES)
