"""Join the ES modules of the page into scripts, as the page is a single file that loads nothing.

All modules share one scope in the page, so imports and exports can go: a module comes after those
that it imports, and no name is declared twice. `page/README.md` draws the modules.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from codebreaker.errors import CodebreakerError

IMPORT = re.compile(r'^import (?:\{(\s*\w+(?:,\s*\w+)*,?\s*)\} from )?"([\w./]+)";\n', re.MULTILINE)
"""An import: the names, if any, and the module. They keep their names: `as` is refused."""

EXPORT = re.compile(r"^export (?=(?:async function|function|class|const|let)\b)", re.MULTILINE)
"""An export, which is before its declaration."""

DECLARED = re.compile(
    r"^(export )?(?:async function|function\*?|class|const|let) (?:(\w+)|[\[{]([^\]}]+)[\]}])",
    re.MULTILINE,
)
"""A declaration at the top level: whether it is exported, and its name or several."""

OTHER = re.compile(r"^(?:import|export)\b.*$|\bimport\(.*$", re.MULTILINE)
"""An import or export that is left over: its form is not known here."""

TYPES = re.compile(r"^ */\*\*(?:(?!\*/).)*\*/\n|/\*\*(?:(?!\*/).)*\*/ ?", re.MULTILINE | re.DOTALL)
"""A comment of types, which only checks read: it fills its lines, or is within one."""


@dataclass(frozen=True)
class Module:
    """A module: its path in the folder, its script without imports and exports, and its names."""

    path: str
    script: str
    declared: tuple[str, ...]
    exported: frozenset[str]
    imports: tuple[tuple[str, tuple[str, ...]], ...]


def read_module(path: str, text: str) -> Module:
    """Return a module by its path and text; raise `CodebreakerError` for an unknown form."""
    code = TYPES.sub("", text)
    imports = []
    for names, target in IMPORT.findall(code):
        parts = (path_from(path, target), tuple(re.findall(r"\w+", names)))
        imports.append(parts)
    declared = []
    exported = set()
    for export, name, names in DECLARED.findall(code):
        found = [name] if name else [part.split("=")[0].strip() for part in names.split(",")]
        declared += found
        if export:
            exported.update(found)
    script = EXPORT.sub("", IMPORT.sub("", code)).strip("\n")
    if left := OTHER.search(script):
        raise CodebreakerError(f"{path}: the page's modules don't have {left[0]!r}")
    return Module(path, script, tuple(declared), frozenset(exported), tuple(imports))


def path_from(path: str, target: str) -> str:
    """Return the path of an imported module, which is given from that of the importing one."""
    parts: list[str] = []
    for part in (PurePosixPath(path).parent / target).parts:
        if part != "..":
            parts.append(part)
        elif parts:
            parts.pop()
    return "/".join(parts)


def modules_of(folder: Path, roots: Iterable[str], given: Mapping[str, str]) -> list[Module]:
    """Return the modules that `roots` need, each after those that it imports.

    `given` are texts of modules that stand in place of files. Raises `CodebreakerError` for a
    circle, an import that no module exports, and a name that two modules declare.
    """
    found: dict[str, Module] = {}
    begun: list[str] = []

    def add(path: str) -> None:
        """Add a module after those that it imports."""
        if path in begun:
            raise CodebreakerError(f"modules in a circle: {' → '.join([*begun, path])}")
        if path in found:
            return
        begun.append(path)
        text = given[path] if path in given else (folder / path).read_text(encoding="utf-8")
        module = read_module(path, text)
        for target, names in module.imports:
            add(target)
            if missing := sorted(set(names) - found[target].exported):
                raise CodebreakerError(f"{path}: {target} exports no {', '.join(missing)}")
        begun.pop()
        found[path] = module

    for root in roots:
        add(root)
    owners: dict[str, str] = {}
    for module in found.values():
        for name in module.declared:
            if name in owners:
                raise CodebreakerError(f"{name} is declared in {owners[name]} and {module.path}")
            owners[name] = module.path
    return list(found.values())


def joined(modules: Iterable[Module]) -> str:
    """Return modules as one script."""
    return "\n\n".join(module.script for module in modules)
