"""Functions that only compiled functions call, and records that are passed as a pointer."""

import sys
from typing import Any, NamedTuple

import numpy as np
import pytest

from codebreaker.compiling.by_reference import by_reference
from codebreaker.compiling.cpu import inner, njit


class Pair(NamedTuple):
    """A tuple within a record."""

    low: Any
    high: Any


@by_reference
class Record(NamedTuple):
    """Fields of many kinds."""

    flat: Any
    square: Any
    number: int
    share: float
    is_set: bool
    pair: Pair


@inner
def total_of(record, row):
    """Return a number in which each field takes part."""
    total = record.number + record.share
    if record.is_set:
        total += 1000
    for column in range(record.square.shape[1]):
        total += record.square[row, column]
    return total + record.flat.sum() + record.pair.low[0] * record.pair.high


@njit(nogil=True)
def add_up(record, row):
    """Call an inner function with the record, and write into one of its arrays."""
    record.flat[0] += 1
    return total_of(record, row)


def expected(record, row):
    """Return what `add_up` returns, after it has written."""
    total = record.number + record.share + 1000 * record.is_set
    return (
        total + record.square[row].sum() + record.flat.sum() + record.pair.low[0] * record.pair.high
    )


SQUARES = [
    np.arange(12, dtype=np.int32).reshape(3, 4),
    np.arange(12.0).reshape(3, 4),
    np.arange(12, dtype=np.uint8).reshape(4, 3).T,  # columns lie together
    np.arange(48, dtype=np.int64).reshape(6, 8)[::2, ::2],  # with gaps
    np.zeros((3, 0), dtype=np.int16),
]


@pytest.mark.parametrize("square", SQUARES, ids=lambda square: str(square.dtype))
@pytest.mark.parametrize("is_set", [False, True])
def test_each_field_is_read_through_the_pointer(square, is_set):
    flat = np.array([5, 7, 9], dtype=np.int64)
    low = np.array([3], dtype=np.uint16)
    record = Record(flat, square, 11, 0.25, is_set, Pair(low, 2))
    for calls in range(1, 4):
        assert add_up(record, 2) == expected(record, 2)
        assert flat[0] == 5 + calls  # the caller's array is written


def test_a_call_keeps_no_reference_to_an_array():
    arrays = np.zeros(3, dtype=np.int64), np.arange(12, dtype=np.int32).reshape(3, 4), np.ones(1)
    record = Record(arrays[0], arrays[1], 11, 0.25, True, Pair(arrays[2], 2))
    before = [sys.getrefcount(array) for array in arrays]
    for _ in range(5):
        add_up(record, 2)
    assert [sys.getrefcount(array) for array in arrays] == before


def test_an_unknown_field_is_refused():
    @njit(variant="unknown-field")
    def unknown(record):
        return record.nothing

    record = Record(np.zeros(1), SQUARES[0], 0, 0.0, False, Pair(np.zeros(1), 1))
    with pytest.raises(Exception, match="nothing"):
        unknown(record)


def test_a_function_for_compiled_callers_can_not_be_called_from_python():
    with pytest.raises(TypeError, match="only compiled functions can call total_of"):
        total_of(None, 0)
