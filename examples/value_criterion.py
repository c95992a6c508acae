"""Learn the minimum total of a set of candidates by its size in MM(4,6), and play by it elsewhere.

The script first shows how the guesses of an optimal tree differ from guesses of highest entropy.
Then it fits a formula for the minimum total of a set by its size alone. The value of a guess is the
sum over its parts, without the part that it solves.
"""

import numpy as np

import codebreaker as cb


def cells(game, members, guess):
    """Return the candidates after each feedback, but for the guess itself; all are indices."""
    ids = game.table[guess][members]
    return {
        label: members[ids == kind]
        for kind, label in enumerate(game.feedback_labels)
        if label != game.solved and kind in ids
    }


def sizes_of_cells(game, members):
    """Count the candidates of each feedback, guess by guess."""
    n_guesses = len(game.guesses)
    n_feedback = len(game.feedback_labels)
    ids = game.table[:, members] + np.arange(n_guesses)[:, None] * n_feedback
    return np.bincount(ids.ravel(), minlength=n_guesses * n_feedback).reshape(n_guesses, n_feedback)


def learn(game, opening, each=20):
    """Fit `n (a + b log2 n) + c` to minimum totals of sets of MM(4,6) with three or more codes."""
    rng = np.random.default_rng(1)
    moves_by_size = {}
    everything = np.arange(len(game.secrets))
    for first, left in cells(game, everything, game.guesses.index(opening)).items():
        for number, second in enumerate(game.guesses):
            for answer, cell in cells(game, left, number).items():
                moves = [(opening, first), (second, answer)]
                moves_by_size.setdefault(len(cell), {})[cell.tobytes()] = moves
    n = np.array([size for size in sorted(moves_by_size) if size > 2])
    means = []
    for size in n.tolist():
        several = list(moves_by_size[size].values())
        drawn = rng.permutation(len(several))[:each]
        means.append(np.mean([minimum_total(game, several[number]) for number in drawn]))
    terms = np.stack([n, n * np.log2(n), np.ones(len(n))], axis=1)
    return np.linalg.lstsq(terms / n[:, None], np.array(means) / n, rcond=None)[0]


def minimum_total(game, moves):
    """Return the minimum total guesses for the candidates that moves leave."""
    state = cb.State(game, moves)
    return cb.regret(state, state.candidates[0]).minimum * len(state.candidates)


def total(game, opening, worth):
    """Return the total of the policy that minimises the worth of all cells but the guess's own."""
    solved = game.feedback_labels.index(game.solved)

    def follow(members, guess):
        guesses_needed = len(members)
        for cell in cells(game, members, guess).values():
            if len(cell) > 2:
                counts = sizes_of_cells(game, cell)
                costs = worth[counts].sum(axis=1) - worth[1] * counts[:, solved]
                costs[counts.max(axis=1) == len(cell)] = np.inf
                guesses_needed += follow(cell, int(np.argmin(costs.round(9))))
            else:
                guesses_needed += 2 * len(cell) - 1
        return guesses_needed

    return follow(np.arange(len(game.secrets)), game.guesses.index(opening))


def compare(game, tree, least=20):
    """Compare the guesses of a tree with the candidates-first choice of highest entropy."""
    nodes = tree.to_frame()
    answers = nodes["feedback"].to_list()
    guesses = [game.guesses.index(guess) for guess in nodes["guess"]]
    solved = game.feedback_labels.index(game.solved)
    sets = {0: np.arange(len(game.secrets))}
    rows = []
    for node, parent in enumerate(nodes["parent"]):
        if parent not in sets:
            continue
        ids = game.table[guesses[parent]][sets[parent]]
        members = sets[parent][ids == game.feedback_labels.index(answers[node])]
        if len(members) < least:
            continue
        sets[node] = members
        counts = sizes_of_cells(game, members)
        bits = -(counts * np.log2(np.maximum(counts, 1))).sum(axis=1)
        best = np.flatnonzero(bits > bits.max() - 1e-6)
        best = best[np.argmax(counts[best, solved])]
        played = guesses[node]
        if bits[played] < bits[best] - 1e-6:
            rows.append(
                [
                    (counts[guess, solved], (counts[guess] == 1).sum(), counts[guess].max())
                    for guess in (played, best)
                ]
            )
    return len(sets) - 1, np.array(rows)


large = cb.game("mm-4-7")
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
a, b, c = learn(small, "1123")
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
    print(f"{name:7} {total(game, opening, worth):6} {entropy:8} {known:11}")
