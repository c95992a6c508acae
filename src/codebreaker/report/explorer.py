"""Data of the page's explorer and assistant: a game's codes, its strategies and their trees."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from codebreaker.advice.cached import RECORDED, best_known_file
from codebreaker.constants import BEST_KNOWN, OPTIMAL
from codebreaker.files import read_toml
from codebreaker.games.model import GameModel
from codebreaker.games.registry import CODES
from codebreaker.policies.families import title_of_member
from codebreaker.policies.strategy import Strategy
from codebreaker.policies.weights import exact_weights
from codebreaker.proven import is_minimum
from codebreaker.report.names import name_of
from codebreaker.report.terms import scales_by_size
from codebreaker.sets.partition import all_secrets
from codebreaker.trees.io import read_tree
from codebreaker.trees.tree import GameTree

WORDS: dict[str, dict[str, str]] = read_toml(Path(__file__).parent / "page" / "names.toml")
NAMES = WORDS["names"]
WEIGHTS = WORDS["weights"]
CLASSIC = WORDS["lines"]
WORD_TITLES = WORDS["titles"]
NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

MOST_COLOURS = 15
MOST_NODES = 8192
"""Limits of the sizes whose best known trees are on the page."""

REGRETS = ("minimum", "best", "regret")


@dataclass(frozen=True)
class Played:
    """A strategy's tree and record, and the regret of its moves if known.

    `grown_by` is the strategy that chose the guesses, with its rule; None if a search chose them.
    """

    tree: GameTree
    strategy: Strategy
    regrets: pl.DataFrame | None = None
    grown_by: Strategy | None = None


def game_data(
    game: GameModel, played_trees: Sequence[Played], openings: pl.DataFrame | None = None
) -> dict[str, Any]:
    """Return a game's data for the page as JSON values, its strategies sorted by total.

    `openings` has the minimum total after each opening of some games (`search.openings`): the page
    compares first guesses by it.

    The best known tree is added if it is better than all of them. `secrets` has the indices of the
    guesses that may be secrets, None if all may. A strategy has its tree's `choices`, the regret of
    its moves if known, and the rule by which the page scores guesses, if it can. A tree's choices
    and regrets are those at nodes with several candidates.
    """
    secrets = game.guesses_of(all_secrets(game))
    compared = list(played_trees)
    if (file := best_known_file(game)) and compared:
        tree, strategy = read_tree(file)
        if tree.total_guesses < min(played.tree.total_guesses for played in compared):
            strategy = replace(strategy, policy=BEST_KNOWN, tree=BEST_KNOWN)
            compared.append(Played(tree, strategy))
    # Of equal trees the optimal one, off whose path the page goes on searching exactly.
    by_total = sorted(
        compared,
        key=lambda played: (
            played.tree.total_guesses,
            played.tree.max_guesses,
            played.strategy.policy != OPTIMAL,
        ),
    )
    first = _featured(by_total)
    return {
        "name": game.name,
        "title": title_of(game.name),
        "family": game.name.split("-")[0],
        "guesses": list(game.guesses),
        "secrets": None if game.facts.guesses_are_secrets else secrets.tolist(),
        "feedback": list(game.feedback_labels),
        "solved": game.solved,
        "openings": None if openings is None else _openings(game, openings),
        "strategies": [_strategy(game, played, first) for played in by_total],
    }


def recorded_trees(without: Collection[str]) -> dict[str, dict[str, Any]]:
    """Return the best known trees of Mastermind that the page can open."""
    trees = {}
    for file in sorted(RECORDED.glob("mm-?-*.parquet")):
        if file.stem not in without and int(file.stem.split("-")[2]) <= MOST_COLOURS:
            tree, strategy = read_tree(file)
            if len(tree.guess) <= MOST_NODES:
                trees[file.stem] = {
                    "name": BEST_KNOWN,
                    "line": f"{_line(tree)}: {_best_line(strategy)}",
                    "total": tree.total_guesses,
                    "choices": _choices(tree),
                }
    return trees


def title_of(name: str) -> str:
    """Return a game's display name, such as `Mastermind, 4 pegs and 6 colours`."""
    family, *rest = name.split("-")
    if family in WORD_TITLES:
        codes = re.fullmatch(r"codes-(\d+)-(\d+)", "-".join(rest))
        if codes and family == "marks":
            return f"Codes of {codes[1]} pegs and {codes[2]} colours, each peg marked"
        if rest == ["example"]:
            return f"{WORD_TITLES[family]}, an example"
        return f"{WORD_TITLES[family]}: the list '{'-'.join(rest)}'"
    things = "symbols" if family == "bc" else "colours"
    title = CODES[family].title.removeprefix("the ")
    repeats = ", none twice in the secret" * (rest[2:] in (["distinct"], ["any", "guess"]))
    return f"{title[0].upper()}{title[1:]}, {rest[0]} pegs and {rest[1]} {things}{repeats}"


def _openings(game: GameModel, openings: pl.DataFrame) -> list[dict[str, int]]:
    """Return the minimum totals after the openings of a game, one of each class."""
    rows = openings.filter(game=game.name).select("opening", "minimum total").iter_rows()
    return [{"guess": game.guesses.index(opening), "total": total} for opening, total in rows]


def _strategy(
    game: GameModel, played: Played, first: Mapping[str, tuple[str, str]]
) -> dict[str, Any]:
    """Return a strategy's data for the page.

    `first` has the label and the line of each strategy that is offered first, by its tree's name.
    """
    tree = played.tree
    strategy = played.strategy
    regrets = played.regrets
    label, line = first.get(strategy.tree, (_label_of(strategy), _line(tree)))
    return {
        "tree": strategy.tree,
        "name": name_of(strategy.row),
        "label": label,
        "line": line,
        "group": group_of(strategy),
        "place": list(first).index(strategy.tree) + 1 if strategy.tree in first else 0,
        "total": tree.total_guesses,
        "choices": _choices(tree),
        "regrets": None if regrets is None else _regrets(tree, regrets),
        "rule": None if played.grown_by is None else _rule(game, played.grown_by),
    }


def _has_choice(tree: GameTree) -> NDArray[np.bool_]:
    """Return which nodes have several candidates; raise ValueError if a single one isn't guessed.

    The page computes all else of a tree from the guesses at these nodes, level by level.
    """
    has_choice = tree.n_candidates > 1
    if not has_choice[tree.parent[1:]].all():
        raise ValueError("a single candidate is not guessed")
    return has_choice


def _choices(tree: GameTree) -> list[int]:
    """Return the guesses at the nodes with several candidates."""
    choices: list[int] = tree.guess[_has_choice(tree)].tolist()
    return choices


def _regrets(tree: GameTree, regrets: pl.DataFrame) -> dict[str, list[int]]:
    """Return the regrets at the nodes with several candidates, by column."""
    return regrets.select(REGRETS).filter(_has_choice(tree)).to_dict(as_series=False)


def _rule(game: GameModel, strategy: Strategy) -> dict[str, Any] | None:
    """Return how a strategy scores guesses; None if the page can't compute it.

    That is the case in hard mode, where a search plays, where two scores or two guesses are
    compared, and if the criterion depends on the turn.
    """
    criterion = strategy.criterion
    weights = strategy.weights
    sizes = (game.n_secrets, game.n_feedback)
    if strategy.guess_pool == "hard" or strategy.plays_exactly or not strategy.is_single_score:
        return None
    if weights is not None and weights.criteria:
        return None
    scales = criterion.scales(*sizes, weights is not None)
    exact = None if weights is None else exact_weights(weights.values, scales.weight)
    return {
        "cell": criterion.name,
        "takesMin": criterion.fold == "min",
        "perLogParts": criterion.per_log_parts,
        "termScales": scales_by_size(criterion, *sizes, scales.weight > 1),
        "weightScale": scales.weight,
        "ties": criterion.ties,
        "weights": None if exact is None else exact.astype(np.int64).tolist(),
        "byContext": weights is not None and weights.by_context,
        "consistentOnly": strategy.guess_pool == "consistent",
        "prefersConsistent": strategy.prefers_consistent,
        "reverses": strategy.reverses,
        "reversesOthers": strategy.reverses_others,
    }


def _label_of(strategy: Strategy) -> str:
    """Return the name of a strategy in the page's list: its policy in words, then its options."""
    options = name_of(strategy.row).removeprefix(strategy.policy)
    options = options.replace("consistent", "candidates")
    options = options.replace("most within", "most secrets within")
    match = re.fullmatch(r"(.+?)(?:-(\d{4,}))?(-found)?", strategy.policy)
    assert match is not None
    stem, guesses, is_found = match.groups()
    if stem in NAMES:
        return NAMES[stem] + options
    if (title := title_of_member(stem)) is not None:
        return title + options
    label = stem.replace("-", " ").capitalize()
    if stem in WEIGHTS:
        label = f"Entropy with {WEIGHTS[stem]}"
    if guesses:
        label += f" ({int(guesses):,} guesses)"
    if is_found and "found" not in label:
        label += ", found in this study"
    return label + options


def group_of(strategy: Strategy) -> str:
    """Return the group under which the page lists a strategy."""
    if strategy.policy == "optimal":
        return "Optimal play"
    if "weighted" in strategy.policy:
        return "Entropy with weights"
    return "One step ahead" if strategy.tree in NAMES else "Variants"


def _featured(by_total: Sequence[Played]) -> dict[str, tuple[str, str]]:
    """Return the strategies that the page offers first, with a label and a line on each.

    They are the best on average, the lowest maximum and the classic ones; `by_total` is sorted.
    """
    if not by_total:
        return {}
    sure = min(by_total, key=lambda played: played.tree.max_guesses)
    most = sure.tree.max_guesses
    most_text = NUMBERS[most] if most < len(NUMBERS) else most
    by_tree = {played.strategy.tree: played for played in by_total}
    offered = [
        (by_total[0], "Best on average", _best_line(by_total[0].strategy)),
        (sure, f"Never more than {most_text}", "the lowest maximum of all here"),
        *((by_tree[tree], NAMES[tree], line) for tree, line in CLASSIC.items() if tree in by_tree),
    ]
    chosen: dict[str, tuple[str, str]] = {}
    for played, label, line in offered:
        chosen.setdefault(played.strategy.tree, (label, f"{_line(played.tree)}: {line}"))
    return chosen


def _best_line(strategy: Strategy) -> str:
    """Return what can be said of the lowest total of a game."""
    proven = is_minimum(strategy.policy, strategy.tree)
    return f"the lowest average {'possible' if proven else 'that we know of'}"


def _line(tree: GameTree) -> str:
    """Return a tree's mean and maximum in words."""
    mean = tree.total_guesses / tree.n_candidates[0]
    return f"{mean:.4f} guesses on average, at most {tree.max_guesses}"
