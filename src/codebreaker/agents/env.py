"""A game as an environment of gymnasium."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Literal, NamedTuple, get_args

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import InvalidAction
from numpy.typing import NDArray

from codebreaker.advice.pools import check_pool
from codebreaker.advice.score import is_judged_exactly
from codebreaker.agents.observations import Board, Counts, symbols_of
from codebreaker.agents.rewards import REWARDS, Turn
from codebreaker.agents.values import Judge, Position, Worth
from codebreaker.api.games import Game
from codebreaker.api.games import game as game_called
from codebreaker.errors import CodebreakerError, unknown
from codebreaker.games.unlisted import refuse_unlisted
from codebreaker.sets.hard import allowed_after, narrow
from codebreaker.types import AnyPool, Move

Actions = Literal["guess", "pegs"]
Observations = Literal["board", "counts", "both"]
OBSERVATIONS: tuple[Observations, ...] = get_args(Observations)

TURNS = 10
"""Maximum number of turns of an episode, unless another is given."""

NO_GUESS = -1
"""Stands for pegs that are not a guess of the game."""

NO_FEEDBACK = -1
"""Stands for the feedback to an illegal guess."""

Result = tuple[Any, float, bool, bool, dict[str, Any]]
"""What `step` returns."""


class Played(NamedTuple):
    """An action that was taken at a position, and the feedback, or why the action is illegal."""

    position: Position
    guess: int
    feedback: int
    illegal: str


class GameEnv(gymnasium.Env[Any, Any]):
    """A game against a secret that is drawn by the game's prior.

    An episode is terminated when the secret is found, and truncated after `turns` guesses: the
    limit ends the episode. Values don't know it.

    **Actions.** With `actions="guess"` an action is the index of a guess; with `"pegs"` a symbol
    from 0 for each peg. An action outside the space raises `gymnasium.error.InvalidAction`. One
    within it may be illegal, as pegs may be no guess of the game, and as the `guess_pool` may
    forbid it. An illegal action takes a turn and gets no feedback, so that its regret is exactly 1;
    `info["illegal"]` says why. With guesses as actions, `info["action_mask"]` has the legal ones,
    and so has `action_masks()`.

    **Observations.** `board` has the moves as numbers, `counts` how often the candidates have each
    symbol at each peg, and `both` is a dictionary of the two.

    **Rewards** by name are in `REWARDS`; `discount` is that of the learner, for `shaped`.

    **Values.** `info` has the regret and luck of a guess, the value before it, and whether these
    are exact: see `Judge`. By default games that can be judged exactly have values, and others only
    if the reward needs them.

    >>> env = GameEnv("mm-2-3")
    >>> _, info = env.reset(options={"secret": "13"})
    >>> _, reward, terminated, _, info = env.step(env.index("12"))
    >>> reward, terminated, info["candidates"], round(info["regret"], 3), info["is_exact"]
    (-1.0, False, 4, 0.0, True)
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 (gymnasium's own)

    def __init__(
        self,
        game: str | Game = "mm-4-6",
        *,
        actions: Actions = "guess",
        observation: Observations = "board",
        reward: str = "guesses",
        discount: float = 1.0,
        guess_pool: AnyPool = "all",
        turns: int = TURNS,
        values: bool | None = None,
        secrets: Iterable[str] | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Prepare a game; the secret is drawn from `secrets`, by default from all.

        Raises `CodebreakerError` for wrong arguments, and for games whose codes can't be listed.
        """
        self.game = _shared(game) if isinstance(game, str) else game
        model = self.game._model
        refuse_unlisted(model)
        check_pool(model, guess_pool)
        _check("actions", actions, get_args(Actions))
        _check("observation", observation, OBSERVATIONS)
        _check("reward", reward, REWARDS)
        if turns < 1:
            raise CodebreakerError(f"an episode can't have {turns} turns: choose 1 or more")
        self.render_mode = render_mode
        self.guess_pool: AnyPool = guess_pool
        self.turns = turns
        self._model = model
        self._reward = REWARDS[reward]
        self._discount = discount
        self.judge = self._chosen_judge(values, reward)
        self._drawn = self.game._secret_indices(secrets)
        self._probabilities = _probabilities(self.game, self._drawn)
        self._symbols = symbols_of(model)
        self._pegs = {tuple(row): guess for guess, row in enumerate(self._symbols.tolist())}
        self._takes_pegs = actions == "pegs"
        self.action_space = self._actions_of()
        self._board = Board(self._symbols, model.n_feedback, turns)
        self._counts = Counts(model, self._symbols, turns)
        self._shown = observation
        self.observation_space = self._observations_of()
        self._secret = NO_GUESS
        self.moves: tuple[Move, ...] = ()
        """All guesses with their feedback, and illegal ones without."""

        self.position = self._start()
        """The legal moves, and the candidates that they leave."""

        self._value = 0.0
        self._is_over = True

    def index(self, guess: str) -> int:
        """Return a guess's index; raise `CodebreakerError` if the game doesn't have it."""
        return self.game._guess_index(guess)

    def action_masks(self) -> NDArray[np.int8]:
        """Return 1 for each guess that is legal now, (n_guesses,)."""
        if self.guess_pool == "all":
            return np.ones(self._model.n_guesses, dtype=np.int8)
        legal = self.position.allowed
        if self.guess_pool == "consistent":
            legal = self._model.guesses_of(self.position.members)
        mask = np.zeros(self._model.n_guesses, dtype=np.int8)
        mask[legal] = 1
        return mask

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin a game; the option `secret` says the secret instead of drawing it."""
        super().reset(seed=seed)
        given = (options or {}).get("secret")
        if given is None:
            # Actions are often sampled with the same seed: a generator of its own keeps the secret
            # from being the first of them.
            draw = np.random.default_rng(int(self.np_random.integers(1 << 62)))
            self._secret = int(draw.choice(self._drawn, p=self._probabilities))
        else:
            self._secret = self.game._notation.secret(given)
        self.moves = ()
        self.position = self._start()
        self._value = 0.0 if self.judge is None else self.judge.start
        self._is_over = False
        return self._observed(), self._info()

    def step(self, action: Any) -> Result:  # noqa: ANN401 (of the space's type)
        """Play a guess; see the class for illegal ones."""
        played = self.play(action)
        worth = None
        if self.judge is not None and not played.illegal:
            (worth,) = self.judge.worths([played.position], [played.guess])
        return self.finish(played, worth)

    def play(self, action: Any) -> Played:  # noqa: ANN401 (of the space's type)
        """Return what an action does, for `finish`; environments in a vector are valued between."""
        self._check_begun()
        if not self.action_space.contains(action):
            raise InvalidAction(f"{action!r} is not in {self.action_space}")
        guess = int(action) if not self._takes_pegs else self._pegs.get(tuple(action), NO_GUESS)
        illegal = self._why_illegal(guess)
        feedback = NO_FEEDBACK
        if not illegal:
            secret = np.array([self._secret], dtype=np.int32)
            feedback = int(self._model.feedback(guess, secret)[0])
        return Played(self.position, guess, feedback, illegal)

    def finish(self, played: Played, worth: Worth | None) -> Result:
        """Return the step of an action, with what its guess is worth if values are wanted."""
        before = played.position
        is_solved = played.feedback == self._model.solved
        self.moves = (*self.moves, (played.guess, played.feedback))
        if not played.illegal:
            self.position = self._after(before, played.guess, played.feedback)
        # An illegal guess changes nothing but the number of turns: it costs exactly one guess.
        with_guess = 1.0 + self._value if worth is None else worth.with_guess
        after = self._value if worth is None else worth.after[played.feedback]
        turn = Turn(is_solved, self._value, after, with_guess - self._value)
        info = self._info()
        info["consistent"] = not played.illegal and self._is_candidate(before, played.guess)
        info["bits"] = self._bits(before, self.position)
        info["illegal"] = played.illegal
        if self.judge is not None:
            info["regret"] = turn.regret
            info["luck"] = with_guess - 1.0 - after
            info["value"] = after
            info["is_exact"] = self.judge.is_exact(len(before.members))
        self._value = after
        truncated = not is_solved and len(self.moves) == self.turns
        self._is_over = is_solved or truncated
        reward = self._reward.of(turn, self._discount)
        return self._observed(), reward, is_solved, truncated, info

    def refuse(self, why: str) -> Result:
        """Return the step of an illegal action outside the space: it takes a turn, too."""
        self._check_begun()
        return self.finish(Played(self.position, NO_GUESS, NO_FEEDBACK, why), None)

    def render(self) -> str | None:
        """Return the moves as text, a line each, in the mode `ansi`."""
        if self.render_mode != "ansi":
            return None
        notation = self.game._notation
        lines = [self.game.name]
        for number, (guess, feedback) in enumerate(self.moves, start=1):
            label = "illegal" if guess == NO_GUESS else self._model.guesses[guess]
            answer = "" if feedback == NO_FEEDBACK else notation.short(feedback)
            lines.append(f"{number:>2}  {label}  {answer}".rstrip())
        return "\n".join(lines)

    def _check_begun(self) -> None:
        """Raise `gymnasium.error.ResetNeeded` unless there is a game to play."""
        if self._is_over:
            raise gymnasium.error.ResetNeeded("the game is over, or has not begun: call reset()")

    def _chosen_judge(self, values: bool | None, reward: str) -> Judge | None:
        """Return the judge, None if no values are wanted; raise if the reward needs them."""
        if values is False and self._reward.needs_values:
            raise CodebreakerError(f"the reward {reward!r} needs values: leave out values=False")
        if values is None:
            values = self._reward.needs_values or is_judged_exactly(self._model)
        return Judge(self.game, self.guess_pool) if values else None

    def _actions_of(self) -> spaces.Discrete | spaces.MultiDiscrete:
        """Return the space of actions."""
        if not self._takes_pegs:
            return spaces.Discrete(self._model.n_guesses)
        n_symbols = int(self._symbols.max()) + 1
        return spaces.MultiDiscrete([n_symbols] * self._symbols.shape[1])

    def _observations_of(self) -> spaces.Space[Any]:
        """Return the space of observations."""
        board = spaces.Box(np.zeros_like(self._board.largest), self._board.largest, dtype=np.int16)
        counts = spaces.Box(0.0, 1.0, self._counts.shape, dtype=np.float32)
        parts: dict[str, spaces.Space[Any]] = {"board": board, "counts": counts}
        return spaces.Dict(parts) if self._shown == "both" else parts[self._shown]

    def _observed(self) -> Any:  # noqa: ANN401 (of the space's type)
        """Return the observation now."""
        if self._shown == "board":
            return self._board.of(self.moves)
        counts = self._counts.of(self.position.members, len(self.moves))
        if self._shown == "counts":
            return counts
        return {"board": self._board.of(self.moves), "counts": counts}

    def _info(self) -> dict[str, Any]:
        """Return what is known before the next guess."""
        info: dict[str, Any] = {"candidates": len(self.position.members)}
        if self.judge is not None:
            info["value"] = self._value
            info["is_exact"] = self.judge.is_exact(len(self.position.members))
            info["judge"] = self.judge.name
        if not self._takes_pegs:
            info["action_mask"] = self.action_masks()
        return info

    def _start(self) -> Position:
        """Return the position before the first guess."""
        every = np.arange(self._model.n_secrets, dtype=np.int32)
        allowed = allowed_after(self._model) if self.guess_pool == "hard" else None
        return Position((), every, allowed)

    def _after(self, before: Position, guess: int, feedback: int) -> Position:
        """Return the position after a move."""
        members = before.members
        left = members[self._model.feedback(guess, members) == feedback]
        allowed = before.allowed
        if allowed is not None:
            allowed = narrow(self._model, allowed, guess, feedback)
        return Position((*before.moves, (guess, feedback)), left, allowed)

    def _why_illegal(self, guess: int) -> str:
        """Return why a guess is illegal now, nothing if it is legal."""
        if guess == NO_GUESS:
            return f"these pegs are not a guess of {self.game.name}"
        label = self._model.guesses[guess]
        if self.guess_pool == "consistent" and not self._is_candidate(self.position, guess):
            return f"{label} contradicts the feedback, and only candidates may be guessed"
        allowed = self.position.allowed
        if allowed is not None and not (allowed == guess).any():
            return f"{label} leaves out a letter that hard mode keeps"
        return ""

    def _is_candidate(self, position: Position, guess: int) -> bool:
        """Return whether a guess may be the secret."""
        return bool((self._model.guesses_of(position.members) == guess).any())

    def _bits(self, before: Position, after: Position) -> float:
        """Return the information of a feedback: by how many halvings it made the candidates fewer.

        With a prior the candidates count by their probabilities.
        """
        prior = self._model.prior
        if prior is None:
            return float(np.log2(len(before.members) / len(after.members)))
        return float(np.log2(prior[before.members].sum() / prior[after.members].sum()))


@lru_cache(maxsize=16)
def _shared(name: str) -> Game:
    """Return a game that the environments of a process share, with all that its search knows."""
    return game_called(name)


def _check(what: str, name: str, known: Iterable[str]) -> None:
    """Raise `CodebreakerError` for an unknown name."""
    if name not in known:
        raise unknown(what, name, known)


def _probabilities(game: Game, secrets: NDArray[np.integer[Any]]) -> NDArray[np.float64] | None:
    """Return the probabilities of the secrets that are drawn, None if all are equally likely."""
    prior = game._model.prior
    if prior is None:
        return None
    weights = prior[secrets]
    probabilities: NDArray[np.float64] = weights / weights.sum()
    return probabilities
