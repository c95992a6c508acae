"""Check proofs that no strategy for Mastermind needs fewer guesses, with NumPy and nothing else.

A claim is a lower bound on the total of a set of candidates, given by the moves that lead to it, or
says that the set can't be solved in the turns that are left. It holds if every guess reaches the
bound: one for each candidate, plus the bounds of its parts, from claims, from their sizes or from
their numbers of parts. Parts are smaller than their set, so claims are never circular.
"""

import re
from functools import cache
from itertools import permutations, product

import numpy as np
from strict_json import main, read, require, shaped

NEVER = 1 << 20
"""The bound of a set that can't be solved within the guesses that are left."""

MOST_CODES = 1 << 12
MOST_PEGS = 8
"""The sizes of games that are checked. All orders of the pegs are tried."""

MASTERMIND = re.compile(r"mm-([1-9]\d?)-([1-9]\d?)", re.ASCII)
MOVES = re.compile(r"([1-9]{1,8} \dB-\dC( (?=.)|$))*", re.ASCII)
SHAPE = {
    "game": MASTERMIND,
    "guess_pool": ("all", "consistent"),
    "guess_limit": (None, range(1, 100)),
    "claims": [[MOVES, (None, range(1, NEVER))]],
}


class _Game:
    """Mastermind: the feedback of all pairs of codes, and the symmetries, which are checked.

    Reordering the pegs and renaming the colours are symmetries: they change no feedback.
    """

    def __init__(self, name):
        pegs, colours = map(int, MASTERMIND.fullmatch(name).groups())
        small = colours**pegs <= MOST_CODES and pegs <= MOST_PEGS and colours < 10
        require(small, f"{name} is too large for this program")
        codes = np.array(list(product(range(colours), repeat=pegs)), np.uint8)
        self.codes = codes
        self.n_colours = colours
        self.labels = ["".join(str(peg + 1) for peg in code) for code in codes]
        self.number = {label: number for number, label in enumerate(self.labels)}
        black = np.zeros((len(codes), len(codes)), np.uint8)
        common = np.zeros_like(black)
        for peg in range(pegs):
            black += codes[:, None, peg] == codes[None, :, peg]
        for colour in range(colours):
            count = (codes == colour).sum(axis=1).astype(np.uint8)
            common += np.minimum(count[:, None], count[None, :])
        white = common - black
        pairs, ids = np.unique(black * np.uint8(pegs + 1) + white, return_inverse=True)
        self.table = ids.reshape(black.shape).astype(np.uint8)
        self.bits = np.ascontiguousarray(1 << self.table.T.astype(np.int64))
        self.kinds = [f"{pair // (pegs + 1)}B-{pair % (pegs + 1)}C" for pair in pairs]
        self.solved = len(pairs) - 1
        powers = colours ** np.arange(pegs - 1, -1, -1)
        swaps = [codes[:, _swapped(pegs, at)] @ powers for at in range(pegs - 1)]
        swaps += [_swapped(colours, at)[codes] @ powers for at in range(colours - 1)]
        for swap in swaps:
            same = (self.table[np.ix_(swap, swap)] == self.table).all()
            require(same, "a symmetry changes feedback")
        self.classes_after = cache(self.classes_after)

    def guesses_at(self, members, played):
        """Return the guesses at a set; at a large set, one of each class after guesses played."""
        if len(members) <= 3 * self.solved:
            return np.arange(len(self.labels))
        return self.classes_after(played)

    def classes_after(self, played):
        """Return a guess of each class: symmetries that keep the guesses played keep their sets.

        So two guesses that such a symmetry turns into each other lead to the same totals. The
        smallest code that it makes of a guess is tried instead of the guess.
        """
        smallest = np.arange(len(self.codes))
        played = self.codes[list(played)]
        for order in permutations(range(self.codes.shape[1])):
            names = _renaming(played[:, list(order)], played)
            if names is not None:
                images = self.renamed(self.codes[:, list(order)], names)
                smallest = np.minimum(smallest, images)
        return np.unique(smallest)

    def renamed(self, codes, names):
        """Return the numbers of codes whose colours get new names, which may be few.

        Other colours get the names that are left, in the order in which the code has them, which
        makes its number the smallest.
        """
        rows = np.arange(len(codes))
        left = np.array([c for c in range(self.n_colours) if c not in names.values()] + [0])
        new_names = np.full((len(codes), self.n_colours), -1)
        for colour, name in names.items():
            new_names[:, colour] = name
        n_named = np.zeros(len(codes), int)
        numbers = np.zeros(len(codes), int)
        for column in codes.T:
            lacking = new_names[rows, column] < 0
            new_names[rows[lacking], column[lacking]] = left[n_named[lacking]]
            n_named[lacking] += 1
            numbers = numbers * self.n_colours + new_names[rows, column]
        return numbers


game_of = cache(_Game)


def _swapped(n, at):
    return np.array([{at: at + 1, at + 1: at}.get(number, number) for number in range(n)])


def _renaming(reordered, codes):
    """Return new names of colours that turn reordered codes into the codes, or None."""
    names = {}
    for old, new in zip(reordered.ravel().tolist(), codes.ravel().tolist(), strict=True):
        if names.setdefault(old, new) != new:
            return None
    return names if len(set(names.values())) == len(names) else None


class _ClaimsChecker:
    """Checks the claims of one proof."""

    def __init__(self, proof):
        shaped(proof, SHAPE)
        self.game = game_of(proof["game"])
        self.limit = proof["guess_limit"]
        self.consistent = proof["guess_pool"] == "consistent"
        self.sizes = {}
        self.bounds = {}
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
        return members.astype(np.int16).tobytes(), turn if self.limit else 0

    def left(self, turn):
        return self.limit - turn + 1 if self.limit else len(self.game.labels)

    def by_size(self, n, left):
        """Return the minimum total of n candidates if every guess could divide them at will."""
        if n < 2 or left < 1:
            return 0 if n == 0 else 1 if left > 0 else NEVER
        if (n, left) not in self.sizes:
            share, rest = divmod(n - 1, self.game.solved)
            cells = (self.game.solved - rest) * self.by_size(share, left - 1)
            cells += rest * self.by_size(share + 1, left - 1)
            self.sizes[n, left] = min(n + cells, NEVER)
        return self.sizes[n, left]

    def by_parts(self, members, left):
        """Return a bound by the most parts into which a guess divides a set.

        Of k parts, a guess that is a candidate solves one at once, and any guess k at most by the
        next turn; the others take three guesses or more.
        """
        n = len(members)
        parts = np.bitwise_count(np.bitwise_or.reduce(self.game.bits[members]))
        with_candidate = 3 * n - 1 - int(parts[members].max())
        with_any = 3 * n - int(parts.max())
        if left == 2:  # then each candidate has to be a separate part
            with_candidate = NEVER if with_candidate > 2 * n - 1 else with_candidate
            with_any = NEVER if with_any > 2 * n else with_any
        return with_candidate if self.consistent else min(with_candidate, with_any)

    def bound_of(self, members, turn):
        """Return a bound on a set's total: its claim, or the bound by size and parts."""
        key = self.key(members, turn)
        n = len(members)
        left = self.left(turn)
        if key in self.claims:
            return self.claims[key][2]
        if key not in self.bounds:
            bound = self.by_size(n, left)
            if 2 < n <= 2 * self.game.solved and bound < NEVER:
                bound = max(bound, self.by_parts(members, left))
            self.bounds[key] = bound
        return self.bounds[key]

    def after(self, members, turn, guess):
        """Return a bound on a set's total after a guess."""
        members = self.numbers(members)
        row = self.game.table[self.game.number[guess]]
        rows = row[members]
        cells = [members[rows == kind] for kind in np.unique(rows) if kind != self.game.solved]
        return len(members) + sum(int(self.bound_of(cell, turn + 1)) for cell in cells)

    def claim(self, members, turn):
        """Return the bound claimed for a set, or None."""
        return self.claims.get(self.key(self.numbers(members), turn), (None,))[-1]

    def numbers(self, members):
        return np.array([self.game.number[member] for member in members])

    def check(self, members, turn, bound):
        """Raise ValueError unless every guess reaches the bound."""
        game = self.game
        n = len(members)
        guesses = game.guesses_at(members, self.played[self.key(members, turn)])
        guesses = guesses[np.isin(guesses, members)] if self.consistent else guesses
        rows = game.table[np.ix_(guesses, members)]
        counts = np.stack([(rows == kind).sum(axis=1) for kind in range(game.solved)])
        sizes = np.array([self.by_size(size, self.left(turn) - 1) for size in range(n + 1)])
        by_size = n + sizes[counts].sum(axis=0)
        for at in np.flatnonzero((counts.max(axis=0) < n) & (by_size < bound)):
            # Bounds by size are replaced by better ones, of the largest parts first, until the sum
            # is as claimed.
            total = int(by_size[at])
            for kind in np.argsort(-counts[:, at]):
                if total >= bound or counts[kind, at] == 0:
                    break
                cell = members[rows[at] == kind]
                total += self.bound_of(cell, turn + 1) - int(sizes[len(cell)])
            require(total >= bound, f"{game.labels[guesses[at]]} may need {total}, not {bound}")


def checked(proof):
    """Return a checker that has checked all claims; raise ValueError if one does not hold."""
    checker = _ClaimsChecker(proof)
    for members, turn, bound in checker.claims.values():
        checker.check(members, turn, bound)
    return checker


def check(proof):
    """Return a proof's bound, NEVER if no tree exists; raise ValueError if it does not hold."""
    checker = checked(proof)
    return checker.claims[checker.key(*checker.follow([]))][2]


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
