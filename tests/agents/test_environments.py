"""Environments of gymnasium, against the library's own scores and gymnasium's own checks."""

import pickle
from itertools import pairwise, product

import numpy as np
import pytest

pytest.importorskip("gymnasium")

import gymnasium
from conftest import python
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import SyncVectorEnv

import codebreaker as cb
from codebreaker.advice import score as judging
from codebreaker.agents import REWARDS, GameEnv, GameVectorEnv, environment_id
from codebreaker.agents.ids import ANY_GAME
from codebreaker.agents.rewards import Turn
from codebreaker.games.registry import EXAMPLES, usual_games

GAME = "mm-2-3"
MARKS = "marks-example"


def played(env, secret, guesses):
    """Return the steps of a game."""
    env.reset(options={"secret": secret})
    return [env.step(env.index(guess)) for guess in guesses]


def drawn_games(env, number):
    """Yield the moves and the steps of games with legal guesses that are drawn."""
    env.action_space.seed(1)
    for seed in range(number):
        _, info = env.reset(seed=seed)
        moves = []
        steps = []
        while not steps or not (steps[-1][2] or steps[-1][3]):
            action = env.action_space.sample(info["action_mask"])
            step = env.step(action)
            info = step[4]
            moves.append(int(action))
            steps.append(step)
        yield moves, steps


@pytest.mark.parametrize("game", [GAME, "bc-1-3", "black-2-3", MARKS])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"actions": "pegs"},
        {"observation": "counts", "guess_pool": "consistent"},
        {"observation": "both", "reward": "shaped"},
    ],
)
def test_gymnasium_accepts_the_environments(game, settings):
    env = gymnasium.make(environment_id(game), render_mode="ansi", **settings)
    check_env(env.unwrapped)


def test_every_usual_game_has_an_id():
    for game in (*usual_games(), *EXAMPLES):
        assert gymnasium.spec(environment_id(game)).kwargs == {"game": game}
    assert gymnasium.make(ANY_GAME, game="mm-2-4").unwrapped.game == cb.game("mm-2-4")


def test_words_of_ones_own_are_a_game():
    words = cb.Game.from_words(["crane", "slate", "trace"], ["stoic"])
    env = gymnasium.make(ANY_GAME, game=words, actions="pegs")
    check_env(env.unwrapped)
    assert env.action_space.nvec.tolist() == [10] * 5  # the letters of all words


@pytest.mark.parametrize(
    ("game", "pool"),
    [(GAME, "all"), (GAME, "consistent"), (MARKS, "all"), (MARKS, "hard"), ("mm-3-4", "all")],
)
def test_regret_and_luck_are_those_of_a_score(game, pool):
    env = GameEnv(game, guess_pool=pool, turns=30)
    for moves, steps in drawn_games(env, 6):
        secret = env.game.secrets[env._secret]
        guesses = [env.game.guesses[move] for move in moves]
        moved = [[guess, env.game.feedback(guess, secret)] for guess in guesses]
        scored = cb.score(moved, env.game, guess_pool=pool).moves
        for name in ("regret", "luck"):
            given = [step[4][name] for step in steps]
            assert given == pytest.approx(scored[name].to_list(), abs=1e-12)
        infos = [step[4] for step in steps]
        assert [info["consistent"] for info in infos] == scored["consistent"].to_list()
        left = [info["candidates"] for info in infos if info["value"] != 0]
        assert left == [size for size in scored["candidates_after"].to_list() if size]
        assert all(info["is_exact"] for info in infos)


def test_a_game_takes_its_value_and_the_regrets_minus_the_luck():
    env = GameEnv("mm-3-4", guess_pool="consistent", turns=20)
    for moves, steps in drawn_games(env, 10):
        infos = [step[4] for step in steps]
        total = env.judge.start + sum(info["regret"] - info["luck"] for info in infos)
        assert total == pytest.approx(len(moves))
        assert sum(info["bits"] for info in infos) == pytest.approx(6)  # 64 secrets


def test_rewards_are_as_they_are_defined():
    games = {name: GameEnv(GAME, reward=name, discount=0.9) for name in REWARDS}
    steps = {name: played(env, "13", ["12", "33", "13"]) for name, env in games.items()}
    rewards = {name: [step[1] for step in made] for name, made in steps.items()}
    infos = [step[4] for step in steps["regret"]]
    values = [games["regret"].judge.start, *(info["value"] for info in infos)]
    assert rewards["guesses"] == [-1, -1, -1]
    assert rewards["win"] == [0, 0, 1]
    assert rewards["regret"] == [-info["regret"] for info in infos]
    shaped = [-1 - 0.9 * after + before for before, after in pairwise(values)]
    assert rewards["shaped"] == shaped


def best_returns(game, reward, discount, members, known):
    """Return the best expected reward from some candidates, and all guesses that reach it.

    The expectations are sums over all secrets: no value of the package is used but V itself.
    """
    key = tuple(members)
    if key not in known:
        value = minimum_mean(game, key)
        by_guess = {}
        for guess in game.guesses:
            parts = game.partition(guess, members)
            if len(parts) == 1 and game.solved not in parts:
                continue
            means = {
                feedback: 0.0 if feedback == game.solved else minimum_mean(game, part)
                for feedback, part in parts.items()
            }
            shares = {feedback: len(part) / len(key) for feedback, part in parts.items()}
            regret = 1 + sum(shares[one] * means[one] for one in parts) - value
            expected = 0.0
            for feedback, part in parts.items():
                is_solved = feedback == game.solved
                turn = Turn(is_solved, value, means[feedback], regret)
                later = 0.0
                if not is_solved:
                    later, _ = best_returns(game, reward, discount, part, known)
                expected += shares[feedback] * (reward.of(turn, discount) + discount * later)
            by_guess[guess] = expected
        best = max(by_guess.values())
        good = {guess for guess, value in by_guess.items() if value > best - 1e-9}
        known[key] = best, good
    return known[key]


def minimum_mean(game, members):
    """Return V of some candidates by the package's exact search."""
    return float(cb.regret(cb.State(game.restricted(members)), members[0]).minimum)


def test_rewards_by_values_have_the_optimal_guesses_of_one_less_for_each_guess():
    game = cb.game("mm-2-2")
    everything = list(game.secrets)
    plain, shaped, regret = ({} for _ in range(3))
    best_returns(game, REWARDS["guesses"], 1.0, everything, plain)
    best_returns(game, REWARDS["shaped"], 1.0, everything, shaped)
    best_returns(game, REWARDS["regret"], 1.0, everything, regret)
    assert len(plain) > 3
    assert {key: good for key, (_, good) in shaped.items()} == {
        key: good for key, (_, good) in plain.items()
    }
    assert {key: good for key, (_, good) in regret.items()} == {
        key: good for key, (_, good) in plain.items()
    }


def test_an_action_outside_the_space_is_refused():
    env = GameEnv(GAME)
    env.reset(seed=1)
    for action in (9, -1, 0.5):
        with pytest.raises(gymnasium.error.InvalidAction, match="is not in Discrete"):
            env.step(action)


def test_a_game_that_is_over_is_not_played_on():
    env = GameEnv(GAME)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    assert played(env, "13", ["13"])[0][2]
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


def test_an_illegal_action_takes_a_turn_and_costs_one_guess():
    env = GameEnv(GAME, guess_pool="consistent", turns=3)
    (_, _, _, _, first), (_, reward, _, _, info) = played(env, "13", ["12", "12"])
    assert first["illegal"] == ""
    assert info["illegal"] == "12 contradicts the feedback, and only candidates may be guessed"
    assert (reward, info["regret"], info["luck"], info["bits"]) == (-1.0, 1.0, 0.0, 0.0)
    assert info["candidates"] == first["candidates"]
    assert env.step(env.index("13"))[2]


def test_pegs_that_are_no_guess_are_illegal():
    env = GameEnv(MARKS, actions="pegs")
    _, info = env.reset(seed=1)
    observation, _, terminated, _, info = env.step(np.zeros(len(env.game.guesses[0]), dtype=int))
    assert info["illegal"] == f"these pegs are not a guess of {MARKS}"
    assert not terminated
    assert not observation.any()


def test_masks_have_the_legal_guesses():
    hard = GameEnv(MARKS, guess_pool="hard")
    only = GameEnv(MARKS, guess_pool="consistent")
    secret = hard.game.secrets[-1]
    guess = hard.game.guesses[0]
    state = cb.State(MARKS, [[guess, hard.game.feedback(guess, secret)]])
    masks = [played(env, secret, [guess])[-1][4]["action_mask"] for env in (hard, only)]
    named = [{hard.game.guesses[index] for index in np.flatnonzero(mask)} for mask in masks]
    assert named == [{*state.allowed_in_hard_mode}, {*state.candidates}]
    assert GameEnv(GAME).reset()[1]["action_mask"].tolist() == [1] * 9


def test_observations_are_the_board_and_the_shares_of_the_candidates():
    env = GameEnv(GAME, observation="both", turns=4)
    step = played(env, "13", ["12"])[0]
    candidates = cb.State(GAME, [("12", env.game.feedback("12", "13"))]).candidates
    row = [1, 2, 1 + env.game.feedback_labels.index(env.game.feedback("12", "13"))]
    assert step[0]["board"].tolist() == [row, [0, 0, 0], [0, 0, 0], [0, 0, 0]]
    shares = [
        sum(code[peg] == colour for code in candidates) / len(candidates)
        for peg, colour in product(range(2), "123")
    ]
    bits = np.log2(len(candidates)) / np.log2(9)
    assert step[0]["counts"].tolist() == pytest.approx([*shares, bits, 0.25])


def test_the_same_seed_draws_the_same_secrets():
    env = GameEnv("mm-4-6", values=False)

    def secrets():
        return [env.reset(seed=seed)[1] and env._secret for seed in (7, None, None)]

    first = secrets()
    assert secrets() == first
    assert len(set(first)) == 3


def test_actions_of_the_same_seed_know_nothing_of_the_secret():
    env = GameEnv(GAME, values=False)
    found = 0
    for seed in range(270):
        env.reset(seed=seed)
        env.action_space.seed(seed)
        found += env.step(env.action_space.sample())[2]
    assert 15 < found < 50  # of 270 games against nine secrets, 30 on average


def test_secrets_are_drawn_by_the_prior_from_those_that_are_given():
    game = cb.game(GAME).weighted({"11": 1, "12": 3, "13": 96})
    env = GameEnv(game)
    env.reset(seed=1)
    drawn = [env.reset() and env.game.secrets[env._secret] for _ in range(200)]
    assert 160 < drawn.count("13") < 200
    some = GameEnv(GAME, secrets=["11", "22"])
    some.reset(seed=1)
    assert {some.reset() and some.game.secrets[some._secret] for _ in range(50)} == {"11", "22"}


def test_a_prior_counts_in_values_and_bits():
    game = cb.game(GAME).weighted({"11": 1, "12": 4, "21": 3})
    env = GameEnv(game)
    step = played(env, "12", ["11"])[0]
    regret = cb.regret(game, "11")
    assert step[4]["regret"] == pytest.approx(float(regret.mean))
    assert step[4]["bits"] == pytest.approx(np.log2(8 / 7))


def test_what_is_estimated_is_not_called_exact(monkeypatch):
    monkeypatch.setattr(judging, "LARGEST_EXACT", 0)
    monkeypatch.setattr(judging, "ENDGAMES", 3)
    monkeypatch.setattr("codebreaker.agents.values.ENDGAMES", 3)
    words = ["crane", "crate", "slate", "trace", "stare", "grace", "brace"]
    game = cb.Game.from_words(words)
    assert GameEnv(game).judge is None
    env = GameEnv(game, values=True)
    _, info = env.reset(options={"secret": "stare"})
    assert not info["is_exact"]
    assert info["judge"] == "entropy-endgames-3"
    first = env.step(env.index("crane"))[4]
    assert not first["is_exact"]
    assert first["candidates"] <= 3
    assert env.step(env.index("stare"))[4]["is_exact"]


def test_no_step_reports_progress(caplog):
    caplog.set_level("INFO", "codebreaker")
    played(GameEnv("mm-3-8"), "123", ["112"])  # 512 secrets: larger sets report theirs
    assert caplog.records == []
    cb.regret("mm-3-8", "112")
    assert caplog.records


def test_a_reward_by_values_is_refused_without_them():
    with pytest.raises(cb.CodebreakerError, match="the reward 'regret' needs values"):
        GameEnv(GAME, reward="regret", values=False)
    assert "regret" not in played(GameEnv(GAME, values=False), "13", ["12"])[0][4]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"reward": "regrets"}, "unknown reward 'regrets': did you mean 'regret'?"),
        ({"observation": "boards"}, "did you mean 'board'?"),
        ({"actions": "codes"}, "unknown actions"),
        ({"guess_pool": "hard"}, "has no hard mode"),
        ({"turns": 0}, "can't have 0 turns"),
        ({"game": "mm-12-20"}, "mm-12-20"),
        ({"secrets": ["99"]}, "99"),
    ],
)
def test_wrong_arguments_are_refused(settings, message):
    with pytest.raises(cb.CodebreakerError) as refused:
        GameEnv(**{"game": GAME} | settings)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    "settings",
    [
        {"game": GAME, "reward": "shaped", "observation": "both", "turns": 3},
        {"game": MARKS, "guess_pool": "hard", "actions": "pegs", "turns": 4},
        {"game": GAME, "guess_pool": "consistent", "values": False},
    ],
)
def test_games_in_a_vector_are_played_as_one_by_one(settings):
    ours = GameVectorEnv(5, **settings)
    theirs = SyncVectorEnv([lambda: GameEnv(**settings)] * 5)
    assert ours.action_space == theirs.action_space
    assert ours.observation_space == theirs.observation_space
    assert same(ours.reset(seed=3), theirs.reset(seed=3))
    ours.action_space.seed(1)
    for _ in range(12):
        actions = ours.action_space.sample()
        assert same(ours.step(actions), theirs.step(actions))


def same(first, other):
    """Return whether results of vectors are equal."""
    if isinstance(first, dict):
        return first.keys() == other.keys() and all(same(first[key], other[key]) for key in first)
    if isinstance(first, tuple):
        return all(map(same, first, other))
    return first.dtype == other.dtype and first.tolist() == other.tolist()


def test_make_vec_makes_a_vector():
    envs = gymnasium.make_vec(environment_id(GAME), num_envs=3, render_mode="ansi")
    assert isinstance(envs.unwrapped, GameVectorEnv)
    observations, _ = envs.reset(seed=1)
    assert observations in envs.observation_space
    envs.step(np.array([1, 2, 3]))
    assert len(envs.render()) == 3


def test_an_environment_shows_its_moves():
    env = GameEnv(GAME, guess_pool="consistent", render_mode="ansi")
    played(env, "13", ["12", "12"])
    assert env.render() == "mm-2-3\n 1  12  1,0\n 2  12"


def test_an_environment_can_be_copied():
    env = GameEnv(GAME)
    env.reset(seed=2)
    again = pickle.loads(pickle.dumps(env))
    assert same(env.step(3)[0:1], again.step(3)[0:1])


@pytest.mark.slow
def test_the_library_needs_no_gymnasium():
    code = "import sys, codebreaker as cb; cb.game('mm-2-3'); assert 'gymnasium' not in sys.modules"
    python("-c", code, check=True)
    hidden = "import sys; sys.modules['gymnasium'] = None; import codebreaker.agents"
    refused = python("-c", hidden)
    assert "codebreaker.agents needs the extra agents" in refused.stderr
