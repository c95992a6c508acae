"""Proofs of lower bounds."""

import json
import re
import zlib
from collections import defaultdict
from functools import cache
from itertools import combinations, permutations, product
from math import inf

import check_lower_bound
import numpy as np
import polars as pl
import pytest
from conftest import ROOT, ci_only, defined, game_called, in_ci
from definitions import minimum_of_all_trees

from codebreaker.errors import CodebreakerError
from codebreaker.search import lower_bound
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.lower_bound import LowerBound, RegretBounds

OPTIMA = [
    ("mm-2-2", "all", None), ("mm-2-3", "all", None), ("mm-2-4", "all", None),
    ("mm-2-4", "all", 4), ("mm-2-4", "all", 3), ("mm-2-3", "consistent", None),
    ("mm-3-2", "all", None), ("mm-3-2", "consistent", 3), ("mm-3-2", "all", 2),
    ("bc-2-3", "all", None), ("bc-3-3", "all", None), ("bc-2-4", "consistent", None),
    ("bc-3-3", "all", 2), ("black-2-2", "all", None), ("black-2-3", "all", None),
    ("black-3-2", "all", None), ("black-2-3", "consistent", 4), ("black-3-2", "all", 3),
]  # fmt: skip


def refused(proof, bound):
    try:
        return check_lower_bound.check(proof) < bound
    except (ValueError, LookupError):
        return True


@pytest.mark.parametrize(("name", "pool", "limit"), OPTIMA, ids=str)
def test_minimum_totals_by_trying_everything_are_proven_and_no_more(name, pool, limit):
    game = game_called(name)
    check = check_lower_bound
    rules = defined(name, pool)
    lowest = minimum_of_all_trees(rules, rules.secrets, {}, turns=limit or inf)
    lowest = None if lowest == inf else lowest
    written = LowerBound(game, pool, limit)
    written.prove(lowest)
    proof = written.to_dict()
    assert check.check(proof) == (check.NEVER if lowest is None else lowest)
    if lowest is not None:
        with pytest.raises(CodebreakerError, match="can't be proven after no move"):
            LowerBound(game, pool, limit).prove(lowest + 1)
        assert refused(proof | {"claims": [["", lowest + 1]]}, lowest + 1)
        assert refused(proof | {"claims": [["", None]]}, lowest + 1)


def test_a_claim_above_the_truth_is_refused_at_every_set_after_a_move():
    game = game_called("mm-3-4")
    search = CostToGo(game_called("mm-3-4"))
    for guess, label in enumerate(game.guesses):
        for kind, feedback in enumerate(game.feedback_labels[:-1]):
            members = np.flatnonzero(game.table[guess] == kind).astype(np.int32)
            if len(members) > 1:
                claim = [f"{label} {feedback}", search.of(members, 1) + 1]
                head = {"game": "mm-3-4", "guess_pool": "all", "guess_limit": None}
                assert refused(head | {"claims": [claim, ["", 1]]}, 0)


@pytest.mark.parametrize("name", ["mm-3-4", "mm-4-3", "mm-4-4", "bc-4-5"])
def test_the_regret_of_one_guess_alone_is_proven(name):
    """Some guesses, such as 1111, leave fewer parts than others do."""
    game = game_called(name)
    search = CostToGo(game)
    members = np.arange(game.n_secrets, dtype=np.int32)
    best = search.of(members, 1)
    for guess in (0, 1, 5):
        regret = search.after(guess, members, 1, check_lower_bound.NEVER) - best
        written = LowerBound(game)
        written.prove(best, [RegretBounds("", {guess: regret})])
        checker = check_lower_bound.checked(written.to_dict())
        assert checker.after(game.secrets, 1, game.guesses[guess]) == best + regret


def literal_classes(codes, colours, played, peg_has_colours):
    """Return the smallest code of each class under all symmetries that keep the guesses played.

    They reorder the pegs and rename the colours, at each peg differently if it has its own.
    """
    pegs = range(len(codes[0]))
    names_of_all = list(permutations(range(colours)))
    renamings = [[names] * len(pegs) for names in names_of_all]
    if peg_has_colours:
        renamings = list(product(names_of_all, repeat=len(pegs)))
    smallest = {code: code for code in codes}
    for order in permutations(pegs):
        for names in renamings:
            images = {code: tuple(names[at][code[order[at]]] for at in pegs) for code in codes}
            if all(images[guess] == guess for guess in played):
                smallest = {code: min(smallest[code], images[code]) for code in codes}
    return sorted(set(smallest.values()))


@pytest.mark.parametrize(
    "name", ["mm-2-4", "mm-3-3", "mm-4-3", "bc-3-4", "bc-2-5", "black-2-4", "black-3-3"]
)
def test_the_checker_tries_one_guess_of_each_class(name):
    game = check_lower_bound.game_of(name)
    family, _, colours = name.split("-")
    codes = [tuple(code) for code in game.codes.tolist()]
    some = np.random.default_rng(0).integers(len(codes), size=(12, 2)).tolist()
    for played in [(), *((first,) for first, _ in some), *map(tuple, some)]:
        past = [codes[guess] for guess in played]
        classes = literal_classes(codes, int(colours), past, family == "black")
        assert [codes[guess] for guess in game.classes_after(played)] == classes


def literal_classes_of(codes, colours, kept, peg_has_colours):
    """Return the smallest code of each class by exchanges of two colours or pegs that keep a set.

    Codes are of one class if such exchanges, one after the other, turn one into the other.
    """
    pegs = range(len(codes[0]))
    exchanges = [
        lambda code, a=a, b=b: tuple(code[{a: b, b: a}.get(at, at)] for at in pegs)
        for a, b in combinations(pegs, 2)
    ]
    for group in [[peg] for peg in pegs] if peg_has_colours else [pegs]:
        for a, b in combinations(range(colours), 2):
            exchanges.append(
                lambda code, a=a, b=b, group=group: tuple(
                    {a: b, b: a}.get(colour, colour) if at in group else colour
                    for at, colour in enumerate(code)
                )
            )
    keeping = [one for one in exchanges if {one(code) for code in kept} == set(kept)]
    classes = []
    left = set(codes)
    while left:
        grown = {min(left)}
        while more := {one(code) for code in grown for one in keeping} - grown:
            grown |= more
        classes.append(min(grown))
        left -= grown
    return classes


@pytest.mark.parametrize("name", ["mm-2-4", "mm-3-3", "bc-3-4", "black-2-4", "black-3-3"])
def test_the_checker_tries_one_guess_of_each_class_at_a_small_set(name):
    game = check_lower_bound.game_of(name)
    family, _, colours = name.split("-")
    codes = [tuple(code) for code in game.codes.tolist()]
    draws = np.random.default_rng(1)
    sizes = [1, 2, 3, 5, len(codes)]
    sets = [np.sort(draws.permutation(len(codes))[:size]) for size in sizes]
    sets += [np.flatnonzero(game.table[guess] == kind) for guess, kind in ((0, 1), (5, 0), (7, 1))]
    for members in filter(len, sets):
        kept = [codes[member] for member in members]
        classes = literal_classes_of(codes, int(colours), kept, family == "black")
        assert [codes[guess] for guess in game.classes_of(members)] == classes


def literal_images(codes, colours, peg_has_colours):
    """Yield the numbers of all codes' images, (n_codes,), under each symmetry."""
    pegs = range(len(codes[0]))
    names_of_all = list(permutations(range(colours)))
    renamings = [[names] * len(pegs) for names in names_of_all]
    if peg_has_colours:
        renamings = list(product(names_of_all, repeat=len(pegs)))
    number = {code: at for at, code in enumerate(codes)}
    for order in permutations(pegs):
        for names in renamings:
            yield [number[tuple(names[at][code[order[at]]] for at in pegs)] for code in codes]


@pytest.mark.parametrize("name", ["mm-2-3", "mm-3-2", "bc-2-3", "bc-2-4", "black-2-3"])
def test_sets_with_the_same_form_are_images_of_each_other(name):
    """Of all sets of a game; images of each other have the same form, most of them."""
    game = check_lower_bound.game_of(name)
    family, _, colours = name.split("-")
    codes = [tuple(code) for code in game.codes.tolist()]
    images = list(literal_images(codes, int(colours), family == "black"))
    written = lower_bound._Forms(game_called(name))
    smallest = {}
    forms = defaultdict(set)
    for chosen in range(1, 1 << len(codes)):
        members = [at for at in range(len(codes)) if chosen >> at & 1]
        first = min(sorted(image[member] for member in members) for image in images)
        form = game.form(np.array(members))
        assert smallest.setdefault(form, first) == first, members
        forms[tuple(first)].add(form)
        assert written.of(np.array(members)) == np.frombuffer(form, np.int32).astype(int).tobytes()
    alike = sum(len(known) == 1 for known in forms.values())
    assert alike >= 0.7 * len(forms)


@pytest.mark.parametrize("name", ["mm-4-5", "mm-5-3", "bc-4-6", "black-3-5", "mm-8-2"])
def test_the_writer_and_the_checker_give_large_sets_the_same_form_as_most_images(name):
    game = check_lower_bound.game_of(name)
    written = lower_bound._Forms(game_called(name))
    draws = np.random.default_rng(3)
    same = 0
    for _ in range(100):
        guess, secret = draws.integers(len(game.labels), size=2)
        row = game.table[guess]
        members = np.flatnonzero(row == row[secret])
        image = image_of(game, members, draws)
        forms = [game.form(members), game.form(image)]
        same += len(set(forms)) == 1
        for numbers, form in zip((members, image), forms, strict=True):
            assert written.of(numbers) == np.frombuffer(form, np.int32).astype(int).tobytes()
    assert same >= 70


@pytest.mark.parametrize("name", ["mm-4-3", "mm-3-5", "bc-3-6", "black-4-3"])
def test_looking_ahead_from_images_of_one_form_gives_one_bound(name):
    """Parts of images may have other forms, hence other claims: here each form has its own."""

    def claimed(members, turn):
        form = int(zlib.crc32(game.form(np.asarray(members))))
        return None if len(members) == size else 2 * len(members) + form % 4

    size = 12
    proof = {"game": name, "guess_pool": "all", "guess_limit": None, "claims": []}
    checker = check_lower_bound.checked(proof)
    game = checker.game
    written = LowerBound(game_called(name))
    checker.claimed = written._claimed = claimed
    draws = np.random.default_rng(4)
    compared = 0
    while compared < 10:
        members = np.sort(draws.permutation(len(game.labels))[:size]).astype(np.int32)
        image = image_of(game, members, draws)
        if game.form(members) == game.form(image):
            bounds = set()
            for known in (members, image):
                checker.bounds_ahead.clear()
                written._bounds_ahead.clear()
                bounds |= {checker.ahead(known, 2), written._ahead(known, 2)}
            assert len(bounds) == 1, bounds
            compared += 1


def image_of(game, members, draws):
    """Return a set's image under a symmetry that is drawn, (n,) int32."""
    pegs = game.codes.shape[1]
    renamings = [draws.permutation(game.n_colours) for _ in range(pegs)]
    if not game.peg_has_colours:
        renamings = renamings[:1] * pegs
    return np.sort(game.image(draws.permutation(pegs), renamings)[members]).astype(np.int32)


def test_a_claim_is_about_all_images_of_its_set():
    proof = {"game": "mm-4-6", "guess_pool": "all", "guess_limit": None}
    checker = check_lower_bound.checked(proof | {"claims": [["1123 1B-1C", 1]]})
    for guess in ("1123", "2213", "5465"):
        assert checker.claim(codes_after("mm-4-6", guess, "1B-1C"), 2) == 1
    for guess, told in (("1122", "1B-1C"), ("1123", "1B-0C")):
        assert checker.claim(codes_after("mm-4-6", guess, told), 2) is None


def codes_after(name, guess, told):
    """Return the candidates after a guess, by the definition."""
    rules = defined(name)
    codes = {"".join(map(str, secret)): secret for secret in rules.secrets}
    return tuple(label for label, code in codes.items() if rules.grade(codes[guess], code) == told)


@cache
def divided_at_will(size, parts, turns):
    """Return the minimum total if a guess solves one candidate and divides the others at will."""
    if size == 0 or turns == 0:
        return check_lower_bound.NEVER if size else 0
    return size + spread(size - 1, parts, parts, turns - 1)


@cache
def spread(size, left, parts, turns):
    """Return the minimum sum of totals if candidates are spread over the parts that are left."""
    if left == 0:
        return check_lower_bound.NEVER if size else 0
    sums = [
        divided_at_will(first, parts, turns) + spread(size - first, left - 1, parts, turns)
        for first in range(size + 1)
    ]
    return min(sums)


@pytest.mark.parametrize(
    ("name", "pool", "limit"),
    [
        ("mm-2-3", "all", None), ("mm-2-4", "all", None), ("mm-2-3", "consistent", 3),
        ("bc-2-4", "all", None), ("bc-3-3", "all", 3), ("black-2-3", "all", None),
        ("black-3-2", "consistent", None),
    ],
)  # fmt: skip
def test_bounds_by_size_by_parts_and_by_looking_ahead_exceed_no_minimum(name, pool, limit):
    """Looking ahead takes the guess with the smallest sum of the bounds of its parts."""
    proof = {"game": name, "guess_pool": pool, "guess_limit": limit, "claims": []}
    checker = check_lower_bound.checked(proof)
    game = checker.game
    rules = defined(name, pool)
    draws = np.random.default_rng(2)
    for size in range(1, len(game.labels)):
        members = np.sort(draws.permutation(len(game.labels))[:size])
        left = limit or size
        secrets = [rules.secrets[member] for member in members]
        lowest = minimum_of_all_trees(rules, secrets, {}, turns=left)
        turn = 1 if limit else len(game.labels) - left + 1
        assert checker.bound_of(members, turn) <= lowest
        ahead = checker.ahead(members, turn)
        assert checker.bound_of(members, turn) <= ahead <= lowest
        if not game.is_small(members):
            continue
        divisions = []
        for guess in members if pool == "consistent" else range(len(game.labels)):
            row = game.table[guess][members]
            divisions.append([members[row == kind] for kind in set(row.tolist()) - {game.solved}])
        most = max(len(parts) for parts in divisions)
        sums = []
        for parts in divisions:
            if all(len(part) < size for part in parts):
                sums.append(size)
                for part in parts:
                    at_will = divided_at_will(len(part), max(most, 1), left - 1)
                    sums[-1] += max(checker.bound_of(part, turn + 1), at_will)
        assert ahead == max(checker.bound_of(members, turn), min([*sums, check_lower_bound.NEVER]))


@pytest.mark.parametrize("name", ["mm-3-4", "bc-3-5", "bc-4-5", "black-3-4", "mm-2-12", "bc-2-10"])
def test_the_checker_has_the_feedback_of_the_definition(name):
    game = check_lower_bound.game_of(name)
    rules = defined(name)
    codes = [tuple(code) for code in game.codes.tolist()]
    lowest = rules.secrets[0][0]
    assert [tuple(peg + lowest for peg in code) for code in codes] == rules.secrets
    for number, guess in enumerate(rules.secrets):
        assert game.labels[number] == "".join(f"{colour:x}" for colour in guess)
        told = [rules.grade(guess, secret) for secret in rules.secrets]
        assert [game.kinds[kind] for kind in game.table[number]] == told
    assert game.kinds[game.solved] == rules.grade(guess, guess)


@ci_only
def test_committed_proofs_of_about_a_second_hold_and_show_what_the_table_says():
    """Others take up to minutes each: docs/verify.md has the command that checks all."""
    folder = ROOT / "resources" / "proofs"
    rows = pl.read_csv(folder / "lower-bounds.csv")
    checked = 0
    for game, pool, limit, bound in rows.iter_rows():
        named = (game, pool if pool != "all" else "", f"max-{limit}" if limit else "")
        path = folder / f"{'_'.join(filter(None, named))}.json"
        if game == "mm-4-6" or takes_a_second(path, len(defined(game).secrets)):
            shown = check_lower_bound.check(json.loads(path.read_text(encoding="utf-8")))
            assert shown == (check_lower_bound.NEVER if bound is None else bound), path.name
            checked += 1
    assert checked > 130
    assert ("mm-4-6", "all", None, 5625) in rows.rows()


def takes_a_second(path, n_codes):
    """Return whether a proof is checked in about a second: its claims and its codes are few."""
    return path.exists() and path.stat().st_size * n_codes < 1_500_000


def forged_proofs(proof):
    """Yield what is changed, and the changed proof."""
    first, bound = proof["claims"][0]
    assert first == ""
    others = proof["claims"][1:]
    yield "a total that is one higher", [["", bound + 1], *others]
    largest = max(range(len(others)), key=lambda at: others[at][1])
    yield "a claim dropped", [["", bound], *others[:largest], *others[largest + 1 :]]
    moves, part_bound = others[largest]
    rest = [*others[:largest], *others[largest + 1 :]]
    yield "a claim a quarter lower", [["", bound], [moves, part_bound * 3 // 4], *rest]
    yield "a claim that is one higher", [[moves, part_bound + 1], ["", bound], *rest]
    guess, black, white = re.fullmatch(r"(\d+) (\d)B-(\d)C", moves).groups()
    swapped = f"{guess} {white}B-{black}C"
    without = [claim for claim in rest if claim[0] != swapped]
    yield "feedback exchanged", [[swapped, part_bound], ["", bound], *without]
    yield "a claim twice", [["", bound], *others, [moves, part_bound]]
    renamed = f"{guess.translate(str.maketrans('12', '21'))} {black}B-{white}C"
    assert renamed != moves
    yield "a claim on an image of a set as well", [["", bound], *others, [renamed, part_bound]]
    yield "only the total", [["", bound]]


@pytest.mark.parametrize("name", ["mm-4-6", in_ci("mm-5-5")])
def test_a_committed_proof_that_is_changed_is_refused(name):
    path = ROOT / "resources" / "proofs" / f"{name}.json"
    proof = json.loads(path.read_text(encoding="utf-8"))
    for change, claims in forged_proofs(proof):
        assert refused(proof | {"claims": claims}, 0), change
