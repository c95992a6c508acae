"""Digests of modules or scripts and their imports, without comments and docstrings."""

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
CRITERIA = ROOT / "policies" / "criteria.py"
ENTRIES = "_REGISTERED"

NAME = re.compile("[a-z0-9]+(-[a-z0-9]+)*")

MOST_CACHED = 1000


class Source(NamedTuple):
    """A module's imports as dotted names, its digest, and its strings."""

    imported: list[str]
    digest: str
    strings: list[str]


@cache
def digest_of(*files: Path, criteria: frozenset[str] = frozenset()) -> str:
    """Return a digest of files, modules that they import, and given or named criteria."""
    modules = [path for path in modules_of(*files) if path not in files]
    digest = hashlib.sha256()
    named = set(criteria)
    for path in (*files, *modules):
        if path != CRITERIA:
            source = _read(path)
            named.update(source.strings)
            place = path.relative_to(ROOT) if path.is_relative_to(ROOT) else ""
            digest.update(f"{place} {source.digest}".encode())
    if CRITERIA in modules:
        for name, text in _criteria().items():
            if name in named:
                digest.update(f"{name} {text}".encode())
    return digest.hexdigest()[:16]


def modules_of(*files: Path) -> list[Path]:
    """Return the package's modules that files import, directly or indirectly, sorted."""
    modules = set[Path]()
    pending = [*files]
    while pending:
        found = {path for name in _read(pending.pop()).imported for path in _files(name)}
        pending += found - modules
        modules |= found
    return sorted(modules)


@cache
def _read(path: Path) -> Source:
    text = path.read_bytes()
    cached = _cached()
    key = hashlib.sha256(text).hexdigest()
    source = cached.pop(key, None) or _analysed(text)
    cached[key] = source  # as the latest
    return source


@cache
def _cached() -> dict[str, Source]:
    """Return the cached sources, which are written at exit."""
    sources = dict[str, Source]()
    own = sys.version.encode() + Path(__file__).read_bytes()
    folder = Cache(cache_folder() / "sources", 4)
    name = hashlib.sha256(own).hexdigest()[:16]
    with suppress(ValueError, TypeError, AttributeError):
        cached = json.loads(folder.read(name) or b"{}")
        sources = {key: Source(*parts) for key, parts in cached.items()}
    atexit.register(_write, sources, frozenset(sources), folder, name)
    return sources


def _write(sources: dict[str, Source], before: frozenset[str], folder: Cache, name: str) -> None:
    if not before.issuperset(sources):
        with suppress(OSError):
            latest = dict(list(sources.items())[-MOST_CACHED:])
            folder.write(name, json.dumps(latest).encode())


def _analysed(text: bytes) -> Source:
    tree = _parsed(text)
    imported = set[str]()
    strings = set[str]()
    for node in ast.walk(tree):
        imported.update(_imports(node))
        match node:
            case ast.Constant(str(value)) if NAME.fullmatch(value):
                strings.add(value)
    digest = hashlib.sha256(ast.dump(tree).encode()).hexdigest()
    return Source(sorted(imported), digest, sorted(strings))


def _parsed(text: bytes) -> ast.AST:
    """Return code without docstrings and type checkers' imports."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = list(_run(node.body))
    return tree


def _run(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    for one in statements:
        match one:
            case ast.Expr(ast.Constant()):
                pass
            case ast.If(ast.Name("TYPE_CHECKING")):
                yield from one.orelse
            case _:
                yield one


def _imports(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def _files(name: str) -> list[Path]:
    parts = name.split(".")
    found = list[Path]()
    if parts[0] != PACKAGE:
        return found
    for length in range(1, len(parts) + 1):
        stem = ROOT.joinpath(*parts[1:length])
        found += [one for one in (stem / "__init__.py", stem.with_suffix(".py")) if one.is_file()]
    return found


@cache
def _criteria() -> dict[str, str]:
    """Return each registered criterion's code."""
    defined: dict[str, ast.AST] = {}
    for statement in ast.iter_child_nodes(_parsed(CRITERIA.read_bytes())):
        if isinstance(statement, ast.FunctionDef):
            defined[statement.name] = statement
        elif isinstance(statement, ast.Assign):
            defined |= {one.id: statement for one in statement.targets if isinstance(one, ast.Name)}
    registered = defined.pop(ENTRIES)
    found = {}
    assert isinstance(registered, ast.Assign)
    assert isinstance(registered.value, ast.Tuple)
    for entry in registered.value.elts:
        assert isinstance(entry, ast.Call)
        name = ast.literal_eval(entry.args[0])
        found[name] = " ".join(ast.dump(node) for node in _used(entry, defined))
    return found


def _used(entry: ast.AST, defined: dict[str, ast.AST]) -> Iterable[ast.AST]:
    used = list[ast.AST]()
    pending = [entry]
    while pending:
        node = pending.pop()
        if node not in used:
            used.append(node)
            names = [one.id for one in ast.walk(node) if isinstance(one, ast.Name)]
            pending += [defined[name] for name in names if name in defined]
    return used
