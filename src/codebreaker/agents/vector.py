"""Several games at once as a vector environment of gymnasium, valued together."""

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array, iterate
from numpy.typing import NDArray

from codebreaker.agents.env import GameEnv
from codebreaker.agents.values import Worth

Results = tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]
"""What `step` returns."""


class GameVectorEnv(VectorEnv[Any, Any, Any]):
    """Games of the same kind, one for each environment, that begin and end independently.

    It does what gymnasium's `SyncVectorEnv` does with as many `GameEnv`, and values all guesses of
    a step together: equal positions once. A game that has ended begins again at the next step,
    which ignores its action.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (gymnasium's own)
        "render_modes": ["ansi"],
        "render_fps": 1,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(self, num_envs: int = 1, **settings: Any) -> None:  # noqa: ANN401 (of GameEnv)
        """Prepare as many games; `GameEnv` has the settings."""
        self.num_envs = num_envs
        self.envs = [GameEnv(**settings) for _ in range(num_envs)]
        first = self.envs[0]
        self.render_mode = first.render_mode
        self.single_action_space = first.action_space
        self.single_observation_space = first.observation_space
        self.action_space = batch_space(first.action_space, num_envs)
        self.observation_space = batch_space(first.observation_space, num_envs)
        self._judge = first.judge
        self._are_over = np.zeros(num_envs, dtype=np.bool_)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin all games; with a seed, each environment has the next one of the one before."""
        seeds = seed
        if not isinstance(seeds, list):
            seeds = [None if seeds is None else seeds + index for index in range(self.num_envs)]
        observations = []
        infos = dict[str, Any]()
        for index, (env, each) in enumerate(zip(self.envs, seeds, strict=True)):
            observation, info = env.reset(seed=each, options=options)
            observations.append(observation)
            infos = self._add_info(infos, info, index)
        self._are_over[:] = False
        return self._together(observations), infos

    def step(self, actions: Any) -> Results:  # noqa: ANN401 (of the space's type)
        """Play a guess in each game."""
        # 1. Take the actions; games that have ended begin again instead.
        chosen = iterate(self.action_space, actions)
        turns = [
            None if is_over else env.play(action)
            for env, action, is_over in zip(self.envs, chosen, self._are_over, strict=True)
        ]
        # 2. Value the legal guesses.
        worths: list[Worth | None] = [None] * self.num_envs
        legal = [index for index, turn in enumerate(turns) if turn and not turn.illegal]
        if self._judge is not None and legal:
            played = [turn for turn in turns if turn and not turn.illegal]
            valued = self._judge.worths(
                [turn.position for turn in played], [turn.guess for turn in played]
            )
            for index, known in zip(legal, valued, strict=True):
                worths[index] = known
        # 3. Finish the steps.
        observations = []
        rewards = np.zeros(self.num_envs)
        terminated = np.zeros(self.num_envs, dtype=np.bool_)
        truncated = np.zeros(self.num_envs, dtype=np.bool_)
        infos = dict[str, Any]()
        for index, (env, turn, worth) in enumerate(zip(self.envs, turns, worths, strict=True)):
            if turn is None:
                observation, info = env.reset()
            else:
                result = env.finish(turn, worth)
                observation, rewards[index], terminated[index], truncated[index], info = result
            observations.append(observation)
            infos = self._add_info(infos, info, index)
        self._are_over = terminated | truncated
        return self._together(observations), rewards, terminated, truncated, infos

    def render(self) -> tuple[str, ...] | None:
        """Return each game's moves as text, in the mode `ansi`."""
        if self.render_mode is None:
            return None
        return tuple(str(env.render()) for env in self.envs)

    def _together(self, observations: list[Any]) -> Any:  # noqa: ANN401 (of the space's type)
        """Return observations as one of all environments."""
        space = self.single_observation_space
        empty: Any = create_empty_array(space, self.num_envs)
        return concatenate(space, observations, empty)
