"""Games of codes: pegs and colours, labels, feedback by counting, and the families.

Mastermind is `mm-{pegs}-{colours}`; with `-distinct` after the size no colour repeats in the
secret, but guesses are still all codes. Bulls and Cows is `bc-{pegs}-{symbols}`, Mastermind without
repetition, and `black-{pegs}-{colours}` is Mastermind with black pegs only.
"""

import re
from dataclasses import dataclass, replace
from itertools import permutations, product
from math import perm
from string import ascii_lowercase, digits
from typing import ClassVar, NamedTuple, Self

import numpy as np

from codebreaker.errors import CodebreakerError, counted
from codebreaker.games.feedback import (
    BLACK,
    BLACK_AND_WHITE,
    BULLS_AND_COWS,
    FeedbackKind,
    feedback_table,
    ids_by_pegs,
    peg_pairs,
)
from codebreaker.games.model import CodeGame, Symmetry, TableGame
from codebreaker.types import FeedbackIds, Indices, SymbolMatrix


class Colour(NamedTuple):
    """A colour: the letter that people may type for it, its name and its value.

    `dark` says that text on it is white; `basic` is its name on a terminal of 16 colours.
    """

    letter: str
    name: str
    value: str
    dark: bool
    basic: str


COLOURS = (
    Colour("b", "blue", "#0072b2", True, "blue"),
    Colour("o", "orange", "#e69f00", False, "bright_red"),
    Colour("g", "green", "#009e73", True, "green"),
    Colour("r", "red", "#d55e00", True, "red"),
    Colour("p", "pink", "#cc79a7", False, "magenta"),
    Colour("y", "yellow", "#f0e442", False, "bright_yellow"),
    Colour("s", "sky blue", "#56b4e9", False, "cyan"),
    Colour("n", "brown", "#7a5230", True, "yellow"),
    Colour("", "grey", "#8a8f98", False, "white"),
    Colour("", "indigo", "#332288", True, "bright_blue"),
)
"""The colours in the order of the symbols; more symbols take them again from the first."""

LETTERS = "".join(colour.letter for colour in COLOURS)
"""The letters, in the order of the symbols: games of more colours than these have digits alone."""

MAX_PEGS = 21
"""Feedback ids are uint8, and 21 pegs have 252 possible feedbacks."""

MOST_COLOURS_ON_DEMAND = 2**10
"""Without a table, an array counts each colour in each code: 1 GiB with two pegs."""

MOST_CODES = 2**24
"""Arrays with one entry per code must fit into memory."""


@dataclass(frozen=True)
class CodeRules:
    """The rules of a game whose secrets are codes; every code may be guessed.

    `family` is the first part of the game's name, whose form and an example are `name_form` and
    `example`; `description` is a line for a list of games. `has_colours` says that letters may
    stand for colours.
    """

    family: ClassVar[str]
    title: ClassVar[str]
    description: ClassVar[str]
    name_form: ClassVar[str]
    example: ClassVar[str]
    feedback_kind: ClassVar[FeedbackKind]
    ordered_symbols: ClassVar[str] = digits[1:] + ascii_lowercase
    has_colours: ClassVar[bool] = True

    pegs: int
    colours: int

    @classmethod
    def parse(cls, name: str) -> Self:
        """Read `mm-4-6` as 4 pegs and 6 colours."""
        match = re.fullmatch(rf"{cls.family}-([1-9]\d{{0,8}})-([1-9]\d{{0,8}})", name)
        if match is None:
            raise CodebreakerError(
                f"game {name!r} is not a size of {cls.title}: "
                f"write {cls.name_form}, as in {cls.example!r}"
            )
        pegs, colours = int(match[1]), int(match[2])
        if pegs > MAX_PEGS:
            raise CodebreakerError(
                f"game {name!r} has {pegs} pegs: at most {MAX_PEGS} are possible"
            )
        return cls(pegs, colours)

    @property
    def name(self) -> str:
        """Return the game's name, such as `mm-4-6`."""
        return f"{self.family}-{self.pegs}-{self.colours}"

    @property
    def table_shape(self) -> tuple[int, int]:
        """Return the numbers of guesses and of secrets: each code is both."""
        return (self.colours**self.pegs,) * 2

    def symbols(self) -> list[str]:
        """Return each colour's symbol: one of the family's, or a number if these are too few."""
        if self.colours <= len(self.ordered_symbols):
            return list(self.ordered_symbols[: self.colours])
        return [str(colour) for colour in range(1, self.colours + 1)]

    @property
    def separator(self) -> str:
        """Return the separator of a label's pegs: a dot between numbers, otherwise nothing."""
        return "" if self.colours <= len(self.ordered_symbols) else "."

    def symbols_of(self, label: str) -> list[str]:
        """Return the symbols of a code, peg by peg."""
        return label.split(self.separator) if self.separator else list(label)

    @property
    def guess_form(self) -> str:
        """Return what a guess consists of."""
        return f"a code of {counted(self.pegs, 'peg')}"

    def secret_indices(self, codes: SymbolMatrix) -> Indices:
        """Return the codes that may be the secret, ascending; the symmetries keep them together."""
        return np.arange(len(codes), dtype=np.int32)

    def feedback_pairs(self) -> list[tuple[int, int]]:
        """Return the black and white pegs of all feedback that can occur, in the papers' order.

        In Mastermind with n pegs these are n(n+3)/2 pairs.
        """
        return peg_pairs(self.pegs)

    def feedback_labels(self) -> tuple[str, ...]:
        """Return the label of each feedback id, such as 0B-1C; the last one means solved."""
        return tuple(f"{black}B-{white}C" for black, white in self.feedback_pairs())

    def _ids(self) -> FeedbackIds:
        """Return ids by pegs in place and colours in common, (pegs + 1, pegs + 1) uint8."""
        return ids_by_pegs(self.pegs, self.feedback_pairs())

    @property
    def letters(self) -> str:
        """Return the letters of the colours, in their order; nothing if there are too few."""
        return LETTERS[: self.colours] if self.has_colours and self.colours <= len(LETTERS) else ""

    def of_letters(self, text: str) -> str:
        """Return a code whose pegs are given by the letters of colours as its label.

        Other texts are returned as they are.
        """
        letters = self.letters
        if not text or not set(text) <= set(letters):
            return text
        return text.translate(str.maketrans(letters, "".join(self.symbols())[: len(letters)]))

    def check_guess(self, label: str) -> None:
        """Raise `CodebreakerError` unless `label` has the right length and known colours."""
        symbols = self.symbols()
        pegs = self.symbols_of(label)
        if len(pegs) != self.pegs:
            raise CodebreakerError(
                f"code {label!r} has {counted(len(pegs), 'peg')}: "
                f"the codes of {self.name} have {self.pegs}"
            )
        for position, peg in enumerate(pegs, start=1):
            if peg not in symbols:
                raise CodebreakerError(
                    f"code {label!r} has the peg {peg!r} at position {position}: "
                    f"the colours of {self.name} are {symbols[0]} to {symbols[-1]}"
                )

    def codes(self) -> SymbolMatrix:
        """Return every code in lexicographic order, (n_codes, pegs) uint16."""
        grid = np.indices((self.colours,) * self.pegs, dtype=np.uint16)
        return np.ascontiguousarray(grid.reshape(self.pegs, -1).T)

    def labels(self) -> tuple[str, ...]:
        """Return the label of every code."""
        return tuple(map(self.separator.join, product(self.symbols(), repeat=self.pegs)))

    def _alphabets(self) -> SymbolMatrix:
        """Return each position's alphabet, (pegs,): positions with the same one rename together."""
        return np.zeros(self.pegs, dtype=np.int64)

    def build(self) -> TableGame:
        """Return the game with its feedback table."""
        labels, codes, feedback_labels = self.labels(), self.codes(), self.feedback_labels()
        secrets = self.secret_indices(codes)
        every = len(secrets) == len(codes)
        return TableGame(
            name=self.name,
            guesses=labels,
            secrets=labels if every else tuple(labels[secret] for secret in secrets),
            table=feedback_table(codes, secrets, self.colours, self._ids()),
            feedback_labels=feedback_labels,
            solved=len(feedback_labels) - 1,
            guess_of_secret=secrets,
            symmetry=Symmetry(codes, self.colours, self._alphabets()),
        )

    def check_on_demand(self) -> None:
        """Raise `CodebreakerError` if the game is too large even without a table."""
        combinations = self.colours**self.pegs
        if self.colours > MOST_COLOURS_ON_DEMAND:
            raise CodebreakerError(
                f"game {self.name!r} has {self.colours:,} colours: without a table at most "
                f"{MOST_COLOURS_ON_DEMAND} are possible"
            )
        if combinations > MOST_CODES:
            raise CodebreakerError(
                f"game {self.name!r} has {self.pegs} pegs and {combinations:,} combinations of "
                f"colours: without a table at most {MOST_CODES:,} are possible"
            )

    def on_demand(self) -> CodeGame:
        """Return the game without a table; raise `CodebreakerError` if it is too large."""
        self.check_on_demand()
        labels, feedback_labels = self.labels(), self.feedback_labels()
        return CodeGame(
            name=self.name,
            guesses=labels,
            secrets=labels,
            feedback_labels=feedback_labels,
            solved=len(feedback_labels) - 1,
            codes=self.codes().astype(np.min_scalar_type(self.colours)),
            n_colours=self.colours,
            ids=self._ids(),
        )


DISTINCT = "-distinct"
"""The end of the name of a game in whose secrets no colour repeats."""


@dataclass(frozen=True)
class Mastermind(CodeRules):
    """The rules of MM(pegs, colours): black pegs in place, white pegs right but misplaced.

    With `distinct` the secrets are the codes without repeated colours; all codes are guesses.
    """

    family: ClassVar[str] = "mm"
    title: ClassVar[str] = "Mastermind"
    description: ClassVar[str] = "Mastermind; with -distinct no colour repeats in the secret"
    name_form: ClassVar[str] = "mm-PEGS-COLOURS[-distinct]"
    example: ClassVar[str] = "mm-4-6"
    feedback_kind: ClassVar[FeedbackKind] = BLACK_AND_WHITE

    distinct: bool = False

    @classmethod
    def parse(cls, name: str) -> Self:
        """Read `mm-4-6` as 4 pegs and 6 colours, `mm-4-6-distinct` as the same with `distinct`."""
        rules = super().parse(name.removesuffix(DISTINCT))
        if not name.endswith(DISTINCT):
            return rules
        if rules.colours < rules.pegs:
            raise CodebreakerError(
                f"game {name!r} has fewer colours than pegs, and none may repeat in a secret: "
                f"at least mm-{rules.pegs}-{rules.pegs}{DISTINCT} is possible"
            )
        return replace(rules, distinct=True)

    @property
    def name(self) -> str:
        """Return the game's name, such as `mm-4-6` or `mm-4-6-distinct`."""
        return super().name + (DISTINCT if self.distinct else "")

    @property
    def table_shape(self) -> tuple[int, int]:
        """Return the numbers of guesses and of secrets."""
        guesses, secrets = super().table_shape
        return guesses, perm(self.colours, self.pegs) if self.distinct else secrets

    def secret_indices(self, codes: SymbolMatrix) -> Indices:
        """Return the codes that may be the secret, ascending."""
        if not self.distinct:
            return super().secret_indices(codes)
        ordered = np.sort(codes, axis=1)
        repeats = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
        return np.flatnonzero(~repeats).astype(np.int32)

    def check_on_demand(self) -> None:
        """Raise `CodebreakerError` if the game is too large even without a table."""
        if self.distinct:
            raise CodebreakerError(
                f"game {self.name!r} needs a feedback table, and its table is too large: "
                "raise the limit or choose a smaller game",
                "table_mib",
            )
        super().check_on_demand()


@dataclass(frozen=True)
class BullsAndCows(CodeRules):
    """The rules of Bulls and Cows: no symbol repeats in a code; feedback as in Mastermind."""

    family: ClassVar[str] = "bc"
    title: ClassVar[str] = "Bulls and Cows"
    description: ClassVar[str] = "Bulls and Cows: no symbol repeats"
    name_form: ClassVar[str] = "bc-PEGS-SYMBOLS"
    example: ClassVar[str] = "bc-4-10"
    feedback_kind: ClassVar[FeedbackKind] = BULLS_AND_COWS
    ordered_symbols: ClassVar[str] = digits + ascii_lowercase
    has_colours: ClassVar[bool] = False

    @classmethod
    def parse(cls, name: str) -> Self:
        """Read `bc-4-10` as 4 pegs and 10 symbols."""
        rules = super().parse(name)
        if rules.colours < rules.pegs:
            raise CodebreakerError(
                f"game {name!r} has fewer symbols than pegs, and none may repeat: "
                f"at least {cls.family}-{rules.pegs}-{rules.pegs} is possible"
            )
        return rules

    @property
    def table_shape(self) -> tuple[int, int]:
        """Return the numbers of guesses and of secrets: each code is both."""
        return (perm(self.colours, self.pegs),) * 2

    @property
    def guess_form(self) -> str:
        """Return what a guess consists of."""
        return f"a code of {self.pegs} out of {self.colours} symbols, none twice"

    def feedback_pairs(self) -> list[tuple[int, int]]:
        """Return Mastermind's feedback, without pairs of too few symbols in common."""
        least = 2 * self.pegs - self.colours
        return [pair for pair in super().feedback_pairs() if sum(pair) >= least]

    def check_guess(self, label: str) -> None:
        """Raise `CodebreakerError` unless `label` is a code in which no symbol repeats."""
        super().check_guess(label)
        pegs = self.symbols_of(label)
        for peg in pegs:
            if pegs.count(peg) > 1:
                raise CodebreakerError(
                    f"code {label!r} has {peg!r} twice: no symbol of {self.name} may repeat"
                )

    def codes(self) -> SymbolMatrix:
        """Return every code in lexicographic order, (n_codes, pegs) uint16."""
        return np.array(list(permutations(range(self.colours), self.pegs)), dtype=np.uint16)

    def labels(self) -> tuple[str, ...]:
        """Return the label of every code."""
        every = permutations(self.symbols(), self.pegs)
        return tuple(self.separator.join(code) for code in every)


@dataclass(frozen=True)
class BlackPegs(CodeRules):
    """The rules of the black-peg game: the feedback is the number of pegs in place."""

    family: ClassVar[str] = "black"
    title: ClassVar[str] = "the black-peg game"
    description: ClassVar[str] = "Mastermind with black pegs only"
    name_form: ClassVar[str] = "black-PEGS-COLOURS"
    example: ClassVar[str] = "black-4-6"
    feedback_kind: ClassVar[FeedbackKind] = BLACK

    def feedback_labels(self) -> tuple[str, ...]:
        """Return the labels 0B, 1B, ... nB."""
        return tuple(f"{black}B" for black in range(self.pegs + 1))

    def _ids(self) -> FeedbackIds:
        return np.repeat(np.arange(self.pegs + 1, dtype=np.uint8)[:, None], self.pegs + 1, axis=1)

    def _alphabets(self) -> SymbolMatrix:
        """Return a different alphabet for each position: each may rename its colours freely."""
        return np.arange(self.pegs)
