"""Games of codes that are too many to list: each code is computed from its index."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import perm
from typing import Any, ClassVar, NoReturn, overload

import numpy as np
from numpy.typing import NDArray

from codebreaker.errors import CodebreakerError
from codebreaker.games.codes import MOST_CODES as MOST_LISTED_CODES
from codebreaker.games.codes import CodeRules
from codebreaker.games.feedback import colour_counts
from codebreaker.games.model import CodeGame, GameModel, TableGame
from codebreaker.types import FeedbackIds, Indices, SymbolMatrix

MOST_CODES = 2**63 - 1
"""Maximum number of codes: Python's sequences aren't longer."""

MOST_COLOURS = 256
"""Maximum number of colours: each is a byte."""


class CodeLabels(Sequence[str]):
    """The labels of all codes in lexicographic order, each made when it is asked for."""

    def __init__(self, rules: CodeRules, is_unique: bool) -> None:
        """Describe the codes of a game, or, if `is_unique`, those without repeated colours."""
        self._rules = rules
        self._is_unique = is_unique
        self._colour_of = {symbol: colour for colour, symbol in enumerate(rules.symbols())}
        # The number of ways to go on after each peg, which is the value of its digit.
        pegs = rules.pegs
        colours = rules.colours
        self._place_values = [
            perm(colours - 1 - peg, pegs - 1 - peg) if is_unique else colours ** (pegs - 1 - peg)
            for peg in range(pegs)
        ]
        self._n = perm(colours, pegs) if is_unique else colours**pegs

    def __len__(self) -> int:
        return self._n

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        """Return a code's label, or those of a slice."""
        if isinstance(index, slice):
            return tuple(self[number] for number in range(*index.indices(self._n)))
        number = int(index)
        if not -self._n <= number < self._n:
            raise IndexError(index)
        return self._rules.label_of(self.colours(number % self._n))

    def colours(self, index: int) -> list[int]:
        """Return the colours of a code."""
        rest = index
        left = list(range(self._rules.colours))
        colours = list[int]()
        for value in self._place_values:
            digit, rest = divmod(rest, value)
            colours.append(left.pop(digit) if self._is_unique else left[digit])
        return colours

    def index_of(self, colours: Sequence[int]) -> int:
        """Return the index of a code's colours."""
        left = list(range(self._rules.colours))
        index = 0
        for colour, value in zip(colours, self._place_values, strict=True):
            digit = left.index(colour)
            index += digit * value
            if self._is_unique:
                left.remove(colour)
        return index

    def get(self, label: str) -> int | None:
        """Return the index of a label, or None if no code has it."""
        pegs = self._rules.symbols_of(label)
        colours = [self._colour_of[peg] for peg in pegs if peg in self._colour_of]
        if len(colours) != len(pegs) or len(colours) != self._rules.pegs:
            return None
        if self._is_unique and len({*colours}) < len(colours):
            return None
        return self.index_of(colours)

    def index(self, label: str, *_: Any) -> int:  # noqa: ANN401
        """Return the index of a label; raise `ValueError` if no code has it."""
        index = self.get(label)
        if index is None:
            raise ValueError(label)
        return index

    def __contains__(self, label: object) -> bool:
        return isinstance(label, str) and self.get(label) is not None

    def __iter__(self) -> Iterator[str]:
        return (self[index] for index in range(self._n))


@dataclass(frozen=True, eq=False)
class UnlistedGame(GameModel):
    """A game of codes that has neither a table nor a list of them.

    `guesses` and `secrets` make each label when it is asked for. Whatever needs all codes refuses
    the game: it is played by samples.
    """

    has_table: ClassVar[bool] = False
    is_listed: ClassVar[bool] = False

    rules: CodeRules = field(kw_only=True)

    @classmethod
    def of(cls, rules: CodeRules) -> "UnlistedGame":
        """Return a game; raise `CodebreakerError` if it is too large even for this."""
        n_guesses, _ = rules.table_shape
        if n_guesses > MOST_CODES or rules.colours > MOST_COLOURS:
            raise CodebreakerError(
                f"game {rules.name!r} has {rules.pegs} pegs and {rules.colours:,} colours: at most "
                f"{MOST_COLOURS} colours and {MOST_CODES:,} codes are possible"
            )
        rules.check_symbols()
        labels = rules.feedback_labels()
        return cls(
            name=rules.name,
            guesses=CodeLabels(rules, rules.unique),  # type: ignore[arg-type]
            secrets=CodeLabels(rules, rules.unique or rules.distinct),  # type: ignore[arg-type]
            feedback_labels=labels,
            solved=len(labels) - 1,
            rules=rules,
        )

    @cached_property
    def digest(self) -> str:
        """Return what determines play: the name, as no code is listed."""
        return self.name

    def _rules(self) -> tuple[NDArray[np.generic], ...]:
        return ()

    def codes(self, labels: CodeLabels, indices: Sequence[int]) -> SymbolMatrix:
        """Return the colours of codes, (n, pegs) uint8, by their indices in `labels`."""
        return np.array([labels.colours(index) for index in indices], np.uint8)

    def feedback(self, guess: int | Indices, secrets: Indices) -> FeedbackIds:
        """Return feedback ids by counting pegs."""
        secret_codes = self.codes(self.secrets, secrets.tolist())  # type: ignore[arg-type]
        guesses = np.broadcast_to(guess, len(secrets))
        guess_codes = self.codes(self.guesses, guesses.tolist())  # type: ignore[arg-type]
        colours = self.rules.colours
        black = (secret_codes == guess_codes).sum(axis=1)
        shared = np.minimum(
            colour_counts(secret_codes, colours), colour_counts(guess_codes, colours)
        )
        ids: FeedbackIds = self.rules.ids_by_pegs()[black, shared.sum(axis=1)]
        return ids

    def guesses_of(self, secrets: Indices) -> Indices:
        """Return the guesses with the secrets' labels."""
        labels = [self.secrets[secret] for secret in secrets.tolist()]
        return np.array([self.guesses.index(label) for label in labels])

    def arrays(self) -> dict[str, Any]:
        """Refuse to be written: the name says all."""
        self._refuse()

    def with_table(self) -> TableGame:
        """Refuse: see the class."""
        self._refuse()

    def on_demand(self) -> CodeGame:
        """Refuse: see the class."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        refuse_unlisted(self)
        raise AssertionError("an unlisted game is refused")


def refuse_unlisted(game: GameModel) -> None:
    """Raise `CodebreakerError` if the game has no list of its codes."""
    if not isinstance(game, UnlistedGame):
        return
    if game.n_guesses <= MOST_LISTED_CODES and not game.rules.distinct:
        raise CodebreakerError(
            f"{game.name} is played by samples, without a list of its {game.n_guesses:,} codes: "
            "name another policy, such as 'entropy'"
        )
    raise CodebreakerError(
        f"{game.name} has {game.n_guesses:,} codes, too many to list them: only the policy "
        "'sampled' plays it"
    )
