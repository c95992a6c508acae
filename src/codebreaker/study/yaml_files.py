"""Checks of configuration files that a reader of YAML leaves out."""

from collections.abc import Iterator
from pathlib import Path

import yaml

from codebreaker.errors import CodebreakerError

LARGEST_MIB = 1
"""The largest configuration file."""

MOST_DEPTH = 50
"""The deepest nesting of a configuration."""


def check_yaml(path: str | Path) -> None:
    """Raise `CodebreakerError` unless a file is YAML of moderate size, without repeated keys."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_MIB * 2**20 + 1)
        if len(content) > LARGEST_MIB * 2**20:
            raise CodebreakerError(f"{path} is larger than {LARGEST_MIB} MiB: not a configuration")
        root = yaml.compose(content.decode("utf-8"), Loader=yaml.SafeLoader)
    except OSError as why:
        raise CodebreakerError(f"{path} can't be read: {why.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as why:
        raise _not_yaml(path, why) from None
    for node, depth in _walk(root, 0):
        line = node.start_mark.line + 1
        if depth > MOST_DEPTH:
            raise CodebreakerError(f"{path}, line {line}: nested too deeply, or within itself")
        if isinstance(node, yaml.MappingNode):
            keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
            for key in keys:
                if keys.count(key) > 1 and key != "<<":
                    raise CodebreakerError(
                        f"{path}, line {line}: the key {key!r} occurs twice: join the two"
                    )
    try:
        yaml.safe_load(content)
    except (yaml.YAMLError, ValueError) as why:  # an unknown tag, or a date such as 2001-13-01
        raise _not_yaml(path, why) from None


def _not_yaml(path: Path, why: Exception) -> CodebreakerError:
    reason = " ".join(str(why).split()) or "too deeply nested"
    return CodebreakerError(f"{path} is not YAML: {reason}")


def _walk(node: yaml.Node | None, depth: int) -> Iterator[tuple[yaml.Node, int]]:
    """Yield a node and all below it, with their depths, no deeper than just below MOST_DEPTH."""
    if node is None:
        return
    yield node, depth
    if depth <= MOST_DEPTH and isinstance(node, yaml.CollectionNode):
        for child in node.value:
            for part in child if isinstance(child, tuple) else (child,):
                yield from _walk(part, depth + 1)
