"""Environments for agents that learn to play, in which every move is judged by the exact search.

>>> import gymnasium
>>> import codebreaker.agents
>>> env = gymnasium.make("codebreaker/MM-2-3-v0", reward="regret")
>>> _, info = env.reset(seed=1)
>>> info["candidates"]
9

Needs the extra `agents`. `import codebreaker` alone needs none of it.
"""

from codebreaker.errors import require

require("agents", "codebreaker.agents")

from codebreaker.agents.env import OBSERVATIONS, GameEnv  # noqa: E402 (after the check)
from codebreaker.agents.ids import environment_id, register_all  # noqa: E402
from codebreaker.agents.positions import FixedPosition, positions_of, score_answers  # noqa: E402
from codebreaker.agents.rewards import REWARDS  # noqa: E402
from codebreaker.agents.splits import SPLITS, secrets_of  # noqa: E402
from codebreaker.agents.text import Reply, TextGame, guess_in  # noqa: E402
from codebreaker.agents.vector import GameVectorEnv  # noqa: E402

__all__ = [  # noqa: RUF022 (in the order of a reader's first use)
    "GameEnv", "GameVectorEnv", "OBSERVATIONS", "REWARDS", "environment_id",
    "TextGame", "Reply", "guess_in", "SPLITS", "secrets_of",
    "FixedPosition", "positions_of", "score_answers",
]  # fmt: skip

register_all()
