"""Damaged files and faulty disks."""

import pickle
import shutil
import zipfile
from functools import cache
from io import BytesIO
from itertools import permutations, product
from pathlib import Path
from random import Random
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from conftest import WORD_LISTS, full_only, game_called, grown, same
from outcomes import (
    REFUSED,
    ROOT,
    SAME,
    SILENT,
    command,
    file_system,
    make_room,
    times,
    tried,
)
from snakemake.iocontainers import OutputFiles

from codebreaker.advice.assistant import Assistant
from codebreaker.advice.cached import TreeCache
from codebreaker.advice.sources import ByPolicy
from codebreaker.advice.transcripts import Reader
from codebreaker.advice.verdict import as_json, judge
from codebreaker.errors import DamagedFileError
from codebreaker.files import TEMPORARY, read_frame, read_json, write_frame, write_text
from codebreaker.games.model import read_game, write_game
from codebreaker.games.notation import Notation
from codebreaker.games.registry import build_game, rules_of
from codebreaker.games.words import WordFiles
from codebreaker.optimise import genetic, run
from codebreaker.optimise.problem import Problem
from codebreaker.players import expectation, random_consistent
from codebreaker.players.board import make_board, mastermind_rules
from codebreaker.players.contest import Series, draw_secrets, play_games
from codebreaker.players.logs import log_frame, read_log
from codebreaker.players.registry import player_spec
from codebreaker.players.terminal_means import read_terminals
from codebreaker.policies.families import criterion
from codebreaker.policies.strategy import Strategy
from codebreaker.policies.weights import read_weights, write_weights
from codebreaker.search.certificate import Certificate, write_certificate
from codebreaker.search.optimum import find_optimum
from codebreaker.search.settings import Target
from codebreaker.study.jobs import check_digests, job, record_digests
from codebreaker.study.load import load_study
from codebreaker.study.yaml_files import read_given_yaml
from codebreaker.trees.io import read_tree, write_tree, write_tree_text
from codebreaker.trees.metrics import read_strategies, strategies, write_strategies
from codebreaker.trees.verify import KNOWN

pytestmark = pytest.mark.usefixtures("caches")

NAME = "mm-3-3"
STRATEGY = Strategy("entropy")


@cache
def tree_of():
    return grown(game_called(NAME), STRATEGY)


@cache
def search():
    problem = Problem(game_called(NAME), (criterion("entropy"),), 2, "112")
    task = run.Task(problem, genetic.Params(population=4, elite=1), 0, 2)
    return task, run.Run(genetic.init(0, problem.n_genes, task.params))


def play(folder):
    series = Series(player_spec("random-consistent"), make_board(NAME), 1, 1)
    return play_games(series, draw_secrets(27, 1, 1), 1, folder)


def write_results(folder):
    """Write one file of every kind that the package reads."""
    game = game_called(NAME)
    tree, strategy = tree_of()
    task, done = search()
    write_game(game, folder / "game.npz")
    write_game(rules_of("mm-3-4").on_demand(), folder / "codes.npz")
    write_tree(tree, strategy, folder / "tree.parquet")
    write_tree_text(game, tree, strategy, folder / "tree.txt")
    TreeCache(game, STRATEGY, folder / "kept").put("tree", tree)
    frame = strategies([(tree, strategy)])
    write_strategies(frame, folder / "strategies.parquet", folder / "strategies.csv")
    moves = {"code": list(game.secrets), "moves": [[1, 2]] * game.n_secrets}
    write_frame(pl.DataFrame(moves), folder / "moves.parquet")
    write_certificate(game, find_optimum(game, Target(), 1, 60), folder / "certificate.json")
    expected = random_consistent.expected_profile(game)
    expectation.write_expectation(game, "any", expected, folder / "expected.json")
    write_weights(run.best_weights(task, done, "stage", "cpu"), folder / "weights.json")
    run.write_population(task, done, folder / "population.npz")
    run.save_checkpoint(task, done, folder / "checkpoint.npz")
    labels = mastermind_rules(NAME).labels()
    log = log_frame("small", NAME, "random-consistent", play(folder), labels)
    write_frame(log, folder / "log.parquet")
    write_text(folder / "claims.csv", KNOWN.read_text(encoding="utf-8"))


READERS = {
    "game.npz": read_game,
    "codes.npz": read_game,
    "population.npz": lambda path: run.read_population("found", path),
    "tree.parquet": lambda path: read_tree(path)[0],
    "strategies.parquet": read_strategies,
    "moves.parquet": read_frame,
    "log.parquet": read_log,
    "certificate.json": lambda path: read_json(path, Certificate),
    "expected.json": expectation.read_expectation,
    "weights.json": read_weights,
    "strategies.csv": pl.read_csv,
    "claims.csv": pl.read_csv,
    "tree.txt": Path.read_bytes,
    ".jobs/digests/tree.txt": lambda path: check_digests(["results/tree.txt"]),
    "kept/tree": lambda path: (
        TreeCache(game_called(NAME), STRATEGY, path.parent).get("tree") or tree_of()[0]
    ),
    "batch-0.npz": lambda path: play(path.parent),
    "checkpoint.npz": lambda path: run.load_checkpoint(search()[0], path) or search()[1],
}


def damaged(content, draw):
    for _ in range(draw.choice([1, 1, 1, 4])):
        at = draw.randrange(draw.choice([0, max(0, len(content) - 600)]), len(content))
        part = content[at : at + draw.choice([1, 1, 16, 50, len(content)])]
        flipped = bytes([part[0] ^ 1 << draw.randrange(8)]) + part[1:]
        instead = draw.choice([b"", bytes(len(part)), draw.randbytes(4), 2 * part, flipped])
        content = content[:at] + instead + content[at + len(part) :] or b"\xff"
    return content


def damage(path, case, read, content):
    original = path.read_bytes()
    expected = pickle.dumps(read(path))
    draw = Random(case)
    with tried("damaged files", case) as outcomes:
        for _ in range(times(1000, 25)):
            path.write_bytes(damaged(original, draw))
            outcomes.read(lambda: pickle.dumps(read(path)), expected, content=content)


@pytest.mark.parametrize("name", READERS)
def test_results(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    path = Path("results", name)
    write_results(Path("results"))
    record_digests(["results"])

    def read(path):
        if path.suffix in (".json", ".csv", ".txt"):
            check_digests([path])
        return READERS[name](path)

    again = name in list(READERS)[-3:]  # when they can't be read
    damage(path, name, read, f"{SAME}, or made again" if again else SAME)


NAMED = ("game.npz", "population.npz", "tree.parquet", "log.parquet", "strategies.parquet")
NAMED += ("terminals.parquet", "certificate.json", "expected.json", "weights.json")


@pytest.mark.parametrize("name", NAMED)
def test_files_of_another_kind_are_named_with_the_remedy(tmp_path, name):
    path = tmp_path / name
    table = BytesIO()
    arrays = BytesIO()
    pl.DataFrame({"game": ["mm-4-6"]}).write_parquet(table)
    np.savez(arrays, game=np.ones(3))
    for content in (b"", b"half", b'{"game": "mm-4-6"}', table.getvalue(), arrays.getvalue()):
        path.write_bytes(content)
        message = rf"{name} is damaged.*delete it and compute it again"
        with pytest.raises(DamagedFileError, match=message) as caught:
            READERS.get(name, read_terminals)(path)
        assert "\n" not in str(caught.value)


HEADERS = [
    "{'descr': (",
    "",
    "\x00",
    "{'descr': '<i4', 'fortran_order': False, 'shape': (-1,), }",
    "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
    "[" * 200,
    "{1: 2}",
    "'''",
    "ÿ",
    "{'descr': '<i4', 'fortran_order': False, 'shape': (1000000000000,), }",
]
"""Headers of damaged arrays in NumPy's format."""


def test_headers_of_arrays(tmp_path):
    path = tmp_path / "game.npz"
    with tried("damaged files", "headers of arrays") as outcomes:
        for text, version in product(HEADERS, (1, 2, 3, 7)):
            size = len(text).to_bytes(2 if version == 1 else 4, "little")
            header = b"\x93NUMPY" + bytes([version, 0]) + size + text.encode("latin-1")
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("name.npy", header + b"data")
            outcomes.read(lambda: read_game(path), None, text)


def test_a_cached_tree_of_another_set_is_not_used(tmp_path):
    rules = rules_of("mm-3-4")
    notation = Notation(rules, build_game(rules))

    def fresh():
        cache = TreeCache(notation.game, STRATEGY, tmp_path / "cache")
        sources = [ByPolicy(STRATEGY)]
        assistant = Assistant(
            notation, STRATEGY, sources, name="entropy", guess_pool="all", cache=cache
        )
        return assistant, cache

    moves = [[notation.move(f"112:{feedback}")] for feedback in ("0,1", "1,0", "0,2", "2,0", "1,1")]
    trees = [fresh()[0].suggest(played).outlook.tree for played in moves]
    with tried("damaged files", "cached trees of another set") as outcomes:
        for (played, right), (other, wrong) in permutations(zip(moves, trees, strict=True), 2):
            assistant, cache = fresh()
            cache.put(cache.key(assistant.candidates(played)[-1], 2, played[0][1], "policy"), wrong)
            tree = fresh()[0].suggest(played).outlook.tree
            outcomes.add(SAME, same(tree, right), other, wrong=SILENT)


def judged(path):
    with path.open("rb") as file:
        verdict = judge(file, Reader(None, None), None, None)
    as_json(verdict, "games")
    return all(" ".join(fault.reason.splitlines()) == fault.reason for fault in verdict.skipped)


def study_of(path):
    data = read_given_yaml(path)
    return bool(load_study(data if isinstance(data, dict) else {}, ROOT))


def words_of(path):
    rules = rules_of("marks-own", {**WORD_LISTS, "own": WordFiles(str(path), None)})
    secrets = build_game(rules).secrets
    return len(secrets) == len(set(secrets)) and len(set(map(len, secrets))) == 1


@pytest.mark.parametrize(
    ("case", "sample", "read", "content"),
    [
        ("transcripts", "tests/samples/games.jsonl", judged, "judged, or skipped by line"),
        ("configurations", "config/smoke.yaml", study_of, "read as another study"),
        ("word lists", "tests/words/terminal.txt", words_of, "read as other words"),
    ],
    ids=["transcripts", "configurations", "word lists"],
)
def test_files_of_others(tmp_path, case, sample, read, content):
    damage(Path(shutil.copy(ROOT / sample, tmp_path)), case, read, content)


SIZES = range(8, times(168, 48), 8)
FULL_DISKS = [
    pytest.param(f"full disk, {kib} KiB", f"size={kib}k", "free disk space", id=f"{kib} KiB")
    for kib in SIZES
]
READ_ONLY = pytest.param("read-only folder", "ro", "let this user write there", id="read-only")


def content_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def job_in(folder):
    files = [folder / name for name in READERS if "/" not in name]
    log = folder.parent / "logs" / "job.log"
    code = 0
    try:
        with job(SimpleNamespace(input=[], output=OutputFiles(files), log=[log])):
            write_results(folder)
    except SystemExit as stop:
        code = stop.code
    return code, log.read_text()


@pytest.mark.parametrize(("case", "options", "remedy"), [*FULL_DISKS, READ_ONLY])
def test_a_disk_with_a_fault(tmp_path, case, options, remedy):
    small = tmp_path / "small"
    write_results(tmp_path / "whole")
    whole = content_of(tmp_path / "whole")
    with file_system(small, options), tried("disks and folders", case) as outcomes:
        code, text = job_in(small)
        left = content_of(small)
        good = left.items() <= whole.items() and not any(
            name.startswith(TEMPORARY) for name in left
        )
        good &= code == 0 or (remedy in text and "Traceback" not in text)
        outcomes.add("written" if code == 0 else REFUSED, good, text, list(left))
        make_room(small)
        code, text = job_in(small)
        same_bytes = content_of(small) == whole
        outcomes.add("same bytes once there is room", same_bytes, text, wrong=SILENT)


@full_only
@pytest.mark.parametrize("options", ["nr_inodes=1", "ro"], ids=["full", "read-only"])
def test_a_cache_that_is_full_or_read_only(tmp_path, options):
    kind = "read-only" if options == "ro" else "full"
    with (
        file_system(tmp_path, options),
        tried("disks and folders", f"a cache that is {kind}") as outcomes,
    ):
        expected = command("codebreaker", "suggest").stdout
        run = command("codebreaker", "suggest", environment={"XDG_CACHE_HOME": str(tmp_path)})
        good = run.stdout == expected and "Traceback" not in run.stderr
        outcomes.add(SAME, good, run.stderr)
