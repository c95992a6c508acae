"""A base policy in compiled form, whose terms are computed as sets of new sizes are met.

A criterion has a term for each size of a cell in a set of each size. Terms of all sets of up to
10^5 candidates would take 40 GB, but few of the large sizes occur.
"""

from collections.abc import Iterable
from threading import Lock

import numpy as np

from codebreaker.constants import LARGEST_GUESS_LIMIT
from codebreaker.games.model import Game
from codebreaker.policies.criterion import scored_set
from codebreaker.policies.strategy import Strategy
from codebreaker.policies.weights import exact_weights
from codebreaker.search.cost_to_go import size_bounds
from codebreaker.search.kernels.rollout_workspace import Plan
from codebreaker.sets.primitives import ScoringRule
from codebreaker.types import Offsets

ALWAYS = 4096
"""The size up to which terms are there from the start: 64 MiB."""


class Plans:
    """How a base policy is rolled out in a game; several threads may ask at once.

    `widths` (n_turns,) are the numbers of guesses to try by turn, from 1 on, the last of which
    serves all later turns; sets of up to `exact` candidates are valued exactly.
    """

    def __init__(self, game: Game, base: Strategy, widths: Offsets, exact: int) -> None:
        self._criterion, self._n_feedback, self._lock = base.criterion, game.n_feedback, Lock()
        scales = base.criterion.scales(game.n_secrets, game.n_feedback, base.weights is not None)
        self._scale = scales.weight
        log_parts = np.ones(game.n_feedback + 1)
        log_parts[2:] = np.log2(np.arange(2, game.n_feedback + 1))
        values = np.ones((1, 1, game.n_feedback)) if base.weights is None else base.weights.values
        self._plan = Plan(
            rule=ScoringRule(
                terms=np.empty(0),
                terms_at=np.full(game.n_secrets + 1, -1, np.int64),
                tolerances=np.zeros(game.n_secrets + 1),
                tolerance_part=base.criterion.tolerance_part,
                weights=np.ones(game.n_feedback),
                log_parts=log_parts if base.criterion.per_log_parts else np.empty(0),
                takes_min=base.criterion.fold == "min",
                consistent_only=base.guess_pool == "consistent",
                prefers_consistent=base.prefers_consistent,
                reverses=base.reverses,
            ),
            weights=exact_weights(
                np.ascontiguousarray(values.reshape(len(values), -1, game.n_feedback)), self._scale
            ),
            widths=widths,
            bounds=size_bounds(game.n_feedback, game.n_secrets, LARGEST_GUESS_LIMIT)[-1],
            exact=exact,
        )
        self.covering(range(1, min(ALWAYS, game.n_secrets) + 1))

    def covering(self, sizes: Iterable[int] = ()) -> Plan:
        """Return the plan with the terms of all sizes that were asked for up to now."""
        with self._lock:
            rule = self._plan.rule
            new = [size for size in sorted(set(sizes)) if rule.terms_at[size] < 0]
            if new:
                terms, terms_at = [rule.terms], rule.terms_at.copy()
                tolerances, end = rule.tolerances.copy(), len(rule.terms)
                for size in new:
                    one, tolerances[size] = scored_set.__wrapped__(
                        self._criterion, size, self._n_feedback, self._scale
                    )
                    terms_at[size], end = end, end + len(one)
                    terms.append(one)
                rule = rule._replace(
                    terms=np.concatenate(terms), terms_at=terms_at, tolerances=tolerances
                )
                self._plan = self._plan._replace(rule=rule)
            return self._plan
