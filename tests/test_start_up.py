"""What is slow to import is imported when it is needed: each case has a process of its own."""

import pytest
from conftest import python

SLOW = ("altair", "highspy", "jinja2", "pydantic", "polars", "rich", "snakemake", "typer")

TREE = """
from codebreaker.games.registry import make_game
from codebreaker.policies.strategy import Strategy
from codebreaker.trees.grow import grow
grow(make_game("mm-3-4"), Strategy("entropy"))
"""
LIBRARY = """
import codebreaker as cb
cb.grow(cb.game("mm-3-4"), "entropy")
"""
SOLVED = """
from codebreaker.search.certificate import find_optimum
from codebreaker.search.settings import Target
from codebreaker.games.registry import make_game
find_optimum(make_game("mm-2-4"), Target(), 16, 60)
"""


@pytest.mark.parametrize(
    ("code", "slow"),
    [
        ("import codebreaker", (*SLOW, "numba", "numpy")),
        ("import codebreaker.advice.assistant", (*SLOW, "numba")),
        (TREE, SLOW),
        (LIBRARY, SLOW),
        (SOLVED, SLOW),
    ],
    ids=["the package", "advice", "a tree", "a tree by the library", "an optimum"],
)
def test_what_is_slow_to_import_is_imported_when_it_is_needed(code, slow):
    shown = f"{code}\nimport sys\nprint([name for name in {slow} if name in sys.modules])"
    assert python("-c", shown, check=True).stdout == "[]\n"
