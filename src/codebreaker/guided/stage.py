"""Weights by turn, found turn by turn: choices of least regret first, then what they leave.

A tree's total is the optimum of its opening plus the regrets of all its choices. So the patterns
of choices that one row of weights can make at the first weighted turn are enumerated within a
budget; each leaves sets for the next turn, whose row is sought alike.
"""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.guided.choices import Choice, ChoiceTable
from codebreaker.guided.kernels import stage as descent
from codebreaker.guided.patterns import Effort, FoundPattern, Node, PatternSearch
from codebreaker.guided.programme import Pattern, regret_of, winners
from codebreaker.policies.criteria import TIE_TOLERANCE_BITS
from codebreaker.types import Indices, Scores

log = logging.getLogger("codebreaker")


@dataclass(frozen=True)
class GuidedSettings:
    """How much is tried: `budget` is the most regret of a pattern at the first weighted turn.

    From the best `patterns` on, later rows are sought by `walks` random walks of `steps` steps
    each; linear programmes then go on until all is proven, or `seconds` have passed in all.
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
    """Rows of weights from a turn on, with the regret of the choices that they make."""

    regret: int
    rows: tuple[Scores, ...]


def find_row(choices: Sequence[Choice], settings: GuidedSettings) -> FoundPattern:
    """Return the best row of weights for some choices that random walks find."""
    scores = np.concatenate([choice.scores for choice in choices])
    regrets = np.concatenate([choice.regrets for choice in choices])
    starts = np.cumsum([0, *(len(choice.regrets) for choice in choices)])
    best: tuple[int, Scores] | None = None
    for walk in range(settings.walks):
        rng = np.random.default_rng(walk)
        start = rng.uniform(settings.low, settings.high, scores.shape[1])
        found = descent.descend(
            rng, start, scores, regrets, starts, TIE_TOLERANCE_BITS, settings.steps,
            settings.low, settings.high,
        )  # fmt: skip
        best = found if best is None or found[0] < best[0] else best
        if best[0] == 0:
            break
    assert best is not None, "there is at least one walk"
    pattern = winners(choices, best[1])
    return FoundPattern(regret_of(pattern), pattern, best[1])


def next_sets(choices: ChoiceTable, pattern: Pattern) -> list[Indices]:
    """Return the candidate sets of two or more that a pattern leads to."""
    return [members for choice, option in pattern for _, members in choices.after(choice, option)]


def complete(
    choices: ChoiceTable, pattern: Pattern, turn: int, settings: GuidedSettings
) -> StageRows:
    """Return rows for all turns after a pattern's, from `turn` on, found by random walks."""
    regret, rows = 0, []
    sets = next_sets(choices, pattern)
    while sets:
        found = find_row(choices.of(sets, turn), settings)
        regret, turn = regret + found.regret, turn + 1
        rows.append(found.weights)
        sets = next_sets(choices, found.pattern)
    return StageRows(regret, tuple(rows))


@dataclass(frozen=True)
class StageResult:
    """Rows from the first weighted turn on, their total, and the proven least total.

    The proof is the first turn's choices with their node; a pattern's node has under `next` the
    same for what it leads to.
    """

    total: int
    rows: tuple[Scores, ...]
    bound: int
    effort: Effort
    proof: tuple[list[Choice], Node]


def find_stage_weights(
    choices: ChoiceTable, sets: Sequence[Indices], turn: int, optimum: int, settings: GuidedSettings
) -> StageResult:
    """Return stage weights for the sets that an opening leaves at a turn.

    `optimum` is the least total with this opening. Walks give a first total; then each smaller
    total is asked of all patterns until none is left: what can't be reached is proven.
    """
    end = time.monotonic() + settings.seconds
    effort = Effort()
    first = choices.of(sets, turn)
    search = PatternSearch(first, settings.budget, settings.low, settings.high)
    patterns = search.all()
    _add(effort, search.effort)
    log.info("%d patterns within %d at turn %d", len(patterns), settings.budget, turn)
    best = _walk(choices, patterns, turn, settings)
    log.info("random walks: %d", optimum + best.regret)
    bound = 0
    while bound < best.regret:
        found = _reach(choices, patterns, bound, turn, settings, end, effort)
        if found is not None and found.regret < best.regret:
            best = found
            log.info("programmes: %d", optimum + best.regret)
        if found is not None or not effort.ended or bound > settings.budget:
            break  # patterns of a larger regret, which might leave less, are not known
        bound += 1
        log.info("no weights take fewer than %d guesses", optimum + bound)
    return StageResult(
        optimum + best.regret, best.rows, optimum + bound, effort, (first, search.proof)
    )


def _walk(
    choices: ChoiceTable, patterns: Sequence[FoundPattern], turn: int, settings: GuidedSettings
) -> StageRows:
    """Return the best rows that walks find from the patterns of the least regret."""
    best: StageRows | None = None
    for one in patterns[: settings.patterns]:
        later = complete(choices, one.pattern, turn + 1, settings)
        if best is None or one.regret + later.regret < best.regret:
            best = StageRows(one.regret + later.regret, (one.weights, *later.rows))
    if best is None:
        raise CodebreakerError(
            f"every row of turn {turn} costs more than {settings.budget} guesses: raise budget "
            "under the config key guided.models"
        )
    return best


def _reach(
    choices: ChoiceTable,
    patterns: Sequence[FoundPattern],
    regret: int,
    turn: int,
    settings: GuidedSettings,
    end: float,
    effort: Effort,
) -> StageRows | None:
    """Return rows whose first two turns' regret is at most so much; None where there are none."""
    for one in patterns:
        if one.regret > regret:
            break
        sets = choices.of(next_sets(choices, one.pattern), turn + 1)
        search = PatternSearch(sets, regret - one.regret, settings.low, settings.high, end)
        found = search.any()
        _add(effort, search.effort)
        if not effort.ended:
            return None
        if found is None:
            one.node["next"] = (sets, search.proof)
        else:
            later = complete(choices, found.pattern, turn + 2, settings)
            total = one.regret + found.regret + later.regret
            return StageRows(total, (one.weights, found.weights, *later.rows))
    return None


def _add(effort: Effort, more: Effort) -> None:
    effort.nodes += more.nodes
    effort.programmes += more.programmes
    effort.ended &= more.ended
