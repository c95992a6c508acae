"""The games as environments of TextArena, 0.7 or newer: `textarena.make("codebreaker/MM-4-6-v0")`.

A seed is the number of a secret in the split, so that everybody plays the same games.
"""

from random import SystemRandom
from typing import Any

import textarena as ta
from textarena.envs.registration import ENV_REGISTRY, register

from codebreaker.agents.env import TURNS
from codebreaker.agents.ids import environment_id
from codebreaker.agents.splits import secrets_of
from codebreaker.agents.text import TextGame
from codebreaker.api.games import game as game_called
from codebreaker.errors import CodebreakerError
from codebreaker.games.registry import usual_games


class TextArenaEnv(ta.Env):
    """A game for one player; its `state.game_state` is the game as `score` reads it.

    The reward is that of all turns: see `GameEnv`. An answer without a legal guess is an invalid
    move, after which the player may go on, and takes a turn of ours.
    """

    def __init__(
        self,
        game: str = "mm-4-6",
        split: str = "test",
        turns: int = TURNS,
        **settings: Any,  # noqa: ANN401 (of GameEnv)
    ) -> None:
        """Prepare games against the secrets of a split; `GameEnv` has the settings."""
        self._game = game_called(game)
        self._secrets = secrets_of(self._game, split)
        if not self._secrets:
            raise CodebreakerError(f"{game} has too few secrets for the split {split!r}")
        self._turns = turns
        self._settings = settings
        self.played: TextGame

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Begin a game against the secret of this number, or against any without one."""
        number = SystemRandom().randrange(len(self._secrets)) if seed is None else seed
        secret = self._secrets[number % len(self._secrets)]
        self.played = TextGame(self._game, secret, self._turns, **self._settings)
        self.state = ta.SinglePlayerState(
            num_players=num_players,
            seed=seed,
            max_turns=self._turns,
            error_allowance=self._turns,  # the game itself ends after as many turns
        )
        self.state.reset(
            game_state=self.played.record(), player_prompt_function=self._prompt_of_player
        )

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Play the guess of an answer."""
        self.state.add_observation(
            from_id=self.state.current_player_id,
            message=action,
            observation_type=ta.ObservationType.PLAYER_ACTION,
        )
        reply = self.played.reply(action)
        self.state.game_state.update(self.played.record())
        if reply.is_over:
            self.state.set_outcome(reward=self.played.total_reward, reason=reply.text)
        elif reply.info["illegal"]:
            self.state.set_invalid_move(reason=reply.text)
        else:
            self.state.add_observation(
                message=reply.text, observation_type=ta.ObservationType.GAME_ACTION_DESCRIPTION
            )
        done, info = self.state.step()
        return bool(done), dict(info)

    def get_board_str(self) -> str:
        """Return the moves as text, a line each."""
        return "\n".join(f"{guess}  {feedback}" for guess, feedback in self.played.moves)

    def _prompt_of_player(self, player_id: int, game_state: dict[str, Any]) -> str:
        """Return the rules."""
        return self.played.rules


def register_all() -> None:
    """Register the usual games with TextArena's observations for language models, once."""
    for game in usual_games():
        name = environment_id(game)
        if name not in ENV_REGISTRY:
            register(
                id=name,
                entry_point="codebreaker.agents.for_textarena:TextArenaEnv",
                default_wrappers=[ta.wrappers.LLMObservationWrapper],
                game=game,
            )


register_all()
