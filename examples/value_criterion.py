"""Learn the minimum total of a set of candidates by its size in MM(4,6), and play by it elsewhere.

The script first shows how the guesses of an optimal tree differ from guesses of highest entropy.
Then it fits a formula for the minimum total of a set by its size alone. The value of a guess is the
sum over its parts, without the part that it solves.
"""

import numpy as np

import codebreaker as cb


def cells(game, members, guess):
    """Return the candidates after each feedback, but for the guess itself."""
    ids = game.table[guess][members]
    return [members[ids == kind] for kind in np.unique(ids) if kind != game.solved]


def sizes_of_cells(game, members):
    """Count the candidates of each feedback, guess by guess."""
    ids = game.table[:, members] + np.arange(game.n_guesses)[:, None] * game.n_feedback
    counts = np.bincount(ids.ravel(), minlength=game.n_guesses * game.n_feedback)
    return counts.reshape(game.n_guesses, game.n_feedback)


def learn(game, opening, minimum_total, each=20):
    """Fit `n (a + b log2 n) + c` to minimum totals of sets of MM(4,6) with three or more codes."""
    rng = np.random.default_rng(1)
    everything = np.arange(game.n_secrets, dtype=np.int32)
    cells_of_size = {}
    for first in cells(game, everything, opening):
        for second in range(game.n_guesses):
            for cell in cells(game, first, second):
                cells_of_size.setdefault(len(cell), {})[cell.tobytes()] = cell
    n = np.array([size for size in sorted(cells_of_size) if size > 2])
    means = []
    for size in n.tolist():
        several = list(cells_of_size[size].values())
        drawn = rng.permutation(len(several))[:each]
        means.append(np.mean([minimum_total(several[number]) for number in drawn]))
    terms = np.stack([n, n * np.log2(n), np.ones(len(n))], axis=1)
    return np.linalg.lstsq(terms / n[:, None], np.array(means) / n, rcond=None)[0]


def total(game, opening, worth):
    """Return the total of the policy that minimises the worth of all cells but the guess's own."""

    def follow(members, guess):
        guesses_needed = len(members)
        for cell in cells(game, members, guess):
            if len(cell) > 2:
                counts = sizes_of_cells(game, cell)
                costs = worth[counts].sum(axis=1) - worth[1] * counts[:, game.solved]
                costs[counts.max(axis=1) == len(cell)] = np.inf
                guesses_needed += follow(cell, int(np.argmin(costs.round(9))))
            else:
                guesses_needed += 2 * len(cell) - 1
        return guesses_needed

    return follow(np.arange(game.n_secrets, dtype=np.int32), game.guesses.index(opening))


def compare(game, tree, least=20):
    """Compare the guesses of a tree with the candidates-first choice of highest entropy."""
    nodes = tree.to_frame()
    answers = nodes["feedback"].to_list()
    guesses = [game.guesses.index(guess) for guess in nodes["guess"]]
    kinds = [kind.replace("B-", ",").removesuffix("C") for kind in game.feedback_labels]
    sets = {0: np.arange(game.n_secrets, dtype=np.int32)}
    rows = []
    for node, parent in enumerate(nodes["parent"]):
        if parent not in sets:
            continue
        ids = game.table[guesses[parent]][sets[parent]]
        members = sets[parent][ids == kinds.index(answers[node])]
        if len(members) < least:
            continue
        sets[node] = members
        counts = sizes_of_cells(game, members)
        bits = -(counts * np.log2(np.maximum(counts, 1))).sum(axis=1)
        best = np.flatnonzero(bits > bits.max() - 1e-6)
        best = best[np.argmax(counts[best, game.solved])]
        played = guesses[node]
        if bits[played] < bits[best] - 1e-6:
            rows.append(
                [
                    (counts[guess, game.solved], (counts[guess] == 1).sum(), counts[guess].max())
                    for guess in (played, best)
                ]
            )
    return len(sets) - 1, np.array(rows)


large = cb.game("mm-4-7").table
seen, differing = compare(large, cb.grow("mm-4-7", "best-known"))
print(
    f"MM(4,7), {seen} sets of 20 and more: in {len(differing)} the optimal tree has another guess"
)
for name, means in zip(("optimal", "entropy"), differing.mean(axis=0), strict=True):
    candidates, alone, largest = means
    print(
        f"{name}: {candidates:.0%} candidates, {alone:.1f} cells of one, largest cell {largest:.1f}"
    )

small = cb.game("mm-4-6")
a, b, c = learn(small.table, small.guesses.index("1123"), small.values().total)
print(f"a set of n candidates takes about n ({a:.3f} + {b:.3f} log2 n) + {c:.3f} guesses")

n = np.arange(3.0, 3000.0)
worth = np.concatenate([[0, 1, 3], n * (a + b * np.log2(n)) + c])
print(f"{'game':7} {'value':>6} {'entropy':>8} {'best known':>11}")
for name, opening in [
    ("mm-4-5", "1123"),
    ("mm-4-6", "1123"),
    ("mm-4-7", "1123"),
    ("bc-4-7", "0123"),
]:
    game = cb.game(name)
    entropy = cb.grow(game, "entropy", opening=opening).total
    known = cb.grow(game, "best-known").total
    print(f"{name:7} {total(game.table, opening, worth):6} {entropy:8} {known:11}")
