"""Names in backticks of pages, docstrings and comments are of something that exists."""

import ast
import io
import re
import tokenize
from collections import defaultdict

import pytest
from conftest import ROOT
from test_packaging import tracked

QUOTED = re.compile(r"(?<!`)`([A-Za-z_][\w.]*)(?:\(\))?`(?!`)")
IS_NAME = re.compile(r"\w\.\w|\w_\w|[A-Z]\w*[a-z]")
IS_DATA = re.compile(r"\.(csv|html|json)$")
"""Files that users write, as in `games.csv`, are examples."""

PROSE = {".md", ".ipynb", ".j2"}
BINARY = {".gz", ".npz", ".parquet", ".png", ".svg"}

ELSEWHERE = {"CUDA_HOME", "gpu_manufacturer", "rollout.GAME.MODEL", "won_within_W"}
"""Names of other programs, and those with a placeholder."""

REMOVED = {"codemaker.static", "codemaker.wrong_answers"}
"""Keys that a decision says are refused."""


def words_of(text):
    return set(re.findall(r"\w+", text))


class Names:
    """The words of all code and configuration, those in each module and class, and texts.

    `paths` has the files of src, a line each.
    """

    def __init__(self):
        self.known = set()
        self.files = set()
        self.read = set()
        self.inside = defaultdict(set)
        self.texts = {}
        self.paths = "\n".join(f"/{name}" for name in tracked("src"))
        for name in tracked("."):
            path = ROOT / name
            self.known |= words_of(name)
            self.files.add(path.name)
            if path.suffix in BINARY:
                continue
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".py":
                self.add_module(name, path.stem, text)
            elif path.suffix == ".md":
                self.texts[name] = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
            elif path.suffix not in PROSE:
                self.known |= words_of(text)

    def add_module(self, name, stem, text):
        """Add a module's words, those of its classes, and its docstrings and comments."""
        tree = ast.parse(text)
        lines = io.StringIO(text).readline
        tokens = tokenize.generate_tokens(lines)
        prose = [token.string for token in tokens if token.type == tokenize.COMMENT]
        for node in ast.walk(tree):
            match node:
                case ast.Expr(ast.Constant(str(docstring)) as constant):
                    prose.append(docstring)
                    constant.value = 0
        self.texts[name] = "\n".join(prose)
        self.inside[stem] |= words_of(ast.unparse(tree))
        self.known |= self.inside[stem]
        for node in ast.walk(tree):
            match node:
                case ast.ClassDef(owner):
                    self.inside[owner] |= words_of(ast.unparse(node))
                case ast.Assign([ast.Name(owner)], ast.Call(ast.Name("namedtuple"))):
                    self.inside[owner] |= words_of(ast.unparse(node))
                case ast.Attribute(ast.Name(owner), attribute):
                    self.read.add((owner, attribute))

    def has(self, name):
        """Return whether a module or class has the name, or all its words are known elsewhere."""
        # `sets.codes` is sets/codes.py of a package in src.
        if name in self.files or f"/{name.replace('.', '/')}" in self.paths:
            return True
        *above, last = name.split(".")
        if not {*above, last} <= self.known:
            return False
        owner = above[-1] if above else ""
        is_inside = owner not in self.inside or last in self.inside[owner]
        return is_inside or (owner, last) in self.read


@pytest.mark.slow
def test_names_in_backticks_are_of_something_that_exists():
    names = Names()
    unknown = {
        (name, file)
        for file, text in names.texts.items()
        for name in QUOTED.findall(text)
        if IS_NAME.search(name) and not IS_DATA.search(name) and not names.has(name)
    }
    assert {pair for pair in unknown if pair[0] not in ELSEWHERE | REMOVED} == set()
