"""A user's program: `make check` checks its types as strictly as mypy and Pyright can.

Each line is what somebody writes in the first hours with the library; none of them is run.
"""

import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

import codebreaker as cb
from codebreaker.games.codes import Mastermind

Floats = NDArray[np.float64]


# Criteria, players and families of one's own.
@cb.criterion
def square_root(count: Floats, total: float) -> Floats:
    return np.sqrt(count)


@cb.criterion("largest", fold="min")
def largest(count: Floats, total: float) -> Floats:
    return -count


def sizes(count: Floats, total: float) -> Floats:
    return -count


citation: str = cb.criterion("other", sizes).citation


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


# Games.
game = cb.game("mm-3-4")
words = cb.Game.from_words(Path("words.txt").read_text(encoding="utf-8").split(), feedback="marks")
answer: str = game.feedback("112", "121")
answers: list[str] = game.feedback("112", ["121", "344"])
parts: dict[str, tuple[str, ...]] = game.partition("112")
largest_part: int = max(map(len, parts.values()))
chance: float = game.weighted({"112": 2, "344": 1}).probabilities["112"]
few: Sequence[str] = game.restricted(["112", "344"]).secrets
shape: tuple[int, ...] = game.table.shape
rebuilt = cb.Game.from_table(
    game.table, game.guesses, game.secrets, game.feedback_labels, game.solved
)

# Positions.
state = cb.State("mm-4-6", ["1123:1,1", ("1415", "2,0"), ("1452", (1, 2))])
state = cb.State(game, {"112": "1,0"})
state.push("121", np.array([1, 1]))
state.push("344", (np.int64(0), np.int64(1)))
state.push("344", 1)
move: tuple[str, str] = state.pop()
left: tuple[str, ...] = state.copy().candidates
expected_size: float = sum(len(part) ** 2 for part in state.partition("112").values()) / len(left)
rows: int = state.sizes().counts.shape[0]
entropy: Floats = -np.log2(np.maximum(state.sizes().counts, 1)).sum(axis=1)
likeliest: str = max(state.probabilities, key=state.probabilities.__getitem__)

# Advice.
suggestion = cb.suggest(state)
told: str = f"{suggestion.guess}: {suggestion.expected:.4f}, at most {suggestion.most:d}"
regret = cb.regret(state, suggestion.guess)
lost: float = regret.mean + suggestion.expected
share: Fraction = regret.mean.exact
line: str = json.dumps({"guess": regret.guess, "expected": regret.expected, "lost": regret.mean})
lines: str = json.dumps([state.to_dict(), suggestion.to_dict(), regret.to_dict()], indent=2)

# Trees.
tree = cb.grow("mm-3-4", "best-known")
mean: float = round(tree.mean, 4)
rounded: str = f"{tree.mean:.4f} {tree.mean.exact.denominator}"
next_guess: str | None = tree.guess_after("1,0", "0,2")
asked: list[tuple[str, str]] = tree.play("344")
deep: pl.DataFrame = tree.to_frame().filter(pl.col("turn") > 2)
solved = cb.solve(game, time_limit_s=5)
gap: int = solved.tree.total - solved.bound
Path("certificate.json").write_text(solved.certificate(), encoding="utf-8")
tree.write(Path("tree.json"))
same: bool = cb.read_tree("tree.json", "mm-3-4") == tree

# Play, compared and judged.
evaluation = cb.evaluate(game, first)
worst: int = evaluation.maximum
guesses: float = float(evaluation.log["guesses"].to_numpy().mean()) - evaluation.mean
comparison = cb.compare("mm-3-4", [cb.grow("mm-3-4", tree), "entropy", first])
best: str = comparison.means.sort("mean_guesses")["player"][0]
named = cb.compare("mm-3-4", {"a": tree, "b": draw})
verdict = cb.score([{"game": "mm-4-6", "moves": [["1122", "1,0"], ["1344", "4,0"]]}])
whole: str = json.dumps(
    {
        "solved": solved.to_dict(),
        "tree": tree.to_dict()["tree"],
        "played": [evaluation.to_dict(), comparison.to_dict(), verdict.to_dict()],
    }
)
judged: pl.DataFrame = verdict.moves.select("guess", "regret", "luck")
scored: cb.Verdict = cb.score([state, state], game)
by_tree = cb.suggest("mm-3-4", tree)
values: Floats = square_root(np.ones(3), 3.0) + largest(np.ones(3), 3.0)
