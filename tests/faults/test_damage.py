"""Every kind of file, damaged: it is refused in one line, or read as the same content."""

import logging
import pickle
import shutil
import zipfile
from io import BytesIO
from itertools import permutations, product
from pathlib import Path
from random import Random

import numpy as np
import polars as pl
import pytest
import yaml
from conftest import WORD_LISTS, same
from kinds import POLICY, READERS, write_results
from outcomes import ROOT, SAME, SILENT, times, tried

from codebreaker.advice.assistant import Assistant
from codebreaker.advice.cached import TreeCache
from codebreaker.advice.transcripts import Reader
from codebreaker.advice.verdict import as_json, judge
from codebreaker.errors import DamagedFileError
from codebreaker.games.model import read_game
from codebreaker.games.notation import Notation
from codebreaker.games.registry import build_game, rules_of
from codebreaker.games.words import WordFiles
from codebreaker.players.terminals import read_terminals
from codebreaker.study.jobs import check_digests, record_digests
from codebreaker.study.load import check_yaml, load_study


@pytest.fixture(autouse=True)
def quiet(caches, monkeypatch):
    """Caches of the case's own, and no lines about damaged files."""
    monkeypatch.setattr(logging.getLogger("codebreaker"), "disabled", True)


def damaged(content, draw: Random):
    """Content in which some bytes are left out, zeroed, drawn at random, repeated or flipped."""
    for _ in range(draw.choice([1, 1, 1, 4])):
        at = draw.randrange(draw.choice([0, max(0, len(content) - 600)]), len(content))
        part = content[at : at + draw.choice([1, 1, 16, 50, len(content)])]
        flipped = bytes([part[0] ^ 1 << draw.randrange(8)]) + part[1:]
        instead = draw.choice([b"", bytes(len(part)), draw.randbytes(4), 2 * part, flipped])
        content = content[:at] + instead + content[at + len(part) :] or b"\xff"
    return content


def damage(path, case, read, content):
    original, expected = path.read_bytes(), pickle.dumps(read(path))
    draw = Random(case)
    with tried("damaged files", case) as outcomes:
        for _ in range(times(1000, 25)):
            path.write_bytes(damaged(original, draw))
            outcomes.read(lambda: pickle.dumps(read(path)), expected, content=content)


@pytest.mark.parametrize("name", READERS)
def test_results(tmp_path, monkeypatch, name):
    """Binary files have a digest within; that of others is checked first, as by the workflow."""
    monkeypatch.chdir(tmp_path)
    path = Path("results", name)
    write_results(Path("results"))
    record_digests(["results"])

    def read(path):
        if path.suffix in (".json", ".csv", ".txt"):
            check_digests([path])
        return READERS[name](path)

    again = name in list(READERS)[-3:]
    damage(path, name, read, f"{SAME}, or made again" if again else SAME)


NAMED = ("game.npz", "population.npz", "tree.parquet", "log.parquet", "strategies.parquet")
NAMED += ("terminals.parquet", "certificate.json", "expected.json", "weights.json")


@pytest.mark.parametrize("name", NAMED)
def test_files_of_another_kind_are_named_with_the_remedy(tmp_path, name):
    path, table, arrays = tmp_path / name, BytesIO(), BytesIO()
    pl.DataFrame({"game": ["mm-4-6"]}).write_parquet(table)
    np.savez(arrays, game=np.ones(3))
    for content in (b"", b"half", b'{"game": "mm-4-6"}', table.getvalue(), arrays.getvalue()):
        path.write_bytes(content)
        message = rf"{name} is damaged.*delete it and compute it again"
        with pytest.raises(DamagedFileError, match=message) as caught:
            READERS.get(name, read_terminals)(path)
        assert "\n" not in str(caught.value)


HEADERS = [
    "{'descr': (", "", "\0", "{'descr': '<i4', 'fortran_order': False, 'shape': (-1,), }",
    "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "[" * 200, "{1: 2}", "'" * 3, "ÿ",
    "{'descr': '<i4', 'fortran_order': False, 'shape': (1000000000000,), }",
]  # fmt: skip


def test_headers_of_arrays(tmp_path):
    """Whole archives with members that are no arrays."""
    path = tmp_path / "game.npz"
    with tried("damaged files", "headers of arrays") as outcomes:
        for text, version in product(HEADERS, (1, 2, 3, 7)):
            size = len(text).to_bytes(2 if version == 1 else 4, "little")
            header = b"\x93NUMPY" + bytes([version, 0]) + size + text.encode("latin-1")
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("name.npy", header + b"data")
                archive.writestr("digest", b"no array")
            outcomes.read(lambda: read_game(path), None, text)


def test_a_kept_tree_of_another_set_is_not_taken(tmp_path):
    """It has the right key and digest: somebody has put it there."""
    rules = rules_of("mm-3-4")
    notation = Notation(rules, build_game(rules))

    def anew():
        kept = TreeCache(notation.game, POLICY, tmp_path / "kept")
        return Assistant(notation, POLICY, kept), kept

    moves = [[notation.move(f"112:{feedback}")] for feedback in ("0,1", "1,0", "0,2", "2,0", "1,1")]
    trees = [anew()[0].suggest(one).tree for one in moves]
    with tried("damaged files", "kept trees of another set") as outcomes:
        for (one, right), (other, wrong) in permutations(zip(moves, trees, strict=True), 2):
            assistant, kept = anew()
            kept.put(kept.key(assistant.candidates(one)[-1], 2, one[0][1]), wrong)
            tree = anew()[0].suggest(one).tree
            outcomes.add(SAME, same(tree, right), other, wrong=SILENT)


def judged(path):
    """Whether all lines of transcripts that are skipped have a reason of one line."""
    with path.open("rb") as file:
        verdict = judge(file, Reader(None, None), None, None)
    as_json(verdict, "games")
    return all(" ".join(one.reason.splitlines()) == one.reason for one in verdict.skipped)


def study_of(path):
    check_yaml(path)
    data = yaml.safe_load(path.read_bytes())
    return bool(load_study(data if isinstance(data, dict) else {}, ROOT))


def words_of(path):
    """Whether a word list gives a game of different words of one length."""
    rules = rules_of("marks-own", {**WORD_LISTS, "own": WordFiles(str(path), None)})
    secrets = build_game(rules).secrets
    return len(secrets) == len(set(secrets)) and len(set(map(len, secrets))) == 1


OTHERS = {
    "transcripts": ("tests/samples/games.jsonl", judged, "judged, or skipped by line"),
    "configurations": ("config/smoke.yaml", study_of, "a study of what it says"),
    "word lists": ("tests/words/terminal.txt", words_of, "the words that it says"),
}
"""Files from elsewhere, but for trees, which tests/trees damages: what reads them, and how."""


@pytest.mark.parametrize("case", OTHERS)
def test_files_of_others(tmp_path, case):
    sample, read, content = OTHERS[case]
    damage(Path(shutil.copy(ROOT / sample, tmp_path)), case, read, content)
