"""Small games drawn at random, each as Python that makes it and as a definition.

A new kind of game is a function of the random numbers that returns a `Drawn`, listed in KINDS.
"""

from collections import Counter
from itertools import permutations, product
from pathlib import Path
from random import Random
from typing import NamedTuple

from definitions import all_codes, feedback_order
from enumeration import ANSWERS, MARKS, PEGS, PLACES, Puzzle, pegs_of, places_of

TREES = Path(__file__).parent.parent / "src" / "codebreaker" / "data" / "trees"

NAMED = (
    *("mm-1-4", "mm-2-2", "mm-2-3", "mm-2-4", "mm-3-2", "mm-4-2", "mm-2-3-distinct"),
    *("mm-2-4-distinct", "bc-1-3", "bc-2-3", "bc-2-4", "bc-3-3", "black-1-4", "black-2-2"),
    *("black-2-3", "black-3-2", "mm-2-5", "mm-3-3", "bc-3-4"),
)
ON_DEMAND = tuple(name for name in NAMED if "distinct" not in name)
LABELS = ("low", "high", "warm", "cold", "yes", "no", "right", "left", "much", "few")
MARK_LABELS = ("b", "g", "y")
"""Labels of a table that look like marks."""

TABLE_NAMES = ("table", "mine", "mm-2-3", "black-2-3")


class Drawn(NamedTuple):
    """A game: Python that makes it, its definition, its kind, and its name if it has one."""

    text: str
    puzzle: Puzzle
    kind: str
    name: str | None = None

    @property
    def is_whole(self):
        """Whether the name alone makes the game, with its table."""
        return self.name is not None and self.text == f"cb.game({self.name!r})"


def draw_game(rng, number):
    """Draw a game; the kinds take turns."""
    draw = KINDS[number % len(KINDS)]
    drawn = draw(rng)
    if drawn.puzzle.has_table and rng.random() < 0.25:
        drawn = restrict(rng, drawn)
    if drawn.puzzle.has_table and rng.random() < 0.35:
        drawn = weigh(rng, drawn)
    return drawn


def draw_words(rng, length):
    """Return secrets and other guesses, which are secrets, overlap with them, or are disjoint."""
    letters = rng.choice(["ab", "abc", "abcd", "abcdef"])
    words = ["".join(word) for word in product(letters, repeat=length)]
    rng.shuffle(words)
    n_secrets = min(rng.randint(1, 14), len(words))
    secrets = words[:n_secrets]
    rest = words[n_secrets : n_secrets + rng.randint(0, 10)]
    some_secrets = rng.sample(secrets, rng.randint(0, len(secrets)))
    others = rng.choice([some_secrets, some_secrets + rest, rest])
    rng.shuffle(others)
    return secrets, others


def word_game(rng):
    """Draw a game of words."""
    feedback = rng.choice([MARKS, MARKS, MARKS, PLACES, PEGS])
    length = 4 if feedback == PEGS and rng.random() < 0.5 else rng.choice([2, 3])
    secrets, others = draw_words(rng, length)
    text = f"cb.Game.from_words({secrets}, {others}, {feedback!r})"
    return Drawn(text, puzzle_of_words(secrets, others, feedback), f"{feedback} words")


def long_word_game(rng):
    """Draw a game of words of six to fifteen letters, whose marks need ids of two bytes."""
    length = rng.choice([6, 7, 8, 11, 15])
    letters = rng.choice(["ab", "abc"])
    drawn = {"".join(rng.choices(letters, k=length)) for _ in range(rng.randint(4, 22))}
    words = sorted(drawn)
    rng.shuffle(words)
    n_secrets = rng.randint(2, min(13, len(words)))
    secrets = words[:n_secrets]
    others = rng.choice([[], words[n_secrets:], words[n_secrets - 2 :]])
    text = f"cb.Game.from_words({secrets}, {others}, {MARKS!r})"
    return Drawn(text, puzzle_of_words(secrets, others, MARKS), "long words")


def puzzle_of_words(secrets, others, feedback):
    """Return the definition of a game of words."""
    return Puzzle(
        tuple(sorted({*secrets, *others})),
        tuple(sorted(secrets)),
        ANSWERS[feedback],
        has_marks=feedback == MARKS,
        peg_pairs=tuple(feedback_order(len(secrets[0]))) if feedback == PEGS else None,
    )


WORD_LISTS = {
    f"drawn-{number}": draw_words(Random(f"words {number}"), 2 + number % 2) for number in range(60)
}
"""The secrets and other guesses of word lists, which `differential.register` gives names."""


def listed_words(rng):
    """Draw a game of a word list, by its name."""
    feedback = rng.choice([MARKS, MARKS, MARKS, PLACES, PEGS])
    listed = rng.choice([*WORD_LISTS])
    name = f"{feedback}-{listed}"
    puzzle = puzzle_of_words(*WORD_LISTS[listed], feedback)
    return Drawn(f"cb.game({name!r})", puzzle, f"listed {feedback} words", name)


def table_game(rng):
    """Draw a game from a table with up to 31 kinds of feedback, of which one wins."""
    has_mark_labels = rng.random() < 0.15
    n_labels = 3 if has_mark_labels else rng.choice([2, 3, 4, 6, 12, 31])
    labels = [*MARK_LABELS] if has_mark_labels else list(LABELS[:n_labels])
    labels += [f"label {number}" for number in range(len(labels), n_labels)]
    rng.shuffle(labels)
    n_secrets = rng.randint(1, 12 if n_labels < 12 else 20)
    n_others = rng.choice([0, 0, 3, 8])
    names = ["".join(letters) for letters in product("pqrst", repeat=2)]
    names += ["".join(letters) for letters in product("xyz", repeat=2)]
    rng.shuffle(names)
    secrets = names[:n_secrets]
    others = names[n_secrets : n_secrets + n_others]
    guesses = secrets + others
    rng.shuffle(guesses)
    solved = rng.randrange(n_labels)
    wrong = [number for number in range(n_labels) if number != solved]
    # A guess that knows few answers splits little.
    table = []
    for guess in guesses:
        known = rng.sample(wrong, rng.randint(1, len(wrong)))
        table.append([solved if guess == secret else rng.choice(known) for secret in secrets])
    return game_of_table(table, guesses, secrets, labels, solved, "table", rng.choice(TABLE_NAMES))


def game_of_table(table, guesses, secrets, labels, solved, kind, name="table"):
    """Return a game from a table of indices of labels, of which `solved` wins."""
    text = f"cb.Game.from_table({table}, {guesses}, {secrets}, {labels}, {labels[solved]!r}"
    text += f", {name!r})" if name != "table" else ")"
    answers = {
        (guess, secret): labels[table[row][column]]
        for row, guess in enumerate(guesses)
        for column, secret in enumerate(secrets)
    }
    puzzle = Puzzle(
        tuple(sorted(guesses)), tuple(sorted(secrets)), lambda guess, secret: answers[guess, secret]
    )
    return Drawn(text, puzzle, kind)


def alike_table_game(rng):
    """Draw a table in which guesses have equal rows, and secrets equal answers to most guesses."""
    n_secrets = rng.randint(1, 8)
    n_others = rng.randint(2, 6)
    columns = [rng.randrange(1, 1 + rng.choice([1, n_secrets])) for _ in range(n_secrets)]
    rows = []
    for _ in range(2):
        reply = [rng.randrange(1, 3) for _ in range(n_secrets + 1)]
        rows.append([reply[column] for column in columns])
    secrets = [f"s{number}" for number in range(n_secrets)]
    guesses = secrets + [f"{rng.choice('az')}{number}" for number in range(n_others)]
    table = [rng.choice(rows).copy() for _ in guesses]
    for number in range(n_secrets):
        table[number][number] = 0
    return game_of_table(table, guesses, secrets, ["right", "low", "high"], 0, "equal rows")


def lonely_game(rng):
    """Draw a game of one secret, and of one guess or a few."""
    n_others = rng.choice([0, 0, 1, 2])
    if rng.random() < 0.5:
        guesses = ["b", "a", "c"][: 1 + n_others]
        table = [[1], *[[0]] * n_others]
        return game_of_table(table, guesses, ["b"], ["wrong", "right"], 1, "one secret")
    feedback = rng.choice([MARKS, PLACES, PEGS])
    others = ["ab", "ca"][:n_others]
    text = f"cb.Game.from_words(['ba'], {others}, {feedback!r})"
    return Drawn(text, puzzle_of_words(["ba"], others, feedback), "one secret")


def unlike_word_game(rng):
    """Draw words that share no letters, or only few of them do."""
    feedback = rng.choice([MARKS, PLACES, PEGS])
    length = rng.choice([1, 2, 3])
    words = ["".join(chr(0x3B1 + length * i + k) for k in range(length)) for i in range(8)]
    rng.shuffle(words)
    secrets = words[: rng.randint(1, 7)]
    others = rng.choice([[], words[6:], [words[-1], words[0]]])
    if length > 1 and rng.random() < 0.5:
        others = [*others, words[0][:-1] + words[1][-1]]
    text = f"cb.Game.from_words({secrets}, {others}, {feedback!r})"
    return Drawn(text, puzzle_of_words(secrets, others, feedback), f"{feedback} words apart")


def beginning_in_common(guess, secret):
    """Return how many symbols are right before the first wrong one."""
    right = 0
    while right < len(guess) and guess[right] == secret[right]:
        right += 1
    return right


OWN_FEEDBACK = {
    "distance": lambda guess, secret: str(
        sum(abs(ord(first) - ord(other)) for first, other in zip(guess, secret, strict=True))
    ),
    "order": lambda guess, secret: "higher" if guess < secret else "lower",
    "beginning": lambda guess, secret: str(beginning_in_common(guess, secret)),
    "colours": lambda guess, secret: str(len({*guess} & {*secret})),
}
"""Answers to a wrong code by a rule of a user's own."""


def own_feedback_game(rng):
    """Draw a game of codes whose table has a user's own feedback."""
    rule = rng.choice([*OWN_FEEDBACK])
    size = rng.choice(["1-4", "2-2", "2-3", "2-4", "3-2", "4-2"])
    secrets = list(puzzle_of(f"mm-{size}").guesses)

    def answer(guess, secret):
        return "right" if guess == secret else OWN_FEEDBACK[rule](guess, secret)

    labels = sorted({answer(guess, secret) for guess in secrets for secret in secrets})
    table = [[labels.index(answer(guess, secret)) for secret in secrets] for guess in secrets]
    solved = labels.index("right")
    return game_of_table(table, secrets, secrets, labels, solved, f"own feedback {rule}")


def named_game(rng):
    """Draw a game with a name and its table."""
    name = rng.choice(NAMED)
    return Drawn(f"cb.game({name!r})", puzzle_of(name), "named", name)


def game_on_demand(rng):
    """Draw a game whose feedback is computed on demand."""
    name = rng.choice(ON_DEMAND)
    return Drawn(f"cb.game({name!r}, table_mib=0)", puzzle_of(name, False), "on demand", name)


HOUSE_RULES = {
    "nolead": lambda code, first: code[0] != first,
    "pinned": lambda code, first: code[0] == first,
    "rising": lambda code, first: [*code] == sorted(code),
    "mixed": lambda code, first: len({*code}) > 1 or len(code) == 1,
    "odd": lambda code, first: len({*code}) % 2 == 1,
}
"""Which codes a house rule keeps, by its name: a code, and the first symbol of the game."""

HOUSE_SIZES = {
    "mm": ["1-4", "2-2", "2-3", "2-4", "3-2", "3-3", "4-2"],
    "bc": ["1-3", "2-3", "2-4", "3-3", "3-4"],
    "black": ["1-4", "2-2", "2-3", "3-2", "2-4"],
}


def house_game(rng):
    """Draw a game of codes of which a house rule leaves some out: `differential.register`."""
    base = rng.choice([*HOUSE_SIZES])
    rule = rng.choice([*HOUSE_RULES])
    size = rng.choice(HOUSE_SIZES[base])
    whole = puzzle_of(f"{base}-{size}")
    first = min(min(whole.guesses))
    kept = tuple(code for code in whole.guesses if HOUSE_RULES[rule](code, first))
    if not kept:
        return house_game(rng)
    name = f"{base}{rule}-{size}"
    puzzle = Puzzle(kept, kept, whole.answer, peg_pairs=whole.peg_pairs)
    return Drawn(f"cb.game({name!r})", puzzle, f"house rule {rule}", name)


ODD_SYMBOLS = {"greek": "αβγδ", "fruit": "🍎🍏🍐🍑", "signs": "%+=|"}
"""Symbols of families in `differential.register`, in the order of characters."""


def odd_symbols_game(rng):
    """Draw a game of codes of odd symbols."""
    base = rng.choice([*HOUSE_SIZES])
    odd = rng.choice([*ODD_SYMBOLS])
    size = rng.choice(HOUSE_SIZES[base])
    whole = puzzle_of(f"{base}-{size}")
    usual = sorted({*"".join(whole.guesses)})
    names = str.maketrans(dict(zip(usual, ODD_SYMBOLS[odd], strict=False)))
    codes = tuple(code.translate(names) for code in whole.guesses)
    puzzle = Puzzle(codes, codes, whole.answer, peg_pairs=whole.peg_pairs)
    name = f"{base}{odd}-{size}"
    return Drawn(f"cb.game({name!r})", puzzle, f"odd symbols {odd}", name)


def shared_of(guess, secret):
    """Return the number of colours in common, or one more than pegs for the secret itself."""
    common = sum((Counter(guess) & Counter(secret)).values())
    return str(common + (guess == secret))


def shared_game(rng):
    """Draw a game of a family with a feedback of its own: `differential.Shared`."""
    size = rng.choice(["1-4", "2-2", "2-3", "2-4", "3-2"])
    codes = puzzle_of(f"mm-{size}").guesses
    name = f"shared-{size}"
    return Drawn(f"cb.game({name!r})", Puzzle(codes, codes, shared_of), "own family", name)


KINDS = (
    *(word_game, table_game, named_game, listed_words, house_game, alike_table_game),
    *(word_game, table_game, game_on_demand, unlike_word_game, own_feedback_game),
    *(long_word_game, house_game, odd_symbols_game, lonely_game, shared_game),
)
"""Kinds of games, which take turns; the more often a kind stands here, the more often it comes."""


def puzzle_of(name, has_table=True):
    """Return the definition of a game by its name."""
    family, pegs, colours, *distinct = name.split("-")
    if family == "bc":
        codes = [*permutations(range(int(colours)), int(pegs))]
    else:
        codes = all_codes(int(pegs), int(colours))
    labels = ["".join(map(str, code)) for code in codes]
    secrets = [label for label in labels if not distinct or len({*label}) == len(label)]
    answer = places_of if family == "black" else pegs_of
    pairs = None if family == "black" else tuple(feedback_order(int(pegs)))
    record = (TREES / f"{name}.parquet").exists()
    return Puzzle(
        tuple(labels), tuple(secrets), answer, has_table=has_table, peg_pairs=pairs, record=record
    )


def restrict(rng, drawn):
    """Return a game with some of its secrets."""
    secrets = drawn.puzzle.secrets
    kept = rng.sample(secrets, rng.randint(1, len(secrets)))
    name = None
    if drawn.is_whole and rng.random() < 0.3:
        text = f"cb.game({drawn.name!r}, {kept})"
    else:
        text = f"{drawn.text}.restricted({kept})"
    return Drawn(text, drawn.puzzle.restricted(kept), f"{drawn.kind}, restricted", name)


WEIGHTS = (
    *([1, 2, 3, 4, 5], [0, 1, 1, 1, 97], [1, 1, 1, 2], [6], [0, 3, 6, 100_000], [1, 2**8, 2**15]),
    *([1, 2**50], [0, 1, 2**20, 2**50], [2**50 - 1, 2**50]),
)
"""Weights of which those of a prior are drawn."""


def weigh(rng, drawn):
    """Return a game with a prior, which may drop secrets, or be equal for all."""
    secrets = drawn.puzzle.secrets
    kind = rng.choice(WEIGHTS)
    weights = {secret: rng.choice(kind) for secret in secrets}
    if not any(weights.values()):
        weights[secrets[0]] = 2
    puzzle = drawn.puzzle.weighted(weights)
    kept = "weighted" if puzzle.weights else "equally weighted"
    name = drawn.name if len(puzzle.secrets) == len(secrets) else None
    return Drawn(f"{drawn.text}.weighted({weights})", puzzle, f"{drawn.kind}, {kept}", name)


def draw_moves(rng, puzzle, most=3):
    """Draw moves against a secret, which may solve the game.

    Some players keep to candidates or to hard mode.
    """
    secret = rng.choice(puzzle.secrets)
    moves = []
    left = puzzle.secrets
    pool = rng.choice(["all", "all", "consistent", "hard"])
    for _ in range(rng.randint(0, most)):
        guess = rng.choice(left if rng.random() < 0.4 else puzzle.guesses)
        if pool == "consistent":
            guess = rng.choice(left)
        if pool == "hard" and puzzle.has_marks:
            guess = rng.choice(puzzle.allowed_after(moves))
        answer = puzzle.answer(guess, secret)
        moves.append((guess, answer))
        left = puzzle.parts(guess, left)[answer]
        if guess == secret:
            break
    return moves
