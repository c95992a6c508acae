"""Slow definitions by the papers, without code of the package."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations, product, zip_longest
from math import inf, log, log2
from statistics import NormalDist

import numpy as np

TOLERANCE = 1e-6


def all_codes(pegs, colours):
    return list(product(range(1, colours + 1), repeat=pegs))


@lru_cache(2**18)
def grade(guess, secret):
    """Black and white pegs: Kooi 2005, section 1."""
    black = matches(guess, secret)
    common = sum((Counter(guess) & Counter(secret)).values())
    return black, common - black


def feedback_order(pegs):
    """The papers' order, without the impossible answer."""
    return [
        (black, white)
        for black in range(pegs + 1)
        for white in range(pegs + 1)
        if black + white <= pegs and (black, white) != (pegs - 1, 1)
    ]


def label(answer):
    return f"{answer[0]}B-{answer[1]}C"


def matches(guess, secret):
    """As in the black-peg game, and in "No strategy is best"."""
    return sum(g == s for g, s in zip(guess, secret, strict=True))


@lru_cache(2**18)
def marks(guess, secret):
    """Greens take letters away, then yellows."""
    shown = ["b"] * len(guess)
    left = list(secret)
    for place, letter in enumerate(guess):
        if secret[place] == letter:
            shown[place] = "g"
            left.remove(letter)
    for place, letter in enumerate(guess):
        if shown[place] == "b" and letter in left:
            shown[place] = "y"
            left.remove(letter)
    return "".join(shown)


WORD_GRADES = {
    "matches": lambda guess, secret: str(matches(guess, secret)),
    "marks": marks,
    "pegs": lambda guess, secret: label(grade(guess, secret)),
}


@dataclass(frozen=True)
class Definition:
    """A game; the pool is all, consistent, or hard."""

    guesses: list
    secrets: list
    grade: Callable
    pool: str = "all"

    def allowed(self, candidates, moves=()):
        """Allowed guesses."""
        if self.pool == "hard":
            return allowed_in_hard_mode(self, moves)
        return candidates if self.pool == "consistent" else self.guesses


def words_of(path):
    lines = path.read_text(encoding="utf-8").lower().split("\n")
    return [line for line in lines if line and not line.startswith("#")]


def definition_of(name, lists):
    family, rest = name.split("-", 1)
    if family in WORD_GRADES:
        secrets, others = (sorted(words_of(path)) if path else [] for path in lists[rest])
        return Definition(sorted({*secrets, *others}), secrets, WORD_GRADES[family])
    pegs, colours = map(int, rest.removesuffix("-distinct").split("-"))
    codes = all_codes(pegs, colours)
    if family == "black":
        return Definition(codes, codes, lambda one, other: f"{matches(one, other)}B")
    if family == "bc":
        codes = list(permutations(range(colours), pegs))
    secrets = [code for code in codes if len(set(code)) == pegs or not rest.endswith("-distinct")]
    return Definition(codes, secrets, WORD_GRADES["pegs"])


def partition(guess, candidates, grade=grade):
    cells = {}
    for secret in candidates:
        cells.setdefault(grade(guess, secret), []).append(secret)
    return cells


def sizes(guess, candidates, grade=grade):
    return {answer: len(cell) for answer, cell in partition(guess, candidates, grade).items()}


def unsolved(game, guess, candidates):
    cells = partition(guess, candidates, game.grade)
    cells.pop(game.grade(guess, guess), None)
    return list(cells.values())


def mass(secrets, prior):
    return sum(prior[secret] for secret in secrets) if prior else len(secrets)


def score_expected_size(cells, weights):
    """Minus the sum of p times size: Kooi 2005, section 2.4."""
    total = sum(cells.values())
    return -sum(weights(a) * Fraction(count, total) * count for a, count in cells.items())


def score_single_precision(cells, weights):
    """Σ P·# in single precision, in the order of the answers."""
    total = np.float32(sum(cells.values()))
    expected = np.float32(0)
    for _, count in sorted(cells.items()):
        expected += np.float32(count) / total * np.float32(count)
    return -expected


def score_entropy(cells, weights):
    """The weighted entropy in bits: Gür 2025, equation 1."""
    total = sum(cells.values())
    return -sum(weights(a) * count / total * log2(count / total) for a, count in cells.items())


def score_most_parts(cells, weights):
    """The number of cells: Kooi 2005, section 3."""
    return sum(weights(answer) for answer in cells)


SCORES = {
    "first-consistent": lambda cells, weights: 0,  # Kooi 2005, section 2.1
    "worst-case": lambda cells, weights: -max(weights(a) * n for a, n in cells.items()),  # 2.3
    "expected-size": score_expected_size,
    "entropy": score_entropy,
    "most-parts": score_most_parts,
    # Kooi 2005, section 5: to the base of the number of cells
    "entropy-base-parts": lambda cells, weights: score_entropy(cells, weights) / log2(len(cells)),
}
TIMES_LOG_PARTS = "entropy times the logarithm of the number of cells"
SINGLE_PRECISION = "expected-size in single precision"
TOLERANCES = dict.fromkeys(("entropy", "entropy-base-parts", TIMES_LOG_PARTS), TOLERANCE)


def score_renyi(order):

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
    """For an infinite order, the limit of the order of guesses."""

    def score(cells, weights):
        total = sum(cells.values())
        if order in (1, inf):
            return score_renyi(order)(cells, weights)
        shares = {a: count / total for a, count in cells.items()}
        return sum(weights(a) * (p - p**order) / (order - 1) for a, p in shares.items())

    return score


def score_mixture(first, second, share):
    kinds = {"most-parts": (0, 1), "entropy": (1, log(2)), "expected-size": (2, 1)}
    parts = [(1 - share, *kinds[first]), (share, *kinds[second])]
    return lambda cells, weights: sum(
        part * unit * score_tsallis(order)(cells, weights) for part, order, unit in parts
    )


def score_of(criterion):
    if criterion == SINGLE_PRECISION:
        return score_single_precision
    if criterion == TIMES_LOG_PARTS:
        return lambda cells, weights: score_entropy(cells, weights) * log2(len(cells))
    if criterion in SCORES:
        return SCORES[criterion]
    if mixed := re.fullmatch("mix-(most-parts|entropy|expected-size)-(.*)-(.*)", criterion):
        return score_mixture(mixed[1], mixed[2], float(mixed[3]))
    family, order = criterion.split("-")
    return {"renyi": score_renyi, "tsallis": score_tsallis}[family](float(order))


def tolerance_of(criterion):
    if criterion in (*SCORES, SINGLE_PRECISION):
        return TOLERANCES.get(criterion, 0)
    return TOLERANCE if criterion.endswith("-1") else 1e-11


def score_with_prior(criterion, cells, weights, prior):
    counts = {answer: len(cell) for answer, cell in cells.items()}
    masses = {answer: mass(cell, prior) for answer, cell in cells.items()}
    if criterion in ("first-consistent", "worst-case", "most-parts"):
        return score_of(criterion)(counts, weights)
    if criterion == "expected-size":
        total = sum(masses.values())
        return -sum(weights(a) * Fraction(masses[a], total) * counts[a] for a in cells)
    return score_of(criterion)(masses, weights)


def choose(criterion, game, candidates, *, tie_break, weights=lambda answer: 1, prior=None):
    if len(candidates) == 1:
        return candidates[0]
    guesses = game.allowed(candidates)
    if criterion in JOINED:
        return break_ties(JOINED[criterion](guesses, candidates, game.grade), candidates, tie_break)
    scores = {}
    for guess in guesses:
        cells = partition(guess, candidates, game.grade)
        if len(cells) > 1 and criterion in LOOKING_AHEAD:
            scores[guess] = LOOKING_AHEAD[criterion](parts_after_two(cells, game), len(cells))
        elif len(cells) > 1:
            scores[guess] = score_with_prior(criterion, cells, weights, prior)
    floor = max(scores.values())
    if criterion not in LOOKING_AHEAD:
        floor -= tolerance_of(criterion)
    tied = {guess for guess, score in scores.items() if score >= floor}
    if prior and "consistent" in tie_break and (consistent := tied & {*candidates}):
        most = max(prior[guess] for guess in consistent)
        tied = {guess for guess in consistent if prior[guess] == most}
    return break_ties(tied, candidates, tie_break)


def parts_after_two(cells, game):
    """Kooi 2005, Table 12."""
    most = lambda cell: max(len(sizes(one, cell, game.grade)) for one in game.allowed(cell))  # noqa: E731
    return sum(map(most, cells.values()))


LOOKING_AHEAD = {
    "most-parts-two-steps": lambda two, one: two,
    "most-parts-two-then-one": lambda two, one: (two, one),
}


def break_ties(tied, candidates, tie_break):
    tied = sorted(tied)
    consistent = [guess for guess in tied if guess in candidates]
    if tie_break == "first consistent then last":
        return consistent[0] if consistent else tied[-1]
    if tie_break.startswith("consistent"):
        tied = consistent or tied
    return tied[-1] if "reversed" in tie_break else tied[0]


def play(criterion, game, *, opening=None, weights=lambda turn, answer: 1, **options):
    games = {}
    pending = [(game.secrets, [])]
    while pending:
        candidates, before = pending.pop()
        turn = len(before) + 1
        if turn == 1 and opening is not None:
            guess = opening
        else:
            row = lambda answer, turn=turn: weights(turn, answer)  # noqa: E731
            now = game
            if game.pool == "hard":
                moves = [(earlier, game.grade(earlier, candidates[0])) for earlier in before]
                now = replace(game, guesses=game.allowed(candidates, moves), pool="all")
            guess = choose(criterion, now, candidates, weights=row, **options)
        for answer, cell in partition(guess, candidates, game.grade).items():
            if answer == game.grade(guess, guess):
                games[guess] = [*before, guess]
            else:
                pending.append((cell, [*before, guess]))
    return games


def total_played(criterion, game, candidates, exactly, turn=1, **options):
    if exactly(len(candidates), turn):
        return minimum_of_all_trees(game, candidates, {})
    guess = choose(criterion, game, candidates, **options)
    cells = unsolved(game, guess, candidates)
    below = (total_played(criterion, game, cell, exactly, turn + 1, **options) for cell in cells)
    return len(candidates) + sum(below)


def minimum_of_all_trees(game, candidates, known, prior=None, turns=inf, moves=()):
    """By trying every guess; infinite in too few turns."""
    if turns == 0 or len(candidates) == 1:
        return mass(candidates, prior) if turns else inf
    guesses = game.allowed(candidates, moves)
    key = tuple(candidates), turns, tuple(guesses) if moves else ()
    if key not in known:
        totals = (
            total_after(game, guess, candidates, known, prior, turns, moves)
            for guess in guesses
            if len(partition(guess, candidates, game.grade)) > 1
        )
        known[key] = min(totals, default=inf)
    return known[key]


def total_after(game, guess, candidates, known, prior=None, turns=inf, moves=()):
    total = mass(candidates, prior)
    for answer, cell in partition(guess, candidates, game.grade).items():
        if answer != game.grade(guess, guess):
            after = (*moves, (guess, answer)) if game.pool == "hard" else ()
            total += minimum_of_all_trees(game, cell, known, prior, turns - 1, after)
    return total


def allowed_in_hard_mode(game, moves):
    """Wordle: greens stay in place, and each shown letter is used at least as often."""

    def obeys(guess, earlier, answer):
        shown = Counter(letter for letter, mark in zip(earlier, answer, strict=True) if mark != "b")
        marked = zip(guess, earlier, answer, strict=True)
        return shown <= Counter(guess) and all(x == y for x, y, mark in marked if mark == "g")

    return [guess for guess in game.guesses if all(obeys(guess, *move) for move in moves)]


def most_parts_after(game, secrets, questions):
    """Kooi 2005, section 3."""
    if questions == 0 or len(secrets) == 1:
        return 1
    divided = [partition(guess, secrets, game.grade).values() for guess in game.guesses]
    return max(sum(most_parts_after(game, cell, questions - 1) for cell in one) for one in divided)


def profiles(game, secrets):
    known = {}

    def below(secrets):
        if len(secrets) == 1:
            return {(1,)}
        if secrets in known:
            return known[secrets]
        found = known[secrets] = set()
        for guess in game.allowed(secrets):
            if len(partition(guess, secrets, game.grade)) > 1:
                sums = {(int(guess in secrets),)}
                for cell in unsolved(game, guess, secrets):
                    pairs = product(sums, ((0, *other) for other in below(tuple(cell))))
                    sums = {tuple(map(sum, zip_longest(*pair, fillvalue=0))) for pair in pairs}
                found |= sums
        return found

    return below(tuple(secrets))


def attainable(game, rounds):
    every = profiles(game, game.secrets)
    return {(sum(one[:rounds]), sum(t * n for t, n in enumerate(one, start=1))) for one in every}


def random_consistent(game, candidates):
    profile = [Fraction(0)] * len(candidates)
    for guess in candidates:
        for answer, cell in partition(guess, candidates, game.grade).items():
            if answer == game.grade(guess, guess):
                profile[0] += Fraction(1, len(candidates))
            else:
                for turn, share in enumerate(random_consistent(game, cell), start=1):
                    profile[turn] += share / len(candidates)
    while profile and not profile[-1]:
        profile.pop()
    return profile


def best_by_plus(guesses, candidates, grade=grade):
    """Merelo's Plus: best by both, or else by either."""
    by_entropy, by_parts = _best_by_entropy_and_parts(guesses, candidates, grade)
    return by_entropy & by_parts or by_entropy | by_parts


def best_by_plus2(guesses, candidates, grade=grade):
    by_entropy, _ = _best_by_entropy_and_parts(guesses, candidates, grade)
    parts = {code: len(sizes(code, candidates, grade)) for code in by_entropy}
    return {code for code in by_entropy if parts[code] == max(parts.values())}


def _best_by_entropy_and_parts(guesses, candidates, grade):
    best = []
    for score in (score_entropy, score_most_parts):
        scores = {code: score(sizes(code, candidates, grade), lambda _: 1) for code in guesses}
        floor = max(scores.values()) - TOLERANCE
        best.append({code for code in scores if scores[code] > floor})
    return best


JOINED = {"entropy-with-most-parts": best_by_plus, "entropy-then-most-parts": best_by_plus2}


def integer_partitions(n, most=None):
    if n == 0:
        yield []
    for first in range(min(n, most or n), 0, -1):
        for rest in integer_partitions(n - first, first):
            yield [first, *rest]


def best_by_pairs(terms, n, fold):
    """The best finite score of partitions of n candidates, by pairs left together."""
    best = {}
    for cells in integer_partitions(n):
        pairs = sum(cell * (cell - 1) // 2 for cell in cells)
        score = fold(terms[cell] for cell in cells)
        if score > -inf:
            best[pairs] = max(best.get(pairs, -inf), score)
    return best


def signed_rank(differences):
    """Wilcoxon's p-value, normal, with ties."""
    sizes = [abs(one) for one in differences if one != 0]
    n = len(sizes)
    rank = {one: sum(s < one for s in sizes) + (sizes.count(one) + 1) / 2 for one in sizes}
    positive = sum(rank[one] for one in differences if one > 0)
    ties = sum(times**3 - times for times in Counter(sizes).values())
    variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48
    if n == 0:
        return 1.0
    return 2 * NormalDist().cdf(-abs(positive - n * (n + 1) / 4) / variance**0.5)


def signed_rank_of_clusters(clusters):
    """The p-value, normal, if the signs of each cluster's differences change together."""
    sizes = [abs(one) for cluster in clusters for one in cluster if one != 0]
    rank = {one: sum(s < one for s in sizes) + (sizes.count(one) + 1) / 2 for one in sizes}
    sums = [
        sum(rank[abs(one)] * (1 if one > 0 else -1) for one in cluster if one)
        for cluster in clusters
    ]
    every = [
        sum(sign * one for sign, one in zip(signs, sums, strict=True))
        for signs in product((-1, 1), repeat=len(sums))
    ]
    spread = (sum(one**2 for one in every) / len(every)) ** 0.5
    return 2 * NormalDist().cdf(-abs(sum(sums)) / spread) if sum(sums) else 1.0


def two_stage_error(games, population):
    """The squared standard error of a mean over secrets, of which some were drawn, in fractions.

    Cochran, Sampling techniques (1977), section 10.4, in his notation; `games` has a list per
    secret. None if it is not estimated.
    """
    n = len(games)
    m = len(games[0])
    means = [Fraction(sum(own), m) for own in games]
    mean = sum(means) / n
    f = Fraction(n, population)
    squares = sum((one - mean) ** 2 for one in means)
    first = squares / (n - 1) if n > 1 else Fraction(0)
    if m == 1:
        return first / n or None
    inner = [
        sum((one - own) ** 2 for one in games_of) / (m - 1)
        for own, games_of in zip(means, games, strict=True)
    ]
    second = sum(inner) / n
    if second == 0:
        return first / n or None
    return (1 - f) * first / n + f * second / (m * n)


def played(tree, secret, guess_of, grade):
    moves = []
    while True:
        guess = guess_of[tree["guess"]]
        if guess == secret:
            return moves, True
        moves.append((tree["guess"], grade(guess, secret)))
        if moves[-1][1] not in tree.get("after", {}):
            return moves, False
        tree = tree["after"][moves[-1][1]]


def best_guesses(criterion, game, candidates, width, image):
    """Best first; one of those with equally large parts or equal images."""
    scores = {}
    for guess in game.allowed(candidates):
        counts = sizes(guess, candidates, game.grade)
        if len(counts) > 1:
            scores[guess] = score_of(criterion)(counts, lambda answer: 1)
    most = max(scores.values())
    tied = {guess for guess in scores if scores[guess] >= most - tolerance_of(criterion)}
    order = sorted(
        scores,
        key=lambda guess: (guess not in tied, guess in tied or -round(scores[guess], 9),
                           guess not in candidates, guess),
    )  # fmt: skip
    kept = []
    seen = set()
    for guess in order:
        parts = frozenset(sizes(guess, candidates, game.grade).items())
        if parts not in seen and ("image", image(guess)) not in seen:
            kept.append(guess)
        seen |= {parts, ("image", image(guess))}
    return kept[:width]


def total_rolled_out(criterion, game, opening, compared, widths, exact, image, leader_of):
    """`compared` and `widths`: numbers of guesses tried, by turn."""
    pending = [(game.secrets, (opening,))]
    total = 0
    known = {}

    def ahead(candidates, turn):
        if len(candidates) <= exact:
            return minimum_of_all_trees(game, candidates, known)
        same = lambda guess: image(guess, candidates)  # noqa: E731
        tried = best_guesses(criterion, game, candidates, widths(turn), same)
        return min(after(guess, candidates, turn) for guess in tried)

    def after(guess, candidates, turn):
        cells = unsolved(game, guess, candidates)
        return len(candidates) + sum(ahead(cell, turn + 1) for cell in cells)

    while pending:
        candidates, guesses = pending.pop()
        turn = len(guesses) + 1
        total += len(candidates)
        same = lambda guess, earlier=guesses: leader_of(guess, earlier)  # noqa: E731
        for cell in unsolved(game, guesses[-1], candidates):
            if len(cell) <= exact:
                total += minimum_of_all_trees(game, cell, known)
                continue
            tried = best_guesses(criterion, game, cell, compared(turn), same)
            totals = [after(guess, cell, turn) for guess in tried]
            pending.append((cell, (*guesses, tried[totals.index(min(totals))])))
    return total


def same_by_symmetry(guess, earlier, pegs, colours):
    """The first image of a guess while earlier guesses stay."""
    moved = images([*earlier, guess], pegs, colours)
    return min(last for *others, last in moved if others == list(earlier))


def images(codes, pegs, colours):
    for places in permutations(range(pegs)):
        for names in permutations(range(1, colours + 1)):
            yield [tuple(names[code[place] - 1] for place in places) for code in codes]


def same_by_colours(guess, candidates, colours):
    """The first image of a guess by exchanges of colours that keep a set."""
    members = set(candidates)
    images = {guess}
    pending = [guess]

    def swapped(code, one, other):
        return tuple({one: other, other: one}.get(peg, peg) for peg in code)

    pairs = combinations(range(1, colours + 1), 2)
    swaps = [pair for pair in pairs if {swapped(code, *pair) for code in members} == members]
    while pending:
        code = pending.pop()
        new = {swapped(code, *pair) for pair in swaps} - images
        images |= new
        pending += new
    return min(images)


def slips(game, moves):
    """Moves with other answers that fit the others, and how many secrets do."""
    found = set()
    for number, (guess, answer) in enumerate(moves, start=1):
        others = moves[: number - 1] + moves[number:]
        left = [s for s in game.secrets if all(game.grade(one, s) == told for one, told in others)]
        counts = Counter(game.grade(guess, secret) for secret in left)
        found |= {(number, other, n) for other, n in counts.items() if other != answer}
    return found


def totals_of_trees(game, row_of):
    """Undominated totals of all trees, by row."""
    n_rows = max(row_of.values()) + 1
    known = {}
    pairs = product(game.guesses, game.secrets)
    graded = dict(zip(pairs, game.table.ravel().tolist(), strict=True))

    def trees(candidates):
        if candidates not in known:
            found = set()
            now = [sum(row_of[one] == row for one in candidates) for row in range(n_rows)]
            for guess in game.guesses:
                cells = partition(guess, candidates, lambda *pair: graded[pair])
                if len(cells) > 1 or candidates == (guess,):
                    sums = {tuple(now)}
                    for cell in cells.values():
                        if cell != [guess]:
                            pairs = product(sums, trees(tuple(cell)))
                            sums = undominated(
                                {tuple(map(sum, zip(*pair, strict=True))) for pair in pairs}
                            )
                    found |= sums
            known[candidates] = undominated(found)
        return known[candidates]

    return trees(tuple(game.secrets))


def undominated(rows):
    kept = []
    for row in sorted(rows, key=sum):
        if not any(all(map(int.__le__, one, row)) for one in kept):
            kept.append(row)
    return set(kept)
