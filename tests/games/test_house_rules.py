"""Families of games that a user writes: codes left out, and what can't be a game."""

import numpy as np
import pytest
from conftest import EXAMPLES, game_called

import codebreaker as cb
from codebreaker.errors import CodebreakerError
from codebreaker.games import codes
from codebreaker.games.codes import BlackPegs, BullsAndCows, Mastermind
from codebreaker.games.registry import playable


class Numbers(BullsAndCows):
    """Bulls and Cows with numbers that don't begin with 0."""

    family = "numbers"

    def codes(self):
        """Return the codes that are left."""
        listed = super().codes()
        return listed[listed[:, 0] != 0]

    def labels(self):
        """Return the labels of codes."""
        return tuple(label for label in super().labels() if label[0] != "0")


def minimum(rules):
    game = rules.build()
    solved = cb.solve(cb.Game(rules, game))
    table = [row.tolist() for row in game.table]
    feedback = [label.lower() for label in game.feedback_labels]
    plain = cb.Game.from_table(table, game.guesses, game.secrets, feedback, feedback[game.solved])
    return solved.tree.total, cb.solve(plain).tree.total


def test_no_symmetry_is_assumed_where_codes_are_left_out(monkeypatch):
    rules = Numbers(2, 5)
    assert rules.build().symmetry is None
    assert minimum(rules) == (44, 44)
    # With the symmetry of all codes a search leaves out what it needs.
    monkeypatch.setattr(codes, "checked_symmetry", lambda symmetry, *_: symmetry)
    assert minimum(rules) == (48, 44)


@pytest.mark.parametrize("name", EXAMPLES)
def test_whole_games_have_their_symmetry(name):
    assert game_called(name).symmetry is not None


def test_feedback_by_shared_colours_needs_colours_that_are_renamed_together():
    class Mixed(Mastermind):
        """Mastermind with an alphabet for each peg."""

        family = "mixed"

        def _alphabets(self):
            return np.arange(self.pegs)

    assert Mixed(2, 3).build().symmetry is None


class Twice(Mastermind):
    """Two colours with one symbol."""

    family = "twice"
    ordered_symbols = "aab"


class Unlike(Numbers):
    """More labels than codes."""

    family = "unlike"

    def labels(self):
        """Return the labels of codes."""
        return BullsAndCows.labels(self)


class Outside(Mastermind):
    """Codes with a colour that the game lacks."""

    family = "outside"

    def codes(self):
        """Return the codes that are left."""
        return super().codes() + np.uint16(1)


@pytest.mark.parametrize("symbols", ["aBc", "a b", "ab:", "(ab", "🟠🔵🟢", "a\nb", ["ab", "c"]])
@pytest.mark.parametrize("size", [(1, 2), (2, 2), (12, 2), (32, 2)])
def test_symbols_that_are_read_otherwise_are_refused(symbols, size):
    class Odd(Mastermind):
        """Mastermind with other symbols."""

        family = "odd"
        ordered_symbols = symbols

    with pytest.raises(CodebreakerError, match="can't be typed") as refused:
        playable(Odd(size[0], len(symbols)), 64)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("symbols", ["3142", "dcba", "漢字語文", "²³¹x", "a.-="])
@pytest.mark.parametrize("base", [Mastermind, BullsAndCows, BlackPegs])
def test_other_symbols_change_labels_alone(symbols, base, registries):
    @cb.rules
    class Odd(base):
        """A family with other symbols."""

        family = "odd"
        ordered_symbols = symbols

    usual = cb.game(f"{base.family}-2-4")
    odd = cb.game("odd-2-4")
    names = str.maketrans(symbols, "".join(usual._notation.rules.symbols()))
    for strategy in ("entropy", "worst-case", "first-consistent"):
        nodes = [*cb.grow(odd, strategy)]
        assert [(n, guess.translate(names), *rest) for n, guess, *rest in nodes] == [
            (n, guess, *rest) for n, guess, *rest in cb.grow(usual, strategy)
        ]
    for guess in odd.guesses:
        named = guess.translate(names)
        assert odd.feedback(guess, odd.secrets) == usual.feedback(named, usual.secrets)


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        (Twice(2, 3), "has the symbol 'a' twice"),
        (Unlike(2, 4), "labels\\(\\) and codes\\(\\) list the same codes"),
        (Outside(2, 3), "a colour from 3 on"),
    ],
)
def test_what_is_no_game_is_refused_in_one_line(rules, why):
    with pytest.raises(CodebreakerError, match=why) as refused:
        rules.build()
    assert "\n" not in str(refused.value)


def test_deep_games_are_solved_without_deep_recursion():
    assert cb.solve("mm-1-256").tree.total == 256 * 257 // 2
    words = ["".join(chr(0x4E00 + 3 * i + k) for k in range(3)) for i in range(120)]
    assert cb.solve(cb.Game.from_words(words, feedback="matches")).tree.total == 120 * 121 // 2
