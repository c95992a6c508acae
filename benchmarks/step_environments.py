"""Measure the steps of environments, with and without values (needs the extra `agents`)."""

import time

import gymnasium
from pages import machine, processor, publish

from codebreaker.agents.ids import ANY_GAME

GAMES = ("mm-4-6", "bc-3-10", "mm-4-5")
WARMING = 2000
"""Steps after which the search knows most positions of a game."""

MEASURED = 4000
CASES = (
    ("no values, board", {"values": False}, 1),
    ("no values, counts", {"values": False, "observation": "counts"}, 1),
    ("no values, candidates only", {"values": False, "guess_pool": "consistent"}, 1),
    ("regret, luck and values", {"values": True}, 1),
    ("the same, candidates only", {"values": True, "guess_pool": "consistent"}, 1),
    ("the same, 16 games in a vector", {"values": True, "guess_pool": "consistent"}, 16),
)


def seconds_of(envs, steps: int, seed: int) -> float:
    """Return the CPU seconds of some steps of each game in a vector, with legal random guesses."""
    _, infos = envs.reset(seed=seed)
    envs.action_space.seed(seed)
    began = time.process_time()
    for _ in range(steps):
        actions = envs.action_space.sample(tuple(infos["action_mask"]))
        _, _, _, _, infos = envs.step(actions)
    return time.process_time() - began


class OneGame:
    """An environment alone, as a vector of one."""

    def __init__(self, env) -> None:
        self.env = env

    def seconds_of(self, steps: int, seed: int) -> float:
        """Return the CPU seconds of some steps with legal random guesses."""
        _, info = self.env.reset(seed=seed)
        self.env.action_space.seed(seed)
        began = time.process_time()
        for _ in range(steps):
            action = self.env.action_space.sample(info["action_mask"])
            _, _, terminated, truncated, info = self.env.step(action)
            if terminated or truncated:
                _, info = self.env.reset()
        return time.process_time() - began


def rate_of(game: str, settings: dict, n_envs: int) -> tuple[float, float]:
    """Return the steps a CPU second, of the first WARMING steps and after them."""
    if n_envs == 1:
        made = gymnasium.make(ANY_GAME, game=game, disable_env_checker=True, **settings)
        env = OneGame(made)
        return WARMING / env.seconds_of(WARMING, 1), MEASURED / env.seconds_of(MEASURED, 2)
    envs = gymnasium.make_vec(ANY_GAME, game=game, num_envs=n_envs, **settings)
    times = (seconds_of(envs, n // n_envs, seed) for seed, n in enumerate((WARMING, MEASURED), 1))
    first, then = times
    return WARMING / first, MEASURED / then


def main() -> None:
    """Publish the measurements."""
    # One step compiles the search, or loads it.
    env = gymnasium.make(ANY_GAME, game="mm-3-4", values=True)
    env.reset(seed=1)
    env.step(1)
    rows = []
    for game in GAMES:
        for what, settings, n_envs in CASES:
            first, then = rate_of(game, settings, n_envs)
            rows.append(f"| {game} | {what} | {first:,.0f} | {then:,.0f} |")
            print(rows[-1], flush=True)
    where = machine(f"{processor()}, one core")
    publish(
        "step_environments.md",
        "Steps of environments",
        f"{where}. Guesses are random and legal, and the environments are those of "
        "`gymnasium.make` without its checker. Environments of a process share a game's search.",
        "| game | what is computed | steps a CPU second, first 2,000 | steps a CPU second, then |",
        rows,
        "With values, once the search is warm, the search itself takes 7 % of the time, and Python "
        "around it the rest. So a table of the values of fixed positions was not recorded: it "
        "would save the 4 CPU seconds of warming, once per process.",
        texts=2,
    )


if __name__ == "__main__":
    main()
