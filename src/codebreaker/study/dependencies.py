"""The code of the package that a script uses: a digest of it, so that an edit reruns its rules."""

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = "codebreaker"
ROOT = Path(__file__).parent.parent


def modules_of(script: str | Path) -> list[str]:
    """Return the package's files that a script imports, directly or indirectly, sorted."""
    modules: set[Path] = set()
    pending = [Path(script)]
    while pending:
        for path in _read(pending.pop())[0]:
            if path not in modules:
                modules.add(path)
                pending.append(path)
    return sorted(str(path) for path in modules)


def digest_of(script: str | Path) -> str:
    """Return a digest of the modules that a script imports; texts without effect don't change it.

    These are comments, docstrings and layout.
    """
    digest = hashlib.sha256()
    for module in modules_of(script):
        digest.update(f"{Path(module).relative_to(ROOT)} {_read(Path(module))[1]}".encode())
    return digest.hexdigest()[:16]


@cache
def _read(source: Path) -> tuple[frozenset[Path], str]:
    """Return the package's files that a module imports, and a digest of its code.

    Strings that stand alone, which are docstrings, don't count, nor do imports for type checkers.
    """
    tree = _Run().visit(ast.parse(source.read_text(encoding="utf-8"), filename=str(source)))
    nodes = list(ast.walk(tree))
    imported = frozenset(path for node in nodes for name in _names(node) for path in _files(name))
    for node in nodes:
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [one for one in node.body if not _is_text(one)]
    return imported, hashlib.sha256(ast.dump(tree).encode()).hexdigest()


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


def _files(name: str) -> Iterator[Path]:
    """Yield the files of a dotted name and of its parent packages, if they exist."""
    parts = name.split(".")
    if parts[0] != PACKAGE:
        return
    for length in range(1, len(parts) + 1):
        stem = ROOT.joinpath(*parts[1:length])
        for path in (stem / "__init__.py", stem.with_suffix(".py")):
            if path.is_file():
                yield path
