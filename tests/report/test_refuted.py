"""Every claim can fail: a result that refutes it is planted, and both judges see it."""

import csv
import json
import re
from itertools import product

import check_claims
import pytest
from conftest import ROOT

from codebreaker.report.claims import agrees, read_claims
from codebreaker.report.numbers import Query, Results

NUMBERS = ("0", "1", "7", "-1000000000", "1000000000")
TEXTS = ("yes", "no", "another")
"""Cells that are planted in columns of numbers and of texts: one or another refutes any claim."""

CLAIMS = read_claims()
BOUND = re.compile(r"[<>]|\d+ of \d+$")


def test_a_claim_that_is_no_printed_figure_says_how_it_is_tested_and_refuted():
    for claim in CLAIMS:
        assert bool(claim.test) == bool(claim.refuted_by), claim.id
        for case in (case for reading in claim.readings for case in reading.cases):
            is_quoted = case.claimed.split(" ")[-1] in claim.statement
            assert claim.test or is_quoted or not BOUND.match(case.claimed), claim.id
        assert not re.search(r"\bproxy\b|\binstead\b|n't tested|not tested", claim.remark), claim.id


def rows_of(path):
    if path.suffix == ".json":
        return [json.loads(path.read_text(encoding="utf-8"))]
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_rows(rows, path):
    if path.suffix == ".json":
        path.write_text(json.dumps(rows[0]), encoding="utf-8")
        return
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def plants(rows, query):
    """Yield the rows with another cell in a column that the query reads: everywhere, or once."""
    columns = [name for name in rows[0] if re.search(rf"\b{re.escape(name)}\b", query)]
    cells = [(name, text) for name in columns for text in cells_for(name, rows)]
    for column, text in cells:
        yield [row | {column: text} for row in rows]
    cells += [(name, text) for name in columns for text in NUMBERS if (name, text) not in cells]
    for at, (column, text) in product(range(len(rows)), cells):
        yield [*rows[:at], rows[at] | {column: text}, *rows[at + 1 :]]


def cells_for(column, rows):
    """Return what may be planted in a column."""
    is_number = all(re.fullmatch(r"[-+.\deE]*", str(row[column])) for row in rows)
    return NUMBERS if is_number else TEXTS


def refuted(case, folder, planted):
    """Return whether a planted result refutes what a case claims, for both judges."""
    write_rows(planted, folder / case.file)
    try:
        value = check_claims.value_of({"file": case.file, "query": case.query}, folder)
    except ValueError:  # no value, or several
        return False
    if check_claims.is_met(case.claimed, value):
        return False
    value = Results(folder, [case.file]).value(Query(case.file, case.query))
    assert not agrees(case.claimed, str(value)), case
    return True


@pytest.mark.slow
@pytest.mark.parametrize("source", sorted({claim.source for claim in CLAIMS}))
def test_a_result_that_refutes_a_claim_is_seen(source, evidence, tmp_path):
    claims = [claim for claim in CLAIMS if claim.source == source]
    count = 0
    for claim in claims:
        for case in (case for reading in claim.readings for case in reading.cases):
            paths = [folder / case.file for folder in (evidence, ROOT / "resources")]
            path = next((path for path in paths if case.file and path.exists()), None)
            if path is None:
                continue
            (tmp_path / case.file).parent.mkdir(parents=True, exist_ok=True)
            rows = rows_of(path)
            write_rows(rows, tmp_path / case.file)
            assert any(refuted(case, tmp_path, plant) for plant in plants(rows, case.query)), (
                claim.id
            )
            count += 1
    assert count > 1
