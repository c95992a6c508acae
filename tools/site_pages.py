"""A hook and an extension of the site: pages outside docs/ keep their places, so links work."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import griffe
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "codebreaker"
HIDDEN = {"arithmetic", "cli", "report", "study"}
"""Packages that no user imports."""

SHARED = ("codebreaker", "codebreaker.errors", "codebreaker.types")
"""Modules outside the packages, shown on the first page."""

ITEM = re.compile(r"[-*] |\d+\. ")
EXAMPLES = re.compile(r"^>>> .*\n(?:.+\n?)*", re.M)
LINK = re.compile(r"\]\(([^)#:\s]+)(#[^)]*)?\)")


def on_config(config: MkDocsConfig) -> None:
    """Replace patterns by matching pages."""
    config.nav = [_expanded(entry) for entry in config.nav or []]


@event_priority(100)  # before the plugin that takes notebooks out of the files
def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Return the theme's files, the pages of the navigation, and all files that they link to."""
    kept = Files([file for file in files if file.src_dir != config.docs_dir])
    for name in _pages(config.nav):
        if name.startswith("api/"):
            kept.append(File.generated(config, name, content=_api_page(Path(name).stem)))
            continue
        for path in (ROOT / name, *_linked(ROOT / name)):
            uri = path.relative_to(ROOT).as_posix()
            if uri not in kept.src_uris:
                kept.append(File(uri, str(ROOT), config.site_dir, config.use_directory_urls))
    return kept


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:  # noqa: ANN401
    """Return a page for the site's Markdown; its links to folders lead to their first pages."""
    folder = (ROOT / page.file.src_uri).parent

    def lead(link: re.Match[str]) -> str:
        pages = sorted((folder / link[1]).glob("*.md")) if link[1].endswith("/") else []
        return f"]({link[1]}{pages[0].name})" if pages else link[0]

    return "\n".join(_with_plain_lists(LINK.sub(lead, markdown).splitlines()))


def _with_plain_lists(lines: list[str]) -> Iterator[str]:
    fenced = listed = parted = False
    last = ""
    for line in lines:
        if ITEM.match(line) and not fenced:
            if last and (parted or not listed):
                yield ""
            listed = True
            parted = False
        elif line and not line.startswith(" ") and not fenced:
            listed = listed and bool(last)
        parted = parted or not line
        if line.lstrip().startswith("```"):
            fenced = not fenced
        yield f"  {line}" if listed and line.startswith("  ") else line
        last = line


def packages() -> list[str]:
    """Return the library's packages, the highest layer first."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = " ".join(settings["tool"]["importlinter"]["contracts"][0]["layers"])
    names = re.findall(r"codebreaker\.(\w+)", layers)
    return [name for name in names if (PACKAGE / name).is_dir() and name not in HIDDEN]


def _api_page(name: str) -> str:
    modules = list(SHARED) if name == "index" else list(modules_of(PACKAGE / name))
    title = "The library" if name == "index" else f"codebreaker.{name}"
    return "\n\n".join((f"# {title}", *(f"::: {module}" for module in modules))) + "\n"


def modules_of(folder: Path) -> Iterator[str]:
    """Yield a package's modules, without the CUDA modules."""
    name = ".".join(folder.relative_to(PACKAGE.parent).parts)
    yield name
    for path in sorted(folder.glob("[a-z]*.py")):
        if not path.stem.endswith("_cuda"):
            yield f"{name}.{path.stem}"


def _expanded(entry: Any) -> Any:  # noqa: ANN401
    if isinstance(entry, dict):
        return {title: _expanded(inner) for title, inner in entry.items()}
    if isinstance(entry, list):
        return [_expanded(inner) for inner in entry]
    if entry == "api/*.md":
        return ["api/index.md", *(f"api/{name}.md" for name in packages())]
    if "*" in entry:
        return [path.relative_to(ROOT).as_posix() for path in sorted(ROOT.glob(entry))]
    return entry


def _pages(entry: Any) -> Iterator[str]:  # noqa: ANN401
    if isinstance(entry, str):
        yield entry
    else:
        for inner in entry.values() if isinstance(entry, dict) else entry:
            yield from _pages(inner)


def _linked(page: Path) -> Iterator[Path]:
    for link in LINK.finditer(page.read_text(encoding="utf-8")):
        target = (page.parent / link[1]).resolve()
        if target.is_file() and target.suffix != ".md":
            yield target


class Examples(griffe.Extension):
    """Puts fences around examples, which Markdown would otherwise show as quotations."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:  # noqa: ANN401
        """Change all docstrings of a package."""
        pending: list[griffe.Object | griffe.Alias] = [pkg]
        while pending:
            item = pending.pop()
            if item.is_alias:
                continue
            if item.docstring:
                text = item.docstring.value + "\n"
                fenced = EXAMPLES.sub(lambda lines: f"```pycon\n{lines[0].rstrip()}\n```\n", text)
                item.docstring.value = fenced.rstrip()
            pending += item.members.values()
