"""Chapters of the report: a function per rule, named like it, returns its log message."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

Files = Any
"""Files or parameters of a rule by name."""

Render = Callable[[Files, Files, Files], str]

RULES = {
    "best_known": ("cite_best_known",),
    "codemaker": ("rank_deviously", "tabulate_values"),
    "effort": ("describe_machine", "summarise_resources"),
    "gur": ("compare_gur",),
    "kooi": ("compare_kooi", "compute_quantities"),
    "pareto": ("draw_frontier",),
    "rounds": ("mix_strategies", "tabulate_optima", "tabulate_rounds"),
    "scaling": ("draw_scaling",),
    "statements": ("compare_players",),
    "strategies": ("compare_moves", "draw_figures"),
    "transfer": ("transfer_weights",),
    "variants": ("tabulate_static_sets", "tabulate_terminals", "tabulate_wrong_answers"),
    "weights": ("compare_families", "draw_weights"),
}
CHAPTERS = {rule: chapter for chapter, rules in RULES.items() for rule in rules}


def path_of(rule: str) -> Path:
    """Return a rule's chapter."""
    return Path(__file__).parent / f"{CHAPTERS[rule]}.py"


def renderer(rule: str) -> Render:
    """Return the function that renders for a rule; only its chapter is imported."""
    render: Render = getattr(import_module(f"{__name__}.{CHAPTERS[rule]}"), rule)
    return render
