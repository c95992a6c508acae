"""Slow modules are imported only where they are needed."""

from conftest import python

SLOW = ("altair", "highspy", "jinja2", "pydantic", "polars", "rich", "snakemake", "typer")

STEPS = {
    "the package": ("import codebreaker as cb", (*SLOW, "numba", "numpy")),
    "advice": ("import codebreaker.advice.assistant", (*SLOW, "numba")),
    "a tree": ('cb.grow(cb.game("mm-3-4"), "entropy")', SLOW),
    "an optimum": ('cb.solve(cb.game("mm-2-4"))', SLOW),
}
"""Each goes on where the one before has ended."""


def test_what_is_slow_to_import_is_imported_when_it_is_needed():
    lines = ["import sys"]
    for name, (code, slow) in STEPS.items():
        lines += [code, f"print({name!r}, *(one for one in {slow} if one in sys.modules))"]
    assert python("-c", "\n".join(lines), check=True).stdout.splitlines() == [*STEPS]
