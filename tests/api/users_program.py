"""A user's program: `make check` checks its types as strictly as mypy can."""

import numpy as np
from numpy.typing import NDArray

import codebreaker as cb
from codebreaker.games.codes import Mastermind

Floats = NDArray[np.float64]


@cb.criterion
def square_root(count: Floats, total: float) -> Floats:
    return np.sqrt(count)


@cb.criterion("largest", fold="min")
def largest(count: Floats, total: float) -> Floats:
    return -count


citation: str = cb.criterion("other", lambda count, total: -count).citation


@cb.player
def first(state: cb.State) -> str:
    return state.candidates[0]


@cb.player("draws")
def draw(state: cb.State, rng: np.random.Generator) -> str:
    return state.candidates[int(rng.integers(len(state.candidates)))]


@cb.rules
class Letters(Mastermind):
    """A family of games."""

    family = "letters"


tree = cb.grow("mm-3-4", "best-known")
cb.compare("mm-3-4", [cb.grow("mm-3-4", tree), "entropy", first])
cb.compare("mm-3-4", {"a": tree, "b": draw})
cb.suggest("mm-3-4", tree)
values: Floats = square_root(np.ones(3), 3.0) + largest(np.ones(3), 3.0)
rows: int = cb.State("mm-3-4").sizes().counts.shape[0]
