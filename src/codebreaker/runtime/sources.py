"""Digests of modules or scripts and of all that they import, without comments and docstrings.

A digest says whether a stored result was computed by the code of today. It covers a file, each
module of the package that the file imports, directly or indirectly, and the data files that belong
to these modules: those with a module's name beside it, such as `names.toml` beside `names.py`.
"""

import ast
import atexit
import hashlib
import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from codebreaker.runtime.caches import Cache, cache_folder

ROOT = Path(__file__).parents[1]
"""The folder of the package."""

FOLLOWED = {"codebreaker": ROOT}
"""The packages whose modules count, by name, with their folders."""

MOST_CACHED = 1000
"""Maximum number of sources in the cache's file."""

CACHE_FILES = 4
"""Maximum number of files in the cache's folder: one for each Python and version of this module."""


def follow(folder: Path) -> None:
    """Count the modules of a package that is built on this one, given its folder.

    Its `__init__.py` calls it, so that no module of it is read before.
    """
    FOLLOWED[folder.name] = folder


class Source(NamedTuple):
    """What a digest needs of a file; cached by the file's content."""

    imported: list[str]
    """Dotted names of imports, of any package, sorted."""

    digest: str
    """A digest of the code."""


def digests_of(*files: Path) -> dict[str, str]:
    """Return the digests of files, of modules that they import, and of the data files of both.

    Keys are paths within the package, such as `trees/grow.py`, or the names of other files.
    """
    modules = [path for path in modules_of(*files) if path not in files]
    digests = dict[str, str]()
    for path in (*files, *modules):
        digests |= _digests_of_file(path)
    return digests


@cache
def _digests_of_file(path: Path) -> dict[str, str]:
    """Return the digests of a file and its data files by their names."""
    digests = {_name_of(path): _read(path).digest[:16]}
    for data in _data_of(path):
        digests[_name_of(data)] = hashlib.sha256(data.read_bytes()).hexdigest()[:16]
    return digests


@cache
def digest_of(*files: Path) -> str:
    """Return one digest of all that `digests_of` covers."""
    digests = [f"{name} {digest}" for name, digest in digests_of(*files).items()]
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()[:16]


def modules_of(*files: Path) -> list[Path]:
    """Return the package's modules that files import, directly or indirectly, sorted."""
    modules = set[Path]()
    pending = [*files]
    while pending:
        paths = _imported_by(pending.pop())
        pending += paths - modules
        modules |= paths
    return sorted(modules)


def libraries_of(*files: Path) -> list[str]:
    """Return the packages of others that files and their modules import, without Python's own.

    Names are those of imports, such as `numpy`, sorted; an import of a function's body counts.
    """
    imported = {
        name.partition(".")[0]
        for path in (*files, *modules_of(*files))
        for name in _read(path).imported
    }
    return sorted(imported - sys.stdlib_module_names - FOLLOWED.keys())


@cache
def _imported_by(path: Path) -> frozenset[Path]:
    """Return the package's modules that a file imports directly."""
    return frozenset(module for name in _read(path).imported for module in _files_of_module(name))


@cache
def _name_of(path: Path) -> str:
    """Return a file's path in its package: a module that moves is another one."""
    root = _root_of(path)
    if root is None:
        return path.name
    return path.relative_to(root if root == ROOT else root.parent).as_posix()


def _root_of(path: Path) -> Path | None:
    """Return the folder of the package that a file is in, or None."""
    return next((root for root in FOLLOWED.values() if path.is_relative_to(root)), None)


def _data_of(path: Path) -> list[Path]:
    """Return the data files of a module: those beside it with its name and another suffix."""
    if _root_of(path) is None:
        return []
    return [data for data in sorted(path.parent.glob(f"{path.stem}.*")) if data != path]


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
    imported = {name for node in ast.walk(code) for name in _imports(node)}
    digest = hashlib.sha256(ast.dump(code).encode()).hexdigest()
    return Source(sorted(imported), digest)


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
    package, *modules = name.split(".")
    files = list[Path]()
    if package not in FOLLOWED:
        return files
    for length in range(len(modules) + 1):
        stem = FOLLOWED[package].joinpath(*modules[:length])
        for path in (stem / "__init__.py", stem.with_suffix(".py")):
            if path.is_file():
                files.append(path)
    return files
