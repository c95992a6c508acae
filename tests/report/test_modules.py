"""The page's modules: their floors and imports, read without what joins them."""

import json
import re
from pathlib import Path

import pytest
from conftest import ROOT

from codebreaker.errors import CodebreakerError
from codebreaker.report.bundle import joined, modules_of

PAGE = ROOT / "src/codebreaker/report/page"
FLOORS = ["engine", "records", "parts", "main.js"]
"""The floors of the page, the lowest first: a module imports from its own floor and those below."""

BROWSER = re.compile(r"\b(?:document|window|localStorage|location|navigator|addEventListener)\b")
"""What only a browser has."""


def lines_of(path):
    """Return the lines of a module that are no comments."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.lstrip().startswith(("//", "*", "/*"))]


def imports():
    """Return the modules that each module imports, from the ends of its import statements."""
    graph = {}
    for path in PAGE.rglob("*.js"):
        ends = [re.search(r'(?:from|^import) "(.+)";$', line) for line in lines_of(path)]
        graph[path] = {(path.parent / end[1]).resolve() for end in ends if end}
    return graph


def floor_of(path):
    return FLOORS.index(path.relative_to(PAGE).parts[0])


def test_a_module_imports_from_its_floor_and_those_below():
    graph = imports()
    del graph[PAGE / "theme.js"]
    upwards = [
        (str(path.relative_to(PAGE)), str(target.relative_to(PAGE)))
        for path, targets in graph.items()
        for target in targets
        if floor_of(target) > floor_of(path)
    ]
    assert upwards == []
    assert len(graph) > 50


def test_no_modules_import_each_other_in_a_circle():
    left = imports()
    while free := [path for path, targets in left.items() if not targets & set(left)]:
        for path in free:
            del left[path]
    assert sorted(left) == []


def test_every_module_is_needed():
    graph = imports()
    needed = set()
    waiting = [PAGE / "main.js", PAGE / "engine/worker.js", PAGE / "theme.js"]
    while waiting:
        path = waiting.pop()
        if path not in needed:
            needed.add(path)
            waiting += graph[path]
    assert needed == set(graph)


def test_the_readme_draws_every_module():
    drawing = (PAGE / "README.md").read_text(encoding="utf-8").split("```")[1]
    drawn = set(re.findall(r"\w+", drawing))
    assert [str(path) for path in imports() if path.stem not in drawn | {"theme"}] == []


OWNERS = {"play": "play.js", "entry": "row.js", "answering": "row.js"}
"""Objects that several modules read, and the module that changes each."""


@pytest.mark.parametrize("name", OWNERS)
def test_state_is_changed_by_its_owner_alone(name):
    changed = re.compile(
        rf"\b{name}(?:\.\w+)+ (?:=|[-+]=|\?\?=) |Object\.assign\({name}\b"
        rf"|\b{name}\.\w+\.(?:push|pop|splice|add|delete|clear|set)\("
    )
    changing = {
        path.name for path in PAGE.rglob("*.js") for line in lines_of(path) if changed.search(line)
    }
    assert changing == {OWNERS[name]}


def test_the_engine_needs_no_browser():
    used = [
        (path.name, line)
        for path in (PAGE / "engine").glob("*.js")
        for line in lines_of(path)
        if BROWSER.search(line) and "typeof document" not in line
    ]
    assert used == []


@pytest.fixture
def folder(tmp_path):
    """Return a function that writes modules, and returns what `main.js` is joined to."""

    def join(given=(), **texts):
        for name, text in texts.items():
            Path(tmp_path / f"{name}.js").write_text(text, encoding="utf-8")
        return joined(modules_of(tmp_path, ["main.js"], dict(given)))

    return join


def test_modules_are_joined_after_those_that_they_import(folder):
    text = folder(
        main='import {\n  one,\n  two,\n} from "./low.js";\n'
        'import "./side.js";\n\nuse(one, two);\n',
        low='import { least } from "./least.js";\n\nexport const one = least;\n'
        "export async function two() {}\n",
        side="start();\n",
        least="/** @type {number} */\nexport const least = 2;\n",
    )
    assert text == (
        "const least = 2;\n\nconst one = least;\nasync function two() {}\n\n"
        "start();\n\nuse(one, two);"
    )


def test_a_module_may_be_given_as_a_text(folder):
    main = 'import { one } from "./low.js";\n\nuse(one);\n'
    text = folder({"low.js": "export const one = 2;\n"}, main=main, low="export const one = 1;\n")
    assert text == "const one = 2;\n\nuse(one);"


@pytest.mark.parametrize(
    ("texts", "error"),
    [
        (
            {"main": 'import "./low.js";\n', "low": 'import { a } from "./main.js";\n'},
            "in a circle: main.js → low.js → main.js",
        ),
        (
            {
                "main": 'import { a, b } from "./low.js";\n',
                "low": "export const a = 1;\nconst b = 2;\n",
            },
            "main.js: low.js exports no b",
        ),
        (
            {"main": 'import "./low.js";\nconst a = 1;\n', "low": "function a() {}\n"},
            "a is declared in low.js and main.js",
        ),
        (
            {"main": 'import { a as b } from "./low.js";\n', "low": "export const a = 1;\n"},
            "don't have 'import { a as b }",
        ),
        ({"main": "export default 1;\n"}, "don't have 'export default 1;'"),
        ({"main": 'const low = await import("./low.js");\n'}, "don't have 'import("),
        ({"main": "const [a, b] = [1, 2];\nlet b = 3;\n"}, "b is declared in main.js and main.js"),
    ],
)
def test_what_one_scope_cannot_have_is_refused(folder, texts, error):
    with pytest.raises(CodebreakerError, match=re.escape(error)):
        folder(**texts)


def test_comments_of_types_are_left_out(folder):
    main = (
        "/** @type {number} */\n"
        "const one = /** @type {any} */ (1);\n"
        "  /** @type {number} */ use(one);\n"
        "/**\n * @param {number} two\n */\n"
        "function more(two) {}\n"
    )
    assert folder(main=main) == ("const one = (1);\n  use(one);\nfunction more(two) {}")


def test_all_types_are_checked():
    options = json.loads((ROOT / "deno.json").read_text(encoding="utf-8"))["compilerOptions"]
    assert options["checkJs"]
    assert options["strict"]
    assert "noImplicitAny" not in options
    unchecked = [
        path.name
        for path in PAGE.rglob("*.js")
        if re.search("@ts-(ignore|nocheck|expect-error)", path.read_text(encoding="utf-8"))
    ]
    assert unchecked == []
