"""Hunts that are refused: a key of BASE that is changed, and the error's key and text."""

import pytest
from conftest import ROOT

from codebreaker.errors import CodebreakerError
from codebreaker_records.config import load_hunt

BASE = {
    "study": {
        "strategies": {"mm-4-6": [{"policy": "entropy"}]},
        "word_lists": {"w": {"secrets": str(ROOT / "tests" / "words" / "short.txt")}},
    }
}


def rollout(game, **settings):
    return {"rollout": {game: {"x": {"widths": [2]} | settings}}}


# A change, the key that the error names, and a part of its text.
REFUSED = [
    (rollout("mm-3-4", beam={"width": 0}), "rollout.mm-3-4.x", "greater than or equal to 1"),
    (rollout("mm-3-4", beam={"widht": 9}), "rollout.mm-3-4.x", "widht: did you mean 'width'"),
    (rollout("matches-w", table=False), "rollout.matches-w.x", "needs its table"),
    (rollout("matches-w", like_smaller=True), "rollout.matches-w.x", "needs its table"),
    (
        rollout("mm-3-2", like_smaller=True),
        "rollout.mm-3-2.x",
        "game mm-3-1 has no best known tree: leave out like_smaller",
    ),
    (
        {"games": ["mm-3-4"]},
        "games.0",
        "game mm-3-4 is not solved: add it to study.exact.games or rollout",
    ),
    (
        rollout("mm-3-4") | {"bound_goals": {"mm-3-4": 200}},
        "bound_goals.mm-3-4",
        "game mm-3-4 has no bound: add it to games and to rollout",
    ),
    ({"game": ["mm-3-4"]}, "game", "did you mean 'games'?"),
    ({"study": {}}, "strategies", "is empty"),
]


@pytest.mark.parametrize(("change", "key", "message"), REFUSED, ids=lambda value: str(value)[:60])
def test_errors_are_reported_in_one_line(change, key, message):
    with pytest.raises(CodebreakerError) as caught:
        load_hunt(BASE | change)
    assert f"config key {key}" in str(caught.value)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_rollouts_and_trees_are_named():
    study = BASE["study"] | {"exact": {"games": {"mm-3-4": [{}, {"objective": "maximum"}]}}}
    hunt = load_hunt({"study": study, "games": ["mm-3-4"]} | rollout("mm-3-4"))
    assert hunt.trees == {"mm-3-4": ["optimal", "rollout-x"]}
    assert hunt.rollouts["mm-3-4"]["rollout-x"].method.startswith("rollout of entropy, 2 guesses")
