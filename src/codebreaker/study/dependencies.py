"""The code of the package that a script uses: a digest of it, so that an edit reruns its rules.

What was read of a module is kept in the user's caches, since each run of a workflow reads them all.
"""

import ast
import atexit
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from codebreaker.files import cache_folder, is_own_folder, write_text

PACKAGE = "codebreaker"
ROOT = Path(__file__).parent.parent
CRITERIA, ENTRIES = ROOT / "policies" / "criteria.py", "_REGISTERED"
"""The module that registers criteria, and the tuple of its entries."""

MOST_KEPT = 2000
"""The most texts of modules of which is kept what was read."""


class Source(NamedTuple):
    """What is read of a module: the dotted names that it imports, a digest, and its strings."""

    imported: list[str]
    digest: str
    strings: list[str]


class _Kept:
    """What was read of modules, by a digest of their text, in the user's caches.

    A damaged file counts as none, and a folder that others may write to is left alone.
    """

    def __init__(self) -> None:
        self._path, self._is_new = cache_folder() / "sources.json", False
        self._sources: dict[str, Source] = {}
        self._reader = f"{sys.version}\n{Path(__file__).read_text(encoding='utf-8')}".encode()
        self._is_own = is_own_folder(self._path.parent)
        if not self._is_own:
            return
        with suppress(OSError, ValueError, TypeError, AttributeError):
            kept = json.loads(self._path.read_text(encoding="utf-8"))
            self._sources = {key: Source(*parts) for key, parts in kept.items()}

    def of(self, path: Path) -> Source:
        """Return what is read of a module, which may be known."""
        text = path.read_bytes()
        key = hashlib.sha256(self._reader + text).hexdigest()
        source = self._sources.pop(key, None)
        if source is None:
            source = _read_anew(path, text)
            if self._is_own and not self._is_new:
                atexit.register(self._save)
            self._is_new = True
        self._sources[key] = source
        return source

    def _save(self) -> None:
        latest = list(self._sources.items())[-MOST_KEPT:]
        with suppress(OSError):
            write_text(self._path, json.dumps(dict(latest)))


def modules_of(script: str | Path) -> list[str]:
    """Return the package's files that a script imports, directly or indirectly, sorted."""
    modules: set[Path] = set()
    pending = [Path(script)]
    while pending:
        imported = _read(pending.pop()).imported
        for path in (path for name in imported for path in _files(name)):
            if path not in modules:
                modules.add(path)
                pending.append(path)
    return sorted(str(path) for path in modules)


def digest_of(script: str | Path, criteria: Iterable[str] = ()) -> str:
    """Return a digest of a script and the modules that it imports.

    Texts without effect don't change it: comments, docstrings and layout. Of the registered
    criteria it covers those that are
    given and those whose name is a string in one of the modules: code finds them by name alone.
    """
    code = _read(Path(script))
    digest, named = hashlib.sha256(code.digest.encode()), {*criteria, *code.strings}
    modules = [Path(module) for module in modules_of(script)]
    for module in modules:
        if module != CRITERIA:
            source = _read(module)
            named.update(source.strings)
            digest.update(f"{module.relative_to(ROOT)} {source.digest}".encode())
    if CRITERIA in modules:
        for name, text in _entries().items():
            if name in named:
                digest.update(f"{name} {text}".encode())
    return digest.hexdigest()[:16]


_kept = cache(_Kept)


@cache
def _read(path: Path) -> Source:
    """Read a module; its docstrings don't count, nor do imports for type checkers."""
    return _kept().of(path)


def _read_anew(path: Path, text: bytes) -> Source:
    tree = _parsed(path, text)
    nodes = list(ast.walk(tree))
    imported = {name for node in nodes for name in _names(node)}
    strings = {
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    digest = hashlib.sha256(ast.dump(tree).encode()).hexdigest()
    return Source(sorted(imported), digest, sorted(strings))


def _parsed(path: Path, text: bytes) -> ast.Module:
    """Return what is run of a module, without strings that stand alone, which are docstrings."""
    tree = _Run().visit(ast.parse(text, filename=str(path)))
    assert isinstance(tree, ast.Module)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [one for one in node.body if not _is_text(one)]
    return tree


@cache
def _entries() -> dict[str, str]:
    """Return the code of each registered criterion, and of what it uses of its module, by name."""
    defined: dict[str, ast.stmt] = {}
    for statement in _parsed(CRITERIA, CRITERIA.read_bytes()).body:
        if isinstance(statement, ast.FunctionDef):
            defined[statement.name] = statement
        elif isinstance(statement, ast.Assign):
            defined |= {one.id: statement for one in statement.targets if isinstance(one, ast.Name)}
    registered = defined.pop(ENTRIES)
    assert isinstance(registered, ast.Assign)
    assert isinstance(registered.value, ast.Tuple)
    found = {}
    for entry in registered.value.elts:
        assert isinstance(entry, ast.Call)
        name = ast.literal_eval(entry.args[0])
        found[name] = " ".join(ast.dump(node) for node in _used(entry, defined))
    return found


def _used(entry: ast.AST, defined: dict[str, ast.stmt]) -> list[ast.AST]:
    """Return a node and the definitions that it uses, directly or indirectly."""
    used, pending = list[ast.AST](), [entry]
    while pending:
        node = pending.pop()
        if node not in used:
            used.append(node)
            names = [one.id for one in ast.walk(node) if isinstance(one, ast.Name)]
            pending += [defined[name] for name in names if name in defined]
    return used


class _Run(ast.NodeTransformer):
    """Leaves out what only type checkers read, as they read all that the package offers."""

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        """Return what is run of a condition."""
        self.generic_visit(node)
        only_types = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        return node.orelse if only_types else node


def _is_text(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _names(node: ast.AST) -> Iterator[str]:
    """Yield the dotted names in an import that may be modules of the package."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def _files(name: str) -> list[Path]:
    """Return the files of a dotted name and of its parent packages, if they exist."""
    parts, found = name.split("."), list[Path]()
    if parts[0] != PACKAGE:
        return found
    for length in range(1, len(parts) + 1):
        stem = ROOT.joinpath(*parts[1:length])
        found += [one for one in (stem / "__init__.py", stem.with_suffix(".py")) if one.is_file()]
    return found
