"""Games by label: feedback and partitions."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike

from codebreaker.advice.markup import code_html, marked_html
from codebreaker.api.numbers import Exact
from codebreaker.errors import CodebreakerError, counted, unknown
from codebreaker.games import model
from codebreaker.games.notation import Notation
from codebreaker.games.registry import (
    MOST_SECRETS,
    OWN_WORDS_MIB,
    TABLE_LIMIT_MIB,
    Rules,
    build_game,
    playable,
    rules_of,
    usual_name,
)
from codebreaker.games.tables import TableRules, listed, restricted, table_game, weighted
from codebreaker.games.unlisted import UnlistedGame
from codebreaker.games.words import (
    BUNDLED,
    Marks,
    Matches,
    Pegs,
    Word,
    WordRules,
    check_letters,
    checked_alphabet,
)
from codebreaker.runtime.arguments import explained
from codebreaker.sets.partition import all_secrets, split
from codebreaker.types import AnyPool, FeedbackIds, Indices, Move

if TYPE_CHECKING:
    from codebreaker.advice.regret import OptimalValues

WORD_GAMES = {"marks": Marks, "matches": Matches, "pegs": Pegs}


class Game:
    """A deduction game: guesses, secrets, and feedback as people type it, such as `1,2`.

    >>> import codebreaker as cb
    >>> game = cb.game("mm-4-6")
    >>> game.feedback("1122", "1345")
    '1,0'
    >>> game.feedback("1122", ["1345", "2211"])
    ['1,0', '0,4']
    >>> game == cb.game("mm-4-6")
    True
    """

    def __init__(self, rules: Rules | TableRules, game: model.GameModel | None = None) -> None:
        """Wrap a game; users call `game`, or a class method."""
        if not isinstance(game, model.GameModel):
            raise CodebreakerError(
                "a Game is made by cb.game, as in cb.game('mm-4-6'), or by a method such as "
                "cb.Game.from_words"
            )
        self._notation = Notation(rules, game)
        self._model = game
        self._values: dict[AnyPool, OptimalValues] = {}

    @classmethod
    @explained
    def from_words(
        cls,
        secrets: Iterable[str],
        guesses: Iterable[str] = (),
        feedback: Literal["marks", "matches", "pegs"] = "marks",
        alphabet: str | None = None,
    ) -> "Game":
        """Return a game of words of equal length; `guesses` may be guessed as well as the secrets.

        Feedback is a mark per letter (Wordle), the number of letters in place (Fallout), or pegs
        (Mastermind). Words have the letters of an `alphabet`, such as digits; by default they have
        letters of any language. Raises `CodebreakerError` for words of different lengths, and for
        other letters.

        >>> Game.from_words(["crane", "slate", "trace"]).feedback("crane", "trace")
        'yggbg'
        >>> numbers = Game.from_words(["1123", "2416", "6152"], alphabet="123456")
        >>> numbers.feedback("2416", "6152")
        'ybyy'
        """
        if feedback not in [*WORD_GAMES]:
            raise unknown("feedback", feedback, WORD_GAMES)
        letters = None if alphabet is None else checked_alphabet(alphabet)
        lists = [_words("secret", secrets, letters), _words("word", guesses, letters)]
        if not lists[0]:
            raise CodebreakerError("give at least one secret")
        for word in [*lists[0], *lists[1]]:
            if len(word.text) != len(lists[0][0].text):
                raise CodebreakerError(
                    f"{word.place}: {word.text!r} has {counted(len(word.text), 'letter')}, and "
                    f"{lists[0][0].text!r} has {len(lists[0][0].text)}: choose one length"
                )
        rules = WORD_GAMES[feedback].of(f"{feedback}-words", *lists)
        return cls(rules, build_game(rules, OWN_WORDS_MIB))

    @classmethod
    @explained
    def from_table(
        cls,
        table: ArrayLike,
        guesses: Sequence[str],
        secrets: Sequence[str],
        feedback: Sequence[str],
        solved: str,
        name: str = "table",
    ) -> "Game":
        """Return a game from feedback ids, (n_guesses, n_secrets) integers.

        `guesses`, `secrets` and `feedback` are labels by index; `solved` is the feedback that wins.
        Raises `CodebreakerError` unless each secret is a guess, the only one to win against it.

        >>> numbers = ["1", "2", "3"]
        >>> above = [[1, 2, 2], [0, 1, 2], [0, 0, 1]]
        >>> Game.from_table(above, numbers, numbers, ["lower", "right", "higher"], "right")
        Game('table', 3 guesses, 3 secrets, 3 kinds of feedback)
        """
        built = table_game(table, guesses, secrets, feedback, solved, name)
        return cls(TableRules(name, built.guesses, built.feedback_labels), built)

    @explained
    def restricted(self, secrets: Iterable[str]) -> "Game":
        """Return the game with only these secrets; all guesses stay.

        Raises `CodebreakerError` for an unknown secret, and for a game without a table.

        >>> len(game("mm-4-6").restricted(["1122", "3456"]).secrets)
        2
        """
        return Game(self._notation.rules, restricted(self._model, secrets))

    @explained
    def weighted(self, weights: Mapping[str, int]) -> "Game":
        """Return the game with a prior: a secret's probability is its integer weight over the sum.

        Secrets without a positive weight are dropped; equal weights are the same as none. Raises
        `CodebreakerError` for an unknown secret, invalid weights, and without a table.

        >>> likely = game("mm-2-2").weighted({"11": 1, "12": 4, "21": 3})
        >>> likely.probabilities["12"]
        0.5
        """
        return Game(self._notation.rules, weighted(self._model, weights))

    @explained
    def with_guesses(self, words: Iterable[str]) -> "Game":
        """Return the game in which these words may be guessed, too: marks need letters alone.

        Raises `CodebreakerError` for a game without words or with a prior, and for words of other
        lengths.

        >>> len(game("marks-common").with_guesses(["salet"]).guesses)
        4654
        """
        rules = self._notation.rules
        if not isinstance(rules, WordRules):
            raise CodebreakerError(f"{self.name} is not played with words")
        model.refuse_prior(self._model, "a game with more guesses")
        read = _words("word", words, None)
        wrong = [word for word in read if len(word.text) != rules.letters]
        if wrong:
            raise CodebreakerError(
                f"{wrong[0].place}: {wrong[0].text!r} has {counted(len(wrong[0].text), 'letter')}, "
                f"and the words of {self.name} have {rules.letters}"
            )
        guesses = {*rules.guesses, *(word.text for word in read)}
        wider = replace(rules, guesses=tuple(sorted(guesses)), secrets=tuple(self.secrets))
        return Game(wider, build_game(wider, OWN_WORDS_MIB))

    @property
    def probabilities(self) -> dict[str, Exact]:
        """Each secret's probability."""
        probabilities = model.probabilities_of(self._model, self._secret_indices())
        return dict(zip(self.secrets, map(Exact, probabilities), strict=True))

    @property
    def has_prior(self) -> bool:
        """Whether some secrets are likelier than others."""
        return self._model.prior is not None

    @property
    def name(self) -> str:
        """The game's name, such as `mm-4-6`."""
        return self._model.name

    @property
    def guesses(self) -> tuple[str, ...]:
        """All guesses in lexicographic order; made one by one if they are too many to list."""
        return self._model.guesses

    @property
    def secrets(self) -> tuple[str, ...]:
        """All secrets in lexicographic order; made one by one if they are too many to list."""
        return self._model.secrets

    @cached_property
    def feedback_labels(self) -> tuple[str, ...]:
        """Each kind of feedback as people type it, by its id."""
        return tuple(self._notation.short(number) for number in range(self._model.n_feedback))

    @property
    def solved(self) -> str:
        """The feedback that wins."""
        return self.feedback_labels[self._model.solved]

    @overload
    def feedback(self, guess: str, secret: str) -> str: ...  # type: ignore[overload-overlap]
    @overload
    def feedback(self, guess: str, secret: Sequence[str]) -> list[str]: ...
    @explained
    def feedback(self, guess: str, secret: str | Sequence[str]) -> str | list[str]:
        """Return the feedback to one or several secrets; raise `CodebreakerError` if unknown."""
        ids = self._feedback_ids(guess, [secret] if isinstance(secret, str) else secret)
        labels = [self.feedback_labels[number] for number in ids.tolist()]
        return labels[0] if isinstance(secret, str) else labels

    def _feedback_ids(self, guess: str, secrets: Iterable[str] | None = None) -> FeedbackIds:
        """Return a guess's feedback ids, indices into `feedback_labels`, (n_secrets,).

        They are uint8 in games of up to 256 kinds of feedback, otherwise uint16.
        """
        return self._model.feedback(self._guess_index(guess), self._secret_indices(secrets))

    @explained
    def partition(
        self, guess: str, candidates: Iterable[str] | None = None
    ) -> dict[str, tuple[str, ...]]:
        """Return the non-empty parts of candidates (by default all secrets), by feedback.

        >>> game("mm-2-2").partition("12")
        {'0,2': ('21',), '1,0': ('11', '22'), '2,0': ('12',)}
        """
        parts = split(self._model, self._guess_index(guess), self._secret_indices(candidates))
        return {self.feedback_labels[number]: self._labels(part) for number, part in parts.items()}

    def _guess_index(self, guess: str) -> int:
        """Return a guess's index; raise `CodebreakerError` if the game doesn't have it."""
        return self._notation.guess(guess)

    def _secret_indices(self, secrets: Iterable[str] | None = None) -> Indices:
        """Return the indices of secrets, (n,) int32, by default of all; errors as in `feedback`."""
        if secrets is None:
            return all_secrets(self._model)
        labels = listed("secret", secrets)
        indices = [self._notation.secret(label) for label in labels]
        is_listed = not isinstance(self._model, UnlistedGame)
        return np.array(indices, dtype=np.int32 if is_listed else np.int64)

    def _labels(self, secrets: Indices) -> tuple[str, ...]:
        """Return the labels of secrets, by index."""
        return tuple(self.secrets[number] for number in secrets.tolist())

    def _moves(self, moves: Iterable[Move]) -> list[tuple[str, str]]:
        """Return moves by label: each guess with its feedback."""
        labels = self.feedback_labels
        return [(self.guesses[guess], labels[feedback]) for guess, feedback in moves]

    def _optimal_values(self, guess_pool: AnyPool = "all") -> "OptimalValues":
        """Return the minimum totals of sets with a guess pool, cached with the game."""
        if guess_pool not in self._values:
            from codebreaker.advice.regret import OptimalValues

            self._values[guess_pool] = OptimalValues(self._model, guess_pool=guess_pool)
        return self._values[guess_pool]

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: all but the cached values, up to 256 MiB."""
        return vars(self) | {"_values": {}}

    def __eq__(self, other: object) -> bool:
        """Return whether another game has the same codes, feedback and prior."""
        return isinstance(other, Game) and self._model.digest == other._model.digest

    def __hash__(self) -> int:
        return hash(self._model.digest)

    @property
    def table(self) -> FeedbackIds:
        """The feedback to each guess by each secret, (n_guesses, n_secrets), read-only.

        They are indices into `feedback_labels`, uint8 or, with more than 256 kinds, uint16; rows
        and columns are in the order of `guesses` and `secrets`. Raises `CodebreakerError` for a
        game without a table.

        >>> game("mm-1-3").table.tolist(), game("mm-1-3").feedback_labels
        ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], ('0,0', '1,0'))
        """
        table = self._table_game.table.view()
        table.flags.writeable = False  # the game's digest and searches rest on it
        return table

    @property
    def _table_game(self) -> model.TableGame:
        """The game with its table; raises `CodebreakerError` for a game without one."""
        if not self._model.has_table:
            mib = len(self.guesses) * len(self.secrets) / (1 << 20)
            if len(self.secrets) > MOST_SECRETS:
                raise CodebreakerError(
                    f"{self.name} has {len(self.secrets):,} secrets: exact search takes at most "
                    f"{MOST_SECRETS:,}, so choose a smaller game"
                )
            raise CodebreakerError(
                f"{self.name} has no table, which exact search needs: "
                f"cb.game({self.name!r}, table_mib={mib:.0f}) makes one of {mib:,.0f} MiB"
            )
        return self._model.with_table()

    def __repr__(self) -> str:
        """Return the name and sizes."""
        return (
            f"Game({self.name!r}, {counted(len(self.guesses), 'guess', 'es')}, "
            f"{counted(len(self.secrets), 'secret')}, {counted(self._model.n_feedback, 'kind')} of "
            f"feedback{', with a prior' * self.has_prior})"
        )

    def _repr_html_(self) -> str:
        """Return the name and sizes with an example, for notebooks."""
        example = self._pegs_html(self.guesses[len(self.guesses) // 2])
        return (
            f"<p><b>{escape(self.name)}</b>: {counted(len(self.guesses), 'guess', 'es')}, "
            f"{counted(len(self.secrets), 'secret')}, "
            f"{counted(len(self.feedback_labels), 'kind')} of feedback"
            f"{', with a prior' * self.has_prior}; {example} is a guess</p>"
        )

    def _pegs_html(self, label: str) -> str:
        """Return a code as pegs in the page's colours, for notebooks; a word in bold."""
        return code_html(self._notation.rules, label)

    def _move_html(self, guess: str, feedback: str) -> str:
        """Return a guess as pegs or, with marks, with each letter on the colour of its mark."""
        if isinstance(self._notation.rules, Marks):
            return marked_html(guess, feedback)
        return self._pegs_html(guess)


@explained
def game(
    name: str | Game, secrets: Iterable[str] | None = None, table_mib: float = TABLE_LIMIT_MIB
) -> Game:
    """Return the game of a name such as `mm-4-6`, `bc-4-10` or `marks-five`; see `Game`.

    A game whose table would exceed `table_mib` MiB computes feedback on demand; with 0 none has a
    table. One with more than 2^24 codes doesn't list them either, and only the policy `sampled`
    plays it. Raises `CodebreakerError` for an unknown name.
    """
    if not table_mib >= 0:
        raise CodebreakerError(f"table_mib can't be {table_mib:g}: give 0 for no table, or more")
    made = name
    if not isinstance(made, Game):
        rules = rules_of(usual_name(made), BUNDLED)
        made = Game(rules, playable(rules, table_mib))
    return made if secrets is None else made.restricted(secrets)


def _words(kind: str, texts: Iterable[str], alphabet: str | None) -> list[Word]:
    """Return words in lower case; raise `CodebreakerError` for a text that isn't one, or twice.

    Without an alphabet, words have letters of any language.
    """
    words: dict[str, Word] = {}
    for number, text in enumerate(listed(kind, texts), start=1):
        label = text.strip().lower() if isinstance(text, str) else ""
        if alphabet is not None or not label.isalpha():
            label = unicodedata.normalize("NFC", label)  # accents as parts of their letters
        word = Word(label, f"the {kind}s", number)
        if not word.text or word.text in words:
            raise CodebreakerError(
                f"{kind} {number}, {text!r}: words are letters, and are given once"
            )
        if alphabet is not None:
            check_letters(word, alphabet)
        elif not word.text.isalpha():
            raise CodebreakerError(
                f"{kind} {number}, {text!r}: words are letters, and are given once; "
                "alphabet='0123456789' allows digits, for example"
            )
        words[word.text] = word
    return list(words.values())
