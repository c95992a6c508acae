"""The report by chapters: what a topic computes from results, its tables and its charts together.

A rule of the workflow that renders tables or charts has a function of its name in a chapter, which
gets the rule's inputs, outputs and parameters, and returns what the job's log says.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

Files = Any
"""Files or parameters of a rule by name, as Snakemake gives them."""

Render = Callable[[Files, Files, Files], str]

CHAPTERS = {
    "cite_best_known": "best_known",
    "compare_families": "weights",
    "compare_gur": "gur",
    "compare_kooi": "kooi_figures",
    "compare_moves": "moves",
    "compare_players": "statements",
    "compute_quantities": "kooi",
    "describe_machine": "effort",
    "draw_figures": "strategies",
    "draw_frontier": "pareto",
    "draw_scaling": "scaling",
    "draw_weights": "weights",
    "mix_strategies": "rounds",
    "plot_terminals": "terminals",
    "rank_deviously": "codemaker",
    "summarise_resources": "effort",
    "tabulate_optima": "rounds",
    "tabulate_rounds": "rounds",
    "tabulate_static_sets": "variants",
    "tabulate_terminals": "terminals",
    "tabulate_values": "codemaker",
    "tabulate_wrong_answers": "variants",
    "transfer_weights": "transfer",
}
"""The chapter that renders for each rule."""


def path_of(rule: str) -> Path:
    """Return the file of the chapter that renders for a rule."""
    return Path(__file__).parent / f"{CHAPTERS[rule]}.py"


def renderer(rule: str) -> Render:
    """Return the function that renders for a rule; only its chapter is imported."""
    render: Render = getattr(import_module(f"{__name__}.{CHAPTERS[rule]}"), rule)
    return render
