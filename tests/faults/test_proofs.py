"""Checkers refuse changed proofs, or what is shown is true."""

import csv
import gzip
import json
import re
import subprocess
import sys
from copy import deepcopy
from decimal import Decimal
from functools import cache, partial
from itertools import repeat
from random import Random
from types import SimpleNamespace

import check_bounds
import check_certificates
import check_claims
import check_lower_bound
import check_values
import pytest
from conftest import ROOT, full_only, game_called
from outcomes import REFUSED, SILENT, is_one_line, places, times, tried
from strict_json import FAULTS

from codebreaker.duel.value import find_value, write_value
from codebreaker.games.registry import make_game
from codebreaker.policies.criteria import CRITERIA
from codebreaker.proofs.guided import find_weights
from codebreaker.proofs.one_row import OneRowSearch, bound_facts
from codebreaker.proofs.patterns import ChoiceTable
from codebreaker.proofs.proof import regrets_of, write_proof
from codebreaker.proofs.settings import GuidedWeights
from codebreaker.report.claims import agrees
from codebreaker.report.numbers import Query, Results
from codebreaker.search.certificate import write_certificate
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.search.lower_bound import LowerBound
from codebreaker.search.optimum import find_optimum
from codebreaker.search.settings import Target
from codebreaker.sets.partition import all_secrets

PROOFS = ROOT / "resources" / "proofs"
ENTROPY = CRITERIA["entropy"]
TARGETS = [
    ("mm-3-3", Target()),
    ("mm-3-3", Target(objective="rounds", rounds=2)),
    *(("mm-3-3", Target(objective=objective)) for objective in ("maximum", "lexicographic")),
    *(
        ("bc-3-5", Target(**settings))
        for settings in ({}, {"guess_pool": "consistent"}, {"guess_limit": 6})
    ),
    ("black-2-3", Target()),
]


def certificates(folder):
    for at, (name, target) in enumerate(TARGETS):
        game = make_game(name)
        path = folder / f"{at}.json"
        write_certificate(game, find_optimum(game, target, 16, 600), path)
        yield path


def claims(folder):
    for name, pool, limit in (("mm-3-4", "all", None), ("mm-3-4", "all", 4), ("mm-2-4", "all", 3)):
        proof = LowerBound(game_called(name), pool, limit)
        path = folder / f"{name}-{limit}.json"
        proof.prove(minimum_total(name, pool, limit))
        path.write_text(json.dumps(proof.to_dict()), encoding="utf-8")
        yield path


def bounds(folder):
    """Write two bounds with their claims, by turn and for one row of weights; yield the paths."""
    by_turn = folder / "by-turn.json"
    one_row = folder / "one-row.json"
    model = GuidedWeights("112", budget=4, patterns=2, walks=2, steps=2000, seconds=5, low=0.9)
    weights, root = find_weights(game_called("mm-3-5"), ENTROPY, "by-turn", model, 4)
    write_proof(game_called("mm-3-5"), {"model": "m"} | weights.provenance, root, by_turn)
    choices = ChoiceTable(CostToGo(game_called("mm-3-6"), memo_mib=4), ENTROPY, 12)
    facts, root = bound_facts(OneRowSearch(choices, 0.1, 1.0), "112", 10)
    write_proof(game_called("mm-3-6"), {"model": "m"} | facts, root, one_row, one_row=True)
    for path in (by_turn, one_row):
        facts = json.loads(path.read_text(encoding="utf-8"))
        proof = LowerBound(game_called(facts["game"]))
        proof.prove(minimum_total(facts["game"], "all", None), regrets_of(proof.game, facts))
        path.with_suffix(".claims").write_text(json.dumps(proof.to_dict()), encoding="utf-8")
        yield path


def values(folder):
    for name in ("mm-3-3", "bc-2-4"):
        write_value(game_called(name), find_value(game_called(name)), folder / f"{name}.json")
        yield folder / f"{name}.json"


@cache
def minimum_total(name, pool, limit):
    cost = CostToGo(game_called(name), limit, guess_pool=pool)
    lowest = cost.of(all_secrets(cost.game), 1)
    return None if lowest >= cost.no_limit else lowest


def options_for(path):
    return SimpleNamespace(claims=[str(path.with_suffix(".claims"))], trust=[], claimed=[])


def no_more(shown, known):
    """Whether a bound follows from another."""
    row = shown[1]
    right = known[1]
    narrower = row["low"] >= right["low"] and row["high"] <= right["high"]
    weaker = narrower and row["behind_bits"] <= right["behind_bits"]
    weaker &= right["one_row"] in ("no", row["one_row"]) and row["bound"] <= right["bound"]
    return weaker and all(row[key] == right[key] for key in ("game", "opening"))


def is_true(shown, _):
    row = shown[1]
    lowest = minimum_total(row["game"], row["guess_pool"], row["guess_limit"])
    if row["bound"] is None:  # no tree exists
        return lowest is None
    return lowest is None or row["bound"] <= lowest


def is_same(shown, right):
    """Apart from what is on trust."""
    unchecked = r"guesses: \w+|limit: \w+|; on trust.*"
    text, true = (re.sub(unchecked, "", shown_line[0]) for shown_line in (shown, right))
    return text == true and shown[1] == right[1]


KINDS = {
    "certificates": (certificates, check_certificates.shown, lambda path: {}, is_same),
    "claims": (claims, check_lower_bound.shown, lambda path: None, is_true),
    "bounds": (bounds, check_bounds.shown, options_for, no_more),
    "values": (values, check_values.shown, lambda path: {}, is_same),
}

VALUES = [
    *(None, True, -1, 0, 1, 0.5, 10**30, float("nan"), float("inf"), 1e-9, 1e300, [], {}, ""),
    *("all ", "112", "111", "666", "1\n2", "\x1b[2J", "0B-0C", "9B-9C", "1/3", "mm-9-9"),
]


def changed_fields(data):
    for at, (part, key) in enumerate(places(data)):
        kept = part[key]
        if isinstance(kept, (dict, list)):
            continue
        near = [kept - 1, kept + 1] if type(kept) in (int, float) else []
        for value in (*VALUES, *near):
            if (type(value), value) != (type(kept), kept):
                part[key] = value
                yield f"place {at}: {kept!r} becomes {value!r}", json.dumps(data)
        part[key] = kept


def pairs_of(inner):
    return list(inner.items()) if isinstance(inner, dict) else list(enumerate(inner))


def like(inner, pairs):
    return dict(pairs) if isinstance(inner, dict) else [value for _, value in pairs]


ATTACKS = {
    "duplicated": lambda inner, draw: like(inner, pairs_of(inner) * 2) if isinstance(inner, list)
    else dict.fromkeys(inner, draw.choice([*inner.values()])),
    "left out": lambda inner, draw: like(inner, draw.sample(pairs_of(inner), len(inner) - 1)),
    "reordered": lambda inner, draw: like(inner, draw.sample(pairs_of(inner), len(inner))),
    "emptied": lambda inner, draw: type(inner)(),
    "wrapped": lambda inner, draw: [inner],
    "renamed": lambda inner, draw: {f"{key} ": value for key, value in pairs_of(inner)},
    "one more": lambda inner, draw: inner | {"proven": True} if isinstance(inner, dict)
    else [*inner, draw.choice(VALUES)],
}  # fmt: skip


def attacks(data, foreign, draw):
    """Yield names and texts of damaged files: cut, nested, forged, or mixed with another game's."""
    text = json.dumps(data)
    yield "truncated", text[: draw.randrange(len(text))]
    yield "nested without end", text[:-1] + ', "tree": ' + '{"after":' * 100_000
    yield "a key given twice", f'{text[:-1]}, "game": "mm-2-2"}}'
    yield "another game's", json.dumps(foreign | {"game": data["game"]})
    for name in (*ATTACKS, "circular", "foreign"):
        wrong = deepcopy(data)
        inside = [(part, key) for part, key in places(wrong) if isinstance(part[key], (dict, list))]
        part, key = draw.choice([(part, key) for part, key in inside if part[key]])
        if name in ATTACKS:
            part[key] = ATTACKS[name](part[key], draw)
        else:
            part[key] = deepcopy(part if name == "circular" else foreign.get(key, foreign))
        yield name, json.dumps(wrong)


def judge(outcomes, note, show, holds):
    try:
        shown = show()
    except FAULTS as why:
        outcomes.add(REFUSED, is_one_line(why), note, why)
    else:
        outcomes.add("accepted, and true", holds(shown), note, shown, wrong=SILENT)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.slow
def test_what_is_not_proved_is_refused(tmp_path, kind):
    write, shown, given, holds = KINDS[kind]
    draw = Random(kind)
    paths = list(write(tmp_path))
    files = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    rights = [shown(path, given(path)) for path in paths]
    changes = [
        (at, *change) for at, data in enumerate(files) for change in changed_fields(deepcopy(data))
    ]

    def show(at, text):
        paths[at].write_text(text, encoding="utf-8")
        return shown(paths[at], given(paths[at])), rights[at]

    with tried("certificates and proofs", f"{kind}, one field changed") as outcomes:
        for at, note, text in draw.sample(changes, min(times(4000, 120), len(changes))):
            judge(outcomes, note, partial(show, at, text), lambda rows: holds(*rows))
    with tried("certificates and proofs", f"{kind}, attacked") as outcomes:
        for at in [*range(len(files))] * times(60, 4):
            foreign = next(file for file in files if file["game"] != files[at]["game"])
            for note, text in attacks(files[at], foreign, draw):
                judge(outcomes, note, partial(show, at, text), lambda rows: holds(*rows))


@pytest.mark.parametrize(
    ("low", "behind"),
    [("0.90000036", "9.0000004e-6"), ("0.95", "9e-6"), ("0.9123456789012", "9.1e-6")],
)
@pytest.mark.slow
def test_conditions_of_a_bound_are_told_in_full(tmp_path, low, behind):
    path = next(bounds(tmp_path))
    text = path.read_text(encoding="utf-8")
    changed = re.sub(r'"low": ?[^,}]*', f'"low": {low}', text)
    path.write_text(re.sub(r'"behind_bits": ?[^,}]*', f'"behind_bits": {behind}', changed))
    printed, row = check_bounds.shown(path, options_for(path))
    pattern = r"lie in \[(\S+), 1\], whichever guess within (\S+) bits of the best is played"
    match = re.search(pattern, printed)
    assert [*map(Decimal, match.groups())] == [Decimal(low), Decimal(behind)]
    assert [Decimal(str(row[key])) for key in ("low", "behind_bits")] == [
        Decimal(low),
        Decimal(behind),
    ]
    path.write_text(changed.replace(low, f"{low}{'0' * (18 - len(low))}1"), encoding="utf-8")
    with pytest.raises(ValueError, match="its 'low' has another form or size"):
        check_bounds.shown(path, options_for(path))


TEXTS = [
    "",
    "4",
    "4.36",
    "9.9",
    "4.3565 ",
    ">= 0",
    "< 99",
    "13/3",
    "4356e-3",
    "4.3565%",
    "٤",
    "4.35…",
    "4...",
    "about 4.4",
    "holds",
    "does not hold",
    "b",
    "is nearly so",
    "../game.csv",
    "/etc/passwd.csv",
    "a\nb",
    "\x1b[2J",
    "1,296",
    "nan",
    "SELECT mean FROM file",
    "SELECT kind FROM file WHERE mean > 4.3",
    "SELECT mean FROM other",
    'SELECT "none" FROM file',
    "SELECT kind, mean FROM file",
    "SELECT mean FROM file WHERE kind = 'c'",
    "SELECT * FROM sqlite_master",
    "DROP TABLE file",
    "ATTACH 'game.db' AS other",
    "SELECT load_extension('x')",
    "SELECT zeroblob(1000000000)",
    "PRAGMA writable_schema = 1",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT MAX(i) FROM n",
]
"""Texts in place of a claim's fields."""

CLAIMED_MEAN = {
    "claimed": "4.3565",
    "computed": "4.3565",
    "verdict": "holds",
    "file": "game.csv",
    "query": "SELECT mean FROM file WHERE kind = 'b'",
}
CLAIMED_BOUND = {
    "claimed": "< 4.3",
    "computed": "4.250",
    "test": "a mean below 4.3",
    "refuted_by": "a mean of 4.3 or more",
    "verdict": "holds under a stated reading",
    "reading": "mean",
    "file": "game.csv",
    "query": "SELECT MIN(mean) FROM file",
}
CLAIMED_NAME = {
    "claimed": "a",
    "computed": "b",
    "verdict": "does not hold",
    "file": "game.csv",
    "query": "SELECT kind FROM file WHERE mean = (SELECT MAX(mean) FROM file)",
}
UNDECIDED = {
    "verdict": "cannot be decided from the text",
}
CLAIMS = [CLAIMED_MEAN, CLAIMED_BOUND, CLAIMED_NAME, UNDECIDED]


@pytest.mark.slow
def test_claims_of_sources_that_are_changed_are_refused_or_as_they_say(tmp_path):
    (tmp_path / "game.csv").write_text("kind,mean\na,4.25\nb,4.356481\n", encoding="utf-8")
    path = tmp_path / "discrepancies.csv"
    draw = Random(1)
    usual = dict.fromkeys(check_claims.COLUMNS, "") | {"source": "S", "statement": "It is so."}
    rows = [usual | {"id": f"claim-{at}"} | claim for at, claim in enumerate(CLAIMS)]
    for row in rows:
        row["origin"] = "this run" if row["computed"] else ""
    readings = [main_reading_of(row) for row in rows if row["computed"]]

    def write(path, rows):
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)

    def checked(rows):
        write(path, rows)
        return check_claims.shown(path, None)

    write(path.with_name("readings.csv"), readings)

    assert checked(rows)[1] == {"claims": len(rows)}
    changes = [(at, key, text) for at in range(len(rows)) for key in usual for text in TEXTS]
    wrongs = [[*rows[:at], rows[at] | {key: text}, *rows[at + 1 :]] for at, key, text in changes]
    wrongs += [[rows[0] | {"computed": "9"}, *rows], [*rows, rows[0]], [rows[0] | {"more": "x"}]]
    with tried("certificates and proofs", "claims of sources, changed") as outcomes:
        for wrong in draw.sample(wrongs, times(len(wrongs), 300)):
            right = partial(map, is_weighed_right, wrong, repeat(tmp_path))
            judge(outcomes, wrong, partial(checked, wrong), lambda _, right=right: all(right()))


def main_reading_of(claim):
    """The row of a claim's only reading."""
    reading = {name: claim.get(name, "") for name in check_claims.READING_COLUMNS}
    holds = check_claims.YES_NO[claim["verdict"] in check_claims.HOLDING]
    return reading | {"is_main": "yes", "holds": holds}


def is_weighed_right(claim, folder):
    if not claim["computed"]:
        return claim["verdict"] in check_claims.VERDICTS[3:]
    value = str(Results(folder, ["game.csv"]).value(Query(claim["file"], claim["query"])))
    holds = claim["verdict"] in check_claims.HOLDING
    return agrees(claim["claimed"], value) == holds and agrees(claim["computed"], value)


def program(name, *arguments):
    command = [sys.executable, ROOT / "workflow" / "checkers" / f"{name}.py", *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env={}, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.slow
def test_checkers_are_programs_that_need_no_package(tmp_path):
    code, output, _ = program("check_lower_bound", PROOFS / "mm-4-6_max-4.json")
    assert (code, output.count("\n")) == (0, 1)
    assert "mm-4-6 has no strategy with 4 guesses at most for any secret; guesses: all" in output
    (tmp_path / "a\nb.json").write_text("[NaN]", encoding="utf-8")
    for name in ("bounds", "certificates", "claims", "lower_bound", "values"):
        code, output, error = program(f"check_{name}", tmp_path / "a\nb.json")
        assert (code, output, error.count("\n"), error[:7]) == (1, "", 1, "error: "), name


@full_only
@pytest.mark.parametrize("model", ["guided-stage", "one-row"])
def test_committed_bounds_that_are_changed_are_refused(tmp_path, model):
    path = tmp_path / "bound.json"
    draw = Random(model)
    data = json.loads(gzip.decompress((PROOFS / f"bound-{model}.json.gz").read_bytes()))
    options = SimpleNamespace(claims=[str(PROOFS / f"{model}.json")], trust=[], claimed=[])
    path.write_text(json.dumps(data), encoding="utf-8")
    right = check_bounds.shown(path, options)
    assert right[1]["regrets_shown"] == right[1]["regrets"]
    with tried("certificates and proofs", f"the bound of {model}, changed") as outcomes:
        part = {key: data[key] for key in ("bound", "optimum", "low", "high", "behind_bits")}
        texts = [json.dumps(data | json.loads(text)) for _, text in changed_fields(part)]
        texts += [text for _, text in attacks(data, {}, draw)]
        for text in draw.sample(texts, 40):
            path.write_text(text, encoding="utf-8")
            show = partial(check_bounds.shown, path, options)
            judge(outcomes, "", show, lambda shown: no_more(shown, right))


@full_only
@pytest.mark.parametrize("name", ["mm-4-7", "mm-4-8", "mm-5-5"])
def test_committed_lower_bounds_of_large_games_hold(name):
    proof = json.loads((PROOFS / f"{name}.json").read_text(encoding="utf-8"))
    assert check_lower_bound.check(proof) == dict(proof["claims"])[""]
