"""The games as a taskset and an environment of verifiers, 0.4 or newer.

verifiers finds a taskset by the name of a top-level module: `examples/codebreaker_games.py` is
one, for `vf-eval codebreaker-games --env.taskset.game mm-4-6`.
"""

from collections.abc import Iterator
from typing import Any

import verifiers.v1 as vf

from codebreaker.agents.env import TURNS
from codebreaker.agents.splits import secrets_of
from codebreaker.agents.text import TextGame
from codebreaker.api.games import game as game_called


class GamesConfig(vf.TasksetConfig):
    """Which games are played, and how they are rewarded: see `GameEnv`."""

    game: str = "mm-4-6"
    split: str = "test"
    turns: int = TURNS
    reward: str = "guesses"
    guess_pool: str = "all"


class GameData(vf.TaskData):
    """One game's settings, with which it can be played again."""

    info: dict[str, Any]


class GameTask(vf.Task[GameData, vf.State, vf.TaskConfig]):
    """One game."""

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Return whether the secret, played as an answer, wins."""
        game = TextGame(**self.data.info)
        game.reply(f"[{self.data.info['secret']}]")
        return game.is_solved


class Games(vf.Taskset[GameTask, GamesConfig]):
    """The games against the secrets of a split, in its order."""

    def load(self) -> Iterator[GameTask]:
        """Yield a game for each secret."""
        config = self.config
        for secret in secrets_of(game_called(config.game), config.split):
            info = {
                "game": config.game,
                "secret": secret,
                "turns": config.turns,
                "reward": config.reward,
                "guess_pool": config.guess_pool,
            }
            name = f"{config.game} {secret}"
            data = GameData(name=name, prompt=TextGame(**info).rules, info=info)
            yield GameTask(data, config.task)


class GamesEnvConfig(vf.EnvConfig):
    """The one seat: the player."""

    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"})


class GamesEnv(vf.Env[GamesEnvConfig]):
    """Plays the game with the player: each answer is a turn, and each reply the next message.

    The trace's `info` has the game as `score` reads it, its reward is that of all turns, and its
    metrics are the guesses, whether it was solved, the answers without a legal guess, and the
    regret and luck if the game has values.
    """

    async def run(self, task: GameTask, agents: vf.Agents) -> None:
        """Play one game."""
        game = TextGame(**task.data.info)
        measured = dict.fromkeys(("regret", "luck"), 0.0)
        # The rules are the task's prompt, so the player speaks first.
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                reply = game.reply(segment.last_reply)
                for name in measured:
                    measured[name] += reply.info.get(name, 0.0)
                if reply.is_over:
                    break
                segment = await interaction.turn(reply.text)
        trace = interaction.trace
        trace.record_reward(task.data.info["reward"], game.total_reward, 1.0)
        trace.record_metric("solved", float(game.is_solved))
        trace.record_metric("guesses", float(len(game.moves)))
        trace.record_metric("illegal", float(game.illegal))
        if game.env.judge is not None:
            for name, value in measured.items():
                trace.record_metric(name, value)
        trace.info.update(game.record())


__all__ = ["GameData", "GameTask", "Games", "GamesConfig", "GamesEnv", "GamesEnvConfig"]
