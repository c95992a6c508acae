"""Digests of modules or scripts and their imports, without comments and docstrings.

A digest says whether a stored result was computed by the code of today. It covers a file, and each
module of the package that the file imports, directly or indirectly. The module of criteria is one
exception: every policy imports it, but a new criterion should not make the trees of all others out
of date. Of it, a digest covers the criteria that are used: those given, and those whose name is a
string in a covered file.
"""

import ast
import atexit
import hashlib
import json
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from codebreaker.runtime.caches import Cache, cache_folder

PACKAGE = "codebreaker"
ROOT = Path(__file__).parents[1]
"""The folder of the package."""

CRITERIA = ROOT / "policies" / "criteria.py"
"""The module of criteria, which a digest covers in part."""

ENTRIES = "_REGISTERED"
"""Its variable: a tuple of calls whose first argument is the criterion's name."""

NAME = re.compile("[a-z0-9]+(-[a-z0-9]+)*")
"""What a criterion's name looks like: strings of this form are kept."""

MOST_CACHED = 1000
"""Maximum number of sources in the cache's file."""

CACHE_FILES = 4
"""Maximum number of files in the cache's folder: one for each Python and version of this module."""


class Source(NamedTuple):
    """The parts of a file that a digest needs; cached by the file's content."""

    imported: list[str]
    """Dotted names of imports, of any package, sorted."""

    digest: str
    """A digest of the code."""

    strings: list[str]
    """Strings in the code that may be names of criteria, sorted."""


@cache
def digest_of(*files: Path, criteria: frozenset[str] = frozenset()) -> str:
    """Return a digest of files, modules that they import, and given or named criteria.

    Files of the package count with their path in it: a module that moves changes digests.
    """
    modules = [path for path in modules_of(*files) if path not in files]
    digest = hashlib.sha256()
    used_names = set(criteria)
    for path in (*files, *modules):
        if path != CRITERIA:
            source = _read(path)
            used_names.update(source.strings)
            path_in_package = path.relative_to(ROOT) if path.is_relative_to(ROOT) else ""
            digest.update(f"{path_in_package} {source.digest}".encode())
    if CRITERIA in modules:
        for name, code in _code_of_criteria().items():
            if name in used_names:
                digest.update(f"{name} {code}".encode())
    return digest.hexdigest()[:16]


def modules_of(*files: Path) -> list[Path]:
    """Return the package's modules that files import, directly or indirectly, sorted."""
    modules = set[Path]()
    pending = [*files]
    while pending:
        imported = _read(pending.pop()).imported
        paths = {path for name in imported for path in _files_of_module(name)}
        pending += paths - modules
        modules |= paths
    return sorted(modules)


# Reading sources. Parsing all modules takes a second, so that what is read is cached in a file.


@cache
def _read(path: Path) -> Source:
    """Return a file's source, from the cache if its content is known."""
    text = path.read_bytes()
    cached = _cached_sources()
    key = hashlib.sha256(text).hexdigest()
    source = cached.pop(key, None)
    if source is None:
        source = _parse_source(text)
    cached[key] = source  # last, so that what is longest unused comes first
    return source


@cache
def _cached_sources() -> dict[str, Source]:
    """Return the cached sources by their content's digest; they are written when Python exits.

    The file's name is a digest of Python's version and this module, which determine what is read.
    A damaged file counts as empty.
    """
    version = sys.version.encode() + Path(__file__).read_bytes()
    name = hashlib.sha256(version).hexdigest()[:16]
    folder = Cache(cache_folder() / "sources", CACHE_FILES)
    sources = dict[str, Source]()
    with suppress(ValueError, TypeError, AttributeError):
        cached = json.loads(folder.read(name) or b"{}")
        sources = {key: Source(*parts) for key, parts in cached.items()}
    atexit.register(_write_cache, sources, frozenset(sources), folder, name)
    return sources


def _write_cache(
    sources: dict[str, Source], before: frozenset[str], folder: Cache, name: str
) -> None:
    """Write the latest sources if there are any that were not in the file before."""
    if before.issuperset(sources):
        return
    with suppress(OSError):
        latest = dict(list(sources.items())[-MOST_CACHED:])
        folder.write(name, json.dumps(latest).encode())


def _parse_source(text: bytes) -> Source:
    code = _parse_code(text)
    imported = set[str]()
    strings = set[str]()
    for node in ast.walk(code):
        imported.update(_imports(node))
        match node:
            case ast.Constant(str(text_in_code)) if NAME.fullmatch(text_in_code):
                strings.add(text_in_code)
    digest = hashlib.sha256(ast.dump(code).encode()).hexdigest()
    return Source(sorted(imported), digest, sorted(strings))


def _parse_code(text: bytes) -> ast.AST:
    """Return code without comments, docstrings and type checkers' imports."""
    code = ast.parse(text)
    for node in ast.walk(code):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = list(_run_statements(node.body))
    return code


def _run_statements(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a body that have an effect when they run."""
    for statement in statements:
        match statement:
            case ast.Expr(ast.Constant()):
                pass  # a docstring
            case ast.If(ast.Name("TYPE_CHECKING")):
                yield from statement.orelse
            case _:
                yield statement


# Imports.


def _imports(node: ast.AST) -> Iterator[str]:
    """Yield the dotted names that a statement imports.

    `from a import b` may import the module a.b or a name in a: both are yielded, and
    `_files_of_module` leaves out what isn't there.
    """
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def _files_of_module(name: str) -> list[Path]:
    """Return the files that an import of a module runs: its packages' `__init__.py` and its own.

    Empty for modules of other packages.
    """
    parts = name.split(".")
    files = list[Path]()
    if parts[0] != PACKAGE:
        return files
    for length in range(1, len(parts) + 1):
        stem = ROOT.joinpath(*parts[1:length])
        for path in (stem / "__init__.py", stem.with_suffix(".py")):
            if path.is_file():
                files.append(path)
    return files


# Criteria.


@cache
def _code_of_criteria() -> dict[str, str]:
    """Return each registered criterion's code: its entry, and what the module defines for it."""
    # 1. What the module defines by name: functions and variables.
    defined: dict[str, ast.AST] = {}
    for statement in ast.iter_child_nodes(_parse_code(CRITERIA.read_bytes())):
        if isinstance(statement, ast.FunctionDef):
            defined[statement.name] = statement
        elif isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Name):
                    defined[target.id] = statement
    # 2. The entries, which must not count as what other entries use.
    registered = defined.pop(ENTRIES)
    assert isinstance(registered, ast.Assign)
    assert isinstance(registered.value, ast.Tuple)
    code = {}
    for entry in registered.value.elts:
        assert isinstance(entry, ast.Call)
        name = ast.literal_eval(entry.args[0])
        code[name] = " ".join(ast.dump(node) for node in _used_nodes(entry, defined))
    return code


def _used_nodes(entry: ast.AST, defined: dict[str, ast.AST]) -> Iterable[ast.AST]:
    """Return an entry and the definitions that it uses, directly or indirectly, without repeats."""
    used = list[ast.AST]()
    pending = [entry]
    while pending:
        node = pending.pop()
        if node not in used:
            used.append(node)
            names = [part.id for part in ast.walk(node) if isinstance(part, ast.Name)]
            pending += [defined[name] for name in names if name in defined]
    return used
