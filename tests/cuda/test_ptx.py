"""The interpreter against the ISA's definitions, and planted faults."""

import re
import tomllib
from fractions import Fraction
from itertools import product
from math import copysign, inf, isnan, nan
from pathlib import Path

import numpy as np
import pytest
from ptx_code import Code, type_of
from ptx_machine import Machine
from ptx_memory import Fault
from ptx_parser import PtxError, parse

TABLE, SAMPLES = (
    tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8"))
    for name in ("instructions", "samples")
)
PREFIX = {"16": "%rs", "32": "%r", "64": "%rd"}
WHOLE = np.dtype(np.uint32)


def code_of(body, n=2):
    parameters = ", ".join(f".param .u64 q{i}" for i in range(n))
    loads = "".join(f"ld.param.u64 %rd{10 + i}, [q{i}];" for i in range(n))
    text = SAMPLES["head"]["text"].format(parameters=parameters, loads=loads, body=body)
    return Code(parse(text))


def run(body, *arrays, result=WHOLE, n=64, machine=None, blocks=1):
    """Run a kernel on arrays and an unset one; return all."""
    machine = machine or Machine()
    regions = []
    for values in arrays:
        regions.append(machine.memory.add("an array", values.nbytes, values.itemsize))
        regions[-1].fill(0, values)
    regions.append(machine.memory.add("a result", n * result.itemsize, result.itemsize))
    values = [np.int64(one.base) for one in regions]
    machine.launch(code_of(body, len(values)), (blocks, 1), n, values)
    dtypes = [*(array.dtype for array in arrays), result]
    return [one.bytes.view(dtype) for one, dtype in zip(regions, dtypes, strict=True)]


def sample(body, blocks=1, **machine):
    return run(body, np.zeros(64, WHOLE), machine=Machine(**machine), blocks=blocks)


def register(kind, i):
    return f"%p{i}" if kind == "pred" else f"%fd{i}" if kind == "f64" else PREFIX[kind[1:]] + str(i)


def applied(opcode, kinds, result, operands):
    body = []
    arrays = []
    to = register(result, 7)
    for i, (kind, values) in enumerate(zip(kinds, zip(*operands, strict=True), strict=True)):
        bits = {"pred": "32", "f64": "64"}.get(kind, kind[1:])
        memory = kind if kind == "f64" else f"u{bits}"
        size = int(bits) // 8
        name = register("b32" if kind == "pred" else kind, i + 1)
        body.append(f"mul.lo.s64 %rd9, %rd0, {size}; add.s64 %rd9, %rd9, %rd{10 + i};")
        body.append(f"ld.global.{memory} {name}, [%rd9];")
        body.append(f"setp.ne.u32 %p{i + 1}, {name}, 0;" * (kind == "pred"))
        arrays.append(np.array([wrapped(value, memory) for value in values], type_of(memory)))
    names = ", ".join(register(kind, i + 1) for i, kind in enumerate(kinds))
    memory = "f64" if result == "f64" else "u64" if result[1:] == "64" else "u32"
    size = int(memory[1:]) // 8
    body.append(f"{opcode} {to}, {names}; mul.lo.s64 %rd9, %rd0, {size};")
    body.append(f"add.s64 %rd9, %rd9, %rd{10 + len(kinds)};")
    last = {"pred": f"selp.u32 %r7, 1, 0, {to};", "s16": f"cvt.u32.u16 %r7, {to};"}
    body.append(last.get(result, last["s16"] if result == "u16" else ""))
    body.append(f"st.global.{memory} [%rd9], {register(memory, 7)};")
    dtype = type_of(memory)
    return run(" ".join(body), *arrays, result=dtype, n=len(arrays[0]))[-1].tolist()


def wrapped(value, kind):
    if kind in ("pred", "f64"):
        return value
    bits = int(kind[1:])
    value %= 1 << bits
    return value - (1 << bits) if kind[0] == "s" and value >> (bits - 1) else value


def edges(kind):
    if kind == "pred":
        return (0, 1)
    if kind == "f64":
        huge = 1.7e308
        tiny = 5e-324
        return (0.0, -0.0, 1.0, -1.5, 0.1, 3.0, 2.0**53, -1e308, huge, tiny, inf, -inf, nan)
    top = 1 << (int(kind[1:]) - 1)
    values = (0, 1, 2, 7, 0xA5A5, top - 1, top, top + 1, -7, -2, -1)
    return tuple(wrapped(value, kind) for value in values)


def divided(a, b):
    if b == 0:
        return nan if a == 0 or isnan(a) else copysign(inf, copysign(1, a) * copysign(1, b))
    return a / b


def smaller(a, b):
    if isnan(a) or isnan(b):
        return b if isnan(a) else a
    return min(a, b, key=lambda x: (x, copysign(1, x)))


NAMES = {"Fraction": Fraction, "divided": divided, "isnan": isnan, "smaller": smaller}
ARITHMETIC = [
    (part, name, kind)
    for part in ("integers", "floats")
    for name, (kinds, _, definition) in TABLE[part].items()
    for kind in kinds.split()
    if definition
]


@pytest.mark.parametrize(("part", "name", "kind"), ARITHMETIC)
def test_each_instruction_computes_what_the_isa_defines(part, name, kind):
    _, expression, definition = TABLE[part][name]
    bits = {"pred": 1, "f64": 64}.get(kind) or int(kind[1:])
    kinds = (kind,) * len(set(re.findall(r"{\d}", expression)))
    special = {"selp": (kind, kind, "pred"), "shl": (kind, "u32"), "shr": (kind, "u32")}
    kinds = special.get(name, kinds)
    result = {"popc": "u32", "clz": "u32", "mul.wide": f"{kind[0]}{2 * bits}"}.get(name, kind)
    result = "pred" if name.startswith("setp") else result
    tried = [one for one in product(*map(edges, kinds)) if name not in ("div", "rem") or one[1]]
    expected = [eval(definition, NAMES | dict(zip("abc", one)) | {"n": bits}) for one in tried]  # noqa: B905
    if result == "pred":
        expected = list(map(int, expected))
    elif result != "f64":
        expected = [int(value) % (1 << int(result[1:])) for value in expected]
    assert repr(applied(f"{name}.{kind}", kinds, result, tried)) == repr(expected)


def test_a_product_and_a_sum_are_rounded_once():
    rows = [eval(row, {"inf": inf, "nan": nan}) for row in SAMPLES["fused"]["once"]]
    found = applied("fma.rn.f64", ("f64",) * 3, "f64", [row[:3] for row in rows])
    assert repr(found) == repr([row[3] for row in rows])


@pytest.mark.parametrize("kinds", TABLE["moves"]["cvt"].split())
def test_conversions_cut_off_bits_or_extend_the_sign(kinds):
    result, source = kinds.split(".")[-2:]
    values = (*edges(source), 2**53 + 1, 2**53 + 3)
    values = [wrapped(value, source) for value in values]
    found = applied(f"cvt.{kinds}", (source,), result, [(value,) for value in values])
    assert found == [float(v) if result == "f64" else v % (1 << int(result[1:])) for v in values]


def test_numbers_of_all_widths_move_between_registers_and_memory():
    assert set(run(SAMPLES["run"]["bits"])[0].tolist()) == {0x3FE}  # the exponent of a half
    given = np.array([0, 1, 127, 128, 255], np.uint8)
    found = run(SAMPLES["run"]["bytes"], given, result=given.dtype, n=5)[-1]
    assert found.tolist() == [0, 2, 254, 0, 254]


@pytest.mark.parametrize("order", [None, 1, 2])
def test_threads_part_and_meet_again(order):
    machine = Machine(order)
    (found,) = run(SAMPLES["run"]["loop"], machine=machine)
    steps = [11 if thread < 3 else 100 for thread in range(64)]
    assert found.tolist() == [-(-(200 + i) // step) * step for i, step in enumerate(steps)]
    assert order is not None or machine.counts["k"]["steps"] < 70  # 19 passes for all, not for each


@pytest.mark.parametrize("order", [None, 3])
def test_barriers_and_memory_of_blocks_and_threads(order):
    found = sample(SAMPLES["run"]["reversal"], order=order)[0]
    assert found.tolist() == list(range(63, -1, -1))
    assert sample(SAMPLES["run"]["own-memory"], order=order)[0].tolist() == list(range(64))
    given = np.array([1, 1, 1, 0, 1, 2, 0, 1, 1], WHOLE)
    machine = Machine(order)
    found = run(SAMPLES["run"]["vote"], given, n=3, machine=machine, blocks=3)[0]
    assert found.tolist() == [11, 11, 11, 0, 1, 2, 0, 1, 1]


@pytest.mark.parametrize("atomic", SAMPLES["atomics"])
@pytest.mark.parametrize("order", [None, 1])
def test_atomics_count_every_thread_of_every_block(atomic, order):
    (start, expected), first = SAMPLES["atomics"][atomic], "setp.eq.s32 %p1, %r0, 0;"
    dtype = type_of("u64" if "64" in atomic else "u32")
    blocks = 2
    body = f"{first} mov.u64 %rd1, %rd0; cvt.u32.u64 %r1, %rd1; {atomic}"
    if "shared" in atomic:
        blocks = 1
        copied = "ld.shared.u64 %rd3, [cells]; st.global.u64 [%rd10], %rd3;"
        body = f"{first} mov.u64 %rd3, 0; @%p1 st.shared.u64 [cells], %rd3; bar.sync 0; {body}"
        body += f"bar.sync 0; @!%p1 bra $end; {copied} $end:"
    given = np.array([start], dtype)
    assert run(body, given, n=9, blocks=blocks, machine=Machine(order))[0].tolist() == [expected]


def test_results_that_depend_on_the_order_differ_between_orders():
    found = [sample(SAMPLES["run"]["tickets"], order=order)[1].tolist() for order in range(4)]
    assert all(sorted(one) == list(range(0, 192, 3)) for one in found)
    assert len(set(map(tuple, found))) == 4


@pytest.mark.parametrize("fault", SAMPLES["faults"])
@pytest.mark.parametrize("order", [None, 1])
def test_planted_faults_are_found(fault, order):
    body, message = SAMPLES["faults"][fault]
    with pytest.raises(Fault, match=message):
        sample(body, order=order)


@pytest.mark.parametrize("fault", SAMPLES["between-blocks"])
@pytest.mark.parametrize("machine", [{}, {"order": 1}, {"order": 2}, {"at_once": 64}])
def test_races_between_blocks_are_found_whether_they_run_together_or_not(fault, machine):
    with pytest.raises(Fault, match="a race"):
        sample("mov.u32 %r1, %ctaid.x;" + SAMPLES["between-blocks"][fault], blocks=2, **machine)


def test_a_launch_may_read_what_an_earlier_one_wrote():
    machine = Machine()
    region = machine.memory.add("an array", 256, 4)
    for body in ("st.global.u32 [%rd9], %r0;", "ld.global.u32 %r1, [%rd10+252];"):
        machine.launch(code_of(body, 1), (1, 1), 64, [np.int64(region.base)])
    assert region.bytes.view(WHOLE).tolist() == list(range(64))


@pytest.mark.parametrize("body", SAMPLES["unknown"]["bodies"])
def test_an_unknown_instruction_is_an_error_that_names_it(body):
    with pytest.raises(PtxError, match=re.escape(body.split(";")[0])):
        code_of(body)


def test_a_module_needs_one_kernel():
    with pytest.raises(PtxError, match="needs one kernel, and has 0"):
        parse(".version 9.0")
