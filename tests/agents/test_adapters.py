"""The environments of TextArena and verifiers, played by scripted agents with the real packages.

The packages are large, and no lock has them: without one its tests are left out.
"""

import asyncio
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest

pytest.importorskip("gymnasium")

import codebreaker as cb
from codebreaker.agents.splits import secrets_of
from codebreaker.agents.text import TextGame

# Both packages warn of their own parts.
pytestmark = pytest.mark.filterwarnings("ignore")
SECRET = secrets_of(cb.game("mm-4-6"), "test")[0]
ANSWERS = ["I try [1122].", "[9]", "no idea", f"It is {SECRET}, so [{SECRET}]."]
MOVES = [["1122", cb.game("mm-4-6").feedback("1122", SECRET)], [SECRET, "4,0"]]
REGRETS = -float(cb.regret("mm-4-6", "1122").mean) - 2


def last_regret():
    """Return the regret of the guess that finds the secret."""
    return float(cb.regret(cb.State("mm-4-6", MOVES[:1]), SECRET).mean)


def test_a_game_of_textarena_is_played_and_scored():
    textarena = pytest.importorskip("textarena", minversion="0.7")
    from codebreaker.agents import for_textarena

    for_textarena.register_all()  # again
    env = textarena.make("codebreaker/MM-4-6-v0", reward="regret")
    env.reset(num_players=1, seed=0)
    seen = []
    done = False
    for answer in ANSWERS:
        assert not done
        _, observation = env.get_observation()
        seen.append(observation)
        done, _ = env.step(answer)
    assert done
    rewards, infos = env.close()
    assert rewards == {0: pytest.approx(REGRETS - last_regret())}
    assert infos[0]["reason"].endswith("Solved in 4 guesses.")
    assert "Find my secret" in seen[0]
    assert "end your answer with one guess in square brackets" in seen[3]
    state = env.state.game_state
    assert (state["moves"], state["illegal"]) == (MOVES, 2)
    assert cb.score([{"game_state": state}]).games["guesses"].to_list() == [2]
    assert env.get_board_str().splitlines()[1] == f"{SECRET}  4,0"


def test_a_seed_of_textarena_is_the_number_of_a_secret():
    pytest.importorskip("textarena", minversion="0.7")
    from codebreaker.agents.for_textarena import TextArenaEnv

    env = TextArenaEnv("mm-2-3", split="train", values=False)
    secrets = []
    for seed in (0, 1, 7):
        env.reset(1, seed=seed)
        secrets.append(env.played.secret)
    train = secrets_of(cb.game("mm-2-3"), "train")
    assert secrets == [train[0], train[1], train[0]]


class ScriptedPlayer:
    """A player of verifiers with fixed answers: the part of its interface that an `Env` uses."""

    def __init__(self, answers):
        self.answers = iter(answers)
        self.told = []
        self.trace = SimpleNamespace(
            info={}, rewards={}, metrics={}, record_reward=self.reward, record_metric=self.metric
        )

    def reward(self, name, value, weight):
        """Note a reward."""
        self.trace.rewards[name] = value * weight

    def metric(self, name, value):
        """Note a metric."""
        self.trace.metrics[name] = value

    @asynccontextmanager
    async def interaction(self, task):
        """Begin a game."""
        self.told.append(task.data.prompt)
        yield self

    async def turn(self, message=None):
        """Return the next answer."""
        self.told += [] if message is None else [message]
        answer = next(self.answers, None)
        return SimpleNamespace(terminated=answer is None, last_reply=answer)


@pytest.fixture
def taskset():
    pytest.importorskip("verifiers", minversion="0.4")
    from codebreaker.agents.for_verifiers import Games, GamesConfig

    return Games(GamesConfig(game="mm-4-6", reward="regret"))


def play(taskset, answers):
    """Play the first task with a scripted player, as verifiers would."""
    from codebreaker.agents.for_verifiers import GamesEnv

    player = ScriptedPlayer(answers)
    task = next(iter(taskset))
    asyncio.run(GamesEnv.run(None, task, SimpleNamespace(player=player)))
    return player


def test_a_game_of_verifiers_is_played_and_scored(taskset):
    player = play(taskset, ANSWERS)
    trace = player.trace
    assert trace.rewards == {"regret": pytest.approx(REGRETS - last_regret())}
    measured = {name: trace.metrics[name] for name in ("solved", "guesses", "illegal")}
    assert measured == {"solved": 1, "guesses": 2, "illegal": 2}
    assert trace.info == {
        "game": "mm-4-6", "secret": SECRET, "moves": MOVES, "illegal": 2,
    }  # fmt: skip
    assert player.told[0] == TextGame("mm-4-6", SECRET, values=False).rules
    assert len(player.told) == len(ANSWERS)  # nothing follows the last answer


def test_a_player_of_verifiers_may_stop(taskset):
    trace = play(taskset, ANSWERS[:1]).trace
    assert (trace.metrics["solved"], trace.info["moves"]) == (0, MOVES[:1])


def test_tasks_of_verifiers_are_the_secrets_of_a_split(taskset):
    tasks = list(taskset.take(5))
    secrets = [task.data.info["secret"] for task in tasks]
    assert secrets == list(secrets_of(cb.game("mm-4-6"), "test")[:5])
    assert [task.data.idx for task in tasks] == [0, 1, 2, 3, 4]
    assert len({task.key for task in taskset}) == 200
    assert asyncio.run(tasks[0].validate(None))


def test_verifiers_finds_the_taskset_by_its_module(monkeypatch):
    pytest.importorskip("verifiers", minversion="0.4")
    from conftest import ROOT
    from verifiers.v1.utils.loaders import load_environment, resolve_env_config

    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    config = resolve_env_config({"taskset": {"id": "codebreaker-games", "game": "bc-4-10"}})
    env = load_environment(config)
    assert type(env).__name__ == "GamesEnv"
    assert next(iter(env.taskset)).data.info["game"] == "bc-4-10"
