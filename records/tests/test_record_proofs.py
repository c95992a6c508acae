"""`make proofs` keeps a proof of the total that is known, and finds any other again."""

import gzip
import json
import sys

import pytest
from conftest import HERE, ROOT, loaded

GAME = "mm-2-4"
TOTAL = 45  # the minimum


@pytest.fixture
def proofs(monkeypatch, tmp_path):
    """The program, which writes to an empty folder."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT / "tools")])
    program = loaded("record_proofs", HERE / "record" / "record_proofs.py")
    monkeypatch.setattr(program, "FOLDER", tmp_path)
    return program


def claims_of(path):
    return json.loads(path.read_text(encoding="utf-8"))["claims"]


def kept(proofs, *asked):
    """Return the path of a proof that stays as it is when it is asked for again."""
    path = proofs._prove(GAME, "all", *asked)
    written = path.stat().st_mtime_ns
    assert proofs._prove(GAME, "all", *asked) == path
    assert path.stat().st_mtime_ns == written
    return path


def test_a_proof_of_the_known_total_is_kept(proofs, tmp_path):
    path = kept(proofs, None, TOTAL)
    assert path == tmp_path / f"{GAME}.json"
    assert claims_of(path)[0][1] == TOTAL


def test_a_proof_of_another_total_is_found_again(proofs):
    path = proofs._prove(GAME, "all", None, TOTAL - 1)
    assert claims_of(path)[0][1] == TOTAL - 1
    assert proofs._prove(GAME, "all", None, TOTAL) == path
    assert claims_of(path)[0][1] == TOTAL


def test_only_one_ending_is_kept(proofs, tmp_path):
    plain = proofs._prove(GAME, "all", None, TOTAL - 1)
    stale = tmp_path / f"{GAME}.json.gz"
    stale.write_bytes(gzip.compress(plain.read_bytes()))
    path = proofs._prove(GAME, "all", None, TOTAL)
    assert [*tmp_path.iterdir()] == [path]
    assert claims_of(path)[0][1] == TOTAL


def test_a_compressed_proof_is_kept(proofs, monkeypatch, tmp_path):
    monkeypatch.setattr(proofs, "LARGE", 0)
    assert kept(proofs, None, TOTAL) == tmp_path / f"{GAME}.json.gz"


def test_a_proof_that_no_tree_exists_is_kept_beside_that_of_the_total(proofs, tmp_path):
    proofs._prove(GAME, "all", None, TOTAL)
    path = kept(proofs, 3, None)
    assert path == tmp_path / f"{GAME}_max-3.json"
    assert claims_of(path)[0][1] is None
