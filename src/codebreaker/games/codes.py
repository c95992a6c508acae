"""Games of codes: pegs and colours, labels, feedback by counting, and the families."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations, product
from math import perm
from string import ascii_lowercase, digits
from typing import ClassVar, NamedTuple, Self

import numpy as np

from codebreaker.constants import SAMPLED
from codebreaker.errors import CodebreakerError, counted, quoted
from codebreaker.games import feedback
from codebreaker.games.model import CodeGame, Symmetry, TableGame
from codebreaker.games.symmetry import checked_symmetry
from codebreaker.types import FeedbackIds, SymbolMatrix


class Colour(NamedTuple):
    """A colour; white text if `dark`; its name among 16 colours."""

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
    Colour("", "lime", "#a4d43c", False, "bright_green"),
    Colour("", "maroon", "#7b1450", True, "bright_magenta"),
    Colour("", "mint", "#a8ecd0", False, "bright_cyan"),
    Colour("", "black", "#1c1c1c", True, "bright_black"),
    Colour("", "white", "#f7f4ee", False, "bright_white"),
)
"""The colours in the order of the symbols, repeated if there are more symbols."""

LETTERS = "".join(colour.letter for colour in COLOURS)
WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
SHORTEST_NAME = min(len(colour.name) for colour in COLOURS)
JOINED_NAMES = re.compile(rf"(?:{'|'.join(colour.name for colour in COLOURS)}){{2}}")
"""Two names of colours with nothing between them, at the start of a code."""

EMOJI = {0: "🔵🟦", 1: "🟠🟧", 2: "🟢🟩", 3: "🔴🟥", 4: "🟣🟪", 5: "🟡🟨", 7: "🟤🟫"}
"""Discs and squares by the number of their colour; none is sky blue."""

TEN_SYMBOLS = [*"123456789a"]
LOCK = [*"1234567890"]
"""The symbols of ten colours, and the digits of a lock for them."""

UNTYPED = f" ,:()[]{{}}\"'{feedback.EMOJI_STYLE}"
"""Characters that can't be symbols, as they are left out, or separate, where codes are read."""

MAX_PEGS = 21  # feedback ids are uint8, and 21 pegs have 252 possible feedbacks
MOST_COLOURS_ON_DEMAND = 2**10  # without a table, colours are counted: 1 GiB with 2 pegs

MOST_CODES = 2**24

DISTINCT = "-distinct"
ANY_GUESS = "-any-guess"


class RepeatedSymbolError(CodebreakerError):
    """A code has a symbol twice, in a game without repeats."""


def words_of(text: str) -> list[str]:
    """Return the words of a code in lower case, each of which may name a peg's colour."""
    return re.split(r"[\s,]+", text.strip().replace("sky blue", "sky-blue"))


def _without_repeats(pegs: int, colours: int) -> SymbolMatrix:
    """Return every code without repeated colours in lexicographic order, (n_codes, pegs) uint16.

    A list of tuples would take ten times the memory: Bulls and Cows of 8 pegs has 1.8 million.
    """
    codes = np.zeros((1, 0), np.uint16)
    every = np.arange(colours, dtype=np.uint16)
    for _ in range(pegs):
        # Each beginning goes on with the colours that it lacks, in their order.
        is_lacking = np.ones((len(codes), colours), bool)
        np.put_along_axis(is_lacking, codes.astype(np.intp), False, axis=1)
        beginnings, _ = np.nonzero(is_lacking)
        nexts = np.broadcast_to(every, is_lacking.shape)[is_lacking]
        codes = np.column_stack([codes[beginnings], nexts])
    return codes


@dataclass(frozen=True)
class CodeRules:
    """The rules of a game whose secrets are codes, and any code may be guessed.

    `family` begins the game's name. In `unique` games no symbol repeats in a code, in `distinct`
    ones none in a secret, which names say if it `may_be_distinct`.
    """

    family: ClassVar[str]
    title: ClassVar[str]
    description: ClassVar[str]
    name_form: ClassVar[str]
    example: ClassVar[str]
    feedback_kind: ClassVar[feedback.FeedbackKind] = feedback.BLACK_AND_WHITE
    ordered_symbols: ClassVar[str] = digits[1:] + ascii_lowercase
    has_colours: ClassVar[bool] = True
    unique: ClassVar[bool] = False
    may_be_distinct: ClassVar[bool] = False
    bytes_per_id: ClassVar[int] = 1  # of a feedback id in the table: see MAX_PEGS

    pegs: int
    colours: int
    distinct: bool = False

    @classmethod
    def parse(cls, name: str) -> Self:
        """Read `mm-4-6` as 4 pegs and 6 colours, or raise `CodebreakerError`."""
        size = name.removesuffix(DISTINCT) if cls.may_be_distinct else name
        match = re.fullmatch(rf"{cls.family}-([1-9][0-9]{{0,8}})-([1-9][0-9]{{0,8}})", size)
        if match is None:
            raise CodebreakerError(
                f"game {name!r} is not a size of {cls.title}: "
                f"write {cls.name_form}, as in {cls.example!r}"
            )
        rules = cls(int(match[1]), int(match[2]), distinct=size != name)
        if rules.pegs > MAX_PEGS:
            why = f"game {name!r} has {rules.pegs} pegs: at most {MAX_PEGS} are possible"
            raise CodebreakerError(why)
        if (rules.unique or rules.distinct) and rules.colours < rules.pegs:
            raise CodebreakerError(
                f"game {name!r} has fewer {'colours' if cls.has_colours else 'symbols'} than pegs, "
                "and none may repeat in a secret: "
                f"at least {replace(rules, colours=rules.pegs).name} is possible"
            )
        return rules

    @property
    def name(self) -> str:
        """Return the game's name, such as `mm-4-6`."""
        return f"{self.family}-{self.pegs}-{self.colours}{DISTINCT * self.distinct}"

    @property
    def one_colour_less(self) -> str:
        """Return the name of the game with one colour less."""
        return replace(self, colours=self.colours - 1).name

    @property
    def table_shape(self) -> tuple[int, int]:
        """Return the numbers of guesses and secrets."""
        every = self.colours**self.pegs
        without_repeats = perm(self.colours, self.pegs)
        guesses = without_repeats if self.unique else every
        return guesses, without_repeats if self.distinct else guesses

    def symbols(self) -> list[str]:
        """Return the family's symbols, or numbers if these are too few."""
        if self.colours <= len(self.ordered_symbols):
            return list(self.ordered_symbols[: self.colours])
        return [str(colour) for colour in range(1, self.colours + 1)]

    @property
    def separator(self) -> str:
        """Return what separates the pegs of a label: a dot between numbers, otherwise nothing."""
        return "" if self.colours <= len(self.ordered_symbols) else "."

    def symbols_of(self, label: str) -> list[str]:
        """Return a code's symbols, peg by peg."""
        return label.split(self.separator) if self.separator else list(label)

    @property
    def guess_form(self) -> str:
        """Return what a guess consists of."""
        if self.unique:
            return f"a code of {self.pegs} out of {self.colours} symbols, none twice"
        return f"a code of {counted(self.pegs, 'peg')}"

    def feedback_pairs(self) -> list[tuple[int, int]]:
        """Return the possible black and white pegs in the papers' order, n(n+3)/2 in Mastermind."""
        fewest = 2 * self.pegs - self.colours if self.unique else 0
        return [pair for pair in feedback.peg_pairs(self.pegs) if sum(pair) >= fewest]

    def feedback_labels(self) -> tuple[str, ...]:
        """Return each feedback id's label, such as 0B-1C; the last means solved."""
        return tuple(f"{black}B-{white}C" for black, white in self.feedback_pairs())

    def ids_by_pegs(self) -> FeedbackIds:
        """Return feedback ids by pegs in place and colours in common, (pegs + 1, pegs + 1)."""
        return feedback.ids_by_pegs(self.pegs, self.feedback_pairs())

    @property
    def letters(self) -> str:
        """Return the colours' letters, or nothing if there are too few."""
        return LETTERS[: self.colours] if self.has_colours and self.colours <= len(LETTERS) else ""

    def in_letters(self, label: str) -> str:
        """Return a code in letters of colours, such as bbog; only for games with letters."""
        return "".join(self.letters[colour] for colour in self.colours_of(label))

    @property
    def has_names(self) -> bool:
        """Whether there are names enough for the colours."""
        return self.has_colours and self.colours <= len(COLOURS)

    def meanings(self, text: str) -> list[str]:
        """Return the labels that a code in lower case may mean, the likeliest first.

        A code is in symbols, in emoji, or in letters or names of colours. A code with letters of no
        colour may number the colours by a, b, c instead; one such as bbbb may mean both.
        """
        # Pegs of more than one character are separated.
        if self.separator:
            return [self.separator.join(re.split(r"[\s,.]+", text))]
        if (named := self.by_names(text)) is not None:
            return [named]
        pegs = re.sub(r"[\s,]+", "", text)
        labels = [
            "".join(symbols[peg] for peg in pegs)
            for symbols in self._letterings
            if symbols.keys() >= set(pegs)
        ]
        return list(dict.fromkeys(labels)) or [pegs]

    def by_names(self, text: str) -> str | None:
        """Return the label of a code whose pegs are names of colours, such as `blue sky-blue`."""
        if not self.has_names:
            return None
        words = words_of(text)
        symbols = self._symbols_by_name
        return "".join(symbols[word] for word in words) if symbols.keys() >= set(words) else None

    def check_names(self, text: str) -> None:
        """Raise `CodebreakerError` if only some words of a text are names of the game's colours."""
        words = WORD.findall(text.replace("sky blue", "sky-blue"))
        unknown = [word for word in words if word not in self._symbols_by_name]
        if self.has_names and 0 < len(unknown) < len(words):
            raise self._unknown_colour(unknown[0])

    def _unknown_colour(self, word: str) -> CodebreakerError:
        """Return the error for a word that is none of the game's colours."""
        names = ", ".join(colour.name for colour in COLOURS[: self.colours])
        return CodebreakerError(f"{word!r} is not a colour of {self.name}, which has {names}")

    @cached_property
    def _symbols_by_name(self) -> dict[str, str]:
        """Return the symbols by the names of their colours, which are single words."""
        names = [colour.name.replace(" ", "-") for colour in COLOURS]
        return dict(zip(names, self.symbols(), strict=False))

    @property
    def colour_pegs(self) -> Set[str]:
        """Return the typed pegs that are symbols, emoji or letters of colours."""
        return {peg for letters in self._letterings[:2] for peg in letters}

    @cached_property
    def _letterings(self) -> list[dict[str, str]]:
        """Return the symbols of typed pegs: of symbols, letters of colours, and a, b, c.

        Each has the emoji too. Ten colours may be typed as on a lock, with 0 for the tenth.
        """
        symbols = self.symbols()
        alphabets = [symbols]
        if symbols == TEN_SYMBOLS:
            alphabets.append(LOCK)
        if self.letters:
            alphabets += [list(self.letters), list(ascii_lowercase[: len(symbols)])]
        emoji = {
            peg: symbols[number]
            for number, pegs in EMOJI.items()
            if number < len(symbols)
            for peg in pegs
        }
        return [dict(zip(alphabet, symbols, strict=True)) | emoji for alphabet in alphabets]

    def check_typed(self, text: str) -> None:
        """Raise `CodebreakerError` unless text is a code, in any of the forms that people type."""
        self.check_names(text)
        words = words_of(text)
        # A word for each peg is meant as its colour.
        are_names = all(len(word) >= SHORTEST_NAME and word.isalpha() for word in words)
        if self.has_names and are_names and len(words) == self.pegs and self.by_names(text) is None:
            raise self._unknown_colour(words[0])
        joined = [word for word in words if JOINED_NAMES.match(word)]
        if self.has_names and joined:
            raise CodebreakerError(
                f"{quoted(joined[0])} joins names of colours: put blanks between them"
            )
        self.check_guess(self.meanings(text)[0], text)

    def check_guess(self, label: str, typed: str | None = None) -> None:
        """Raise `CodebreakerError` unless `label` is a code; errors quote it as `typed`."""
        code = quoted(label if typed is None else typed)
        pegs = self.symbols_of(label)
        if len(pegs) != self.pegs:
            raise CodebreakerError(
                f"code {code} has {counted(len(pegs), 'peg')}: "
                f"the codes of {self.name} have {self.pegs}"
            )
        # The reading that leaves the fewest pegs unknown is the one that was meant.
        unknown = min(
            ([peg for peg in pegs if peg not in known] for known in self._letterings), key=len
        )
        if unknown:
            raise CodebreakerError(
                f"code {code} has the peg {unknown[0]!r} at position "
                f"{pegs.index(unknown[0]) + 1}: {self._known_pegs(unknown[0])}"
            )
        for peg in pegs:
            if self.unique and pegs.count(peg) > 1:
                why = f"code {code} has {peg!r} twice: no symbol of {self.name} may repeat"
                raise RepeatedSymbolError(why)

    def _known_pegs(self, unknown: str) -> str:
        """Return the game's pegs for an error, with letters if the unknown peg is one."""
        symbols = self.symbols()
        pegs = f"the colours of {self.name} are {symbols[0]} to {symbols[-1]}"
        if not self.letters or not unknown.isalpha():
            return pegs
        named = ", ".join(f"{letter} {COLOURS[i].name}" for i, letter in enumerate(self.letters))
        return f"{pegs}, or the letters {named}"

    def is_secret(self, label: str) -> bool:
        """Return whether a code may be the secret."""
        pegs = self.symbols_of(label)
        return len(set(pegs)) == len(pegs) or not self.distinct

    def codes(self) -> SymbolMatrix:
        """Return every code in lexicographic order, (n_codes, pegs) uint16."""
        if self.unique:
            return _without_repeats(self.pegs, self.colours)
        grid = np.indices((self.colours,) * self.pegs, dtype=np.uint16)
        return np.ascontiguousarray(grid.reshape(self.pegs, -1).T)

    def label_of(self, colours: Sequence[int]) -> str:
        """Return the label of a code's colours, from 0."""
        symbols = self.symbols()
        return self.separator.join(symbols[colour] for colour in colours)

    def colours_of(self, label: str) -> list[int]:
        """Return the colours of a code, from 0."""
        symbols = self.symbols()
        return [symbols.index(symbol) for symbol in self.symbols_of(label)]

    def labels(self) -> tuple[str, ...]:
        """Return every code's label."""
        symbols = self.symbols()
        pegs = self.pegs
        every = permutations(symbols, pegs) if self.unique else product(symbols, repeat=pegs)
        return tuple(map(self.separator.join, every))

    def _alphabets(self) -> SymbolMatrix:
        """Return each position's alphabet, (pegs,): equal ones are renamed together."""
        return np.zeros(self.pegs, dtype=np.int64)

    def check_symbols(self) -> None:
        """Raise `CodebreakerError` unless each symbol is a character that is read as itself.

        A family of a user's own may have other symbols. Upper case is read as lower case, and some
        letters and emoji as other colours.
        """
        symbols = self.symbols()
        if len(set(symbols)) < len(symbols):
            twice = next(symbol for symbol in symbols if symbols.count(symbol) > 1)
            raise CodebreakerError(
                f"game {self.name!r} has the symbol {twice!r} twice: give each colour its own"
            )
        if self.separator:
            return
        for symbol in symbols:
            is_plain = symbol.isprintable() and symbol not in UNTYPED and symbol == symbol.lower()
            code = symbol * self.pegs
            if len(symbol) != 1 or not is_plain or self.meanings(code)[0] != code:
                raise CodebreakerError(
                    f"game {self.name!r} has the symbol {symbol!r}, which can't be typed: symbols "
                    "are single characters in lower case, without spaces, commas, colons, quotes, "
                    "brackets, and emoji of other colours"
                )

    def _listed(self) -> tuple[tuple[str, ...], SymbolMatrix]:
        """Return every code's label and colours; raise `CodebreakerError` if they don't agree.

        A family of a user's own may leave codes out.
        """
        self.check_symbols()
        labels = self.labels()
        codes = self.codes()
        if codes.shape != (len(labels), self.pegs) or len(labels) == 0:
            raise CodebreakerError(
                f"game {self.name!r} has {counted(len(labels), 'label')} and codes of the shape "
                f"{codes.shape}: labels() and codes() list the same codes, each of {self.pegs} pegs"
            )
        if codes.max() >= self.colours or len(set(labels)) < len(labels):
            raise CodebreakerError(
                f"game {self.name!r} lists a code twice, or one with a colour from "
                f"{self.colours} on: its colours are 0 to {self.colours - 1}"
            )
        return labels, codes

    def build(self) -> TableGame:
        """Return the game with its feedback table; its symmetry is checked on its codes."""
        labels, codes = self._listed()
        feedback_labels = self.feedback_labels()
        secrets = np.arange(len(codes), dtype=np.int32)
        if self.distinct:
            ordered = np.sort(codes, axis=1)
            secrets = secrets[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)]
        ids = self.ids_by_pegs()
        symmetry = Symmetry(codes, self.colours, self._alphabets())
        return TableGame(
            name=self.name,
            guesses=labels,
            secrets=tuple(labels[secret] for secret in secrets) if self.distinct else labels,
            table=feedback.feedback_table(codes, secrets, self.colours, ids),
            feedback_labels=feedback_labels,
            solved=len(feedback_labels) - 1,
            guess_of_secret=secrets,
            symmetry=checked_symmetry(symmetry, secrets, ids),
        )

    def check_on_demand(self) -> None:
        """Raise `CodebreakerError` if the game is too large or needs a table."""
        if self.distinct:
            raise CodebreakerError(
                f"game {self.name!r} needs a feedback table, and its table is too large: "
                "raise the limit or choose a smaller game",
                "table_mib",
            )
        combinations = self.colours**self.pegs
        if self.colours > MOST_COLOURS_ON_DEMAND:
            raise CodebreakerError(
                f"game {self.name!r} has {self.colours:,} colours: without a table at most "
                f"{MOST_COLOURS_ON_DEMAND} are possible"
            )
        if combinations > MOST_CODES:
            raise CodebreakerError(
                f"game {self.name!r} has {self.pegs} pegs and {combinations:,} combinations of "
                f"colours: without a table at most {MOST_CODES:,} are possible, but by policy "
                f"{SAMPLED!r}"
            )

    def on_demand(self) -> CodeGame:
        """Return the game without a table, or raise `CodebreakerError`."""
        self.check_on_demand()
        labels, codes = self._listed()
        feedback_labels = self.feedback_labels()
        game = CodeGame(
            name=self.name,
            guesses=labels,
            secrets=labels,
            feedback_labels=feedback_labels,
            solved=len(feedback_labels) - 1,
            codes=codes.astype(np.min_scalar_type(self.colours)),
            n_colours=self.colours,
            ids=self.ids_by_pegs(),
        )
        every = np.arange(len(codes), dtype=np.int32)
        if checked_symmetry(game.symmetry, every, game.ids) is None:
            raise CodebreakerError(
                f"game {self.name!r} needs a feedback table, as its codes aren't symmetric, and "
                "its table is too large: raise the limit or choose a smaller game",
                "table_mib",
            )
        return game


class Mastermind(CodeRules):
    """The rules of MM(pegs, colours): black pegs in place, white pegs right but misplaced."""

    family = "mm"
    title = "Mastermind"
    description = "Mastermind; with -distinct no colour repeats in the secret"
    name_form = "mm-PEGS-COLOURS[-distinct]"
    example = "mm-4-6"
    may_be_distinct = True


class BullsAndCows(CodeRules):
    """Bulls and Cows: no symbol repeats in a code; feedback as in Mastermind."""

    family = "bc"
    title = "Bulls and Cows"
    description = "Bulls and Cows: no symbol repeats; with -any-guess none in the secret"
    name_form = "bc-PEGS-SYMBOLS[-any-guess]"
    example = "bc-4-10"
    feedback_kind = feedback.BULLS_AND_COWS
    ordered_symbols = digits + ascii_lowercase
    has_colours = False
    unique = True


class BullsAndCowsAnyGuess(BullsAndCows):
    """Bulls and Cows in which guesses, but not the secret, may repeat symbols.

    Finished games are judged by it if a player repeated a symbol.
    """

    unique = False

    @property
    def name(self) -> str:
        """Return the game's name, such as `bc-4-10-any-guess`."""
        return f"{self.family}-{self.pegs}-{self.colours}{ANY_GUESS}"

    @classmethod
    def of(cls, rules: BullsAndCows) -> Self:
        """Return the rules for a size of Bulls and Cows."""
        return cls(rules.pegs, rules.colours, distinct=True)


class BlackPegs(CodeRules):
    """The black-peg game: the feedback is the number of pegs in place."""

    family = "black"
    title = "the black-peg game"
    description = "Mastermind with black pegs only"
    name_form = "black-PEGS-COLOURS"
    example = "black-4-6"
    feedback_kind = feedback.BLACK

    def feedback_labels(self) -> tuple[str, ...]:
        """Return the labels 0B, 1B, ... nB."""
        return tuple(f"{black}B" for black in range(self.pegs + 1))

    def ids_by_pegs(self) -> FeedbackIds:
        """Return the same ids for any number of colours in common: only black pegs count."""
        return np.repeat(np.arange(self.pegs + 1, dtype=np.uint8)[:, None], self.pegs + 1, axis=1)

    def _alphabets(self) -> SymbolMatrix:
        """Return a different alphabet for each position, (pegs,)."""
        return np.arange(self.pegs)
