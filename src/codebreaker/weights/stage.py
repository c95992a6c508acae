"""Search for weights by turn, from the first weighted turn on.

A tree's total is the optimum of its opening plus the regrets of all its choices. The patterns of
choices that one row of weights can make at the first weighted turn are enumerated within a budget;
each determines the next turn's sets, whose row is searched for in the same way.
"""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.policies.criterion import TIE_TOLERANCE_BITS
from codebreaker.types import Indices, Scores
from codebreaker.weights.guided_choices import Choice, ChoiceTable
from codebreaker.weights.kernels import stage as kernel
from codebreaker.weights.patterns import Effort, FeasiblePattern, PatternSearch, ProofNode
from codebreaker.weights.programme import Pattern, Winners, regret_of

log = logging.getLogger("codebreaker")


@dataclass(frozen=True)
class GuidedSettings:
    """Bounds on the weights, and limits on the search.

    Patterns of the first weighted turn are enumerated up to a regret of `budget`. From the best
    `patterns` of them, later rows are searched for by `walks` random walks of `steps` steps each.
    Linear programmes then run until the bound is proven, or for at most `seconds`.
    """

    low: float
    high: float
    budget: int
    patterns: int
    walks: int
    steps: int
    seconds: float


@dataclass(frozen=True)
class StageRows:
    """Rows of weights from a turn on, with the total regret of their choices."""

    regret: int
    rows: tuple[Scores, ...]


def find_row(choices: Sequence[Choice], settings: GuidedSettings) -> FeasiblePattern:
    """Return the best pattern that random walks find for choices that share a row."""
    scores = np.concatenate([choice.scores for choice in choices])
    regrets = np.concatenate([choice.regrets for choice in choices])
    starts = np.cumsum([0, *(len(choice.regrets) for choice in choices)])
    best: tuple[int, Scores] | None = None
    for walk in range(settings.walks):
        rng = np.random.default_rng(walk)
        start = rng.uniform(settings.low, settings.high, scores.shape[1])
        result = kernel.walk(
            rng, start, scores, regrets, starts, TIE_TOLERANCE_BITS, settings.steps,
            settings.low, settings.high,
        )  # fmt: skip
        best = result if best is None or result[0] < best[0] else best
        if best[0] == 0:
            break
    assert best is not None, "there is at least one walk"
    pattern = Winners(choices).under(best[1])
    return FeasiblePattern(regret_of(pattern), pattern, best[1])


def next_sets(choices: ChoiceTable, pattern: Pattern) -> list[Indices]:
    """Return the candidate sets of at least two that a pattern leads to."""
    return [members for choice, option in pattern for _, members in choices.after(choice, option)]


def complete(
    choices: ChoiceTable, pattern: Pattern, turn: int, settings: GuidedSettings
) -> StageRows:
    """Return rows for the turns after a pattern's, from `turn` on, by random walks."""
    regret, rows = 0, []
    sets = next_sets(choices, pattern)
    while sets:
        best = find_row(choices.of(sets, turn), settings)
        regret, turn = regret + best.regret, turn + 1
        rows.append(best.weights)
        sets = next_sets(choices, best.pattern)
    return StageRows(regret, tuple(rows))


@dataclass(frozen=True)
class StageResult:
    """Rows from the first weighted turn on, their total, and the proven lower bound.

    The proof is the first turn's choices with their proof node; under `next` a pattern's node has
    the same pair for the sets that it leads to.
    """

    total: int
    rows: tuple[Scores, ...]
    bound: int
    effort: Effort
    proof: tuple[list[Choice], ProofNode]


def find_stage_weights(
    choices: ChoiceTable, sets: Sequence[Indices], turn: int, optimum: int, settings: GuidedSettings
) -> StageResult:
    """Return stage weights for the cells of an opening at the first weighted turn.

    `optimum` is the least total from this opening. Random walks give a first total. Linear
    programmes then test each total from the optimum up, proving those that no pattern reaches.
    """
    deadline = time.monotonic() + settings.seconds
    effort = Effort()
    first = choices.of(sets, turn)
    search = PatternSearch(first, settings.budget, settings.low, settings.high, effort=effort)
    patterns = search.find_all()
    log.info("%d patterns with regret up to %d at turn %d", len(patterns), settings.budget, turn)
    best = _walk(choices, patterns, turn, settings)
    log.info("random walks: %d", optimum + best.regret)
    bound = 0
    while bound < best.regret:
        rows = _reach(choices, patterns, bound, turn, settings, deadline, effort)
        if rows is not None and rows.regret < best.regret:
            best = rows
            log.info("programmes: %d", optimum + best.regret)
        if rows is not None or not effort.complete or bound > settings.budget:
            break  # patterns beyond the budget, which may continue better, are not enumerated
        bound += 1
        log.info("no weights take fewer than %d guesses", optimum + bound)
    return StageResult(
        optimum + best.regret, best.rows, optimum + bound, effort, (first, search.proof)
    )


def _walk(
    choices: ChoiceTable, patterns: Sequence[FeasiblePattern], turn: int, settings: GuidedSettings
) -> StageRows:
    """Return the best rows that random walks find from the patterns of least regret."""
    best: StageRows | None = None
    for one in patterns[: settings.patterns]:
        later = complete(choices, one.pattern, turn + 1, settings)
        if best is None or one.regret + later.regret < best.regret:
            best = StageRows(one.regret + later.regret, (one.weights, *later.rows))
    if best is None:
        raise CodebreakerError(
            f"every row of weights at turn {turn} costs more than {settings.budget} guesses above "
            "the optimum: raise the budget"
        )
    return best


def _reach(
    choices: ChoiceTable,
    patterns: Sequence[FeasiblePattern],
    limit: int,
    turn: int,
    settings: GuidedSettings,
    deadline: float,
    effort: Effort,
) -> StageRows | None:
    """Return rows with a regret up to `limit` in the first two turns, or None without such rows."""
    for one in patterns:
        if one.regret > limit:
            break
        sets = choices.of(next_sets(choices, one.pattern), turn + 1)
        search = PatternSearch(
            sets, limit - one.regret, settings.low, settings.high, deadline, effort
        )
        second = search.find_any()
        if not effort.complete:
            return None
        if second is None:
            one.node["next"] = (sets, search.proof)
        else:
            later = complete(choices, second.pattern, turn + 2, settings)
            total = one.regret + second.regret + later.regret
            return StageRows(total, (one.weights, second.weights, *later.rows))
    return None
