"""Fixtures: registered games, criteria and players are tested."""

import json
import logging
import os
import pty
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import check_certificates
import numpy as np
import polars as pl
import pytest
import yaml
from definitions import definition_of
from filelock import FileLock
from hypothesis import settings
from hypothesis import strategies as st
from numba import njit
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher

from codebreaker.api import registering
from codebreaker.files import write_frame
from codebreaker.games.notation import Notation
from codebreaker.games.registry import EXAMPLES, build_game, make_game, rules_of
from codebreaker.games.words import BUNDLED, WordFiles
from codebreaker.players.expectation import write_expectation
from codebreaker.players.random_consistent import expected_profile
from codebreaker.policies.criteria import CRITERIA
from codebreaker.policies.families import EXAMPLES as MEMBERS
from codebreaker.policies.strategy import Strategy
from codebreaker.report.chapters.gur import deviation_measures, gur_tables
from codebreaker.report.chapters.kooi import kooi_tables, quantities
from codebreaker.report.chapters.rounds import tabulate_optima
from codebreaker.report.claims import weigh
from codebreaker.report.numbers import Results
from codebreaker.report.tables import comparison_frame, write_page, write_tables
from codebreaker.runtime.caches import cache_folder
from codebreaker.search.certificate import write_certificate
from codebreaker.search.endgames import endgames_of
from codebreaker.search.optimum import find_optimum, strategy_of_optimum
from codebreaker.search.settings import Target
from codebreaker.study.load import load_study
from codebreaker.trees.grow import grow
from codebreaker.trees.io import strategy_of_tree
from codebreaker.trees.metrics import read_strategies, strategies, write_strategies

pytest_plugins = ["board"]

ROOT = Path(__file__).parent.parent
GOLDEN = Path(__file__).parent / "golden"

settings.register_profile("steady", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("steady")

WORDS = Path(__file__).parent / "words"
LISTS = {
    "terminal": (WORDS / "terminal.txt", None),
    "short": (WORDS / "short.txt", None),
    "wide": (WORDS / "secrets.txt", WORDS / "guesses.txt"),
    "long": (WORDS / "long-secrets.txt", WORDS / "long-guesses.txt"),  # marks need two bytes
}
WORD_LISTS = {
    name: WordFiles(str(secrets), str(guesses) if guesses else None)
    for name, (secrets, guesses) in LISTS.items()
}

GAMES = (
    *EXAMPLES,
    *("mm-2-3-distinct", "mm-3-4-distinct"),
    *("matches-terminal", "matches-short", "matches-wide"),
    *("marks-terminal", "marks-short", "marks-wide", "pegs-wide"),
)
CRITERION_NAMES = (*CRITERIA, *MEMBERS)

full_only = pytest.mark.skipif(
    "FAULTS" not in os.environ, reason="takes minutes: make faults runs it"
)
ON_CI = "CODEBREAKER_CI" in os.environ
ci_only = pytest.mark.skipif(not ON_CI, reason="only CI runs it")


def in_ci(*values):
    """Return a case that only CI runs."""
    return pytest.param(*values, marks=ci_only)


def read_yaml(path):
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


SLOW_FIXTURES = {
    *("done", "copy", "jobs", "planned", "planned_anew"),  # the small study
    *("table", "evidence", "weighed", "page_file"),  # all trees of the default study
    *("browser", "wheel", "undisturbed", "environments"),
}
"""Fixtures that take seconds."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark tests with slow fixtures; start with the longest file."""
    for item in items:
        if not SLOW_FIXTURES.isdisjoint(item.fixturenames):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: item.path.stem != "test_workflow")


@pytest.fixture(scope="session")
def shared(tmp_path_factory, request):
    """A folder that all test processes share."""
    folder = tmp_path_factory.getbasetemp()
    return folder.parent if hasattr(request.config, "workerinput") else folder


@pytest.fixture(scope="session", autouse=True)
def compiled_once(shared):
    """Let one process at a time compile a function."""
    locks = shared / "locks"
    compile_function = Dispatcher.compile
    locks.mkdir(exist_ok=True)

    def compile_alone(function, signature):
        lock = locks / f"{function.__module__}.{function.py_func.__qualname__}"
        # Numba's own lock comes first: functions compile others under it.
        with global_compiler_lock, FileLock(lock, is_singleton=True):
            return compile_function(function, signature)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Dispatcher, "compile", compile_alone)
        yield


@cache
def game_called(name):
    """Return a game by its name, with the tests' word lists."""
    return make_game(name, word_lists=WORD_LISTS)


def notation_of(name, table_limit_mib=64):
    """Return a game with how people type it, perhaps without its table."""
    rules = rules_of(name, WORD_LISTS)
    tabled = table_limit_mib == 64
    return Notation(rules, game_called(name) if tabled else build_game(rules, table_limit_mib))


@st.composite
def games_with_candidates(draw, names=GAMES):
    """Draw a game, and a set of candidates as sorted indices of secrets."""
    game = game_called(draw(st.sampled_from(names)))
    chosen = draw(st.sets(st.integers(0, game.n_secrets - 1), min_size=1))
    return game, np.array(sorted(chosen), dtype=np.int32)


@cache
def defined(name, pool="all"):
    """Return the slow definition of a game."""
    return replace(definition_of(name, LISTS), pool=pool)


@pytest.fixture(autouse=True)
def fresh_log():
    """Reset the package's log."""
    log = logging.getLogger("codebreaker")
    log.handlers = []
    log.propagate = True
    logging.raiseExceptions = True
    log.setLevel(logging.NOTSET)


@pytest.fixture
def registries():
    """Restore what a test registers: games, strategies, criteria, word lists."""
    games = registering.games
    tables = registering.STRATEGIES, registering.OWN, games.CODES, games.FAMILIES, CRITERIA, BUNDLED
    before = [table.copy() for table in tables]
    yield
    for table, kept in zip(tables, before, strict=True):
        table.clear()
        table.update(kept)
    registering.families.criterion.cache_clear()


@pytest.fixture
def caches(tmp_path, monkeypatch):
    """Give a test empty caches of its own; compiled code stays in the usual cache."""
    compiled = os.environ.get("NUMBA_CACHE_DIR") or cache_folder() / "code"
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(compiled))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


@cache
def from_python(function):
    """Return a function that only compiled functions call so that Python can call it."""
    return njit(lambda *arguments: function(*arguments))


def python(*arguments, environment=None, **options):
    """Run Python in a process of its own, where the package and the checkers can be imported."""
    path = os.pathsep.join(str(ROOT / name) for name in ("src", "workflow/checkers"))
    environment = os.environ | {"PYTHONPATH": path} | (environment or {})
    options = {"capture_output": True, "encoding": "utf-8"} | options
    return subprocess.run([sys.executable, *arguments], env=environment, **options)


def tool_called(name):
    """Import a program of the folder `tools`, which imports its neighbours."""
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        return import_module(name)
    finally:
        sys.path.remove(str(ROOT / "tools"))


def on_a_terminal(arguments, **environment):
    """Run the program on a pseudo-terminal of 60 columns, and return what it prints."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "codebreaker", *arguments]
    settings = {"PYTHONPATH": str(ROOT / "src"), "TERM": "xterm-256color", "COLUMNS": "60"}
    environment = os.environ | settings | environment
    process = subprocess.Popen(command, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    parts = []
    try:
        while part := os.read(ours, 65536):
            parts.append(part)
    except OSError:  # the other side has closed
        pass
    os.close(ours)
    process.wait()
    return b"".join(parts).decode().replace("\r\n", "\n")


def certified_optimum(game, target, folder, memo_mib=1, time_limit_s=600):
    """Return an optimum whose certificate the independent checker has accepted."""
    path = folder / "certificate.json"
    optimum = find_optimum(game, target, memo_mib, time_limit_s)
    write_certificate(game, optimum, path)
    certificate = json.loads(path.read_text(encoding="utf-8"))
    lists = {game.name.split("-", 1)[1]: (game.secrets, game.guesses)}
    check_certificates.check(certificate, {} if certificate["words"] is None else lists)
    return optimum


@pytest.fixture(params=GAMES)
def game(request):
    return game_called(request.param)


@pytest.fixture(scope="session")
def mm46():
    return game_called("mm-4-6")


def same(first, other):
    """Return whether two records of arrays are equal, field by field."""
    return all(np.array_equal(field, getattr(other, name)) for name, field in vars(first).items())


def grown(game, strategy):
    tree = grow(game, strategy, endgames=endgames_of(game, strategy))
    return tree, strategy_of_tree(game, strategy, tree, strategy.slug)


LONGEST = Strategy("endgame-weighted-179064", "11223", endgames=62)
"""The strategy whose tree, of MM(5,8), takes as long as all others of the default study."""


def computed_table():
    """Return the figures of the default study's strategies, and of its optima of MM(4,6)."""
    study = load_study(read_yaml("config/config.yaml"), ROOT)
    trees = []
    for name, listed in study.strategies.items():
        model = make_game(name, word_lists=study.games.word_lists)
        trees += [grown(model, strategy) for strategy in listed.values()]
    game = game_called("mm-4-6")
    for target in study.targets["mm-4-6"].values():
        optimum = find_optimum(game, target, 64, 600)
        trees.append((optimum.solution.tree, strategy_of_optimum(game, optimum)))
    return strategies(trees)


@pytest.fixture(scope="session")
def table(shared):
    path = shared / "strategies.parquet"
    with FileLock(shared / "strategies.lock"):
        if not path.exists():
            write_strategies(computed_table(), path, path.with_suffix(".csv"))
    return read_strategies(path)


@pytest.fixture(scope="session")
def tables(table):
    """Comparisons with published tables, by name."""
    comparisons = kooi_tables(game_called("mm-2-4"), game_called("mm-4-6"), table)
    comparisons += gur_tables(table)
    return {comparison.name: comparison for comparison in comparisons}


@pytest.fixture(scope="session")
def cells(tables):
    """The cells of all published tables in one frame."""
    return pl.concat([comparison_frame(comparison) for comparison in tables.values()])


@pytest.fixture(scope="session")
def evidence(shared, table, tables):
    """A folder with the results that the claims of the sources are weighed against."""
    folder = shared / "evidence" / "results"
    with FileLock(shared / "evidence.lock"):
        if not folder.exists():
            write_evidence(folder, table, tables)
    return folder


def write_evidence(folder, table, tables):
    game = game_called("mm-4-6")
    tables_folder = folder / "tables"
    metrics = folder / "metrics"
    metrics.mkdir(parents=True)
    write_strategies(table, metrics / "strategies.parquet", metrics / "strategies.csv")
    write_tables(list(tables.values()), tables_folder)
    write_frame(quantities(game, table), tables_folder / "source-quantities.csv")
    deviations = deviation_measures()
    paths = [tables_folder / f"gur-2025-deviations{suffix}" for suffix in (".csv", ".md")]
    write_page(deviations, paths, "Deviations", deviations)
    certificates = [folder / "exact" / f"{objective}.json" for objective in ("total", "maximum")]
    for path in certificates:
        optimum = find_optimum(game, Target(objective=path.stem), 64, 600)
        write_certificate(game, optimum, path)
        check_certificates.shown(path, {})
    paths = [tables_folder / f"exact-optima{suffix}" for suffix in (".csv", ".md")]
    proofs = ROOT / "resources" / "proofs"
    inputs = SimpleNamespace(
        certificates=certificates,
        lower_bounds=proofs / "lower-bounds.csv",
        second_solver=proofs / "second-solver.csv",
    )
    output = SimpleNamespace(tables=paths)
    tabulate_optima(inputs, output, None)
    checked = {"game": ["mm-4-6"] * 2, "verdict": ["tree verified"] * 2}
    pl.DataFrame(checked).write_csv(folder / "exact" / "checked.csv")
    random = folder / "players/mm-4-6/random-consistent.json"
    write_expectation(game, "random-consistent", expected_profile(game), random)
    (folder / "paper-scale").mkdir()
    shutil.copy(ROOT / "resources" / "paper-scale" / "growing-times.csv", folder / "paper-scale")
    files = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    recorded = ["paper-scale/growing-times.csv"]
    verdicts = weigh(Results(folder, files), recorded)
    write_frame(verdicts.claims, folder / "discrepancies.csv")
    write_frame(verdicts.readings, folder / "readings.csv")
