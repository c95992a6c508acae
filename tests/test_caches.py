"""The user's caches."""

import importlib.util
import os

import numpy as np
import pytest

from codebreaker.runtime.caches import Cache

DAMAGES = {
    "empty": lambda content: b"",
    "cut": lambda content: content[:-9],
    "changed": lambda content: bytes([content[0] ^ 1]) + content[1:],
    "longer": lambda content: content + b"x",
}
KERNEL = '''"""A kernel."""

from codebreaker.compiling.cpu import njit


@njit
def more(number: int) -> int:
    return number + 1
'''


@pytest.fixture
def folder(tmp_path):
    before = os.umask(0)  # which lets others write, unless a file forbids it
    yield tmp_path / "cache"
    os.umask(before)


def test_what_is_written_is_read(folder):
    cache = Cache(folder)
    assert cache.read("one") is None
    cache.write("one", b"content")
    cache.write_arrays("two", some=np.arange(3))
    assert Cache(folder).read("one") == b"content"
    assert Cache(folder).read_arrays("two")["some"].tolist() == [0, 1, 2]
    assert Cache(folder).read_arrays("one") is None
    assert folder.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_counts_as_missing(folder, caplog, damage):
    Cache(folder).write("one", b"content")
    (folder / "one").write_bytes(DAMAGES[damage]((folder / "one").read_bytes()))
    assert Cache(folder).read("one") is None
    assert f"{folder / 'one'} is damaged or of another user" in caplog.text
    assert not (folder / "one").exists()


def test_a_file_of_another_name_or_folder_counts_as_missing(folder):
    Cache(folder).write("one", b"content")
    Cache(folder).write("two", b"other content")
    (folder / "one").write_bytes((folder / "two").read_bytes())
    assert Cache(folder).read("one") is None
    elsewhere = folder.parent / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    (folder / "two").rename(elsewhere / "two")
    assert Cache(elsewhere).read("two") is None


def test_files_of_others_and_in_folders_of_others_are_not_read(folder, tmp_path, monkeypatch):
    cache = Cache(folder)
    cache.write("one", b"content")
    (tmp_path / "link").symlink_to(folder)
    assert Cache(tmp_path / "link").read("one") is None
    folder.chmod(0o777)
    assert cache.read("one") is None
    with pytest.raises(PermissionError, match="belongs to another user"):
        cache.write("two", b"content")
    folder.chmod(0o700)
    assert cache.read("one") == b"content"
    (folder / "one").chmod(0o666)
    assert cache.read("one") is None
    cache.write("one", b"content")
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    assert cache.read("one") is None


def test_caches_below_a_folder_that_others_can_change_are_not_read(tmp_path, caplog):
    shared = tmp_path / "shared"
    cache = Cache(shared / "codebreaker" / "code")
    cache.write("one", b"content")
    shared.chmod(0o777)  # anybody can replace the folder `codebreaker`
    assert cache.read("one") is None
    assert "XDG_CACHE_HOME" in caplog.text
    shared.chmod(0o1777)  # as /tmp
    assert cache.read("one") == b"content"
    (tmp_path / "link").symlink_to(shared)
    assert Cache(tmp_path / "link" / "codebreaker" / "code").read("one") == b"content"


@pytest.mark.skipif(
    getattr(os, "getuid", lambda: 1)() != 0, reason="only root can give folders away"
)
@pytest.mark.parametrize("folder", ["shared", "shared/codebreaker", "shared/codebreaker/code"])
def test_caches_below_a_folder_of_another_user_are_not_read(tmp_path, folder):
    cache = Cache(tmp_path / "shared" / "codebreaker" / "code")
    cache.write("one", b"content")
    assert cache.read("one") == b"content"
    os.chown(tmp_path / folder, 12345, 12345)
    assert cache.read("one") is None
    with pytest.raises(PermissionError, match="belongs to another user"):
        cache.write("one", b"content")


def test_the_least_recently_used_files_are_deleted(folder):
    cache = Cache(folder, most_files=2)
    for number, name in enumerate(("a", "b")):
        cache.write(name, b"content")
        os.utime(folder / name, (number, number))
    cache.read("a")
    cache.write("c", b"content")
    assert {path.name for path in folder.iterdir()} == {"a", "c"}


@pytest.fixture
def kernel(folder, tmp_path, monkeypatch):
    """Compile a source as in a new process, check a result, and return how often it was cached."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))

    def load(source=KERNEL, result=42, number=41):
        path = tmp_path / f"kernel_{abs(hash(source))}.py"
        path.write_text(source, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        loaded = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(loaded)
        assert (loaded.more(number), type(loaded.more(number))) == (result, type(result))
        return sum(loaded.more.stats.cache_hits.values())

    return load


def test_compiled_code_is_kept_by_its_source(kernel, folder):
    assert (kernel(), kernel()) == (0, 1)
    assert len(list(folder.rglob("*.nbc"))) == 1
    assert kernel(KERNEL.replace("+ 1", "+ 2"), 43) == 0
    assert kernel() == 1


def test_code_of_another_signature_is_not_run(kernel, folder, caplog):
    kernel(number=41, result=42)
    (integers,) = folder.rglob("*.nbc")
    kernel(number=41.5, result=42.5)
    (others,) = {*folder.rglob("*.nbc")} - {integers}
    integers.write_bytes(others.read_bytes())
    assert kernel(number=41, result=42) == 0
    assert kernel(number=41.5, result=42.5) == 1


@pytest.mark.parametrize("damage", ["cut", "changed"])
def test_damaged_code_is_compiled_again(kernel, folder, caplog, damage):
    kernel()
    (path,) = folder.rglob("*.nbc")
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    assert (kernel(), kernel()) == (0, 1)


def test_without_a_folder_functions_are_compiled_each_time(kernel, folder, caplog):
    folder.write_text("a file")
    assert (kernel(), kernel()) == (0, 0)
    assert "compiled code can't be cached" in caplog.text
