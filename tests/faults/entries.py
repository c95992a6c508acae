"""Trials of what users can call, each in a process of its own, over a cache that is given."""

import ast
import hashlib
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import typer
from test_examples import BLOCK, MODULES, PAGES
from typed_lines import EXIT_CODES, FILES, LINES, QUICK, RANDOM

from codebreaker.cli import app

ROOT = Path(__file__).parents[2]
COMMANDS = typer.main.get_command(app).commands

CELL = re.compile(r"^# %% (\w+)( quick)?$", re.M)
SHELL = f"""
RUN='{sys.executable} -m codebreaker'
codebreaker() {{ $RUN "$@"; }}
"""
STATEMENTS = """
import ast, sys
names = {}
exec("import codebreaker as cb", names)
for statement in ast.parse(sys.stdin.read()).body:
    exec(compile(ast.Interactive([statement]), "<entry>", "single"), names)
"""
PAGE = """
import doctest, sys
test = doctest.DocTestParser().get_doctest(sys.stdin.read(), {}, "page", "page", 0)
flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
sys.exit(doctest.DocTestRunner(optionflags=flags).run(test).failed > 0)
"""
MODULE = """
import doctest, importlib, sys
import codebreaker
flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
module = importlib.import_module(sys.stdin.read())
sys.exit(doctest.testmod(module, extraglobs={"cb": codebreaker}, optionflags=flags).failed > 0)
"""
ADDRESS = re.compile("0x[0-9a-f]{6,}")
COMPILING = re.compile("^compiling .*: later calls load it from a cache\n", re.M)
"""The line about compiling, which answers over an empty cache print as well."""

COMMENT = re.compile(r"^(?:eval \"\$\()?(codebreaker .*?)(?:\)\".*| \| source.*|  .*)?$", re.M)
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.M | re.S)


class Trial(NamedTuple):
    """Something that a user calls: a name, and what is run with which input."""

    name: str
    program: tuple[str, ...]
    text: str
    exit_code: int = 0
    is_random: bool = False


class Answer(NamedTuple):
    """What a user sees: the exit code, the output, and digests of the files that were written."""

    code: int
    output: str
    errors: str
    files: dict[str, str]


def of_line(line):
    program = ("bash", "-c", SHELL + line)
    return Trial(line, program, "", EXIT_CODES.get(line, 0), is_random=line in RANDOM)


def of_python(name, program, text=""):
    return Trial(name, (sys.executable, "-c", program), text)


def lines_of_pages():
    """Return the lines of the documents that call the program, without a `head` behind it."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    for path in sorted(pages):
        for block in CONSOLE.findall(path.read_text(encoding="utf-8")):
            for line in re.findall(r"^\$ (.*)$", block, re.M):
                called = re.sub(r" \| head -n \d+$", "", re.sub(" +# .*", "", line))
                called = called.replace(".venv/bin/codebreaker", "codebreaker")
                if re.search(r"(^|\| )codebreaker ", called) and not called.startswith("jq "):
                    yield called


def lines_of_help():
    """Return the examples in the commands' help, without the remarks behind them."""
    for command in COMMANDS.values():
        yield from COMMENT.findall(inspect.getdoc(command.callback) or "")


def notebooks():
    """Return the code of the notebooks that use the library."""
    for path in sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        code = "\n".join(sources)
        if "import codebreaker" in code:
            yield of_python(path.relative_to(ROOT).as_posix(), STATEMENTS, code)


@cache
def statements():
    """Return the cells of statements.py by the public name that they try, and the quick ones."""
    text = (ROOT / "tests" / "faults" / "statements.py").read_text(encoding="utf-8")
    _, *parts = CELL.split(text)
    cells = {}
    quick = []
    for name, mark, code in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        cells.setdefault(name, []).append(code)
        if mark:
            quick.append(f"{name} {len(cells[name]) - 1}")
    return cells, quick


def quick_names():
    """Return the names of the trials that `make test` runs."""
    _, quick = statements()
    return [*QUICK, *quick]


@cache
def trials():
    """Return all trials by name."""
    helps = [f"codebreaker {name} --help" for name in COMMANDS]
    lines = [*LINES, *helps, *lines_of_pages(), *lines_of_help()]
    listed = [of_line(line) for line in dict.fromkeys(lines)]
    cells, _ = statements()
    for name, texts in cells.items():
        listed += [of_python(f"{name} {i}", STATEMENTS, text) for i, text in enumerate(texts)]
    for name in PAGES:
        blocks = BLOCK.findall((ROOT / name).read_text(encoding="utf-8"))
        listed.append(of_python(name, PAGE, "\n".join(blocks)))
    listed += [of_python(f"docstrings of {name}", MODULE, name) for name in MODULES]
    for path in sorted((ROOT / "examples").glob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        listed.append(Trial(name, (sys.executable, str(path)), ""))
    listed += notebooks()
    by_name = {trial.name: trial for trial in listed}
    assert len(by_name) == len(listed), "two trials have one name"
    return by_name


def run(trial, cache_home, python_path=ROOT / "src"):
    """Run a trial over a cache folder, in a new folder with the files that it may read."""
    environment = {name: text for name, text in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    environment |= {"PYTHONPATH": str(python_path), "XDG_CACHE_HOME": str(cache_home)}
    environment |= {"COLUMNS": "100"}
    cache_home.mkdir(mode=0o700, parents=True, exist_ok=True)
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "tests").mkdir()
        (folder / "tests" / "samples").symlink_to(ROOT / "tests" / "samples")
        for file, content in FILES.items():
            (folder / file).write_text(content, encoding="utf-8")
        done = subprocess.run(
            trial.program,
            input=trial.text,
            cwd=folder,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=900,
        )
        written = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
        files = {
            path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in written
            if path.name not in FILES and "kept" not in path.parts
        }
    output = ADDRESS.sub("0x", done.stdout).replace(name, "FOLDER")
    errors = COMPILING.sub("", ADDRESS.sub("0x", done.stderr)).replace(name, "FOLDER")
    return Answer(done.returncode, output, errors, files)


def fault_of(trial, answer):
    """Return what is wrong with an answer by itself, or None."""
    if answer.code != trial.exit_code:
        return f"exit code {answer.code}: {answer.output[-500:]} {answer.errors[-1500:]}"
    if "Traceback" in answer.errors:
        return answer.errors[-1500:]
    return None


def difference(trial, answer, expected):
    """Return how an answer over some cache differs from that over an empty one, or None."""
    if fault_of(trial, answer):
        return fault_of(trial, answer)
    if trial.is_random:
        return None
    for field in Answer._fields:
        given = getattr(answer, field)
        wanted = getattr(expected, field)
        if given != wanted:
            return f"other {field}: {str(given)[-1500:]} instead of {str(wanted)[-1500:]}"
    return None


def left_in(cache_home):
    """Return the files of a cache that answers could depend on, with digests of their content.

    Files of code are named by sources, function and signature; their bytes differ each time. The
    digests of sources, in `sources`, are the same whatever was kept (tests/test_sources.py).
    """
    digests = {}
    base = cache_home / "codebreaker"
    for path in sorted(base.rglob("*")):
        name = path.relative_to(base).as_posix()
        if path.is_file() and not name.startswith("sources/"):
            is_code = name.startswith("code/")
            digests[name] = "" if is_code else hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    return digests


def seen_of(left, needed):
    """Return the part of a cache that a trial can read: what the trial itself would leave.

    Caches with the same part are the same cache for that trial.
    """
    return frozenset((name, digest) for name, digest in left.items() if name in needed)


def copy_of(cache_home, folder):
    shutil.copytree(cache_home, folder, dirs_exist_ok=True)
    folder.chmod(0o700)
    return folder


def names_used(texts, attribute):
    """Return the calls of an attribute of this name in some code, and whether it is named."""
    calls = []
    is_named = False
    for text in texts:
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Attribute) and node.attr == attribute:
                is_named = True
            if isinstance(node, ast.Call) and getattr(node.func, "attr", None) == attribute:
                calls.append(node)
    return calls, is_named
