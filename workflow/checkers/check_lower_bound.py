"""Check proofs that no strategy for a game needs fewer guesses, with NumPy and nothing else.

The games are Mastermind (`mm-4-6`), Bulls and Cows (`bc-4-10`), where no digit repeats, and that of
black pegs (`black-4-6`), where feedback counts pegs in place alone.

A claim is a lower bound on the total of a set of candidates, given by the moves that lead to it, or
says that the set can't be solved in the turns that are left. It holds if every guess reaches the
bound: one for each candidate, plus the bounds of its parts: from claims, from their sizes, from
their numbers of parts, or, if they are small, by looking one guess ahead. A claim is about all sets
into which another order of the pegs and other names of the colours turn its own. Parts are smaller
than their set, so claims are never circular.
"""

import re
from functools import cache
from itertools import combinations, permutations, product

import numpy as np
from strict_json import main, read, require, shaped

NEVER = 1 << 20
"""The bound of a set that can't be solved within the guesses that are left."""

MOST_CODES = 10_000
WORD = np.uint64(0x9E3779B97F4A7C15)
"""An odd number, whose powers look random."""

SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""Bulls and Cows uses them from 0, the others from 1."""

GAME = re.compile(r"(mm|bc|black)-([1-9]\d?)-([1-9]\d?)", re.ASCII)
MOVES = re.compile(r"([0-9a-z]{1,15} \d{1,2}B(-\d{1,2}C)?( (?=.)|$))*", re.ASCII)
SHAPE = {
    "game": GAME,
    "guess_pool": ("all", "consistent"),
    "guess_limit": (None, range(1, 100)),
    "claims": [[MOVES, (None, range(1, NEVER))]],
}


class _Game:
    """The feedback of all pairs of codes, and the symmetries, which are checked.

    A symmetry reorders the pegs and renames the colours, and changes no feedback. With black pegs
    alone, each peg may rename its colours in its own way; otherwise all pegs do so in the same way.
    """

    def __init__(self, name):
        family, *sizes = GAME.fullmatch(name).groups()
        pegs, colours = map(int, sizes)
        require(colours**pegs <= 1 << 20, f"{name} is too large for this program")
        listed = permutations(range(colours), pegs)
        if family != "bc":
            listed = product(range(colours), repeat=pegs)
        codes = np.array(list(listed), np.uint8)
        symbols = SYMBOLS if family == "bc" else SYMBOLS[1:]
        small = 1 < len(codes) <= MOST_CODES and colours <= len(symbols)
        require(small, f"{name} is too large for this program, or has fewer than two codes")
        self.codes = codes
        self.n_colours = colours
        self.peg_has_colours = family == "black"
        self.labels = ["".join(symbols[peg] for peg in code) for code in codes]
        self.number = {label: number for number, label in enumerate(self.labels)}
        # 1. Feedback as one number: the pegs in place, times pegs + 1, and the others in common.
        black = np.zeros((len(codes), len(codes)), np.uint8)
        for peg in range(pegs):
            black += codes[:, None, peg] == codes[None, :, peg]
        feedback = black * np.uint8(pegs + 1)
        if family != "black":
            feedback -= black
            for colour in range(colours):
                count = (codes == colour).sum(axis=1).astype(np.uint8)
                feedback += np.minimum(count[:, None], count[None, :])
        # 2. Numbers that occur get ids in their order, so that the last one means solved.
        occurs = np.zeros(256, bool)
        occurs[feedback.ravel()] = True
        self.table = (np.cumsum(occurs) - 1).astype(np.uint8)[feedback]
        pairs = [divmod(int(number), pegs + 1) for number in np.flatnonzero(occurs)]
        self.kinds = [f"{b}B" if family == "black" else f"{b}B-{w}C" for b, w in pairs]
        self.solved = len(pairs) - 1
        require(self.solved < 64, f"{name} has too many kinds of feedback for this program")
        bits = [1 << kind for kind in range(len(pairs))]
        self.bits = np.array(bits, np.min_scalar_type(bits[-1]))[self.table]
        # 3. The number of each code, by its pegs as digits.
        self.powers = colours ** np.arange(pegs - 1, -1, -1)
        self.number_of = np.full(colours**pegs, -1)
        self.number_of[codes @ self.powers] = np.arange(len(codes))
        # 4. The number of each colour at a peg, and a word for each number of candidates: `form`.
        self.n_symbols = pegs * colours
        self.symbols = codes + np.arange(pegs) * colours
        self.words = np.cumprod(np.full(len(codes) + pegs, WORD))
        # 5. Exchanges of two colours or two pegs. Exchanges of neighbours make all symmetries, so
        #    only they are checked.
        swaps = []
        for one, other, order, names in self.pairs():
            image = self.image(order, names)
            require((image >= 0).all(), "a symmetry turns a code into none")
            same = other > one + 1 or (self.table[np.ix_(image, image)] == self.table).all()
            require(same, "a symmetry changes feedback")
            swaps.append(image)
        self.swaps = np.array(swaps)
        self.classes_after = cache(self.classes_after)

    def guesses_at(self, members, played):
        """Return the first guess of each class at a set that guesses played lead to.

        A symmetry that keeps a set turns a guess into one with the same total, so one of them is
        tried. Any symmetries will do: with fewer of them, more guesses are tried. A symmetry that
        keeps the guesses played keeps the set; at a small set all exchanges of pairs are tried.
        """
        if self.is_small(members):
            return self.classes_of(members)
        return self.classes_after(played)

    def is_small(self, members):
        return len(members) <= 3 * self.solved

    def form(self, members):
        """Return a set's image, as bytes, under an order of the pegs and names of the colours.

        Any order and any names are a symmetry, and `argsort` makes nothing else. So sets with the
        same form have the same minimum total, however order and names are chosen. They are chosen
        by how many candidates have a colour at a peg, then by which candidates, so that most images
        of a set have its form.
        """
        pegs = self.codes.shape[1]
        shape = pegs, self.n_colours
        symbols = self.symbols[members]
        listed = symbols.ravel()
        # 1. A word for each colour at a peg, by how many candidates have it.
        words = self.words[np.bincount(listed, minlength=self.n_symbols)].reshape(shape)
        by_colour = 1 if self.peg_has_colours else words.sum(axis=0)
        words = words * words.sum(axis=1, keepdims=True) * by_colour
        # 2. A word for each candidate, the product of its pegs'; their sums say which candidates
        #    have a colour at a peg. Sums of these words of 28 bits are exact as floats.
        of_code = np.multiply.reduce(words.ravel()[symbols], axis=1) >> np.uint64(36)
        sums = np.bincount(listed, np.repeat(of_code, pegs), self.n_symbols)
        words *= sums.astype(np.uint64).reshape(shape)
        # 3. Order the pegs by their sums, then the colours by theirs, which depend on that order.
        order = np.argsort((words * words).sum(axis=1), kind="stable")
        words[order] *= self.words[:pegs, None]
        if not self.peg_has_colours:
            words = words.sum(axis=0)
        names = np.argsort(np.argsort(words, axis=-1, kind="stable"), axis=-1)
        # 4. The numbers of the images, from what each colour at a peg adds to them.
        values = np.empty(shape, int)
        values[order] = self.powers[:, None]
        values *= names
        return np.sort(values.ravel()[symbols].sum(axis=1)).astype(np.int32).tobytes()

    def classes_after(self, played):
        """Return the first guess of each class by symmetries that keep the guesses played."""
        played = list(played)
        swaps = self.swaps[(self.swaps[:, played] == played).all(axis=1)]
        columns = [tuple(column) for column in self.codes[played].astype(int).T.tolist()]
        exchanges = self.exchanges if self.peg_has_colours else self.orders
        return self.firsts([*swaps, *(self.image(*one) for one in exchanges(columns))])

    def classes_of(self, members):
        """Return the first guess of each class by the exchanges of pairs that keep a set."""
        moved = np.sort(self.swaps[:, members], axis=1)
        return self.firsts(self.swaps[(moved == members).all(axis=1)])

    def firsts(self, images):
        """Return the first code of each class: codes that images turn into each other."""
        first = np.arange(len(self.codes))
        before = None
        while before is None or (first != before).any():
            before = first
            for image in images:
                first = np.minimum(first, first[image])
        return np.unique(first)

    def image(self, order, names):
        """Return the number of each code's image: peg `order[j]` at j, renamed by `names[j]`."""
        pegs = range(self.codes.shape[1])
        moved = np.stack([names[peg][self.codes[:, order[peg]]] for peg in pegs], axis=1)
        return self.number_of[moved @ self.powers]

    def pairs(self):
        """Yield the exchanges of two colours, at all pegs or at one, and of two pegs."""
        pegs = list(range(self.codes.shape[1]))
        same_names = np.arange(self.n_colours)
        for one, other in combinations(range(self.n_colours), 2):
            swapped = same_names.copy()
            swapped[[one, other]] = other, one
            for group in [[peg] for peg in pegs] if self.peg_has_colours else [pegs]:
                yield one, other, pegs, [swapped if peg in group else same_names for peg in pegs]
        for one, other in combinations(pegs, 2):
            yield one, other, self.exchanged(one, other), [same_names] * len(pegs)

    def exchanged(self, one, other):
        """Return the order of pegs after the exchange of two."""
        order = np.arange(self.codes.shape[1])
        order[[one, other]] = other, one
        return order

    def exchanges(self, columns):
        """Yield exchanges of two pegs, with names for each that leave what was played as it is."""
        same_names = np.arange(self.n_colours)
        for one, other in combinations(range(len(columns)), 2):
            there = self.renamed({}, columns[one], columns[other])
            if there is not None:
                names = [same_names] * len(columns)
                names[other] = self.filled(there)
                names[one] = self.filled(self.renamed({}, columns[other], columns[one]))
                yield self.exchanged(one, other), names

    def orders(self, columns, order=(), names=None):
        """Yield orders of the pegs, with names for all, that leave what was played as it is.

        Of pegs at which the same was played, the first one that is left is taken.
        """
        names = {} if names is None else names
        if len(order) == len(columns):
            yield list(order), [self.filled(names)] * len(columns)
            return
        tried = set()
        for peg, column in enumerate(columns):
            if peg not in order and column not in tried:
                tried.add(column)
                longer = self.renamed(names, column, columns[len(order)])
                if longer is not None:
                    yield from self.orders(columns, (*order, peg), longer)

    def renamed(self, names, column, wanted):
        """Return names, and such that turn a column into the wanted one; None if that can't be."""
        names = dict(names)
        for old, new in zip(column, wanted, strict=True):
            if names.setdefault(old, new) != new:
                return None
        return names if len(set(names.values())) == len(names) else None

    def filled(self, names):
        """Return the new name of each colour; those without one get what is left, in order."""
        every = range(self.n_colours)
        old = [colour for colour in every if colour not in names]
        new = [colour for colour in every if colour not in names.values()]
        names = names | dict(zip(old, new, strict=True))
        return np.array([names[colour] for colour in every])


game_of = cache(_Game)


@cache
def least_total(n, left, parts):
    """Return the minimum total of n candidates if guesses could divide them at will.

    A guess solves at most one candidate, and divides the others into at most `parts` parts. So one
    is solved at the first turn, `parts` at the second, and their square at the third.
    """
    total = 0
    for turn in range(1, left + 1):
        solved = min(n, parts ** (turn - 1))
        total += turn * solved
        n -= solved
        if n == 0:
            return total
    return NEVER if n else 0


class _ClaimsChecker:
    """Checks the claims of one proof."""

    def __init__(self, proof):
        shaped(proof, SHAPE)
        self.game = game_of(proof["game"])
        self.limit = proof["guess_limit"]
        self.consistent = proof["guess_pool"] == "consistent"
        self.bounds = {}
        self.bounds_ahead = {}
        self.forms = {}
        self.claims = {}
        self.played = {}
        self.numbers = cache(self.numbers)
        for moves, bound in proof["claims"]:
            members, turn = self.follow(moves.split())
            key = self.key(members, turn)
            bound = NEVER if bound is None else bound
            require(key not in self.claims, f"two claims on the set after {moves!r}")
            self.claims[key] = members, turn, bound
            self.played[key] = tuple(self.game.number[guess] for guess in moves.split()[::2])
        self.fewest = min((len(members) for members, *_ in self.claims.values()), default=NEVER)

    def follow(self, words):
        members = np.arange(len(self.game.labels))
        for guess, kind in zip(words[::2], words[1::2], strict=True):
            row = self.game.table[self.game.number[guess]]
            n = len(members)
            members = members[row[members] == self.game.kinds.index(kind)]
            less = 1 < len(members) < n
            require(less, f"{guess} {kind} leaves no set of two or more, or all of the set")
        turn = 1 + len(words) // 2
        require(self.left(turn) > 0, "a claim after the limit on guesses")
        return members, turn

    def key(self, members, turn):
        as_bytes = members.astype(np.int16).tobytes()
        if as_bytes not in self.forms:
            self.forms[as_bytes] = self.game.form(members)
        return self.forms[as_bytes], turn if self.limit else 0

    def claimed(self, members, turn):
        """Return the bound of a claim on a set, or on an image of it; None without one."""
        if len(members) < self.fewest:
            return None
        return self.claims.get(self.key(members, turn), (None,))[-1]

    def left(self, turn):
        return self.limit - turn + 1 if self.limit else len(self.game.labels)

    def by_parts(self, members, left):
        """Return a bound by the most parts into which a guess divides a set.

        Of k parts, a guess that is a candidate solves one at once, and any guess k at most by the
        next turn; the others take three guesses or more.
        """
        n = len(members)
        parts = np.bitwise_count(np.bitwise_or.reduce(self.game.bits[members])).astype(int)
        with_candidate = 3 * n - 1 - int(parts[members].max())
        with_any = 3 * n - int(parts.max())
        if left == 2:  # then each candidate has to be a separate part
            with_candidate = NEVER if with_candidate > 2 * n - 1 else with_candidate
            with_any = NEVER if with_any > 2 * n else with_any
        return with_candidate if self.consistent else min(with_candidate, with_any)

    def bound_of(self, members, turn):
        """Return a bound on a set's total: its claim, or the bound by size and parts."""
        key = members.astype(np.int16).tobytes(), turn if self.limit else 0
        if key not in self.bounds:
            n = len(members)
            left = self.left(turn)
            bound = self.claimed(members, turn)
            if bound is None:
                bound = least_total(n, left, self.game.solved)
                if 2 < n <= 2 * self.game.solved and bound < NEVER:
                    bound = max(bound, self.by_parts(members, left))
            self.bounds[key] = bound
        return self.bounds[key]

    def ahead(self, members, turn):
        """Return a set's bound; at a small set, its best guess's by the bounds of the parts."""
        claimed = self.claimed(members, turn)
        if claimed is not None or not self.game.is_small(members):
            return self.bound_of(members, turn)
        key = self.key(members, turn)
        if key not in self.bounds_ahead:
            # Images may have parts with other bounds, so the form stands for all that have it.
            members = self.game.number_of[np.frombuffer(key[0], np.int32)]
            guesses = self.game.classes_of(members)
            _, rows, by_size, sizes = self.sums(members, turn, guesses)
            best = NEVER
            for at in np.argsort(by_size, kind="stable"):
                if by_size[at] >= best:
                    break
                total = int(by_size[at])
                for cell in self.cells(members, rows[at]):
                    if total < best:
                        total += max(self.bound_of(cell, turn + 1) - int(sizes[len(cell)]), 0)
                best = min(best, total)
            self.bounds_ahead[key] = max(best, self.bound_of(members, turn))
        return self.bounds_ahead[key]

    def sums(self, members, turn, guesses):
        """Return the guesses that divide a set, their rows, and totals by the sizes of parts.

        Last comes the bound for each size of a part: no guess divides a part further than the set.
        """
        if self.consistent:
            guesses = guesses[np.isin(guesses, members)]
        n = len(members)
        rows = self.game.table[np.ix_(guesses, members)]
        counts = np.stack([(rows == kind).sum(axis=1) for kind in range(self.game.solved)])
        divides = counts.max(axis=0) < n
        parts = int((counts > 0).sum(axis=0).max(initial=1))
        left = self.left(turn) - 1
        sizes = np.array([least_total(size, left, parts) for size in range(n + 1)])
        by_size = n + sizes[counts].sum(axis=0)
        return guesses[divides], rows[divides], by_size[divides], sizes

    def cells(self, members, row):
        """Return the parts of a set by feedback, the largest first, without a solved candidate."""
        sizes = np.bincount(row, minlength=self.game.solved + 1)
        sizes[self.game.solved] = 0
        kinds = np.argsort(-sizes, kind="stable")[: np.count_nonzero(sizes)]
        return [members[row == kind] for kind in kinds]

    def after(self, members, turn, guess):
        """Return a bound on a set's total after a guess."""
        members = self.numbers(members)
        cells = self.cells(members, self.game.table[self.game.number[guess]][members])
        return len(members) + sum(int(self.ahead(cell, turn + 1)) for cell in cells)

    def claim(self, members, turn):
        """Return the bound claimed for a set, or None."""
        return self.claimed(self.numbers(members), turn)

    def numbers(self, members):
        return np.array([self.game.number[member] for member in members])

    def check(self, members, turn, bound):
        """Raise ValueError unless every guess reaches the bound."""
        played = self.played[self.key(members, turn)]
        guesses = self.game.guesses_at(members, played)
        guesses, rows, by_size, sizes = self.sums(members, turn, guesses)
        for at in np.flatnonzero(by_size < bound):
            # The bounds of parts are replaced by better ones until the sum is as claimed.
            total = int(by_size[at])
            cells = self.cells(members, rows[at])
            known = [int(sizes[len(cell)]) for cell in cells]
            for better in (self.bound_of, self.ahead):
                for number, cell in enumerate(cells):
                    if total < bound:
                        total -= known[number]
                        known[number] = max(known[number], int(better(cell, turn + 1)))
                        total += known[number]
            label = self.game.labels[guesses[at]]
            require(total >= bound, f"{label} may need {total}, not {bound}")


def checked(proof):
    """Return a checker that has checked all claims; raise ValueError if one does not hold."""
    checker = _ClaimsChecker(proof)
    for members, turn, bound in checker.claims.values():
        checker.check(members, turn, bound)
    return checker


def check(proof):
    """Return a proof's bound, NEVER if no tree exists; raise ValueError if it does not hold."""
    checker = checked(proof)
    whole = checker.key(*checker.follow([]))
    require(whole in checker.claims, "no claim is about all codes, with no guess played")
    return checker.claims[whole][2]


def shown(path, _):
    """Return what a file proves, as a sentence and as a row."""
    proof = read(path)
    bound = check(proof)
    limit = proof["guess_limit"]
    verdict = f"needs at least {bound:,} guesses" if bound < NEVER else "has no strategy"
    sentence = f"{proof['game']} {verdict}"
    sentence += f" with {limit} guesses at most for any secret" * bool(limit)
    sentence += f"; guesses: {proof['guess_pool']}; claims checked: {len(proof['claims'])}"
    row = {key: proof[key] for key in SHAPE if key != "claims"}
    return sentence, row | {"bound": bound if bound < NEVER else None}


if __name__ == "__main__":
    main(__doc__, shown)
