"""Fixed positions with the exact regret of every guess, and the score of answers."""

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np

from codebreaker.agents.text import guess_in
from codebreaker.api.games import Game
from codebreaker.api.games import game as game_called
from codebreaker.errors import CodebreakerError, unknown
from codebreaker.files import DATA
from codebreaker.statistics import critical, standard_error

FOLDER = DATA / "positions"
GAMES = ("mm-4-6", "mm-3-8", "bc-3-10", "black-4-5", "marks-five")
"""The games with positions."""

LEVEL = 0.95
"""Level of the intervals of mean regrets."""

NO_ANSWER = 1.0
"""The regret of an answer without a guess: one guess."""


@dataclass(frozen=True)
class FixedPosition:
    """A position: its moves, its candidates, and by how much each guess exceeds the minimum.

    `minimum` is the total guesses of optimal play over all candidates. The regret of a guess is its
    `excess`, in the order of the game's guesses, by the number of candidates.
    """

    id: str
    game: str
    moves: tuple[tuple[str, str], ...]
    stratum: str
    candidates: int
    minimum: int
    consistent_regret: float
    excess: tuple[int, ...]

    @cached_property
    def question(self) -> str:
        """The position in words, for a language model."""
        notation = _game(self.game)._notation
        moves = "\n".join(f"{guess}: {feedback}" for guess, feedback in self.moves)
        example = notation.game.guesses[len(notation.game.guesses) // 2]
        return (
            f"Find a secret in as few guesses as you can: {notation.code_form}. The feedback to a "
            f"guess is {notation.legend}.\nGuesses so far, with their feedback:\n{moves}\nWhich "
            f"guess is best now? End your answer with one guess in square brackets, as in "
            f"[{example}]."
        )

    def regret(self, guess: str) -> float:
        """Return a guess's exact regret; raise `CodebreakerError` if the game doesn't have it."""
        return self.excess[_game(self.game)._guess_index(guess)] / self.candidates

    @property
    def best(self) -> tuple[str, ...]:
        """All guesses without regret."""
        guesses = _game(self.game).guesses
        return tuple(guesses[index] for index, excess in enumerate(self.excess) if not excess)


class Marked(NamedTuple):
    """A row of scores: positions, answers with a guess, optimal ones, and the mean regret.

    `low` and `high` are the ends of the regret's 95 % interval, None for a single position.
    """

    name: str
    positions: int
    answered: int
    optimal: float
    regret: float
    low: float | None
    high: float | None


def positions_of(game: str) -> Iterator[FixedPosition]:
    """Yield a game's positions; raise `CodebreakerError` for a game without any.

    >>> first = next(positions_of("mm-4-6"))
    >>> first.id, first.candidates, first.regret(first.best[0])
    ('mm-4-6-001', 3, 0.0)
    """
    if game not in GAMES:
        raise unknown("game with positions", game, GAMES)
    with gzip.open(FOLDER / f"{game}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield _position(json.loads(line))


def score_answers(game: str, answers: Mapping[str, str]) -> list[Marked]:
    """Score answers by the ids of their positions: all, then by stratum.

    An answer is a guess, or a free text with one. Positions without an answer, and answers without
    a guess, count as one guess lost. Raises `CodebreakerError` for an unknown id.
    """
    positions = list(positions_of(game))
    ids = [position.id for position in positions]
    for given in answers:
        if given not in set(ids):
            raise unknown("position", given, ids)
    regrets = [_regret_of(position, answers.get(position.id, "")) for position in positions]
    by_stratum = dict[str, list[float | None]]()
    for position, regret in zip(positions, regrets, strict=True):
        by_stratum.setdefault(position.stratum, []).append(regret)
    return [_marked(game, regrets), *(_marked(name, some) for name, some in by_stratum.items())]


def _position(line: dict[str, Any]) -> FixedPosition:
    """Return a position of a parsed line."""
    moves = tuple((guess, feedback) for guess, feedback in line.pop("moves"))
    return FixedPosition(**line | {"moves": moves, "excess": tuple(line["excess"])})


def _regret_of(position: FixedPosition, answer: str) -> float | None:
    """Return an answer's regret, None if it has no guess."""
    try:
        return position.regret(guess_in(_game(position.game), answer))
    except CodebreakerError:
        return None


def _marked(name: str, regrets: list[float | None]) -> Marked:
    """Return a row of scores."""
    answered = [regret for regret in regrets if regret is not None]
    values = np.array([NO_ANSWER if regret is None else regret for regret in regrets])
    mean = float(values.mean())
    optimal = sum(regret == 0 for regret in answered) / len(values)
    low = high = None
    if len(values) > 1:
        width = critical(LEVEL, len(values) - 1) * standard_error(values)
        low = mean - width
        high = mean + width
    return Marked(name, len(values), len(answered), optimal, mean, low, high)


@cache
def _game(name: str) -> Game:
    """Return a game, built once."""
    return game_called(name)
