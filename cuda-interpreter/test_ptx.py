"""The interpreter against the ISA's definitions, and planted faults.

Bodies of kernels are for 64 threads. %rd0 and %r0: the thread; %rd10: the address of the first
array, of 64 zeros of 32 bits unless a test says otherwise; %rd9: that of the thread's number in it;
%rd11: the address of an array of 64 unset numbers. Shared memory: 64 words of 8 bytes (cells);
local memory: 4 words of 4 bytes for each thread (depot).
"""

import re
from fractions import Fraction
from itertools import product
from math import copysign, inf, isnan, nan

import numpy as np
import pytest
from ptx_code import Code, type_of
from ptx_instructions import FLOATS, INTEGERS, MOVES, OPERATIONS
from ptx_machine import Machine
from ptx_memory import KernelFault
from ptx_parser import PtxError, parse

PREFIX = {"16": "%rs", "32": "%r", "64": "%rd"}
UINT32 = np.dtype(np.uint32)

KERNEL = """
.version 9.0
.shared .align 8 .b8 cells[512];
.visible .entry k({parameters})
{{
    .local .align 4 .b8 depot[16];
    .reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<9>; .reg .b64 %rd<19>; .reg .f64 %fd<9>;
    mov.u32 %r0, %tid.x;
    cvt.u64.u32 %rd0, %r0;
    {loads}
    shl.b64 %rd9, %rd0, 2;
    add.s64 %rd9, %rd9, %rd10;
    {body}
    ret;
}}
"""


def code_of(body, n_parameters=2):
    """Return a kernel with a body, whose parameters are addresses in %rd10, %rd11 and so on."""
    parameters = ", ".join(f".param .u64 q{i}" for i in range(n_parameters))
    loads = "".join(f"ld.param.u64 %rd{10 + i}, [q{i}];" for i in range(n_parameters))
    return Code(parse(KERNEL.format(parameters=parameters, loads=loads, body=body)))


def run(body, *arrays, result=UINT32, n=64, machine=None, blocks=1):
    """Run a kernel on arrays and an unset one of `n` numbers; return all arrays afterwards."""
    machine = machine or Machine()
    regions = []
    for values in arrays:
        regions.append(machine.memory.add("an array", values.nbytes, values.itemsize))
        regions[-1].fill(0, values)
    regions.append(machine.memory.add("a result", n * result.itemsize, result.itemsize))
    addresses = [np.int64(region.base) for region in regions]
    machine.launch(code_of(body, len(addresses)), (blocks, 1), n, addresses)
    dtypes = [*(array.dtype for array in arrays), result]
    return [region.bytes.view(dtype) for region, dtype in zip(regions, dtypes, strict=True)]


def run_on_zeros(body, blocks=1, **machine):
    return run(body, np.zeros(64, UINT32), machine=Machine(**machine), blocks=blocks)


def register(kind, i):
    """Return the name of the i-th register for a type."""
    if kind == "pred":
        return f"%p{i}"
    return f"%fd{i}" if kind == "f64" else f"{PREFIX[kind[1:]]}{i}"


def applied(opcode, kinds, result, operands):
    """Run one instruction on rows of operands, one row a thread, and return the results.

    `kinds`: types of the operands; `result`: the type of the result. Predicates are stored as 0
    and 1, narrow integers as 32 bits.
    """
    body = []
    arrays = []
    columns = zip(*operands, strict=True)
    for i, (kind, values) in enumerate(zip(kinds, columns, strict=True)):
        bits = {"pred": "32", "f64": "64"}.get(kind, kind[1:])
        memory = kind if kind == "f64" else f"u{bits}"
        name = register("b32" if kind == "pred" else kind, i + 1)
        body.append(f"mul.lo.s64 %rd9, %rd0, {int(bits) // 8};")
        body.append(f"add.s64 %rd9, %rd9, %rd{10 + i};")
        body.append(f"ld.global.{memory} {name}, [%rd9];")
        if kind == "pred":
            body.append(f"setp.ne.u32 %p{i + 1}, {name}, 0;")
        arrays.append(np.array([wrapped(value, memory) for value in values], type_of(memory)))
    names = ", ".join(register(kind, i + 1) for i, kind in enumerate(kinds))
    memory = "f64" if result == "f64" else "u64" if result[1:] == "64" else "u32"
    to = register(result, 7)
    body.append(f"{opcode} {to}, {names};")
    body.append(f"mul.lo.s64 %rd9, %rd0, {int(memory[1:]) // 8};")
    body.append(f"add.s64 %rd9, %rd9, %rd{10 + len(kinds)};")
    if result == "pred":
        body.append(f"selp.u32 %r7, 1, 0, {to};")
    elif result in ("s16", "u16"):
        body.append(f"cvt.u32.u16 %r7, {to};")
    body.append(f"st.global.{memory} [%rd9], {register(memory, 7)};")
    dtype = type_of(memory)
    return run(" ".join(body), *arrays, result=dtype, n=len(arrays[0]))[-1].tolist()


def wrapped(value, kind):
    """Return an integer modulo the size of its type, negative if that is signed."""
    if kind in ("pred", "f64"):
        return value
    bits = int(kind[1:])
    value %= 1 << bits
    return value - (1 << bits) if kind[0] == "s" and value >> (bits - 1) else value


def edges(kind):
    """Return numbers of a type where arithmetic changes: signs, limits, NaN."""
    if kind == "pred":
        return (0, 1)
    if kind == "f64":
        huge = 1.7e308
        tiny = 5e-324
        return (0.0, -0.0, 1.0, -1.5, 0.1, 3.0, 2.0**53, -1e308, huge, tiny, inf, -inf, nan)
    top = 1 << (int(kind[1:]) - 1)
    values = (0, 1, 2, 7, 0xA5A5, top - 1, top, top + 1, -7, -2, -1)
    return tuple(wrapped(value, kind) for value in values)


def quotient(a, b):
    """Divide as IEEE 754 does."""
    if b == 0:
        return nan if a == 0 or isnan(a) else copysign(inf, copysign(1, a) * copysign(1, b))
    return a / b


def smaller(a, b):
    """Return the lower number; NaN is none, and -0.0 is below 0.0."""
    if isnan(a) or isnan(b):
        return b if isnan(a) else a
    return min(a, b, key=lambda x: (x, copysign(1, x)))


def unordered(comparison):
    """Return a comparison that also holds if a number is NaN."""
    return lambda a, b: comparison(a, b) or isnan(a) or isnan(b)


# What the ISA defines, on Python's unbounded integers and on floats; `bits`: the type's width.
# Results are compared modulo the size of their type.
DEFINED_ON_INTEGERS = {
    "abs": abs,
    "add": lambda a, b: a + b,
    "and": lambda a, b: a & b,
    "clz": lambda a, bits: bits - a.bit_length(),
    "div": lambda a, b: int(Fraction(a, b)),
    "max": max,
    "min": min,
    "mov": lambda a: a,
    "mul.hi": lambda a, b, bits: a * b >> bits,
    "mul.lo": lambda a, b: a * b,
    "mul.wide": lambda a, b: a * b,
    "neg": lambda a: -a,
    "not": lambda a, bits: 1 - a if bits == 1 else ~a,
    "or": lambda a, b: a | b,
    "popc": lambda a: a.bit_count(),
    "rem": lambda a, b: a - int(Fraction(a, b)) * b,
    "selp": lambda a, b, condition: a if condition else b,
    "setp.eq": lambda a, b: a == b,
    "setp.ge": lambda a, b: a >= b,
    "setp.gt": lambda a, b: a > b,
    "setp.le": lambda a, b: a <= b,
    "setp.lt": lambda a, b: a < b,
    "setp.ne": lambda a, b: a != b,
    "shl": lambda a, b, bits: a << b if b < bits else 0,
    "shr": lambda a, b, bits: a >> min(b, bits),
    "sub": lambda a, b: a - b,
    "xor": lambda a, b: a ^ b,
}
DEFINED_BY_WIDTH = ("clz", "mul.hi", "not", "shl", "shr")
DEFINED_ON_FLOATS = {
    "abs": abs,
    "add": lambda a, b: a + b,
    "div.rn": quotient,
    "max": lambda a, b: -smaller(-a, -b),
    "min": smaller,
    "mov": lambda a: a,
    "mul": lambda a, b: a * b,
    "selp": lambda a, b, condition: a if condition else b,
    "setp.ge": lambda a, b: a >= b,
    "setp.geu": unordered(lambda a, b: a >= b),
    "setp.gt": lambda a, b: a > b,
    "setp.gtu": unordered(lambda a, b: a > b),
    "setp.leu": unordered(lambda a, b: a <= b),
    "setp.lt": lambda a, b: a < b,
    "setp.ltu": unordered(lambda a, b: a < b),
    "setp.neu": unordered(lambda a, b: a != b),
    "sub": lambda a, b: a - b,
}
OPCODES_ON_INTEGERS = [
    (name, kind) for name, (kinds, _) in INTEGERS.items() for kind in kinds.split()
]
OPCODES_ON_FLOATS = [(name, "f64") for name in FLOATS if name != "fma.rn"]


@pytest.mark.parametrize(("name", "kind"), OPCODES_ON_INTEGERS)
def test_each_instruction_on_integers_computes_what_the_isa_defines(name, kind):
    bits = 1 if kind == "pred" else int(kind[1:])
    width = {"bits": bits} if name in DEFINED_BY_WIDTH else {}
    kinds = (kind,) * OPERATIONS[f"{name}.{kind}"].n_operands
    if name == "selp":
        kinds = (kind, kind, "pred")
    elif name in ("shl", "shr"):
        kinds = (kind, "u32")
    result = {"popc": "u32", "clz": "u32", "mul.wide": f"{kind[0]}{2 * bits}"}.get(name, kind)
    if name.startswith("setp"):
        result = "pred"
    operands = list(product(*map(edges, kinds)))
    if name in ("div", "rem"):
        operands = [(a, b) for a, b in operands if b]
    expected = [int(DEFINED_ON_INTEGERS[name](*row, **width)) for row in operands]
    if result != "pred":
        expected = [value % (1 << int(result[1:])) for value in expected]
    assert applied(f"{name}.{kind}", kinds, result, operands) == expected


@pytest.mark.parametrize(("name", "kind"), OPCODES_ON_FLOATS)
def test_each_instruction_on_floats_computes_what_the_isa_defines(name, kind):
    """Results are compared by their texts, which tell -0.0 from 0.0 and equate NaN with NaN."""
    kinds = (kind,) * OPERATIONS[f"{name}.{kind}"].n_operands
    if name == "selp":
        kinds = (kind, kind, "pred")
    operands = list(product(*map(edges, kinds)))
    expected = [DEFINED_ON_FLOATS[name](*row) for row in operands]
    result = kind
    if name.startswith("setp"):
        result = "pred"
        expected = list(map(int, expected))
    assert repr(applied(f"{name}.{kind}", kinds, result, operands)) == repr(expected)


# a, b, c, and a · b + c rounded once
ROUNDED_ONCE = [
    (0.1, 10.0, -1.0, 2.0**-54),
    (1 + 2.0**-52, 1 + 2.0**-52, -(1 + 2.0**-51), 2.0**-104),
    (2.0**53 + 2, 3.0, 1.0, 3 * 2.0**53 + 8),
    (1 + 2.0**-27, 1 + 2.0**-27, 2.0**-53, 1 + 2.0**-26 + 2.0**-52),
    (1e308, 10.0, -1e308, inf),
    (1e200, 1e200, -inf, -inf),
    (2.0**-600, 2.0**-600, -0.0, 0.0),
    (-(2.0**-600), 2.0**-600, 0.0, -0.0),
    (0.0, -5.0, 0.0, 0.0),
    (inf, 0.0, 1.0, nan),
    (3.0, 5.0, 2.0, 17.0),
]


def test_a_product_and_a_sum_are_rounded_once():
    operands = [row[:3] for row in ROUNDED_ONCE]
    results = applied("fma.rn.f64", ("f64",) * 3, "f64", operands)
    assert repr(results) == repr([row[3] for row in ROUNDED_ONCE])


CONVERSIONS = sorted(opcode for opcode in MOVES if opcode.startswith("cvt."))


@pytest.mark.parametrize("opcode", CONVERSIONS)
def test_conversions_cut_off_bits_or_extend_the_sign(opcode):
    result, source = opcode.split(".")[-2:]
    values = (*edges(source), 2**53 + 1, 2**53 + 3)
    values = [wrapped(value, source) for value in values]
    results = applied(opcode, (source,), result, [(value,) for value in values])
    if result == "f64":
        assert results == list(map(float, values))
    else:
        assert results == [value % (1 << int(result[1:])) for value in values]


def test_numbers_of_all_widths_move_between_registers_and_memory():
    exponent_of_a_half = """
        mov.b64 %rd1, 0d3FF8000000000000;
        mov.b64 %fd1, %rd1;
        sub.f64 %fd1, %fd1, 0d3FF0000000000000;
        mov.b64 %rd2, %fd1;
        shr.u64 %rd2, %rd2, 0x34;
        cvt.u32.u64 %r1, %rd2;
        st.global.u32 [%rd9], %r1;
    """
    assert set(run(exponent_of_a_half)[0].tolist()) == {0x3FE}
    each_byte_added_to_itself_with_a_sign = """
        add.s64 %rd1, %rd10, %rd0;
        ld.global.u8 %rs1, [%rd1];
        ld.global.s8 %rs2, [%rd1];
        add.s16 %rs1, %rs1, %rs2;
        add.s64 %rd2, %rd11, %rd0;
        st.global.u8 [%rd2], %rs1;
    """
    values = np.array([0, 1, 127, 128, 255], np.uint8)
    results = run(each_byte_added_to_itself_with_a_sign, values, result=values.dtype, n=5)[-1]
    assert results.tolist() == [0, 2, 254, 0, 254]


LOOP = """
        mov.u64 %rd1, 0;
        setp.lt.s64 %p1, %rd0, 3;
        @%p1 bra $less;
        mov.u64 %rd2, 100;
        @!%p1 bra $loop;
    $less:
        mov.u64 %rd2, 10;
    $loop:
        add.s64 %rd1, %rd1, %rd2;
        @%p1 add.s64 %rd1, %rd1, 1;
        sub.s64 %rd3, %rd1, %rd0;
        setp.lt.s64 %p2, %rd3, 200;
        @%p2 bra $loop;
        cvt.u32.u64 %r1, %rd1;
        st.global.u32 [%rd9], %r1;
"""


@pytest.mark.parametrize("order", [None, 1, 2])
def test_threads_part_and_meet_again(order):
    """Threads 0 to 2 count up in steps of 11, others in steps of 100, to 200 above their number."""
    machine = Machine(order)
    (results,) = run(LOOP, machine=machine)
    steps = [11 if thread < 3 else 100 for thread in range(64)]
    assert results.tolist() == [-(-(200 + i) // step) * step for i, step in enumerate(steps)]
    if order is None:  # the 19 passes of the loop are for all threads together
        assert machine.counts["k"]["steps"] < 70


REVERSAL = """
        mov.u64 %rd2, cells;
        shl.b64 %rd3, %rd0, 3;
        add.s64 %rd4, %rd2, %rd3;
        st.shared.u64 [%rd4], %rd0;
        bar.sync 0;
        sub.s64 %rd5, %rd2, %rd3;
        ld.shared.u64 %rd6, [%rd5+504];
        cvt.u32.u64 %r1, %rd6;
        st.global.u32 [%rd9], %r1;
"""
LOCAL_MEMORY = """
        mov.u64 %rd1, depot;
        st.global.u32 [%rd9], %r0;
        ld.global.u16 %rs0, [%rd9];
        st.local.u16 [%rd1+6], %rs0;
        ld.local.u16 %rs2, [%rd1+6];
        cvt.u32.u16 %r1, %rs2;
        st.global.u32 [%rd9], %r1;
"""
VOTE = """
        mov.u32 %r1, %ctaid.x;
        mov.u32 %r2, %ntid.x;
        mul.lo.s32 %r3, %r1, %r2;
        add.s32 %r3, %r3, %r0;
        mul.wide.s32 %rd1, %r3, 4;
        add.s64 %rd9, %rd10, %rd1;
        ld.global.s32 %r4, [%rd9];
        {
            .reg .pred %p1; .reg .pred %p2;
            setp.ne.s32 %p1, %r4, 0;
            bar.red.and.pred %p2, 0, %p1;
            selp.u32 %r5, 10, 0, %p2;
        }
        add.s32 %r5, %r5, %r4;
        st.global.u32 [%rd9], %r5;
"""


@pytest.mark.parametrize("order", [None, 3])
def test_barriers_and_memory_of_blocks_and_threads(order):
    assert run_on_zeros(REVERSAL, order=order)[0].tolist() == list(range(63, -1, -1))
    assert run_on_zeros(LOCAL_MEMORY, order=order)[0].tolist() == list(range(64))
    # Blocks of three threads add ten to their numbers if none of the three is 0.
    numbers = np.array([1, 1, 1, 0, 1, 2, 0, 1, 1], UINT32)
    results = run(VOTE, numbers, n=3, machine=Machine(order), blocks=3)[0]
    assert results.tolist() == [11, 11, 11, 0, 1, 2, 0, 1, 1]


# Of nine threads in two blocks (or in one, if memory is shared): the number before and after.
ATOMICS = [
    ("atom.global.add.u64 %rd2, [%rd10], %rd1;", 0xFFFFFFFF, 0x100000047),
    ("atom.global.add.u32 %r2, [%rd10], %r1;", 0xFFFFFFFF, 71),
    ("atom.global.min.s64 %rd2, [%rd10], %rd1;", 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF),
    ("atom.shared.add.u64 %rd2, [cells], %rd1;", 0, 36),
    ("atom.global.cas.b64 %rd2, [%rd10], 0, 7;", 0, 7),
    ("atom.global.cas.b64 %rd2, [%rd10], 1, 7;", 0, 0),
]


@pytest.mark.parametrize(("atomic", "start", "expected"), ATOMICS)
@pytest.mark.parametrize("order", [None, 1])
def test_atomics_count_every_thread_of_every_block(atomic, start, expected, order):
    is_first = "setp.eq.s32 %p1, %r0, 0;"
    blocks = 2
    body = f"{is_first} mov.u64 %rd1, %rd0; cvt.u32.u64 %r1, %rd1; {atomic}"
    if "shared" in atomic:
        blocks = 1
        copied = "ld.shared.u64 %rd3, [cells]; st.global.u64 [%rd10], %rd3;"
        cleared = "mov.u64 %rd3, 0; @%p1 st.shared.u64 [cells], %rd3; bar.sync 0;"
        body = f"{is_first} {cleared} {body} bar.sync 0; @!%p1 bra $end; {copied} $end:"
    before = np.array([start], type_of("u64" if "64" in atomic else "u32"))
    after = run(body, before, n=9, blocks=blocks, machine=Machine(order))[0]
    assert after.tolist() == [expected]


TICKETS = """
        atom.global.add.u32 %r1, [%rd10], 3;
        bar.sync 0;
        mov.u32 %r2, 0;
        shl.b64 %rd1, %rd0, 2;
        add.s64 %rd1, %rd1, %rd11;
        st.global.u32 [%rd1], %r1;
"""


def test_results_that_depend_on_the_order_differ_between_orders():
    tickets = [run_on_zeros(TICKETS, order=order)[1].tolist() for order in range(4)]
    assert all(sorted(drawn) == list(range(0, 192, 3)) for drawn in tickets)
    assert len(set(map(tuple, tickets))) == 4


FAULTS = [
    pytest.param(
        "ld.global.u32 %r1, [%rd9+4];",
        "no global memory at byte 256 of 256",
        id="beyond the end",
    ),
    pytest.param(
        "st.global.u32 [%rd9+-8], %r0;",
        "no global memory at byte -[48] of 256",
        id="before the start",
    ),
    pytest.param(
        """
            mul.lo.s64 %rd1, %rd0, 1000000000;
            add.s64 %rd1, %rd1, %rd10;
            ld.global.u32 %r1, [%rd1];
        """,
        "no global memory",
        id="far away",
    ),
    pytest.param(
        "ld.global.u32 %r1, [cells];",
        "no global memory",
        id="another space",
    ),
    pytest.param(
        """
            mov.u64 %rd1, cells;
            shl.b64 %rd2, %rd0, 3;
            add.s64 %rd1, %rd1, %rd2;
            st.shared.u64 [%rd1+8], %rd0;
        """,
        "no shared memory at byte 512 of 512",
        id="beyond shared memory",
    ),
    pytest.param(
        """
            mov.u64 %rd1, depot;
            ld.global.u16 %rs0, [%rd9];
            st.local.u16 [%rd1+16], %rs0;
        """,
        "no local memory at byte 16",
        id="beyond local memory",
    ),
    pytest.param(
        "ld.global.u32 %r1, [%rd10+2];",
        "misaligned address at byte 2",
        id="misaligned",
    ),
    pytest.param(
        """
            ld.global.u64 %rd1, [%rd10];
            st.global.u64 [%rd10], %rd1;
        """,
        "words of 4 bytes",
        id="too wide",
    ),
    pytest.param(
        "ld.global.u32 %r1, [%rd11];",
        "of an unset word",
        id="unset global memory",
    ),
    pytest.param(
        "ld.shared.u64 %rd1, [cells];",
        "of an unset word",
        id="unset shared memory",
    ),
    pytest.param(
        """
            mov.u64 %rd1, depot;
            ld.global.u16 %rs0, [%rd9];
            st.local.u16 [%rd1], %rs0;
            ld.local.u16 %rs1, [%rd1+4];
        """,
        "of an unset word",
        id="unset local memory",
    ),
    pytest.param(
        "atom.global.add.u32 %r1, [%rd11], 1;",
        "of an unset word",
        id="an unset counter",
    ),
    pytest.param(
        "st.global.u32 [%rd9], %r5;",
        "register .*, which no thread",
        id="an unset register",
    ),
    pytest.param(
        """
            st.global.u32 [%rd9], %r0;
            ld.global.u32 %r1, [%rd10];
        """,
        "race at byte 0",
        id="read another's write",
    ),
    pytest.param(
        """
            ld.global.u32 %r1, [%rd10+12];
            st.global.u32 [%rd9], %r0;
        """,
        "race at byte 12",
        id="write another's read",
    ),
    pytest.param(
        """
            ld.global.u32 %r1, [%rd10];
            setp.eq.s32 %p1, %r0, 0;
            @%p1 st.global.u32 [%rd10], %r0;
        """,
        "race at byte 0",
        id="write a common read",
    ),
    pytest.param(
        """
            mov.u32 %r1, 7;
            st.global.u32 [%rd10], %r1;
        """,
        "race at byte 0",
        id="equal writes",
    ),
    pytest.param(
        """
            atom.global.add.u32 %r1, [%rd10], 1;
            ld.global.u32 %r2, [%rd10];
        """,
        "race at byte 0",
        id="atomic and read",
    ),
    pytest.param(
        """
            setp.eq.s32 %p1, %r0, 9;
            @%p1 st.global.u32 [%rd10], %r0;
            atom.global.add.u32 %r1, [%rd10], 1;
        """,
        "race at byte 0",
        id="atomic and write",
    ),
    pytest.param(
        """
            mov.u64 %rd1, cells;
            shl.b64 %rd2, %rd0, 3;
            add.s64 %rd1, %rd1, %rd2;
            st.shared.u64 [%rd1], %rd0;
            ld.shared.u64 %rd2, [cells];
        """,
        "race at byte 0 of 512|unset word",
        id="without a barrier",
    ),
    pytest.param(
        """
            setp.lt.s32 %p1, %r0, 32;
            @%p1 bar.sync 0;
        """,
        "not all 64 threads .*: in basic blocks, 32 at",
        id="barrier for some",
    ),
    pytest.param(
        """
            setp.lt.s32 %p1, %r0, 40;
            @%p1 bra $one;
            bar.sync 0;
            bra.uni $end;
            $one:
            bar.sync 0;
            $end:
        """,
        "not all .* [24][40] at .* [24][40] at",
        id="two barriers",
    ),
    pytest.param(
        """
            cvt.u32.u64 %r1, %rd0;
            div.u32 %r2, 5, %r1;
        """,
        "a division by zero",
        id="division by zero",
    ),
]

# %r1 is the block; all blocks have the same %rd9.
RACES_BETWEEN_BLOCKS = [
    pytest.param(
        "st.global.u32 [%rd9], %r1;",
        id="writes",
    ),
    pytest.param(
        """
            setp.eq.s32 %p1, %r1, 0;
            @%p1 st.global.u32 [%rd9], %r1;
            ld.global.u32 %r2, [%rd9];
        """,
        id="read a write",
    ),
    pytest.param(
        """
            ld.global.u32 %r2, [%rd9];
            bar.sync 0;
            setp.eq.s32 %p1, %r1, 1;
            @%p1 st.global.u32 [%rd9], %r1;
        """,
        id="write a read",
    ),
    pytest.param(
        """
            setp.eq.s32 %p1, %r1, 0;
            @%p1 atom.global.add.u32 %r2, [%rd9], 1;
            ld.global.u32 %r2, [%rd9];
        """,
        id="read a counter",
    ),
]

UNKNOWN = [
    "sin.approx.f32 %fd1, %fd1;",
    "add.f16 %rs1, %rs1, %rs2;",
    "ld.global.v2.u32 %r1, [%rd10];",
    "bar.sync 1;",
    "bar.sync 0, 32;",
    "mov.u32 %r1, %laneid;",
    "add.s64 %rd1, %r1, %rd2;",
    "add.s32 %r1, %r2, x;",
    "exit;",
    "neg.s64 %rd1, %rd2, %rd3;",
]


@pytest.mark.parametrize(("body", "message"), FAULTS)
@pytest.mark.parametrize("order", [None, 1])
def test_planted_faults_are_found(body, message, order):
    with pytest.raises(KernelFault, match=message):
        run_on_zeros(body, order=order)


@pytest.mark.parametrize("body", RACES_BETWEEN_BLOCKS)
@pytest.mark.parametrize("machine", [{}, {"order": 1}, {"order": 2}, {"at_once": 64}])
def test_races_between_blocks_are_found_whether_they_run_together_or_not(body, machine):
    with pytest.raises(KernelFault, match="a race"):
        run_on_zeros(f"mov.u32 %r1, %ctaid.x; {body}", blocks=2, **machine)


def test_a_launch_may_read_what_an_earlier_one_wrote():
    machine = Machine()
    region = machine.memory.add("an array", 256, 4)
    for body in ("st.global.u32 [%rd9], %r0;", "ld.global.u32 %r1, [%rd10+252];"):
        machine.launch(code_of(body, 1), (1, 1), 64, [np.int64(region.base)])
    assert region.bytes.view(UINT32).tolist() == list(range(64))


@pytest.mark.parametrize("body", UNKNOWN)
def test_an_unknown_instruction_is_an_error_that_names_it(body):
    with pytest.raises(PtxError, match=re.escape(body.removesuffix(";"))):
        code_of(body)


def test_a_module_needs_one_kernel():
    with pytest.raises(PtxError, match="needs one kernel, and has 0"):
        parse(".version 9.0")
