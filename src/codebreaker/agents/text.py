"""A game in words, for language models: rules, free answers that are read, and replies."""

import re
from typing import Any, NamedTuple

from codebreaker.agents.env import TURNS, GameEnv
from codebreaker.api.games import Game
from codebreaker.errors import CodebreakerError, counted, shortened
from codebreaker.games.codes import CodeRules
from codebreaker.games.reading import MoveReader

BOXED = re.compile(r"\\boxed\{([^{}]*)\}|<guess>([^<>]*)</guess>|\[([^][]*)\]", re.IGNORECASE)
"""A guess that an answer marks: in square brackets, as the rules ask, or in other usual ways."""

ANNOUNCED = re.compile(r"\b(?:guess|answer)\b[^:\n]{0,20}: *(.+)", re.IGNORECASE)
"""A guess after a colon, as in `My guess is: 1122`."""

AROUND = " \t*_`'\".,;!?"
"""Signs around a guess that are not part of it."""

LONGEST_ANSWER = 100_000
"""Maximum characters of an answer of which the end is read."""


class Reply(NamedTuple):
    """The reply to an answer, its reward, whether the game is over, and `info`."""

    text: str
    reward: float
    is_over: bool
    info: dict[str, Any]


class TextGame:
    """A game of a `GameEnv` in which guesses are read from free answers.

    An answer without a legal guess takes a turn, and the reply says why. The settings are
    the environment's: rewards, values and guess pool.

    >>> game = TextGame("mm-4-6", "1345", values=False)
    >>> print(game.reply("Two colours twice split best. [1122]").text)
    Guess 1, 1122: 1 black and 0 white (1,0). You have 9 guesses left.
    >>> print(game.reply("Then [7777]!").text)
    Not a legal guess: code '7777' has the peg '7' at position 1: the colours of mm-4-6 are 1 \
to 6. You have 8 guesses left.
    """

    def __init__(self, game: str | Game, secret: str, turns: int = TURNS, **settings: Any) -> None:  # noqa: ANN401 (of GameEnv)
        """Begin a game against a secret; raise `CodebreakerError` for wrong arguments."""
        self.env = GameEnv(game, turns=turns, **settings)
        self.env.reset(options={"secret": secret})
        self.secret = secret
        self.illegal = 0
        self.moves: list[list[str]] = []
        self.total_reward = 0.0
        self.is_solved = False
        self.is_over = False
        self._reader = MoveReader(self.env.game._notation)

    @property
    def rules(self) -> str:
        """The rules of the game, and how to answer: the first message to a model."""
        notation = self.env.game._notation
        # A guess that is not the first one: it shows more than one symbol.
        guesses = self.env.game.guesses
        example = guesses[len(guesses) // 2]
        return (
            f"Find my secret: {notation.code_form}. After each guess you get feedback. It is "
            f"{notation.legend}. You have {counted(self.env.turns, 'guess', 'es')}; use as few as "
            f"you can.\n{self._pool_in_words()}Think first if you like, then end your answer with "
            f"one guess in square brackets, as in [{example}]."
        )

    def reply(self, answer: str) -> Reply:
        """Play the guess of an answer, and return the reply."""
        if self.is_over:
            raise CodebreakerError("the game is over: begin another one")
        try:
            action = self._reader.guess(guess_in(self.env.game, answer))
        except CodebreakerError as error:
            result = self.env.refuse(shortened(str(error)))
        else:
            result = self.env.step(action)
        _, reward, terminated, truncated, info = result
        self.total_reward += reward
        self.is_solved = terminated
        self.is_over = terminated or truncated
        return Reply(self._reply_to(info["illegal"]), reward, self.is_over, info)

    def record(self, player: str = "") -> dict[str, Any]:
        """Return the game as `score` reads it, and how many answers had no legal guess."""
        named = {"player": player} if player else {}
        return {
            "game": self.env.game.name,
            **named,
            "secret": self.secret,
            "moves": self.moves,
            "illegal": self.illegal,
        }

    def _reply_to(self, illegal: str) -> str:
        """Return the reply to the last turn, and note its move."""
        turns = len(self.env.moves)
        if illegal:
            self.illegal += 1
            result = f"Not a legal guess: {illegal}."
        else:
            notation = self.env.game._notation
            guess, feedback = self.env.moves[-1]
            label = self.env.game.guesses[guess]
            self.moves.append([label, notation.short(feedback)])
            said = f"{notation.said(feedback)} ({notation.short(feedback)})"
            result = f"Guess {turns}, {label}: {said}."
        if self.is_solved:
            return f"{result} Solved in {counted(turns, 'guess', 'es')}."
        if self.is_over:
            return f"{result} You have no guesses left. The secret was {self.secret}."
        left = counted(self.env.turns - turns, "guess", "es")
        return f"{result} You have {left} left."

    def _pool_in_words(self) -> str:
        """Return what may be guessed, if not everything."""
        if self.env.guess_pool == "consistent":
            return "Each guess must fit all feedback so far. "
        if self.env.guess_pool == "hard":
            return "Green letters stay in their places, and yellow ones are used again. "
        return ""


def guess_in(game: Game, answer: str) -> str:
    """Return the text of the guess in a free answer, for the reader of moves.

    It is the last one that is marked, such as `[1122]`; or what follows the last `Guess:`; or the
    whole answer; or, in a game of codes, the last words that are a guess. Raises `CodebreakerError`
    if there is none.

    >>> import codebreaker as cb
    >>> guess_in(cb.game("mm-4-6"), "Perhaps [1111]? No: my guess is [1 2 3 4].")
    '1 2 3 4'
    >>> guess_in(cb.game("marks-common"), "CRANE")
    'CRANE'
    """
    text = answer[-LONGEST_ANSWER:]
    if marked := BOXED.findall(text):
        return "".join(marked[-1]).strip()
    if announced := ANNOUNCED.findall(text):
        return str(announced[-1]).strip(AROUND)
    whole = text.strip().strip(AROUND)
    notation = game._notation
    if whole and notation.guess_or_none(whole) is not None:
        return whole
    rules = notation.rules
    if isinstance(rules, CodeRules):
        words = [stripped for word in text.split() if (stripped := word.strip(AROUND + "()"))]
        for end in range(len(words), 0, -1):
            for start in range(end - 1, max(end - rules.pegs, 0) - 1, -1):
                code = " ".join(words[start:end])
                if notation.guess_or_none(code) is not None:
                    return code
    raise CodebreakerError("end your answer with one guess in square brackets")
