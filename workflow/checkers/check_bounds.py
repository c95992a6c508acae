"""Check proofs of bounds on weights of Shannon's entropy, deliberately without the package.

The bound holds for all weights in a range, with ties, too: whichever guess is played, as long as
its score is at most `behind_bits` below the best. Only of guesses with equal terms the first
candidate is played, else the first code. Options, partitions and refutations are recomputed. Claims
for check_lower_bound.py prove the optimum after the opening, and regrets.
"""

from fractions import Fraction
from functools import cache
from math import log2

from game_rules import CODES, rules_of
from strict_json import COUNT, NAME, fits, is_word, main, read, require, shaped

ROUNDING = 1e-9
"""Tolerance of refutations, in bits."""

LEAST_BEHIND = Fraction(9, 10**6)
"""In bits: more than the tolerance of ties, 10^-6, and what rounding changes in two scores."""

MOST_SECRETS = 1 << 12


def _is_number(value):
    """Return whether a value is in (0, 1], and what is printed of it is the value itself."""
    return type(value) in (int, Fraction) and 0 < value <= 1 and Fraction(_printed(value)) == value


def _printed(value):
    return repr(float(value)).removesuffix(".0")


ROWS = [[COUNT, is_word, is_word, _is_number]]
"""A refutation: sets, the options fixed there, rivals, and the factors of these inequalities."""

REFUTED = {"refuted": [[COUNT, {is_word: ROWS}]]}


def _is_node(value):
    branch = {"set": COUNT, "options": {is_word: _is_node}}
    return fits(value, ({"rows": ROWS}, branch, {"next": _is_node}, REFUTED, REFUTED | branch))


SHAPE = {
    "model": NAME,
    "game": CODES,
    "opening": is_word,
    "guess_limit": (None, range(1, 100)),
    "low": _is_number,
    "high": _is_number,
    "behind_bits": _is_number,
    "one_row": (True, False),
    "optimum": COUNT,
    "bound": COUNT,
    "sets": [{"members": [is_word], "regrets": {is_word: COUNT}}],
    "proof": (None, _is_node),
}


class _WeightsChecker:
    """Checks one proof; afterwards `used` has the sets whose regrets it needs, with turns."""

    def __init__(self, proof):
        self.proof = shaped(proof, SHAPE)
        self.sets = proof["sets"]
        self.rules = rules_of(proof["game"])
        self.used = set()
        self.refuted = 0
        self.low = float(proof["low"])
        self.high = float(proof["high"])
        self.members = [tuple(listed["members"]) for listed in self.sets]
        self.set_id_of = {members: set_id for set_id, members in enumerate(self.members)}
        self.left = proof["bound"] - proof["optimum"] - 1
        self.terms, self.regrets = cache(self.terms), cache(self.regrets)
        self.answer = cache(self.rules.feedback_of)
        known = len(self.rules.secrets) <= MOST_SECRETS and self.rules.secrets == self.rules.guesses
        require(known, f"this program doesn't support {proof['game']}")
        require(proof["opening"] in self.rules.allowed, "its opening may not be guessed")
        right = proof["low"] < proof["high"] and proof["behind_bits"] >= LEAST_BEHIND
        require(right, "its range of weights is not an interval, or it doesn't cover all ties")
        right = self.left >= -1 and (self.left < 0) == (proof["proof"] is None)
        require(right, "its bound does not fit its optimum and its proof")
        right = not (proof["one_row"] and proof["guess_limit"])
        require(right, "a bound on one row with a limit on guesses")
        require(len(self.set_id_of) == len(self.sets), "a set is given twice")
        for members in self.members:
            in_order = tuple(filter({*members}.__contains__, self.rules.secrets))
            right = len(members) > 1 and members == in_order
            require(right, "a set doesn't have two or more codes in order")

    def check(self):
        """Raise ValueError unless all weights need as many guesses as the bound or more."""
        if self.left >= 0:
            opening = _sets_below([self.cells_of(self.proof["opening"], self.rules.secrets)])
            if self.proof["one_row"]:
                self.fixed_node(self.proof["proof"], opening, {}, self.left, {})
            else:
                self.node(self.proof["proof"], opening, {}, self.left, 2)
        used = {set_id for set_id, _ in self.used}
        require(used == set(range(len(self.sets))), "it has sets that the proof does not use")

    def cells_of(self, guess, members):
        cells = {}
        for member in members:
            cells.setdefault(self.answer(guess, member), []).append(member)
        return cells

    def terms(self, guess, members):
        n = len(members)
        cells = self.cells_of(guess, members)
        return {f: len(c) * log2(n / len(c)) / n for f, c in cells.items() if len(c) < n}

    def regrets(self, set_id):
        """Return the regret of every option, one guess for each distinct score."""
        members = self.members[set_id]
        listed = self.sets[set_id]["regrets"]
        options = {}
        for guess in dict.fromkeys((*members, *self.rules.guesses)):
            score = sorted((f, round(s, 10)) for f, s in self.terms(guess, members).items())
            if score:
                options.setdefault(tuple(score), guess)
        known = listed.keys() <= set(options.values())
        require(known, f"a regret at set {set_id} has no option")
        return {guess: listed.get(guess, self.left + 1) for guess in options.values()}

    def open_set(self, set_id, sets, turn):
        require(self.members[set_id] in sets, f"set {set_id} is not open")
        self.used.add((set_id, turn))
        return self.members[set_id]

    def branches(self, node, set_id, left, refuted=()):
        within = {g: r for g, r in self.regrets(set_id).items() if r <= left and g not in refuted}
        whole = within.keys() == node["options"].keys()
        require(whole, f"its options at set {set_id} differ from those within the bound")
        for guess, regret in within.items():
            yield guess, regret, node["options"][guess]

    def node(self, node, sets, fixed, left, turn):
        """Check a node, with its turn's sets, the options fixed so far, and the regret left."""
        if "rows" in node:
            self.refute(node["rows"], fixed)
        elif "next" in node:
            whole = {self.members[set_id] for set_id in fixed} == sets
            require(whole, "a pattern does not fix all sets")
            below = [self.cells_of(guess, self.members[set_id]) for set_id, guess in fixed.items()]
            self.node(node["next"], _sets_below(below), {}, left, turn + 1)
        else:
            set_id = node["set"]
            require(set_id not in fixed, f"set {set_id} is not open")
            self.open_set(set_id, sets, turn)
            for guess, regret, below in self.branches(node, set_id, left):
                self.node(below, sets, fixed | {set_id: guess}, left - regret, turn)

    def fixed_node(self, node, sets, fixed, left, refuted):
        """Check a node of a proof for one row of all turns: all sets that are reached are open.

        `refuted` holds the options refuted so far by set, under options that are still fixed.
        """
        if "rows" in node:
            self.refute(node["rows"], fixed)
            return
        refuted = {set_id: set(guesses) for set_id, guesses in refuted.items()}
        for set_id, refutations in node["refuted"]:
            self.open_set(set_id, sets, 0)
            for guess, rows in refutations.items():
                self.refute(rows, fixed | {set_id: guess})
                refuted.setdefault(set_id, set()).add(guess)
        minimum = {}
        for set_id in refuted.keys() & {self.set_id_of.get(members) for members in sets}:
            possible = self.regrets(set_id).keys() - refuted[set_id]
            minimum[set_id] = min(
                (self.regrets(set_id)[g] for g in possible), default=self.left + 1
            )
        spare = left - sum(minimum.values())
        require(("set" in node) == (spare >= 0), "a node ends too early, or too late")
        if spare >= 0:
            set_id = node["set"]
            gone = refuted.get(node["set"], ())
            members = self.open_set(set_id, sets, 0)
            within = spare + minimum.get(set_id, 0)
            for guess, regret, below in self.branches(node, set_id, within, gone):
                inside = (sets - {members}) | _sets_below([self.cells_of(guess, members)])
                self.fixed_node(below, inside, fixed | {set_id: guess}, left - regret, refuted)

    def refute(self, rows, fixed):
        """Check that not all fixed options can come so close to their rivals.

        Under weights that play them all, each leads its rivals by -behind_bits or more, and so does
        the sum of leads with these shares, by -behind_bits times the sum of shares. `most` is the
        largest such sum that weights in the range have.
        """
        total = {}
        shares = 0.0
        for set_id, option, rival, share in rows:
            known = fixed.get(set_id) == option != rival and rival in self.regrets(set_id)
            require(known, f"{option} and {rival} give no inequality at set {set_id}")
            for sign, guess in ((float(share), option), (-float(share), rival)):
                for f, part in self.terms(guess, self.members[set_id]).items():
                    total[f] = total.get(f, 0.0) + sign * part
            shares += float(share)
        most = sum(max(self.low * part, self.high * part) for part in total.values())
        holds = most < -(float(self.proof["behind_bits"]) + ROUNDING) * shares
        require(holds, "a refutation does not hold")
        self.refuted += 1


def _sets_below(splits):
    return {tuple(cell) for split in splits for cell in split.values() if len(cell) > 1}


def _sentence(proof, refuted):
    rows = "one row of weights for all turns" if proof["one_row"] else "weights by turn"
    limit = f", {proof['guess_limit']} at most for any secret" if proof["guess_limit"] else ""
    low, high, behind = (_printed(proof[key]) for key in ("low", "high", "behind_bits"))
    if proof["proof"] is None:
        rows = "all strategies"
        conditions = ""
    else:
        conditions = f", if they lie in [{low}, {high}], whichever guess within {behind} bits of "
        conditions += f"the best is played; refutations: {refuted:,}"
    sentence = f"{proof['game']}, {proof['model']}: {rows} after {proof['opening']} need at least "
    return sentence + f"{proof['bound']:,} guesses{limit}{conditions}"


def _check_claimed(proof, claimed):
    for key, _, text in (condition.partition("=") for condition in claimed.split()):
        value = proof[key]
        agrees = str(value) == text or (fits(value, _is_number) and value == Fraction(text))
        require(agrees, f"its {key} is {value}, and {text} is claimed")


@cache
def _claims_of(paths):
    if not paths:
        return []
    from check_lower_bound import checked  # which needs NumPy

    proofs = [proof for proof in map(read, paths) if proof["guess_pool"] == "all"]
    return [((proof["game"], proof["guess_limit"]), checked(proof)) for proof in proofs]


def _shown_by(claims, checker, used):
    return sum(
        claims.after(members, turn, guess) >= claims.claim(members, turn) + regret
        for set_id, members, turn in used
        for guess, regret in checker.regrets(set_id).items()
    )


def shown(path, options):
    """Return what a file proves, as a sentence and as a row."""
    proof = read(path)
    checker = _WeightsChecker(proof)
    checker.check()
    if options.claimed:
        _check_claimed(proof, options.claimed.pop(0))
    wanted = (proof["game"], proof["guess_limit"])
    every = tuple(checker.rules.secrets)
    known = [claims for key, claims in _claims_of(tuple(options.claims)) if key == wanted]
    claims = [c for c in known if c.after(every, 1, proof["opening"]) >= proof["optimum"]]
    enough = claims or (not known and "optimum" in options.trust)
    require(enough, "no claims show its optimum: add --claims FILE or --trust optimum")
    used = [(set_id, checker.members[set_id], turn) for set_id, turn in sorted(checker.used)]
    regrets = sum(len(checker.regrets(set_id)) for set_id, *_ in used)
    whole = [c for c in claims if None not in (c.claim(*at) for _, *at in used)]
    regrets_shown = max((_shown_by(c, checker, used) for c in whole), default=0)
    enough = regrets_shown == regrets or "regrets" in options.trust
    require(enough, f"claims show {regrets_shown:,} of {regrets:,} regrets: add --trust regrets")
    row = {key: proof[key] for key in SHAPE if key not in ("sets", "proof")}
    row |= {name: float(row[name]) for name in ("low", "high", "behind_bits")}
    row |= {"one_row": "yes" if proof["one_row"] else "no", "refutations": checker.refuted}
    row |= {"optimum_shown": "yes" if claims else "no"}
    row |= {"regrets": regrets, "regrets_shown": regrets_shown, "verdict": "holds"}
    evidence = f"; regrets shown: {regrets_shown:,} of {regrets:,}"
    evidence += ", the others are on trust" * (regrets_shown < regrets)
    evidence += "" if claims else f"; the optimum of {proof['optimum']:,} is on trust"
    return _sentence(proof, checker.refuted) + evidence, row


if __name__ == "__main__":
    main(
        __doc__,
        shown,
        ("--claims", "a file for check_lower_bound.py, to show optima and regrets"),
        ("--trust", "optimum, or regrets: accept them without claims"),
        ("--claimed", "required conditions of the next file, such as 'game=mm-4-6 low=0.1'"),
        given=lambda options: options,
    )
