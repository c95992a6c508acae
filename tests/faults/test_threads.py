"""The library in threads and forked processes."""

import json
import os
import random
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from outcomes import REFUSED, SAME, SILENT, command, is_one_line, times, tried

import codebreaker as cb
from codebreaker.games.codes import Mastermind

ABOVE = [[1, 2, 2], [0, 1, 2], [0, 0, 1]]
PLAYED = [["112", "1,0"], ["134", "2,0"]]
NEED_POLARS = ("Comparison", "compare", "score", "read_tree")
WAYS = {
    "threads": "eight threads at once, and one after them",
    "after": "processes that are forked after all questions",
}


class Shared:
    """What all threads share."""

    def __init__(self):
        game = self.game = cb.game("mm-3-4")
        weights = {code: 1 + i % 7 for i, code in enumerate(game.secrets)}
        self.games = {
            "table": game,
            "weighted": game.weighted(weights),
            "on demand": cb.game("mm-3-4", table_mib=0),
            "words": cb.Game.from_words(["crane", "slate", "trace", "crate", "caret"]),
            "larger": cb.game("mm-4-6"),
        }
        self.states = [
            cb.State(self.games["larger"], [f"11{i}{j}:1,1"]) for i in "34" for j in "25"
        ]
        self.states += [
            cb.State(self.games[name], ["112:1,1"]) for name in ("weighted", "on demand")
        ]
        self.states += [cb.State(self.games["words"])]
        self.tree = cb.grow(game, "entropy")
        self.solved = cb.solve(game)
        self.evaluation = cb.evaluate(game, first)
        self.verdict = cb.score([{"game": "mm-3-4", "moves": PLAYED}])


def first(state):
    return state.candidates[0]


def drawn(state, rng):
    return state.candidates[rng.integers(len(state.candidates))]


def moved(state):
    copy = state.copy()
    copy.push(copy.candidates[-1], copy.game.feedback(copy.candidates[-1], copy.candidates[0]))
    return (
        repr(copy),
        copy.moves,
        copy.probabilities,
        copy.pop(),
        repr(state),
        state.partition(first(copy)),
    )


def registered(register, value):
    register(value)
    return [cb.grow(cb.game("mm-3-3"), "root-of-threads").total, repr(cb.game("threads-3-3"))]


def root(count, total):
    return count**0.5


class Threaded(Mastermind):
    """A family of games."""

    family = "threads"


def written(tree):
    with TemporaryDirectory() as folder:
        for form in ("contest", "json", "parquet"):
            tree.write(Path(folder) / f"tree.{form}")
            yield cb.read_tree(Path(folder) / f"tree.{form}", tree.game).figures


ASKED = {
    "game": lambda s: [cb.game("bc-3-5"), cb.game("mm-3-4", s.game.secrets[:9]).secrets],
    "Game": lambda s: [
        [
            game.partition(game.guesses[1]),
            game.probabilities,
            game.feedback_labels,
            game._repr_html_(),
        ]
        for game in (
            *s.games.values(),
            cb.Game.from_table(ABOVE, [*"abc"], [*"abc"], [*"<=>"], "="),
        )
    ],
    "State": lambda s: [moved(state) for state in s.states],
    "list_games": lambda s: [cb.list_games()],
    "list_policies": lambda s: [cb.list_policies("mm-2-2")],
    "Exact": lambda s: [cb.Exact(weight).exact for weight in range(3)],
    "Sizes": lambda s: [state.sizes().counts.tolist() for state in s.states],
    "suggest": lambda s: [cb.suggest(state, exact=True) for state in s.states],
    "Suggestion": lambda s: [
        cb.suggest(s.states[0], "most-parts").most,
        repr(cb.suggest("mm-8-10", samples=64)),
        cb.suggest(cb.State("mm-8-10", ["11223344:1,2"]), samples=64).left,
    ],
    "regret": lambda s: [
        cb.regret(state, guess) for state in s.states for guess in state.game.guesses[::99]
    ],
    "Regret": lambda s: [cb.regret(state, first(state)).mean for state in s.states],
    "grow": lambda s: [
        [*cb.grow(game, policy, endgames=6)]
        for name, game in s.games.items()
        for policy in ("entropy", "renyi-0.7", "expected-size")
        if name != "larger"
    ],
    "solve": lambda s: [cb.solve(s.games[name]).tree for name in ("table", "weighted", "words")],
    "Solved": lambda s: [s.solved, s.solved.certificate()],
    "Tree": lambda s: [[*s.tree], s.tree.draw(), s.tree.play("343"), s.tree._repr_html_()],
    "read_tree": lambda s: [*written(s.tree)],
    "evaluate": lambda s: [
        cb.evaluate(s.game, policy, opening=opening, repetitions=2).log.rows()
        for policy, opening in ((first, None), (drawn, None), ("random-consistent", "112"))
    ],
    "Evaluation": lambda s: [s.evaluation.mean, s.evaluation.error, s.evaluation.profile],
    "Comparison": lambda s: repr(cb.compare(s.game, [first])),
    "compare": lambda s: [frame.rows() for frame in cb.compare(s.game, [first, "entropy"])],
    "score": lambda s: cb.score([{"game": "mm-3-4", "moves": PLAYED}]).moves.rows(),
    "Verdict": lambda s: [s.verdict.moves.rows(), s.verdict.skipped],
    "criterion": lambda s: registered(cb.criterion("root-of-threads"), root),
    "player": lambda s: registered(cb.player("player-of-threads"), first),
    "rules": lambda s: registered(cb.rules, Threaded),
    "CodebreakerError": lambda s: cb.State(s.game, ["112:1,1", "112:0,0"]),
}  # fmt: skip


def asked(shared, seed):
    names = list(ASKED)
    answers = {}
    random.Random(seed).shuffle(names)
    for name in names:
        try:
            answers[name] = repr(ASKED[name](shared))
        except Exception as error:
            answers[name] = f"{type(error).__name__}: {error}"
    return answers


def in_child(shared, seed):
    """Return the answers of a forked process, which inherits what is shared."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(reader)
            with os.fdopen(writer, "w") as end:
                json.dump(asked(shared, seed), end)
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as end:
        answers = end.read()
    os.waitpid(child, 0)
    return json.loads(answers or "{}")


def ask_all(shared, number, way):
    if way == "threads":
        sys.setswitchinterval(1e-5)
        with ThreadPoolExecutor(8) as pool:
            answers = [*pool.map(partial(asked, shared), range(8 * number))]
        return [*answers, asked(shared, 99)]
    return [asked(shared, 0)] + [in_child(shared, seed) for seed in range(number)]


def test_everything_public_is_asked():
    assert set(ASKED) == set(cb.__all__)


def answers_of(way):
    done = command(__file__, way, str(times(12, 1)), program=(sys.executable,), timeout=600)
    assert not done.returncode, done.stderr[-3000:]
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def forking():
    """The answers of a process with one thread, and of processes that it forked after them."""
    return answers_of("after")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.slow
def test_answers_are_those_of_one_thread(way, forking):
    expected = forking[0]
    with tried("the library", WAYS[way]) as outcomes:
        for answers in forking if way == "after" else answers_of(way):
            outcomes.add("answered", set(answers) == set(ASKED), answers)
            for name, answer in answers.items():
                if way != "threads" and name in NEED_POLARS and "needs Polars" in answer:
                    outcomes.add(REFUSED, is_one_line(answer), name, answer)
                else:
                    same = answer == expected[name]
                    outcomes.add(SAME, same, name, answer, expected[name], wrong=SILENT)


if __name__ == "__main__":
    warnings.simplefilter("ignore", DeprecationWarning)
    cb.criterion("root-of-threads", root)
    cb.rules(Threaded)
    print(json.dumps(ask_all(Shared(), int(sys.argv[2]), sys.argv[1])))
