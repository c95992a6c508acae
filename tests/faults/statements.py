"""What users write with the library. `entries.py` reads this file as text: it isn't imported.

A cell, from a line `# %% NAME` to the next, is a trial of the public name; `quick` after it says
that `make test` tries it. A cell runs by itself, with `cb`, and prints what its expressions return.
"""

import codebreaker as cb

# %% game
cb.game("mm-3-4"), cb.game("mm-5-8"), cb.game("marks-five")

# %% game
cb.game("mm-3-4", secrets=["112", "344"]), cb.game("mm-3-4", table_mib=0).partition("112")

# %% Game
words = cb.Game.from_words(["crane", "slate"], guesses=["adieu"], feedback="marks")
words, cb.Game.from_words(["crane", "slate"], feedback="matches")
cb.Game.from_words(["crane", "slate"], feedback="pegs")
cb.Game.from_words(["crane", "slate"]).with_guesses(["adieu"]).guesses
cb.Game.from_words(["1+2=3", "2+1=3"], alphabet="123+=").feedback("1+2=3", "2+1=3")
labels = ["1", "2", "3"]
above = [[1, 2, 2], [0, 1, 2], [0, 0, 1]]
cb.Game.from_table(above, labels, labels, feedback=[*"<=>"], solved="=", name="above")
game = cb.game("mm-3-4")
likely = game.restricted(["112", "234"]).weighted({"112": 2, "234": 1})
likely.probabilities, likely.has_prior, likely.name, likely.guesses[:3], likely.secrets
game.feedback_labels, game.solved, game.feedback("112", secret="121")
game.partition("112", candidates=["234", "112"]), game._repr_html_(), game.table.shape

# %% list_games quick
cb.list_games()

# %% list_policies quick
cb.list_policies(), cb.list_policies(game="mm-2-2").height

# %% Exact quick
print(f"{cb.Exact(2):.1f}", cb.Exact(2).exact)

# %% State
state = cb.State("mm-4-6", moves=["1122:1,1"])
state.push("1314", feedback="1,0")
state.moves, state.turn, state.candidates, state.probabilities
state.sizes().counts.sum(), state.is_solved, state.pop(), state.copy(), state.is_consistent("1111")
len(state.partition("1234"))
words = cb.Game.from_words(["crane", "crate", "slate"])
cb.State(words, ["crane:gggbg"]).allowed_in_hard_mode
print(state), state._repr_html_(), state.to_dict()

# %% Sizes
sizes: cb.Sizes = cb.State("mm-3-4").sizes()
sizes.counts.max(), sizes.guesses, sizes.feedback, sizes.to_dict()

# %% suggest
cb.suggest("mm-3-4")

# %% suggest
cb.suggest(cb.State("mm-4-6", ["1122:1,1"]))

# %% suggest
cb.suggest(cb.State("mm-4-6", ["1122:1,1"]), exact=True)

# %% suggest
cb.suggest(cb.State("mm-4-6", ["1122:1,1"]), policy="entropy", guess_pool="all")

# %% suggest
cb.suggest(cb.State("mm-4-6", ["1122:1,1"]), policy="entropy", guess_pool="consistent")

# %% suggest
cb.suggest("mm-3-4", policy="entropy", opening="123")

# %% suggest
cb.suggest("mm-4-6", "sampled", samples=64, seed=3)

# %% Suggestion
sampled = cb.suggest(cb.State("mm-8-10", ["11223344:1,2"]), samples=64, seed=2)
sampled.game, sampled.guess, sampled.is_candidate, sampled.policy, sampled.basis
sampled.candidates, sampled.left, sampled.source, sampled.to_dict()

# %% evaluate
cb.evaluate("mm-8-10", "sampled", n_secrets=2, samples=64)

# %% compare
cb.compare("mm-3-5", ["entropy", "sampled"], n_secrets=20, repetitions=1)

# %% suggest
cb.suggest(cb.Game.from_words(["crane", "slate", "trace"]), guess_pool="hard")

# %% suggest
cb.suggest(cb.game("mm-3-4").weighted({"123": 5, "112": 1, "234": 2, "432": 1}), exact=True)

# %% Suggestion
made = cb.suggest("mm-3-5", exact=True)
made.game, made.guess, made.is_candidate, made.policy, made.expected, made.most, made.regret

# %% regret
cb.regret("mm-3-4", guess="111")

# %% regret
cb.regret("mm-4-6", "1122")

# %% regret
words = cb.Game.from_words(["bumpy", "dumpy", "jumpy"])
cb.regret(words, "bumpy", guess_pool="all"), cb.regret(words, "bumpy", guess_pool="hard")
cb.regret(words, "bumpy", guess_pool="consistent")

# %% regret
cb.regret(cb.State("mm-4-6", ["1111:0,0"]), "2345")

# %% Regret
regret = cb.regret(cb.State("mm-4-6", ["1122:1,1"]), "1314")
(
    regret.game,
    regret.guess,
    regret.expected,
    regret.minimum,
    regret.best,
    regret.mean,
    regret.to_dict(),
)

# %% grow
cb.grow("mm-4-6", policy="entropy", opening="1122")

# %% grow
cb.grow("mm-4-6", "entropy", guess_pool="all", tie_break="lexicographic")

# %% grow
cb.grow("mm-4-6", "most-parts", guess_pool="consistent", tie_break="first consistent then last")

# %% grow
cb.grow("mm-3-5", "entropy", tie_break="consistent then reversed lexicographic")

# %% grow
cb.grow("mm-3-5", "worst-case", tie_break="consistent then lexicographic")

# %% grow
cb.grow("mm-3-5", "entropy", endgames=6)

# %% grow
cb.grow("mm-3-5", "entropy", exact_from=2)

# %% grow
cb.grow("mm-5-6", "entropy")

# %% grow
cb.grow("mm-4-6", "most-parts-two-then-one")

# %% grow
cb.grow("mm-4-6", "stage-weighted")

# %% grow
cb.grow(cb.game("mm-3-4", table_mib=0), "entropy")

# %% grow
cb.grow(cb.Game.from_words(["crane", "slate", "trace"], ["adieu"]), "entropy", guess_pool="hard")

# %% grow
cb.grow(cb.game("mm-3-4").weighted({"123": 5, "112": 1, "234": 2, "432": 1}), "entropy")

# %% solve
cb.solve("mm-3-4")

# %% solve
cb.solve("mm-3-4", max_guesses=4, opening="123", time_limit_s=300.0, memory_mib=16.0)

# %% solve
cb.solve("mm-3-4", guess_pool="consistent", checkpoints="kept")

# %% solve
cb.solve("mm-3-4", guess_pool="all").tree.profile

# %% solve quick
cb.solve(cb.Game.from_words(["crane", "slate", "trace"], ["adieu"]), guess_pool="hard")

# %% solve
cb.solve(cb.game("mm-3-4").weighted({"123": 5, "112": 1, "234": 2, "432": 1}))

# %% Tree
tree = cb.grow("mm-3-4", "entropy")
tree.total, tree.mean, tree.maximum, tree.profile, tree.opening, tree.figures, tree.plays_as
(
    len(tree),
    tree.play("234"),
    tree.guess_after("0,1", "1,0"),
    tree.to_frame(),
    print(tree.draw(turns=2)),
    tree.to_dict(),
)
tree.write("tree", form="json"), tree.write("tree.parquet"), [*tree][:3], tree._repr_html_()
words = cb.Game.from_words(["crane", "crate", "slate"])
cb.grow(words, "entropy", guess_pool="hard").obeys_hard_mode
from contextlib import suppress

with suppress(cb.CodebreakerError):  # the extra pandas may be missing
    tree.to_pandas()

# %% Solved
solved = cb.solve("mm-3-3")
solved.tree, solved.bound, solved.is_proven, solved.optimum.solution.proven
solved.has_lowest_maximum, solved.to_dict()
len(solved.certificate())

# %% read_tree
cb.read_tree("tests/samples/mm-3-4.contest", game="mm-3-4", form="contest")

# %% read_tree
cb.read_tree("tests/samples/mm-3-4.parquet")

# %% evaluate
cb.evaluate("mm-3-4", "entropy", opening="123")

# %% evaluate
cb.evaluate("mm-3-4", lambda state: state.candidates[-1], name="last")


# %% evaluate
def draw(state, rng):
    return state.candidates[rng.integers(len(state.candidates))]


cb.evaluate("mm-3-4", draw, repetitions=2, seed=5)

# %% evaluate
cb.evaluate("mm-3-4", "random-consistent", opening="112")

# %% evaluate
from codebreaker.players.registry import PLAYERS

for name in PLAYERS:
    cb.evaluate("mm-2-3", name, opening="12")

# %% Evaluation
result = cb.evaluate("mm-3-4", "worst-case")
result.draws, result.is_exact
result.name, result.game, result.log, result.tree, result.mean, result.error, result.maximum
result.profile, result.to_dict()
from contextlib import suppress

with suppress(cb.CodebreakerError):  # the extra pandas may be missing
    result.to_pandas()

# %% compare
cb.compare("mm-3-4", ["entropy", "random-consistent"], opening="112", repetitions=2, seed=3)

# %% Comparison
comparison = cb.compare("mm-3-4", {"a": "entropy", "b": lambda state: state.candidates[0]})
comparison.means, comparison.pairs, comparison.to_dict()
from contextlib import suppress

with suppress(cb.CodebreakerError):  # the extra pandas may be missing
    comparison.to_pandas()

# %% score
moves = [["1122", "1,0"], ["1344", "3,0"], ["1345", "4,0"]]
cb.score([{"moves": moves}], game="mm-4-6", player="Ann").moves.rows()
cb.score([{"moves": moves}], game="mm-4-6", policy="entropy").moves.rows()

# %% score
moves = [["112", "1,0"], ["133", "3,0"]]
cb.score([{"moves": moves}], game="mm-3-4", guess_pool="all").moves.rows()
cb.score([{"moves": moves}], game="mm-3-4", guess_pool="consistent").moves.rows()
cb.score([{"moves": [["raise", "ggggg"]]}], "marks-five", policy="entropy", guess_pool="hard")

# %% score
cb.score("games.jsonl", exact=True).players.rows()

# %% Verdict
verdict = cb.score("doubtful.jsonl")
verdict.moves.rows(), verdict.games.rows(), verdict.players.rows(), verdict.turns.rows()
verdict.skipped, verdict.remarks, verdict.to_dict(), verdict.write("verdict", title="Games")
from contextlib import suppress

with suppress(cb.CodebreakerError):  # the extra pandas may be missing
    verdict.to_pandas()

# %% criterion
cb.criterion("mine", cell=lambda count, total: -count, fold="min", citation="nobody").name
cb.grow("mm-3-4", "mine"), cb.suggest(cb.State("mm-4-6", ["1122:1,1"]), "mine")


# %% criterion
@cb.criterion("root", fold="sum")
def root(count, total):
    return count**0.5


cb.grow("mm-4-6", "root", endgames=4)


# %% player
@cb.player("careful")
def careful(state):
    return min(state.candidates, key=lambda guess: max(map(len, state.partition(guess).values())))


cb.evaluate("mm-3-4", "careful")

# %% rules
from codebreaker.games.codes import Mastermind


class Own(Mastermind):
    family = "own"


cb.rules(family=Own), cb.grow("own-3-4", "entropy")
cb.solve("own-2-3"), cb.suggest(cb.State("own-4-6", ["1122:1,1"]))

# %% CodebreakerError
try:
    cb.State("mm-3-4", ["112:1,1", "112:0,0"])
except cb.CodebreakerError as error:
    print(error)
