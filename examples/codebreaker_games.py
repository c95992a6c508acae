"""The games as a taskset of verifiers, which finds it by the name of this module."""

from codebreaker.agents.for_verifiers import Games, GamesConfig, GamesEnv, GamesEnvConfig

__all__ = ["Games", "GamesConfig", "GamesEnv", "GamesEnvConfig"]
