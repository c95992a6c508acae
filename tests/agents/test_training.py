"""The example of training: a policy that learns becomes better within a few hundred steps."""

import json

import pytest

pytest.importorskip("gymnasium")

import codebreaker as cb


@pytest.mark.slow
def test_a_policy_learns_from_regret(monkeypatch, tmp_path):
    from conftest import ROOT

    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import train_agent

    game = cb.game(train_agent.GAME)
    policy = train_agent.Policy(game)
    rewards = train_agent.train(policy, steps=200)
    assert sum(rewards[-3:]) > sum(rewards[:3])
    path = tmp_path / "trained.jsonl"
    train_agent.play(policy, ["1345", "2355"], path)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [line["secret"] for line in lines] == ["1345", "2355"]
    assert cb.score(path).games["solved"].to_list() == [True, True]
