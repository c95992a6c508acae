"""The files of the package that a script uses, as inputs, so that an edit reruns its rules."""

import ast
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
        for path in _imported(pending.pop()):
            if path not in modules:
                modules.add(path)
                pending.append(path)
    return sorted(str(path) for path in modules)


@cache
def _imported(source: Path) -> frozenset[Path]:
    tree = ast.parse(source.read_text(encoding="utf-8"), filename=str(source))
    return frozenset(
        path for node in ast.walk(tree) for name in _names(node) for path in _files(name)
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
