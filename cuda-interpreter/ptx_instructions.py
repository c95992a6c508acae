"""The instructions that the interpreter knows, and what each computes on NumPy arrays.

Arithmetic is a table of functions of one number per thread. Other instructions, which move numbers,
are translated in `ptx_code.py`; here stand the types that they come with.
"""

import ctypes.util
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from ptx_memory import KernelFault

_FMA = ctypes.CDLL(ctypes.util.find_library("m")).fma
_FMA.argtypes = [ctypes.c_double] * 3
_FMA.restype = ctypes.c_double


class Operation(NamedTuple):
    """Arithmetic: the number of its operands, and its function of that many arrays.

    Operands have the instruction's type, and so has the result unless it is a comparison's (bool)
    or that of `mul.wide`. Integers wrap around at the width of their type.
    """

    n_operands: int
    compute: Callable


def shift_left(values, distances):
    """Shift to the left; from the width of the type on, no bit is left."""
    return _shift(values, distances, np.left_shift)


def shift_right(values, distances):
    """Shift to the right; from the width on, the sign is left of signed numbers, or no bit."""
    return _shift(values, distances, np.right_shift)


def _shift(values, distances, numpy_shift):
    n_bits = 8 * values.dtype.itemsize
    distances = distances.view(np.uint32)
    if distances.ndim == 0 and distances < n_bits:  # most distances in kernels are constants
        return numpy_shift(values, distances.astype(values.dtype))
    # NumPy leaves shifts by the width or more undefined: shift by one bit less, then correct.
    shifted = numpy_shift(values, np.minimum(distances, n_bits - 1).astype(values.dtype))
    if values.dtype.kind == "i":
        return shifted
    return np.where(distances < n_bits, shifted, values.dtype.type(0))


def multiply_high(first, second):
    """Return the upper 64 bits of products of 64-bit integers, from products of their halves."""
    low_mask = np.int64(2**32 - 1)
    half = np.int64(32)
    first_low = first & low_mask
    first_high = first >> half
    second_low = second & low_mask
    second_high = second >> half
    low_product = first_low.view("u8") * second_low.view("u8")
    carry = (low_product >> np.uint64(32)).view("i8")
    middle = first_high * second_low + carry
    other_middle = first_low * second_high + (middle & low_mask)
    return first_high * second_high + (middle >> half) + (other_middle >> half)


def multiply_wide(first, second):
    """Return products of twice the operands' width."""
    wide = f"{first.dtype.kind}{2 * first.dtype.itemsize}"
    return first.astype(wide) * second.astype(wide)


def divide(dividends, divisors):
    """Divide integers, rounded towards zero; PTX leaves divisions by zero undefined."""
    if not np.all(divisors):
        raise KernelFault("a division by zero")
    quotients = dividends // divisors
    is_rounded_down = (quotients * divisors != dividends) & ((dividends < 0) != (divisors < 0))
    return quotients + is_rounded_down


def remainder(dividends, divisors):
    """Return what `divide` leaves: it has the dividend's sign."""
    return dividends - divide(dividends, divisors) * divisors


def count_leading_zeros(values):
    """Return the number of zeros above the highest set bit of 32."""
    return 32 - np.frexp(values.astype("f8"))[1]


def minimum(first, second):
    """Return the lower float: a number rather than NaN, and -0.0 rather than 0.0."""
    is_negative_zero = (first == 0) & (second == 0) & (np.signbit(first) | np.signbit(second))
    return np.where(is_negative_zero, -0.0, np.fmin(first, second))


def maximum(first, second):
    """Return the higher float: a number rather than NaN, and 0.0 rather than -0.0."""
    return -minimum(-first, -second)


def multiply_add(first, second, third):
    """Multiply and add, rounded once; with small integers nothing is rounded anyway."""
    product = first * second
    is_exact = np.abs(product) <= 1 << 53
    is_exact &= (np.rint(first) == first) & (np.rint(second) == second)
    if np.all(is_exact):
        return product + third
    return np.asarray(np.frompyfunc(_FMA, 3, 1)(first, second, third), float)


COPY = Operation(1, lambda a: a)
SELECT = Operation(3, lambda a, b, condition: np.where(condition, a, b))
EQUAL = Operation(2, lambda a, b: a == b)
NOT_EQUAL = Operation(2, lambda a, b: a != b)
LESS = Operation(2, lambda a, b: a < b)
LESS_OR_EQUAL = Operation(2, lambda a, b: a <= b)
GREATER = Operation(2, lambda a, b: a > b)
GREATER_OR_EQUAL = Operation(2, lambda a, b: a >= b)

INTEGERS = {
    "abs": ("s64", Operation(1, np.abs)),
    "add": ("s16 s32 s64 u64", Operation(2, lambda a, b: a + b)),
    "and": ("b32 b64 pred", Operation(2, lambda a, b: a & b)),
    "clz": ("b32", Operation(1, count_leading_zeros)),
    "div": ("s64 u32", Operation(2, divide)),
    "max": ("s32 s64", Operation(2, np.maximum)),
    "min": ("s64", Operation(2, np.minimum)),
    "mov": ("b64 pred u16 u32 u64", COPY),
    "mul.hi": ("s64", Operation(2, multiply_high)),
    "mul.lo": ("s32 s64", Operation(2, lambda a, b: a * b)),
    "mul.wide": ("s32 u32", Operation(2, multiply_wide)),
    "neg": ("s64", Operation(1, lambda a: -a)),
    "not": ("b32 b64 pred", Operation(1, lambda a: ~a)),
    "or": ("b32 b64 pred", Operation(2, lambda a, b: a | b)),
    "popc": ("b64", Operation(1, np.bitwise_count)),
    "rem": ("s64 u32", Operation(2, remainder)),
    "selp": ("b32 b64 s64 u16 u32 u64", SELECT),
    "setp.eq": ("b64 s16 s32 s64", EQUAL),
    "setp.ge": ("s32 s64 u64", GREATER_OR_EQUAL),
    "setp.gt": ("s32 s64 u64", GREATER),
    "setp.le": ("s32 s64", LESS_OR_EQUAL),
    "setp.lt": ("s16 s32 s64 u32 u64", LESS),
    "setp.ne": ("s16 s32 s64 u32", NOT_EQUAL),
    "shl": ("b32 b64", Operation(2, shift_left)),
    "shr": ("s64 u32 u64", Operation(2, shift_right)),
    "sub": ("s32 s64", Operation(2, lambda a, b: a - b)),
    "xor": ("b32 b64 pred", Operation(2, lambda a, b: a ^ b)),
}
"""Name: types that kernels use, and the operation."""

FLOATS = {
    "abs": ("f64", Operation(1, np.abs)),
    "add": ("f64", Operation(2, lambda a, b: a + b)),
    "div.rn": ("f64", Operation(2, lambda a, b: a / b)),
    "fma.rn": ("f64", Operation(3, multiply_add)),
    "max": ("f64", Operation(2, maximum)),
    "min": ("f64", Operation(2, minimum)),
    "mov": ("f64", COPY),
    "mul": ("f64", Operation(2, lambda a, b: a * b)),
    "selp": ("f64", SELECT),
    "setp.ge": ("f64", GREATER_OR_EQUAL),
    "setp.geu": ("f64", Operation(2, lambda a, b: ~(a < b))),
    "setp.gt": ("f64", GREATER),
    "setp.gtu": ("f64", Operation(2, lambda a, b: ~(a <= b))),
    "setp.leu": ("f64", Operation(2, lambda a, b: ~(a > b))),
    "setp.lt": ("f64", LESS),
    "setp.ltu": ("f64", Operation(2, lambda a, b: ~(a >= b))),
    "setp.neu": ("f64", NOT_EQUAL),
    "sub": ("f64", Operation(2, lambda a, b: a - b)),
}
"""The same for floats: rounded to nearest even; comparisons that end in u also hold for NaN."""

_MOVES = {
    "atom.global.add": "u32 u64",
    "atom.global.cas": "b64",
    "atom.global.min": "s64",
    "atom.shared.add": "f64 u32 u64",
    "cvt": "s32.s16 s64.s16 s64.s32 u32.u16 u32.u64 u64.u16 u64.u32 rn.f64.s64",
    "cvta.to.global": "u64",
    "ld": "f64 s32 u32",
    "ld.global": "f64 s32 s8 u16 u32 u64 u8",
    "ld.local": "u16",
    "ld.param": "u64 u8",
    "ld.shared": "f64 s32 u32 u64 u8",
    "ld.volatile.global": "f64",
    "st.global": "f64 u16 u32 u64 u8",
    "st.local": "u16",
    "st.shared": "f64 u32 u64",
}

OPERATIONS = {
    f"{name}.{kind}": operation
    for table in (INTEGERS, FLOATS)
    for name, (kinds, operation) in table.items()
    for kind in kinds.split()
}
"""Arithmetic by opcode."""

MOVES = {f"{name}.{kind}" for name, kinds in _MOVES.items() for kind in kinds.split()}
"""Opcodes of loads, stores, atomics and conversions."""
