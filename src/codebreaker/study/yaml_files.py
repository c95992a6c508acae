"""Read YAML that users give: it may be large, repeat keys, or stand for far more than it says."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from codebreaker.errors import CodebreakerError
from codebreaker.files import UNREADABLE, read_given

LARGEST_MIB = 1
"""Maximum size of a file, in MiB."""

MOST_ENTRIES = 50_000
"""Maximum number of keys and values, where each alias counts as all that it stands for."""

MOST_DEPTH = 50
"""Maximum number of lists and mappings within each other."""

OPENINGS = ("opening", "openings")
"""The keys whose values are codes."""

LONGEST_TEXT = 10_000
"""Maximum length of a key or value in characters."""

NOT_YAML: tuple[type[Exception], ...] = (yaml.YAMLError, *UNREADABLE)


def read_given_yaml(path: str | Path) -> Any:  # noqa: ANN401 (anything that YAML holds)
    """Return the content of a YAML file of moderate size, without repeated keys.

    Raises:
        CodebreakerError: The file can't be read, or is not such a file.
    """
    content = read_given(path, LARGEST_MIB)
    try:
        root = yaml.compose(content.decode("utf-8"), Loader=yaml.SafeLoader)
    except NOT_YAML as error:
        raise _not_yaml(path, error) from None
    for count, (node, depth) in enumerate(_walk(root, 0)):
        line = node.start_mark.line + 1
        if count == MOST_ENTRIES:
            raise CodebreakerError(
                f"{path}: there are more than {MOST_ENTRIES:,} entries, with all that its aliases "
                "stand for: use a smaller file, or fewer aliases"
            )
        if depth > MOST_DEPTH:
            raise CodebreakerError(f"{path}, line {line}: nested too deeply, or within itself")
        if isinstance(node, yaml.ScalarNode) and len(node.value) > LONGEST_TEXT:
            raise CodebreakerError(
                f"{path}, line {line}: a text has more than {LONGEST_TEXT:,} characters: shorten it"
            )
        if isinstance(node, yaml.MappingNode):
            _check_keys(node, f"{path}, line {line}")
            _check_openings(path, node)
    try:
        return yaml.safe_load(content)
    except NOT_YAML as error:  # an unknown tag, or a date such as 2001-13-01
        raise _not_yaml(path, error) from None


def _check_keys(mapping: yaml.MappingNode, where: str) -> None:
    seen = set[str]()
    for key, _ in mapping.value:
        if isinstance(key, yaml.ScalarNode) and key.value != "<<":
            if key.value in seen:
                raise CodebreakerError(f"{where}: the key {key.value!r} occurs twice: join the two")
            seen.add(key.value)


def _check_openings(path: str | Path, mapping: yaml.MappingNode) -> None:
    """Raise `CodebreakerError` for a code without quotes that YAML reads as another number."""
    for key, value in mapping.value:
        if key.value not in OPENINGS:
            continue
        for node in value.value if isinstance(value, yaml.SequenceNode) else [value]:
            # The octal number 0123 is 83, and 1.20 is 1.2.
            is_number = node.tag in ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
            is_number &= len(node.value) <= LONGEST_TEXT
            if is_number and str(yaml.safe_load(node.value)) != node.value:
                raise CodebreakerError(
                    f"{path}, line {node.start_mark.line + 1}: YAML reads the {key.value} "
                    f'{node.value} as a number, {yaml.safe_load(node.value)}: write "{node.value}"'
                )


def _not_yaml(path: str | Path, why: Exception) -> CodebreakerError:
    if isinstance(why, RecursionError):
        reason = "it is nested too deeply"
    elif isinstance(why, (yaml.YAMLError, ValueError)):
        reason = " ".join(str(why).split())
    else:
        reason = "a value does not fit its tag"
    return CodebreakerError(f"{path} is not YAML: {reason}")


def _walk(node: yaml.Node | None, depth: int) -> Iterator[tuple[yaml.Node, int]]:
    """Yield a node and those below it with their depths, as often as aliases repeat them."""
    if node is None:
        return
    yield node, depth
    if isinstance(node, yaml.CollectionNode):
        for child in node.value:
            for part in child if isinstance(child, tuple) else (child,):
                yield from _walk(part, depth + 1)
