"""Every kind of file, damaged: it is refused in one line, or read as the same content."""

import logging
import zipfile
from itertools import permutations
from pathlib import Path
from random import Random

import numpy as np
import polars as pl
import pytest
import yaml
from conftest import ROOT, WORD_LISTS, WORDS, game_called, grown
from outcomes import times, tried

from codebreaker.advice.assistant import Assistant
from codebreaker.advice.cached import TreeCache
from codebreaker.advice.transcripts import Reader
from codebreaker.advice.verdict import as_json, judge
from codebreaker.caches import Cache
from codebreaker.files import read_frame, read_json, write_frame, write_text
from codebreaker.games.model import read_game, write_game
from codebreaker.games.notation import Notation
from codebreaker.games.registry import build_game, rules_of
from codebreaker.games.words import WordFiles
from codebreaker.players.board import make_board, mastermind_rules
from codebreaker.players.contest import Series, draw_secrets, log_frame, play_games, read_log
from codebreaker.players.random_consistent import (
    expected_profile,
    read_expectation,
    write_expectation,
)
from codebreaker.players.registry import player_spec
from codebreaker.policies.families import criterion
from codebreaker.policies.strategy import Strategy
from codebreaker.policies.weights import read_weights, write_weights
from codebreaker.search.certificate import Certificate, find_optimum, write_certificate
from codebreaker.search.settings import Target
from codebreaker.study.jobs import check_digests, record_digests, record_of
from codebreaker.study.load import check_yaml, load_study
from codebreaker.trees.formats.registry import READ, open_tree
from codebreaker.trees.io import read_tree, write_tree, write_tree_text
from codebreaker.trees.metrics import read_strategies, strategies, write_strategies
from codebreaker.trees.verify import verify
from codebreaker.weights import genetic
from codebreaker.weights.problem import Problem
from codebreaker.weights.run import (
    Run,
    Task,
    best_weights,
    load_checkpoint,
    read_population,
    save_checkpoint,
    write_population,
)
from codebreaker.weights.settings import Params

WAYS = times(1000, 25)
"""How often each kind of file is damaged."""


def plain(thing):
    """Anything that a file holds, as values that can be compared."""
    if isinstance(thing, pl.DataFrame):
        return thing.rows()
    if isinstance(thing, np.ndarray):
        return thing.dtype.str, thing.shape, thing.tobytes()
    if isinstance(thing, (list, tuple)):
        return [plain(one) for one in thing]
    if isinstance(thing, dict):
        return [(name, plain(one)) for name, one in thing.items()]
    return plain(vars(thing)) if hasattr(thing, "__dict__") else thing


@pytest.fixture(autouse=True)
def quiet(caches, monkeypatch):
    """Caches of the case's own, and no lines about damaged files."""
    monkeypatch.setattr(logging.getLogger("codebreaker"), "disabled", True)


@pytest.fixture
def results(tmp_path, monkeypatch):
    """A folder with results of small games, written as the workflow writes them."""
    monkeypatch.chdir(tmp_path)
    folder, game = Path("results"), game_called("mm-3-3")
    tree, key = grown(game, Strategy("entropy"))
    write_game(game, folder / "game.npz")
    write_game(rules_of("mm-3-4").on_demand(), folder / "codes.npz")
    write_tree(tree, key, folder / "tree.parquet")
    write_tree_text(game, tree, key, folder / "tree.txt")
    frame = strategies([(tree, key)])
    write_strategies(frame, folder / "strategies.parquet", folder / "strategies.csv")
    write_frame(
        pl.DataFrame({"code": list(game.secrets), "moves": [[1, 2]] * 27}), folder / "moves.parquet"
    )
    optimum = find_optimum(game, Target(), 1, 60)
    write_certificate(game, optimum, folder / "certificate.json")
    write_expectation(game, "random-consistent", expected_profile(game), folder / "expected.json")
    task, run = search()
    write_weights(best_weights(task, run, "stage", "cpu"), folder / "weights.json")
    write_population(task, run, folder / "population.npz")
    save_checkpoint(task, run, folder / "checkpoint.npz")
    write_batch(folder)
    write_text(folder / "claims.csv", (ROOT / "src/codebreaker/data/known_totals.csv").read_text())
    record_digests([folder])
    return folder


def search():
    """A task of few generations, and its run."""
    problem = Problem(game_called("mm-3-3"), (criterion("entropy"),), 2, "112")
    task = Task(problem, Params(population=4, elite=1), 0, 2)
    return task, Run(genetic.init(0, problem.n_genes, task.params))


def series():
    """A player of a small game, with its secrets."""
    board = make_board("mm-3-3")
    return Series(player_spec("random-consistent"), board, 1, 1), draw_secrets(27, 1, 1)


def write_batch(folder):
    """Write a batch of games and the log of the contest."""
    told, secrets = series()
    log = play_games(told, secrets, 1, folder)
    labels = mastermind_rules("mm-3-3").labels()
    write_frame(
        log_frame("small", "mm-3-3", "random-consistent", log, labels), folder / "log.parquet"
    )


def batch(path):
    """The games of a contest whose first batch is kept, or played again."""
    told, secrets = series()
    return vars(play_games(told, secrets, 1, path.parent))


def checkpoint(path):
    """A checkpoint as a search takes it: None if the search starts again."""
    task, _ = search()
    return load_checkpoint(task, path)


def after_check(read):
    """A reader of inputs as the workflow has them, which checks the digests beside the results."""

    def checked(path):
        check_digests([path])
        return read(path)

    return checked


STARTED_AGAIN = {"checkpoint.npz": checkpoint, "batch-0.npz": batch}
"""Files that are made again if they can't be read."""

READERS = {
    "game.npz": read_game,
    "codes.npz": read_game,
    "population.npz": lambda path: read_population("found", path),
    "tree.parquet": lambda path: read_tree(path)[0],
    "strategies.parquet": read_strategies,
    "moves.parquet": read_frame,
    "log.parquet": read_log,
    "certificate.json": after_check(lambda path: read_json(path, Certificate)),
    "expected.json": after_check(read_expectation),
    "weights.json": after_check(read_weights),
    "strategies.csv": after_check(pl.read_csv),
    "claims.csv": after_check(pl.read_csv),
    "tree.txt": after_check(Path.read_bytes),
    **STARTED_AGAIN,
}
"""What reads each file; those in binary formats have a digest of their own."""


def damaged(content, draw: Random):
    """Content with bits flipped, bytes cut out, put in, repeated or zeroed, or an end cut off."""
    content = bytearray(content)
    for _ in range(draw.choice([1, 1, 1, 4])):
        end = draw.random() < 0.3
        at = draw.randrange(max(0, len(content) - 600) if end else 0, len(content))
        kind = draw.randrange(8)
        if kind < 3:
            content[at] ^= 1 << draw.randrange(8)
        elif kind == 3:
            del content[at : at + draw.randrange(1, 50)]
        elif kind == 4:
            content[at:at] = draw.randbytes(draw.randrange(1, 9))
        elif kind == 5:
            content[at : at + 16] = bytes(min(16, len(content) - at))
        elif kind == 6:
            content[at:at] = content[max(0, at - draw.randrange(1, 200)) : at]
        else:
            del content[at:]
        content = content or bytearray(draw.choice([b"", b"\0", b"{", b"\xff\xfe"]) or b"\n")
    return bytes(content)


def damage(path, name, read, content="same content", ways=WAYS):
    """Damage a file in many ways, and count what comes out when it is read."""
    original, expected, draw = path.read_bytes(), read(), Random(name)
    with tried("damaged files", name) as outcomes:
        for _ in range(ways):
            path.write_bytes(damaged(original, draw))
            outcomes.read(read, expected, content=content)


@pytest.mark.parametrize("name", READERS)
def test_results(results, name):
    path, read = results / name, READERS[name]
    if name in STARTED_AGAIN:
        expected = plain(read(path))
        content = "same content, or started again"
        damage(path, name, lambda: expected if (one := read(path)) is None else plain(one), content)
    else:
        damage(path, name, lambda: plain(read(path)))


def test_digests_of_results(results):
    path = results / "strategies.csv"
    damage(record_of(path), "digests of results", lambda: check_digests([path]))


HEADERS = [
    "{'descr': (", "", "\0", "{'descr': '<i4', 'fortran_order': False, 'shape': (-1,), }",
    "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "[" * 200, "{1: 2}", "'" * 3, "ÿ",
    "{'descr': '<i4', 'fortran_order': False, 'shape': (1000000000000,), }",
]  # fmt: skip


def test_headers_of_arrays(tmp_path):
    """Whole archives with members that are no arrays."""
    path = tmp_path / "game.npz"
    with tried("damaged files", "headers of arrays") as outcomes:
        for text in HEADERS:
            for version in (1, 2, 3, 7):
                header = text.encode("latin-1")
                size = len(header).to_bytes(2 if version == 1 else 4, "little")
                with zipfile.ZipFile(path, "w") as archive:
                    start = b"\x93NUMPY" + bytes([version, 0])
                    archive.writestr("name.npy", start + size + header + b"data")
                    archive.writestr("digest", b"no array")
                outcomes.read(lambda: plain(read_game(path)), None, text)


def assistant_of(name, folder):
    """A notation, and what returns an assistant with a cache that reads kept trees anew."""
    rules = rules_of(name)
    notation, policy = Notation(rules, build_game(rules)), Strategy("entropy")

    def anew():
        kept = TreeCache(notation.game, policy, folder)
        return Assistant(notation, policy, kept), kept

    return notation, anew


def test_kept_trees(tmp_path):
    _, anew = assistant_of("mm-3-3", tmp_path / "kept")

    def suggest():
        told = anew()[0].suggest([])
        return plain(told.tree), told.guess, told.expected_guesses

    suggest()
    (path,) = (tmp_path / "kept").glob("*")
    damage(path, "kept trees", suggest, "same content, grown again")


def test_a_kept_tree_of_another_set_is_not_taken(tmp_path):
    """It has the right key and digest: somebody has put it there."""
    notation, anew = assistant_of("mm-3-4", tmp_path / "kept")
    moves = [[notation.move(f"112:{feedback}")] for feedback in ("0,1", "1,0", "0,2", "2,0", "1,1")]
    trees = [anew()[0].suggest(one).tree for one in moves]
    with tried("damaged files", "kept trees of another set") as outcomes:
        for (one, right), (other, wrong) in permutations(zip(moves, trees, strict=True), 2):
            assistant, kept = anew()
            kept.put(kept.key(assistant.candidates(one)[-1], 2, one[0][1]), wrong)
            outcomes.read(lambda one=one: plain(anew()[0].suggest(one).tree), plain(right), other)


def test_caches(tmp_path):
    """What is kept of totals, sources and compiled code: as it was, or made again."""
    content, cache = b"some code" * 50, Cache(tmp_path / "kept")
    cache.write("content", content)
    damage(
        tmp_path / "kept" / "content",
        "caches",
        lambda: cache.read("content") or content,
        "same content, or made again",
    )


@pytest.mark.parametrize("form", READ)
def test_trees_of_others(tmp_path, form):
    """What is read is replayed by the rules, so that it is judged as what it says."""
    rules = rules_of("mm-3-4")
    notation = Notation(rules, build_game(rules))
    best = find_optimum(notation.game, Target(), 1, 60).solution.cost
    path = tmp_path / f"tree.{form}"
    path.write_bytes((ROOT / f"tests/samples/mm-3-4.{form}").read_bytes())

    def verdict():
        found = verify(open_tree(path), notation)
        total, solved = found.replay.total_guesses, found.replay.solved
        return not found.valid or (solved == 64 and total >= best)

    damage(path, f"trees of others: {form}", verdict, "judged by the rules")


def test_transcripts(tmp_path):
    content = b"".join(
        b'{"game": "mm-2-3", "player": "p%d", "moves": [["11", "0,0"], ["22", "%d,0"]]}\n' % (n, n)
        for n in (1, 2, 0)
    )
    path = tmp_path / "games.jsonl"
    path.write_bytes(content)

    def read():
        with path.open("rb") as file:
            verdict = judge(file, Reader(None, None), None, None)
        as_json(verdict, "games")
        return all(" ".join(one.reason.splitlines()) == one.reason for one in verdict.skipped)

    damage(path, "transcripts", read, "judged, or skipped by line")


def test_configurations(tmp_path):
    path = tmp_path / "study.yaml"
    path.write_bytes((ROOT / "config/smoke.yaml").read_bytes())

    def read():
        check_yaml(path)
        data = yaml.safe_load(path.read_bytes())
        load_study(data if isinstance(data, dict) else {}, ROOT)

    damage(path, "configurations", read, "a study of what it says", WAYS // 2)


def test_word_lists(tmp_path):
    path = tmp_path / "words.txt"
    path.write_bytes((WORDS / "terminal.txt").read_bytes())

    def read():
        rules = rules_of("marks-own", {**WORD_LISTS, "own": WordFiles(str(path), None)})
        game = build_game(rules)
        return len(game.secrets) == len(set(game.secrets)) and len(set(map(len, game.secrets))) == 1

    damage(path, "word lists", read, "the words that it says")
