"""Games in words: answers of all kinds are read, and what is told is what happened."""

import json

import pytest

pytest.importorskip("gymnasium")

import codebreaker as cb
from codebreaker.agents.splits import SPLITS, secrets_of
from codebreaker.agents.text import TextGame, guess_in

CODES = cb.game("mm-4-6")
WORDS = cb.game("marks-example")
WORD = WORDS.guesses[1]


@pytest.mark.parametrize(
    ("answer", "guess"),
    [
        ("[1122]", "1122"),
        ("I thought of [1111], but it contradicts guess 2. [1 1 2 2]", "1122"),
        ("[1, 1, 2, 2].", "1122"),
        ("**[red red blue orange]**", "4412"),
        ("So the answer is \\boxed{1122}.", "1122"),
        ("<think>1111?</think><guess> 1122 </guess>", "1122"),
        ("My guess is: 1122", "1122"),
        ("Guess 1: 1111 had nothing.\nFinal guess: **1 1 2 2**.", "1122"),
        ("1122", "1122"),
        ("  1122.\n", "1122"),
        ("After 1111 I play 1122 now, as 4 pegs are left.", "1122"),
        ("I choose `1 1 2 2`!", "1122"),
        ("rrbo", "4412"),
    ],
)
def test_guesses_are_read_from_free_answers(answer, guess):
    assert CODES._notation.guess(guess_in(CODES, answer)) == CODES.guesses.index(guess)


@pytest.mark.parametrize("answer", ["", "I give up.", "Which colours are there?", "12 3 9"])
def test_an_answer_without_a_guess_is_none(answer):
    with pytest.raises(cb.CodebreakerError, match="end your answer with one guess"):
        guess_in(CODES, answer)


def test_words_of_a_sentence_are_no_guess():
    assert guess_in(WORDS, f"[{WORD}]") == WORD
    assert guess_in(WORDS, WORD.upper()) == WORD.upper()
    with pytest.raises(cb.CodebreakerError):
        guess_in(WORDS, f"I might try {WORD} here")


def test_a_game_is_played_to_its_end():
    game = TextGame(CODES, "1345", reward="regret")
    replies = [game.reply(answer) for answer in ("[1122]", "none", "[1344]", "[1345]")]
    assert [reply.text for reply in replies] == [
        "Guess 1, 1122: 1 black and 0 white (1,0). You have 9 guesses left.",
        "Not a legal guess: end your answer with one guess in square brackets. You have 8 "
        "guesses left.",
        "Guess 3, 1344: 3 black and 0 white (3,0). You have 7 guesses left.",
        "Guess 4, 1345: 4 black and 0 white (4,0). Solved in 4 guesses.",
    ]
    assert [reply.is_over for reply in replies] == [False, False, False, True]
    assert (game.is_solved, game.illegal) == (True, 1)
    scored = cb.score([game.record("Ann")]).games
    assert scored["player"].to_list() == ["Ann"]
    assert game.total_reward == pytest.approx(-scored["regret"][0] - 1)  # the illegal one costs 1
    with pytest.raises(cb.CodebreakerError, match="the game is over"):
        game.reply("[1111]")


def test_a_game_ends_without_guesses():
    game = TextGame(CODES, "1345", turns=2, values=False)
    game.reply("?")
    text = game.reply("[1111]").text
    assert text.endswith("You have no guesses left. The secret was 1345.")
    assert not game.is_solved
    assert json.loads(json.dumps(game.record()))["moves"] == [["1111", "1,0"]]


@pytest.mark.parametrize(
    ("pool", "answer", "message"),
    [
        (
            "consistent",
            "[2222]",
            "2222 contradicts the feedback, and only candidates may be guessed",
        ),
        ("all", "[7777]", "code '7777' has the peg '7' at position 1"),
        ("all", "[112]", "code '112' has 3 pegs: the codes of mm-4-6 have 4"),
    ],
)
def test_an_illegal_guess_has_one_clear_message(pool, answer, message):
    game = TextGame(CODES, "1345", guess_pool=pool, values=False)
    game.reply("[1111]")
    text = game.reply(answer).text
    assert text.startswith("Not a legal guess: ")
    assert message in text
    assert "\n" not in text


def test_rules_name_the_pegs_the_feedback_and_the_turns():
    rules = TextGame(CODES, "1345", turns=7, values=False).rules
    for words in ("4 pegs in 6 colours", "BLACK,WHITE, as in 1,2", "You have 7 guesses", "[4111]"):
        assert words in rules
    hard = TextGame(WORDS, WORDS.secrets[0], guess_pool="hard", values=False).rules
    assert "Green letters stay in their places" in hard
    only = TextGame(CODES, "1345", guess_pool="consistent", values=False).rules
    assert "must fit all feedback" in only


def test_splits_share_the_secrets_and_never_change():
    parts = {name: secrets_of(CODES, name) for name in SPLITS}
    assert {name: len(part) for name, part in parts.items()} == {
        "train": 896, "validation": 200, "test": 200,
    }  # fmt: skip
    assert sorted(sum(parts.values(), ())) == sorted(CODES.secrets)
    assert parts["test"][:3] == ("2355", "4556", "5426")
    small = cb.game("mm-2-3")
    assert [len(secrets_of(small, name)) for name in SPLITS] == [7, 1, 1]
    with pytest.raises(cb.CodebreakerError, match="unknown split 'tests': did you mean 'test'"):
        secrets_of(CODES, "tests")
