"""The cache of compiled code: whatever happens to its files, functions stay what they are."""

import importlib.util
import os
from random import Random

import numba
import pytest

from codebreaker.sets import compile as compiling

SOURCE = '''"""A kernel."""

from codebreaker.sets.compile import njit


@njit
def more(number: int) -> int:
    """Return a number plus one."""
    return number + 1
'''


@pytest.fixture
def kernel(tmp_path, monkeypatch):
    """A function that imports a module with a kernel anew, and the folder of its cache."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))  # numba may read it again
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(compiling, "_told", set())
    compiling.log.propagate = True
    path = tmp_path / "kernel_of_a_test.py"
    path.write_text(SOURCE)

    def load():
        spec = importlib.util.spec_from_file_location("kernel_of_a_test", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        assert module.more(41) == 42
        return sum(module.more.stats.cache_hits.values())

    return load, tmp_path / "cache"


def test_compiled_code_is_kept(kernel):
    load, folder = kernel
    assert (load(), load()) == (0, 1)
    assert len(list(folder.rglob("*.nb?"))) == 2


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", ["empty", "cut", "changed", "longer"])
def test_damaged_files_are_compiled_again(kernel, caplog, suffix, damage):
    load, folder = kernel
    load()
    (path,) = folder.rglob(f"*.{suffix}")
    content = bytearray(path.read_bytes())
    if damage == "changed":
        content[Random(1).randrange(len(content))] ^= 1
    path.write_bytes(
        {"empty": b"", "cut": content[:-9], "longer": content + b"x"}.get(damage, content)
    )
    assert load() == 0
    assert f"{path} is damaged or of another user" in caplog.text
    assert load() == 1


def test_code_of_another_user_is_not_loaded(kernel, monkeypatch):
    load, _ = kernel
    load()
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    assert load() == 0


def test_without_a_folder_functions_are_compiled_each_time(kernel, monkeypatch, caplog):
    load, folder = kernel
    load()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(compiling.SealedFiles, "save", full)
    for path in folder.rglob("*.nb?"):
        path.unlink()
    assert load() == 0
    assert "compiled code can't be kept ([Errno 28] No space left" in caplog.text
