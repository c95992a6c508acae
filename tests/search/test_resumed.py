"""Killed searches resume from their checkpoints."""

import subprocess
import sys
from functools import partial
from pathlib import Path
from random import Random

import numpy as np
import pytest

import codebreaker as cb
from codebreaker.files import read_arrays, write_arrays
from codebreaker.games.registry import make_game
from codebreaker.search import solver
from codebreaker.search.certificate import write_certificate
from codebreaker.search.optimum import find_optimum
from codebreaker.search.settings import Target

OFTEN = {"EVERY_S": 0.0, "SPARED": 0, "SLICE": 1 << 18}


def certificate(folder, checkpoints=None, objective="total", memo=1.0, name="mm-4-5"):
    game = make_game(name)
    target = Target(objective=objective)
    optimum = find_optimum(game, target, memo, 600, checkpoints)
    write_certificate(game, optimum, folder / "certificate.json")
    return (folder / "certificate.json").read_bytes()


@pytest.fixture(autouse=True)
def often(monkeypatch):
    for name, value in OFTEN.items():
        monkeypatch.setattr(solver, name, value)


@pytest.mark.parametrize(("objective", "memo"), [("lexicographic", 1.0), ("total", 0.01)])
@pytest.mark.slow
def test_kills_at_random_moments_change_no_byte(tmp_path, objective, memo):
    """Also with a memo that is full most of the time."""
    draw = Random(0)
    codes = []
    command = [sys.executable, __file__, tmp_path, objective, str(memo)]
    while 0 not in codes:
        with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
            for _ in range(draw.randrange(8, 50)):
                child.stdout.readline()
            child.kill()
        codes.append(child.returncode)
        assert codes[-1] <= 0
    assert len(codes) > 1
    result = (tmp_path / "certificate.json").read_bytes()
    assert b'"total_guesses": 2463' in result  # also in golden/optimal-small.csv
    assert result == certificate(tmp_path, None, objective, memo)


def cut(path):
    path.write_bytes(path.read_bytes()[:-100])


def forge(path):
    np.savez(path, **read_arrays(path))  # without a seal


def drop_a_field(path):
    arrays = read_arrays(path)
    del arrays["cells_done"]
    write_arrays(path, False, **arrays)


def kept_in(folder):
    """The only checkpoint in a folder."""
    (path,) = folder.glob("*.npz")
    return path


def set_aside(path, reason):
    return f"{path} is set aside as {path.name}.set-aside: {reason}"


@pytest.mark.parametrize(
    ("damage", "reason"),
    [(cut, "it is damaged"), (forge, "it is damaged"), (drop_a_field, "it lacks fields")],
)
@pytest.mark.slow
def test_a_damaged_checkpoint_is_set_aside(tmp_path, caplog, damage, reason):
    certificate(tmp_path, tmp_path / "kept")
    path = kept_in(tmp_path / "kept")
    damage(path)
    result = certificate(tmp_path, path.parent)
    assert caplog.text.count(set_aside(path, reason)) == 1
    assert result == certificate(tmp_path)


def test_a_checkpoint_of_a_larger_memo_is_set_aside(tmp_path, caplog):
    certificate(tmp_path, tmp_path / "kept")
    path = kept_in(tmp_path / "kept")
    result = certificate(tmp_path, path.parent, memo=0.06)
    assert caplog.text.count(set_aside(path, "it needs a larger memo")) == 1
    assert result == certificate(tmp_path, memo=0.06)


def test_searches_in_one_folder_keep_files_of_their_own(tmp_path, caplog):
    caplog.set_level("INFO", "codebreaker")
    folder = tmp_path / "kept"
    for name in ("mm-3-4", "mm-4-4", "mm-3-4"):
        certificate(tmp_path, folder, name=name)
    assert len([*folder.iterdir()]) == 2
    assert caplog.text.count("resuming after") == 1
    assert "set aside" not in caplog.text


@pytest.mark.slow
def test_a_checkpoint_of_other_code_is_set_aside(tmp_path, caplog, monkeypatch):
    certificate(tmp_path, tmp_path / "kept")
    path = kept_in(tmp_path / "kept")
    monkeypatch.setattr(solver, "digest_of", lambda path: "other")
    result = certificate(tmp_path, path.parent)
    assert caplog.text.count(set_aside(path, "it belongs to other settings")) == 1
    assert result == certificate(tmp_path)


def test_the_time_limit_counts_earlier_attempts(tmp_path):
    certificate(tmp_path, tmp_path / "kept")
    path = kept_in(tmp_path / "kept")
    write_arrays(path, False, **read_arrays(path) | {"seconds": 601.0})
    assert b'"proven": false' in certificate(tmp_path, path.parent)


def test_the_library_resumes_too(tmp_path):
    search = partial(cb.solve, "mm-4-5", checkpoints=tmp_path)
    assert search().bound == 2463
    (kept,) = tmp_path.iterdir()
    write_arrays(kept, False, **read_arrays(kept) | {"seconds": 601.0})
    assert not search(time_limit_s=600).is_proven
    assert search(time_limit_s=1200).bound == 2463


def test_short_searches_write_nothing(tmp_path, monkeypatch):
    monkeypatch.undo()
    certificate(tmp_path, tmp_path / "kept")
    assert not (tmp_path / "kept").exists()


def test_the_same_game_without_a_known_symmetry_has_a_checkpoint_of_its_own(tmp_path):
    game = cb.game("mm-2-3")
    for same in (game, game.restricted(game.secrets), game):
        solved = cb.solve(same, guess_pool="consistent", checkpoints=tmp_path)
        assert (solved.tree.total, solved.is_proven) == (21, True)


def test_a_search_without_a_tree_resumes_after_one_with_a_tree(tmp_path, caplog):
    caplog.set_level("INFO", "codebreaker")
    for _ in range(2):
        certificate(tmp_path, tmp_path, name="mm-3-4")
    for _ in range(2):
        with pytest.raises(cb.CodebreakerError, match="no tree"):
            cb.solve("mm-3-5", max_guesses=4, guess_pool="consistent", checkpoints=tmp_path)
    assert caplog.text.count("resuming after") == 2
    assert "set aside" not in caplog.text


if __name__ == "__main__":  # a search to kill

    def write(*arguments, **arrays):
        write_arrays(*arguments, **arrays)
        print("written", flush=True)

    vars(solver).update(OFTEN, write_arrays=write)
    certificate(Path(sys.argv[1]), Path(sys.argv[1], "kept"), sys.argv[2], float(sys.argv[3]))
