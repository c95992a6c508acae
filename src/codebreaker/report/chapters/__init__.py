"""Chapters of the report: a function per rule, named like it, returns its log message."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

Files = Any
"""Files or parameters of a rule by name."""

Render = Callable[[Files, Files, Files], str]

CHAPTERS = {
    "cite_best_known": "best_known",
    "rank_deviously": "codemaker",
    "tabulate_values": "codemaker",
    "describe_machine": "effort",
    "summarise_resources": "effort",
    "compare_gur": "gur",
    "compare_kooi": "kooi",
    "compute_quantities": "kooi",
    "draw_frontier": "pareto",
    "compare_players": "players",
    "mix_strategies": "rounds",
    "tabulate_optima": "rounds",
    "tabulate_rounds": "rounds",
    "draw_scaling": "scaling",
    "compare_moves": "strategies",
    "draw_figures": "strategies",
    "tabulate_terminals": "terminals",
    "transfer_weights": "transfer",
    "compare_families": "weights",
    "draw_weights": "weights",
}
"""The chapter of each rule, a module of this folder; none is imported before it is needed."""


def path_of(rule: str) -> Path:
    """Return a rule's chapter."""
    return Path(__file__).parent / f"{CHAPTERS[rule]}.py"


def renderer(rule: str) -> Render:
    """Return the function that renders for a rule; only its chapter is imported."""
    render: Render = getattr(import_module(f"{__name__}.{CHAPTERS[rule]}"), rule)
    return render
