"""Slow definitions by the papers, without code of the package: the oracles of the tests.

Codes are tuples of ints and words are texts; an answer is what a game's `grade(guess, secret)`
returns. A partition is a dict from answers to lists of candidates (`partition`) or to their number
(`sizes`). A criterion is a function of these sizes and of `weights`, a function of the answer; the
guess with the highest score is played.

To add a game, write its `grade` and name it in `definition_of`. To add a criterion, write its
formula with its source, and name it in SCORES (with a tolerance in TOLERANCES if it takes
logarithms), in LOOKING_AHEAD if it looks at two guesses, or in JOINED if it combines criteria; and
in `score_with_prior` if it counts candidates, whatever their weights.
Everything else follows: `choose`, `play` and the totals of trees work for any game and criterion.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import combinations, permutations, product, zip_longest
from math import inf, log, log2
from statistics import NormalDist

import numpy as np

TOLERANCE = 1e-6


def all_codes(pegs, colours):
    """Return all codes in lexicographic order; colours are 1, 2, and so on."""
    return list(product(range(1, colours + 1), repeat=pegs))


@lru_cache(2**18)
def grade(guess, secret):
    """Black and white pegs: Kooi 2005, section 1."""
    black = matches(guess, secret)
    common = sum((Counter(guess) & Counter(secret)).values())
    return black, common - black


def feedback_order(pegs):
    """Return the papers' order of answers: all but the impossible one, p - 1 black and 1 white."""
    return [
        (black, white)
        for black in range(pegs + 1)
        for white in range(pegs + 1)
        if black + white <= pegs and (black, white) != (pegs - 1, 1)
    ]


def label(answer):
    """Return how files write an answer in pegs: C stands for a right colour elsewhere."""
    return f"{answer[0]}B-{answer[1]}C"


def matches(guess, secret):
    """Count the symbols at their positions: the black-peg game, and "No strategy is best"."""
    return sum(g == s for g, s in zip(guess, secret, strict=True))


@lru_cache(2**18)
def marks(guess, secret):
    """Return Wordle's marks: greens take letters of the secret away, then yellows from the left."""
    shown = ["b"] * len(guess)
    left = list(secret)
    for position, letter in enumerate(guess):
        if secret[position] == letter:
            shown[position] = "g"
            left.remove(letter)
    for position, letter in enumerate(guess):
        if shown[position] == "b" and letter in left:
            shown[position] = "y"
            left.remove(letter)
    return "".join(shown)


WORD_GRADES = {
    "matches": lambda guess, secret: str(matches(guess, secret)),
    "marks": marks,
    "pegs": lambda guess, secret: label(grade(guess, secret)),
}


@dataclass(frozen=True)
class Definition:
    """A game: guesses and secrets in their order, the answer to a guess, and the guess pool.

    The pool is all, consistent, or hard (Wordle's hard mode).
    """

    guesses: list
    secrets: list
    grade: Callable
    pool: str = "all"

    def allowed(self, candidates, moves=()):
        """Return the guesses that the pool allows at a set of candidates after moves."""
        if self.pool == "hard":
            return allowed_in_hard_mode(self, moves)
        return candidates if self.pool == "consistent" else self.guesses


def words_of(path):
    """Return the words of a list: one a line, # before remarks."""
    lines = path.read_text(encoding="utf-8").lower().split("\n")
    return [line for line in lines if line and not line.startswith("#")]


def definition_of(name, lists):
    """Return a game by its name; `lists` has the paths of secrets and other guesses by list."""
    family, rest = name.split("-", 1)
    if family in WORD_GRADES:
        secrets, others = (sorted(words_of(path)) if path else [] for path in lists[rest])
        return Definition(sorted({*secrets, *others}), secrets, WORD_GRADES[family])
    pegs, colours = map(int, rest.removesuffix("-distinct").split("-"))
    codes = all_codes(pegs, colours)
    if family == "black":
        return Definition(codes, codes, lambda guess, secret: f"{matches(guess, secret)}B")
    if family == "bc":
        codes = list(permutations(range(colours), pegs))
    secrets = [code for code in codes if len(set(code)) == pegs or not rest.endswith("-distinct")]
    return Definition(codes, secrets, WORD_GRADES["pegs"])


def partition(guess, candidates, grade=grade):
    """Return the candidates by the answer that they give to a guess."""
    cells = {}
    for secret in candidates:
        cells.setdefault(grade(guess, secret), []).append(secret)
    return cells


def sizes(guess, candidates, grade=grade):
    """Return the number of candidates by the answer that they give to a guess."""
    return {answer: len(cell) for answer, cell in partition(guess, candidates, grade).items()}


def unsolved(game, guess, candidates):
    """Return the parts of a partition without that of the winning answer."""
    cells = partition(guess, candidates, game.grade)
    cells.pop(game.grade(guess, guess), None)
    return list(cells.values())


def mass(secrets, prior):
    """Return the sum of the secrets' weights, or their number without a prior."""
    return sum(prior[secret] for secret in secrets) if prior else len(secrets)


def score_expected_size(cells, weights):
    """Minus the sum of p times size: Kooi 2005, section 2.4."""
    total = sum(cells.values())
    return -sum(weights(a) * Fraction(count, total) * count for a, count in cells.items())


def score_single_precision(cells, weights):
    """Minus Σ P·# in single precision, summed in the order of the answers."""
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
    """Return the criterion: Rényi's entropy in bits, of an order from 0 to infinity."""

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
    """Return Tsallis's entropy; for an infinite order, a criterion with the same ranking."""

    def score(cells, weights):
        total = sum(cells.values())
        if order in (1, inf):
            return score_renyi(order)(cells, weights)
        shares = {a: count / total for a, count in cells.items()}
        return sum(weights(a) * (p - p**order) / (order - 1) for a, p in shares.items())

    return score


def score_mixture(first, second, share):
    """Return the criterion that adds two; `share` is the second's.

    The three that can be mixed are Tsallis entropies of orders 0, 1 and 2, the second in bits.
    """
    kinds = {"most-parts": (0, 1), "entropy": (1, log(2)), "expected-size": (2, 1)}
    parts = [(1 - share, *kinds[first]), (share, *kinds[second])]
    return lambda cells, weights: sum(
        part * unit * score_tsallis(order)(cells, weights) for part, order, unit in parts
    )


def score_of(criterion):
    """Return the function of sizes and weights that a criterion maximises."""
    if criterion == SINGLE_PRECISION:
        return score_single_precision
    if criterion == TIMES_LOG_PARTS:
        return lambda cells, weights: score_entropy(cells, weights) * log2(len(cells))
    if criterion in SCORES:
        return SCORES[criterion]
    mixed = re.fullmatch("mix-(most-parts|entropy|expected-size)-(.*)-(.*)", criterion)
    if mixed:
        return score_mixture(mixed[1], mixed[2], float(mixed[3]))
    family, order = criterion.split("-")
    assert family in ("renyi", "tsallis"), f"{criterion} has no formula in SCORES"
    return {"renyi": score_renyi, "tsallis": score_tsallis}[family](float(order))


def tolerance_of(criterion):
    """Return how far below the highest score a guess still ties."""
    if criterion in (*SCORES, SINGLE_PRECISION):
        return TOLERANCES.get(criterion, 0)
    return TOLERANCE if criterion in ("renyi-1", "tsallis-1") else 1e-11


def score_with_prior(criterion, cells, weights, prior):
    """Return the score of a partition where secrets have weights.

    Probabilities come from the weights; numbers of candidates stay numbers.
    """
    counts = {answer: len(cell) for answer, cell in cells.items()}
    masses = {answer: mass(cell, prior) for answer, cell in cells.items()}
    if criterion in ("first-consistent", "worst-case", "most-parts"):
        return score_of(criterion)(counts, weights)
    if criterion == "expected-size":
        total = sum(masses.values())
        return -sum(weights(a) * Fraction(masses[a], total) * counts[a] for a in cells)
    return score_of(criterion)(masses, weights)


def choose(criterion, game, candidates, *, tie_break, weights=lambda answer: 1, prior=None):
    """Return the guess of a criterion at a set of candidates.

    A single candidate is guessed, and no guess is played that splits nothing. With a prior, the
    likeliest of tied candidates comes first, unless ties are purely lexicographic.
    """
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
    consistent = tied & {*candidates}
    if prior and "consistent" in tie_break and consistent:
        highest = max(prior[guess] for guess in consistent)
        tied = {guess for guess in consistent if prior[guess] == highest}
    return break_ties(tied, candidates, tie_break)


def parts_after_two(cells, game):
    """Return the most parts after two guesses, each part with its best second: Kooi, Table 12."""
    n_parts = 0
    for cell in cells.values():
        n_parts += max(len(sizes(guess, cell, game.grade)) for guess in game.allowed(cell))
    return n_parts


LOOKING_AHEAD = {
    "most-parts-two-steps": lambda after_two, after_one: after_two,
    "most-parts-two-then-one": lambda after_two, after_one: (after_two, after_one),
}
"""Criteria by the parts after two guesses and after one."""


def break_ties(tied, candidates, tie_break):
    """Return the guess that a rule takes among tied ones."""
    tied = sorted(tied)
    consistent = [guess for guess in tied if guess in candidates]
    if tie_break == "first consistent then last":
        return consistent[0] if consistent else tied[-1]
    if tie_break.startswith("consistent"):
        tied = consistent or tied
    return tied[-1] if "reversed" in tie_break else tied[0]


def play(criterion, game, *, opening=None, weights=lambda turn, answer: 1, **options):
    """Return every secret's guesses if a criterion is played; `options` go to `choose`."""
    games = {}
    pending = [(game.secrets, [])]
    while pending:
        candidates, before = pending.pop()
        turn = len(before) + 1
        if turn == 1 and opening is not None:
            guess = opening
        else:
            rules = game
            if game.pool == "hard":
                moves = [(earlier, game.grade(earlier, candidates[0])) for earlier in before]
                rules = replace(game, guesses=game.allowed(candidates, moves), pool="all")
            weights_now = partial(weights, turn)
            guess = choose(criterion, rules, candidates, weights=weights_now, **options)
        for answer, cell in partition(guess, candidates, game.grade).items():
            if answer == game.grade(guess, guess):
                games[guess] = [*before, guess]
            else:
                pending.append((cell, [*before, guess]))
    return games


def total_played(criterion, game, candidates, exactly, turn=1, **options):
    """Return the total of a criterion, with optimal play where `exactly(size, turn)` holds."""
    if exactly(len(candidates), turn):
        return minimum_of_all_trees(game, candidates, {})
    guess = choose(criterion, game, candidates, **options)
    cells = unsolved(game, guess, candidates)
    below = (total_played(criterion, game, cell, exactly, turn + 1, **options) for cell in cells)
    return len(candidates) + sum(below)


def minimum_of_all_trees(game, candidates, known, prior=None, turns=inf, moves=()):
    """Return the minimum total of a set by trying every guess; infinite in too few turns.

    `known` keeps the totals of sets from call to call; `moves` matter in hard mode alone.
    """
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
    """Return the minimum total of the trees of a set that begin with a guess."""
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
    """Return the most parts that some questions can lead to: Kooi 2005, section 3."""
    if questions == 0 or len(secrets) == 1:
        return 1
    partitions = [partition(guess, secrets, game.grade).values() for guess in game.guesses]
    return max(
        sum(most_parts_after(game, cell, questions - 1) for cell in cells) for cells in partitions
    )


def profiles(game, secrets):
    """Return the profiles of all trees of a set: secrets solved at guess 1, at guess 2, and so on.

    Trees have only guesses that split a set.
    """
    known = {}

    def below(secrets):
        if len(secrets) == 1:
            return {(1,)}
        if secrets in known:
            return known[secrets]
        attained = set()
        for guess in game.allowed(secrets):
            if len(partition(guess, secrets, game.grade)) > 1:
                sums = {(int(guess in secrets),)}
                for cell in unsolved(game, guess, secrets):
                    pairs = product(sums, ((0, *other) for other in below(tuple(cell))))
                    sums = {tuple(map(sum, zip_longest(*pair, fillvalue=0))) for pair in pairs}
                attained |= sums
        known[secrets] = attained
        return attained

    return below(tuple(secrets))


def attainable(game, rounds):
    """Return the pairs that trees attain: secrets solved within some guesses, and the total."""
    return {
        (sum(profile[:rounds]), sum(turn * n for turn, n in enumerate(profile, start=1)))
        for profile in profiles(game, game.secrets)
    }


def random_consistent(game, candidates):
    """Return the expected profile of a player who guesses any candidate with equal probability."""
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
    """Return the best guesses by entropy and by most parts, or else by either: Merelo's Plus."""
    by_entropy, by_parts = _best_by_entropy_and_parts(guesses, candidates, grade)
    return by_entropy & by_parts or by_entropy | by_parts


def best_by_plus2(guesses, candidates, grade=grade):
    """Return the guesses with most parts among those of the highest entropy: Merelo's Plus2."""
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


def evolved(history, pegs, colours, random, settings):
    """Return the feasible codes that a turn of eGA discovers, and its evaluations, as published.

    Cotta et al. 2010, sections 3 and 4, with a random initial population and the elite replacing
    the last child. `history` has guesses with answers; `random` is a generator of the standard
    library; `settings` has tiers, competing, population, evaluations, stops_by_tier, cuts_at_ends.
    """

    def distance(code):
        answers = [(grade(guess, code), answer) for guess, answer in history]
        return sum(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in answers)

    def feasible(tier):
        return {code for code in tier if distance(code) == 0}

    def fitness(code, tier, number):
        if distance(code) > 0:
            return 0, -distance(code)
        other = feasible(population[(number + 1) % len(population)])
        entropy = score_entropy(sizes(code, other - {code}), lambda _: 1)
        return 1, -entropy if settings["competing"] and number == 1 else entropy

    def offspring(tier, number):
        ranks = [fitness(code, tier, number) for code in tier]
        children = []
        while len(children) < len(tier):
            pairs = [random.choices(range(len(tier)), k=2) for _ in range(2)]
            mother, father = (tier[max(pair, key=lambda i: ranks[i])] for pair in pairs)
            cut = pegs
            if random.random() < 0.9:
                ends = (0, pegs) if settings["cuts_at_ends"] else (1, pegs - 1)
                cut = random.randint(*ends)
            for head, tail in ((mother, father), (father, mother)):
                child = head[:cut] + tail[cut:]
                redrawn = [
                    random.randint(1, colours) if random.random() < 1 / pegs else peg
                    for peg in child
                ]
                children.append(tuple(redrawn))
        elite = tier[max(range(len(tier)), key=lambda i: ranks[i])]
        return [*children[: len(tier) - 1], elite]

    codes = all_codes(pegs, colours)
    size = settings["population"] // settings["tiers"]
    population = [random.choices(codes, k=size) for _ in range(settings["tiers"])]
    evaluations = settings["population"]
    discovered = set().union(*map(feasible, population))
    while True:
        going_on = [*range(settings["tiers"])]
        if evaluations >= settings["evaluations"]:
            without = [number for number in going_on if not feasible(population[number])]
            if not without:
                return discovered, evaluations
            if settings["stops_by_tier"]:
                going_on = without
        children = {number: offspring(population[number], number) for number in going_on}
        for number, tier in children.items():
            population[number] = tier
            discovered |= feasible(tier)
            evaluations += len(tier)


def integer_partitions(n, most=None):
    """Return the ways to write n as a sum of integers, in decreasing order, up to `most`."""
    if n == 0:
        yield []
    for first in range(min(n, most or n), 0, -1):
        for rest in integer_partitions(n - first, first):
            yield [first, *rest]


def best_by_pairs(terms, n, fold):
    """Return the best finite score of partitions of n candidates, by pairs left together.

    `terms` has a part's term by its size; `fold` is sum or min.
    """
    best = {}
    for cells in integer_partitions(n):
        pairs = sum(cell * (cell - 1) // 2 for cell in cells)
        score = fold(terms[cell] for cell in cells)
        if score > -inf:
            best[pairs] = max(best.get(pairs, -inf), score)
    return best


def signed_rank(differences):
    """Return the p-value of Wilcoxon's signed-rank test by the normal approximation with ties."""
    sizes = [abs(difference) for difference in differences if difference != 0]
    n = len(sizes)
    if n == 0:
        return 1.0
    rank = rank_of_sizes(sizes)
    positive = sum(rank[difference] for difference in differences if difference > 0)
    ties = sum(times**3 - times for times in Counter(sizes).values())
    variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48
    return 2 * NormalDist().cdf(-abs(positive - n * (n + 1) / 4) / variance**0.5)


def rank_of_sizes(sizes):
    """Return the rank of each size, from 1; equal sizes share the mean of their ranks."""
    return {
        size: sum(other < size for other in sizes) + (sizes.count(size) + 1) / 2 for size in sizes
    }


def signed_rank_of_clusters(clusters):
    """Return the p-value of the signed ranks of clusters, by the normal approximation.

    Under the null hypothesis the signs of each cluster's differences change together: the
    standard deviation is that over all ways to choose the clusters' signs.
    """
    sizes = [abs(difference) for cluster in clusters for difference in cluster if difference != 0]
    rank = rank_of_sizes(sizes)
    sums = [
        sum(rank[abs(d)] * (1 if d > 0 else -1) for d in cluster if d != 0) for cluster in clusters
    ]
    statistics = [
        sum(sign * cluster_sum for sign, cluster_sum in zip(signs, sums, strict=True))
        for signs in product((-1, 1), repeat=len(sums))
    ]
    spread = (sum(statistic**2 for statistic in statistics) / len(statistics)) ** 0.5
    return 2 * NormalDist().cdf(-abs(sum(sums)) / spread) if sum(sums) else 1.0


def two_stage_error(games, population):
    """The squared standard error of a mean over secrets, of which some were drawn, in fractions.

    Cochran, Sampling techniques (1977), section 10.4, in his notation; `games` has a list per
    secret. None if it is not estimated.
    """
    n = len(games)
    m = len(games[0])
    means = [Fraction(sum(guesses), m) for guesses in games]
    mean = sum(means) / n
    f = Fraction(n, population)
    squares = sum((mean_of_secret - mean) ** 2 for mean_of_secret in means)
    first = squares / (n - 1) if n > 1 else Fraction(0)
    if m == 1:
        return first / n or None
    inner = [
        sum((n_guesses - mean_of_secret) ** 2 for n_guesses in guesses) / (m - 1)
        for mean_of_secret, guesses in zip(means, games, strict=True)
    ]
    second = sum(inner) / n
    if second == 0:
        return first / n or None
    return (1 - f) * first / n + f * second / (m * n)


def played(tree, secret, guess_of, grade):
    """Return the moves of a nested tree against a secret, and whether it finds the secret.

    `guess_of` has codes by the labels of the tree; the winning move is not among the moves.
    """
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
    """Return the best guesses of a criterion, `width` at most, best first.

    Of guesses with the same sizes of parts, or with the same `image`, only the first counts.
    """
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
    """Return the total of the tree that rollout plays: at each set the guess with the lowest total.

    `compared(turn)` guesses of a set are compared; the total of each is that of the best trees
    which take one of `widths(turn)` guesses at each set below. Sets of at most `exact` candidates
    are played optimally. Only the first counts of guesses that are equal under the symmetries that
    earlier guesses leave (`leader_of`) or, below, under exchanges that keep the set (`image`).
    """
    pending = [(game.secrets, (opening,))]
    total = 0
    known = {}

    def ahead(candidates, turn):
        if len(candidates) <= exact:
            return minimum_of_all_trees(game, candidates, known)

        def image_in_set(guess):
            return image(guess, candidates)

        tried = best_guesses(criterion, game, candidates, widths(turn), image_in_set)
        return min(after(guess, candidates, turn) for guess in tried)

    def after(guess, candidates, turn):
        cells = unsolved(game, guess, candidates)
        return len(candidates) + sum(ahead(cell, turn + 1) for cell in cells)

    while pending:
        candidates, guesses = pending.pop()
        turn = len(guesses) + 1
        total += len(candidates)

        def image_after_guesses(guess, earlier=guesses):
            return leader_of(guess, earlier)

        for cell in unsolved(game, guesses[-1], candidates):
            if len(cell) <= exact:
                total += minimum_of_all_trees(game, cell, known)
                continue
            tried = best_guesses(criterion, game, cell, compared(turn), image_after_guesses)
            totals = [after(guess, cell, turn) for guess in tried]
            pending.append((cell, (*guesses, tried[totals.index(min(totals))])))
    return total


def same_by_symmetry(guess, earlier, pegs, colours):
    """Return the first image of a guess under the symmetries that keep earlier guesses."""
    moved = images([*earlier, guess], pegs, colours)
    return min(last for *others, last in moved if others == list(earlier))


def images(codes, pegs, colours):
    """Return the images of codes under all permutations of positions and of colours."""
    for positions in permutations(range(pegs)):
        for names in permutations(range(1, colours + 1)):
            yield [tuple(names[code[position] - 1] for position in positions) for code in codes]


def same_by_colours(guess, candidates, colours):
    """Return the first image of a guess under exchanges of two colours that keep a set."""
    members = set(candidates)
    images = {guess}
    pending = [guess]

    def swapped(code, first, second):
        return tuple({first: second, second: first}.get(peg, peg) for peg in code)

    pairs = combinations(range(1, colours + 1), 2)
    swaps = [pair for pair in pairs if {swapped(code, *pair) for code in members} == members]
    while pending:
        code = pending.pop()
        new = {swapped(code, *pair) for pair in swaps} - images
        images |= new
        pending += new
    return min(images)


def slips(game, moves):
    """Return the single answers that may be wrong: the move's number, the answer, its secrets.

    With this answer instead, that number of secrets fits all moves.
    """
    corrections = set()
    for number, (guess, answer) in enumerate(moves, start=1):
        others = moves[: number - 1] + moves[number:]
        left = [
            secret
            for secret in game.secrets
            if all(game.grade(earlier, secret) == reply for earlier, reply in others)
        ]
        counts = Counter(game.grade(guess, secret) for secret in left)
        corrections |= {(number, other, n) for other, n in counts.items() if other != answer}
    return corrections


def totals_of_trees(game, row_of):
    """Return the undominated totals of all trees: tuples with a total for each row of secrets."""
    n_rows = max(row_of.values()) + 1
    known = {}
    pairs = product(game.guesses, game.secrets)
    graded = dict(zip(pairs, game.table.ravel().tolist(), strict=True))

    def trees(candidates):
        if candidates not in known:
            totals = set()
            rows = [row_of[secret] for secret in candidates]
            this_guess = tuple(rows.count(row) for row in range(n_rows))
            for guess in game.guesses:
                cells = partition(guess, candidates, lambda *pair: graded[pair])
                if len(cells) > 1 or candidates == (guess,):
                    sums = {this_guess}
                    for cell in cells.values():
                        if cell != [guess]:
                            pairs = product(sums, trees(tuple(cell)))
                            sums = undominated(
                                {tuple(map(sum, zip(*pair, strict=True))) for pair in pairs}
                            )
                    totals |= sums
            known[candidates] = undominated(totals)
        return known[candidates]

    return trees(tuple(game.secrets))


def undominated(rows):
    """Return the rows for which no other row is as low in every column."""
    kept = []
    for row in sorted(rows, key=sum):
        if not any(all(map(int.__le__, other, row)) for other in kept):
            kept.append(row)
    return set(kept)


def far_from_uniform(codes, members):
    """Return Pearson's statistic of samples over all members, less its degrees, in deviations."""
    counts = dict.fromkeys(members, 0)
    for code in codes:
        counts[code] += 1
    observed = np.array([*counts.values()])
    expected = observed.sum() / len(members)
    degrees = len(members) - 1
    statistic = ((observed - expected) ** 2 / expected).sum()
    return (statistic - degrees) / np.sqrt(2 * degrees)
