"""Literal transcriptions of the papers' definitions: slow, plain, sharing no code with the package.

Codes are tuples of colours; a candidate set is a list of codes in lexicographic order.
"""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import inf, log, log2

Code = tuple[int, ...]
Feedback = tuple[int, int]

TOLERANCE = 1e-6


def all_codes(pegs: int, colours: int) -> list[Code]:
    """Every code, in lexicographic order."""
    return list(product(range(1, colours + 1), repeat=pegs))


def grade(guess: Code, secret: Code) -> Feedback:
    """Black and white pegs: Kooi 2005, section 1."""
    black = sum(g == s for g, s in zip(guess, secret, strict=True))
    common = sum((Counter(guess) & Counter(secret)).values())
    return black, common - black


def feedback_order(pegs: int) -> list[Feedback]:
    """The papers' order of answers, 0B-0C to nB-0C, without the impossible one."""
    return [
        (black, white)
        for black in range(pegs + 1)
        for white in range(pegs + 1)
        if black + white <= pegs and (black, white) != (pegs - 1, 1)
    ]


def partition(guess: Code, candidates: list[Code]) -> dict[Feedback, list[Code]]:
    """The candidates by their feedback to a guess."""
    cells: dict[Feedback, list[Code]] = {}
    for secret in candidates:
        cells.setdefault(grade(guess, secret), []).append(secret)
    return cells


def sizes(guess: Code, candidates: list[Code]) -> dict[Feedback, int]:
    """The sizes of the cells."""
    return {answer: len(cell) for answer, cell in partition(guess, candidates).items()}


def score_first_consistent(cells, weights):
    """Nothing is looked at: Kooi 2005, section 2.1."""
    return 0


def score_worst_case(cells, weights):
    """Minus the largest cell: Kooi 2005, section 2.3."""
    return -max(weights(answer) * count for answer, count in cells.items())


def score_expected_size(cells, weights):
    """Minus the sum of p times size: Kooi 2005, section 2.4."""
    total = sum(cells.values())
    return -sum(weights(a) * Fraction(count, total) * count for a, count in cells.items())


def score_entropy(cells, weights):
    """The weighted entropy in bits: Gür 2025, equation 1."""
    total = sum(cells.values())
    return -sum(weights(a) * count / total * log2(count / total) for a, count in cells.items())


def score_most_parts(cells, weights):
    """The number of cells: Kooi 2005, section 3."""
    return sum(weights(answer) for answer in cells)


def score_entropy_base_parts(cells, weights):
    """The entropy to the base of the number of cells: Kooi 2005, section 5."""
    return score_entropy(cells, weights) / log2(len(cells))


SCORES = {
    "first-consistent": score_first_consistent,
    "worst-case": score_worst_case,
    "expected-size": score_expected_size,
    "entropy": score_entropy,
    "most-parts": score_most_parts,
    "entropy-base-parts": score_entropy_base_parts,
}
TOLERANCES = {"entropy": TOLERANCE, "entropy-base-parts": TOLERANCE}


def score_renyi(order):
    """Rényi's entropy of a finite or infinite order, weights within the sum."""

    def score(cells, weights):
        total = sum(cells.values())
        if order == 1:
            return score_entropy(cells, weights)
        if order == inf:
            return -log2(max(weights(a) * count / total for a, count in cells.items()))
        power = sum(weights(a) * (count / total) ** order for a, count in cells.items())
        return log2(power) / (1 - order)

    return score


def score_tsallis(order):
    """Tsallis' entropy; of an infinite order, what it orders guesses by as the order grows."""

    def score(cells, weights):
        total = sum(cells.values())
        if order in (1, inf):
            return score_renyi(order)(cells, weights)
        shares = {a: count / total for a, count in cells.items()}
        return sum(weights(a) * (p - p**order) / (order - 1) for a, p in shares.items())

    return score


def score_mixture(first, second, share):
    """Two of Tsallis' entropies, added."""
    orders = {"most-parts": 0, "entropy": 1, "expected-size": 2}
    nats = log(2)

    def part(name, cells, weights):
        score = score_tsallis(orders[name])(cells, weights)
        return score * nats if name == "entropy" else score

    return lambda cells, weights: (
        (1 - share) * part(first, cells, weights) + share * part(second, cells, weights)
    )


def score_of(criterion):
    """The score of a criterion, by its name."""
    if criterion in SCORES:
        return SCORES[criterion]
    family, *rest = criterion.split("-")
    if family == "mix":
        middle = "-".join(rest[:-1])
        names = ("most-parts", "entropy", "expected-size")
        first = next(name for name in names if middle.startswith(name))
        return score_mixture(first, middle[len(first) + 1 :], float(rest[-1]))
    return {"renyi": score_renyi, "tsallis": score_tsallis}[family](float(rest[0]))


def tolerance_of(criterion):
    """How far below the best score a guess still ties."""
    if criterion in SCORES:
        return TOLERANCES.get(criterion, 0)
    return TOLERANCE if criterion.endswith("-1") else 1e-11


def choose(criterion, codes, candidates, *, pool="all", tie_break, weights=lambda answer: 1):
    """The guess for a candidate set: highest score, then the tie-break."""
    if len(candidates) == 1:
        return candidates[0]
    scores = {}
    for guess in codes if pool == "all" else candidates:
        cells = sizes(guess, candidates)
        if len(cells) > 1:
            scores[guess] = score_of(criterion)(cells, weights)
    floor = max(scores.values()) - tolerance_of(criterion)
    tied = sorted(guess for guess, score in scores.items() if score >= floor)
    if tie_break.startswith("consistent"):
        tied = [guess for guess in tied if guess in candidates] or tied
    return tied[-1] if "reversed" in tie_break else tied[0]


def play(criterion, codes, *, opening=None, weights=lambda turn, answer: 1, **options):
    """Every secret's list of guesses under a policy, by playing all games side by side."""
    games = {}
    pending = [(codes, [])]
    while pending:
        candidates, before = pending.pop()
        turn = len(before) + 1
        if turn == 1 and opening is not None:
            guess = opening
        else:
            row = lambda answer, turn=turn: weights(turn, answer)  # noqa: E731
            guess = choose(criterion, codes, candidates, weights=row, **options)
        for answer, cell in partition(guess, candidates).items():
            if answer == (len(guess), 0):
                games[guess] = [*before, guess]
            else:
                pending.append((cell, [*before, guess]))
    return games


def least_total(game, secrets, consistent_only, turns):
    """The least total guesses by trying every guess everywhere; None where turns are too few."""
    if turns == 0:
        return None
    if len(secrets) == 1:
        return 1
    totals = []
    own = [int(game.guess_of_secret[secret]) for secret in secrets]
    for guess in own if consistent_only else range(game.n_guesses):
        cells = {}
        for secret in secrets:
            cells.setdefault(int(game.feedback[guess, secret]), []).append(secret)
        if len(cells) == 1:
            continue
        cells.pop(game.solved, None)
        parts = [least_total(game, cell, consistent_only, turns - 1) for cell in cells.values()]
        if None not in parts:
            totals.append(len(secrets) + sum(parts))
    return min(totals, default=None)
