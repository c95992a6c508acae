"""Files that hold their digest: every changed byte is noticed before anything is read."""

import json

import numpy as np
import polars as pl
import pytest

from codebreaker.errors import DamagedFileError
from codebreaker.files import frame_to_bytes, read_arrays, read_frame, write_arrays
from codebreaker.runtime.caches import Cache
from codebreaker.runtime.seals import UNSEALED, check_seal, seal
from codebreaker.study.jobs import check_digests, record_digests

ARRAYS = {"numbers": np.arange(40), "name": np.array("mm-2-2"), "weights": np.ones(3)}


def arrays(path, compressed):
    write_arrays(path, compressed, **ARRAYS)
    read_arrays(path)
    return lambda: read_arrays(path)


def table(path):
    frame = pl.DataFrame({"number": [1, 2, 3], "code": ["11", "12", "21"]})
    path.write_bytes(frame_to_bytes(frame, strategy="{}"))
    read_frame(path)
    return lambda: read_frame(path)


def cached(path):
    cache = Cache(path.parent)
    cache.write(path.name, b"machine code")
    assert cache.read(path.name) == b"machine code"

    def read():
        if cache.read(path.name) is None:
            raise DamagedFileError(path, "it counts as missing")

    return read


def text(path):
    path.write_text(json.dumps({"total": 5625}), encoding="utf-8")
    record_digests([path])
    check_digests([path])
    return lambda: check_digests([path])


KINDS = {
    "compressed arrays": lambda folder: arrays(folder / "file.npz", True),
    "arrays": lambda folder: arrays(folder / "file.npz", False),
    "a table": lambda folder: table(folder / "file.parquet"),
    "a file of a cache": lambda folder: cached(folder / "file"),
    "a text with a record": lambda folder: text(folder / "file.json"),
}
DAMAGES = {
    "one bit flipped": lambda content, at: (
        content[:at] + bytes([content[at] ^ 1 << at % 8]) + content[at + 1 :]
    ),
    "cut short": lambda content, at: content[:at],
    "a byte left out": lambda content, at: content[:at] + content[at + 1 :],
    "a part repeated": lambda content, at: content[: at + 16] + content[at:],
    "zeros": lambda content, at: content[:at] + bytes(16) + content[at + 16 :],
}


STEP = 61
"""Bytes from one place of damage to the next where a file is written for each."""


def damages(content, step):
    """Yield a damage's name, its place and the damaged content, at each `step`-th byte."""
    for name, damage in DAMAGES.items():
        for at in range(0, len(content), step):
            damaged = damage(content, at)
            if damaged != content:  # zeros are the same after they are zeroed
                yield name, at, damaged


def is_accepted(read, *arguments):
    try:
        read(*arguments)
    except (DamagedFileError, ValueError):
        return False
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_damage_at_any_byte_is_noticed(tmp_path, kind):
    folder = tmp_path / "files"
    folder.mkdir(mode=0o700)
    read = KINDS[kind](folder)
    (path,) = folder.glob("file*")
    content = path.read_bytes()
    accepted = []
    for name, at, damaged in damages(content, STEP):
        path.write_bytes(damaged)
        if is_accepted(read):
            accepted.append((name, at))
    if kind != "a text with a record":
        for name, at, damaged in damages(content, 1):
            if is_accepted(check_seal, damaged):
                accepted.append((name, at))
    assert not accepted


def test_a_seal_is_the_digest_of_the_content_with_zeros_in_its_place():
    content = b"before" + UNSEALED + b"after"
    sealed = seal(content)
    check_seal(sealed)
    assert len(sealed) == len(content)
    assert seal(content) == sealed
    check_seal(seal(sealed + UNSEALED))  # a file may hold another one: the last seal counts


@pytest.mark.parametrize("content", [b"", b"no seal", UNSEALED, UNSEALED[:-1]])
def test_content_without_a_seal_is_refused(content):
    with pytest.raises(ValueError, match="its content has changed"):
        check_seal(content)


def test_the_same_arrays_give_the_same_bytes_which_numpy_can_read(tmp_path):
    for name in ("one.npz", "two.npz"):
        write_arrays(tmp_path / name, **ARRAYS)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    with np.load(tmp_path / "one.npz") as parts:
        assert parts.files == [*ARRAYS]
