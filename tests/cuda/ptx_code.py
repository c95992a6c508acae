"""Translates basic blocks of PTX to Python, with one number per thread."""

import ctypes.util
import re
import tomllib
from collections import defaultdict
from pathlib import Path

import numpy as np
from ptx_memory import Fault, Site
from ptx_parser import REGISTER, PtxError

_TABLE = tomllib.loads(Path(__file__).with_name("instructions.toml").read_text(encoding="utf-8"))

EXPRESSIONS = {
    f"{name}.{kind}": expression
    for part in ("integers", "floats")
    for name, (kinds, expression, _) in _TABLE[part].items()
    for kind in kinds.split()
}
MOVES = {f"{name}.{kind}" for name, kinds in _TABLE["moves"].items() for kind in kinds.split()}
FMA = ctypes.CDLL(ctypes.util.find_library("m")).fma
FMA.argtypes = [ctypes.c_double] * 3
FMA.restype = ctypes.c_double
SPACES = ("global", "shared", "local", "generic")
VARYING = ("%tid.x", "%ctaid.x", "%ctaid.y")
SPECIAL = (*VARYING, "%ntid.x", "%nctaid.x", "%nctaid.y")


def type_of(kind, stored=False):
    """Return the NumPy type of numbers or their registers."""
    if kind == "pred":
        return np.dtype(bool)
    letter = kind[0] if kind[0] == "f" else "i" if stored or kind[0] == "s" else "u"
    return np.dtype(f"{letter}{int(kind[1:]) // 8}")


def shift(values, by, move):
    """Shift; all bits are lost from the width on, and the sign stays."""
    bits = 8 * values.dtype.itemsize
    by = by.view(np.uint32)
    moved = move(values, np.minimum(by, bits - 1).astype(values.dtype))
    keeps_sign = values.dtype.kind == "i"
    return moved if keeps_sign else np.where(by < bits, moved, values.dtype.type(0))


def multiply_high(one, other):
    low = np.int64(2**32 - 1)
    half = np.int64(32)
    a = one & low
    b = one >> half
    c = other & low
    d = other >> half
    carried = ((a.view("u8") * c.view("u8")) >> np.uint64(32)).view("i8")
    middle = b * c + carried
    return b * d + (middle >> half) + ((a * d + (middle & low)) >> half)


def divide(one, other):
    """Divide rounded towards zero; PTX leaves divisions by zero undefined."""
    if not np.all(other):
        raise Fault("a division by zero")
    quotient = one // other
    return quotient + ((quotient * other != one) & ((one < 0) != (other < 0)))


def minimum(one, other):
    """Prefer numbers to NaN, and negative zeros."""
    negative = (one == 0) & (other == 0) & (np.signbit(one) | np.signbit(other))
    return np.where(negative, -0.0, np.fmin(one, other))


def fused(one, other, third):
    """Multiply and add, rounded once; small integers are exact anyway."""
    product = one * other
    exact = (np.abs(product) <= 1 << 53) & (np.rint(one) == one) & (np.rint(other) == other)
    if np.all(exact):
        return product + third
    return np.asarray(np.frompyfunc(FMA, 3, 1)(one, other, third), float)


class Code:
    """A kernel as functions, one per basic block.

    By block: registers needed later (`live`) and set here (`new`), numbers of instructions, and
    bytes moved, by space. `pointers`: parameters from which addresses of writes derive.
    """

    def __init__(self, kernel, name=""):
        self.kernel = kernel
        self.name = name or kernel.name
        blocks = kernel.blocks
        self.number = {name: i for i, name in enumerate(kernel.registers)}
        self.dtypes = [type_of(kind, stored=True) for kind in kernel.registers.values()]
        self.every = [one for block in blocks for one in block.body]
        self.moved = [dict.fromkeys(SPACES, 0) for _ in blocks]
        self.sizes = [len(block.body) + (block.end is not None) for block in blocks]
        self._constants = {}
        self._find_live()
        self._find_pointers()
        self.functions = [self._compile(b) for b in range(len(blocks))]

    def _parts(self, one):
        try:
            ids = [[self.number[name] for name in REGISTER.findall(text)] for text in one.operands]
        except KeyError as why:
            raise PtxError(f"an unknown register {why}: {one.text}") from None
        sets = [] if one.opcode.startswith("st.") else ids.pop(0)
        return sets, [register for some in ids for register in some]

    def _find_live(self):
        blocks = self.kernel.blocks
        reads = []
        sets = []
        answers = []
        needed = [set() for _ in range(len(blocks) + 1)]
        for block in blocks:
            read = set()
            known = set()
            for one in block.body:
                new, old = self._parts(one)
                read.update(set(old) - known)
                known.update(new)
            if block.condition:
                read.update({self.number[block.condition]} - known)
            answers.append({self.number[block.answer]} if block.answer else set())
            reads.append(read)
            sets.append(known | answers[-1])
        self.live = [set() for _ in blocks]
        before = -1
        while before < (before := sum(map(len, needed))):
            for b in range(len(blocks) - 1, -1, -1):
                self.live[b] = set().union(*(needed[after] for after in blocks[b].successors(b)))
                needed[b] = reads[b] | (self.live[b] - sets[b])
        self.new = [a & b - c for a, b, c in zip(self.live, sets, answers, strict=True)]

    def _find_pointers(self):
        places = {name: i for i, name in enumerate(self.kernel.parameters)}
        roots = defaultdict(set)
        before = -1
        while before < (before := sum(map(len, roots.values()))):
            for one in self.every:
                new, old = self._parts(one)
                if one.opcode.startswith("ld.param"):
                    roots[new[0]].add(places[one.operands[1][1:-1]])
                elif not one.opcode.startswith(("ld.", "atom.", "setp.")):
                    for register in new:
                        roots[register].update(*(roots[r] for r in old))
        self.pointers = set()
        for one in self.every:
            if one.opcode.startswith(("st.", "atom.")):
                place = one.operands[one.opcode.startswith("atom.")]
                self.pointers.update(*(roots[self.number[r]] for r in REGISTER.findall(place)))

    def _compile(self, b):
        block = self.kernel.blocks[b]
        lines = []
        known = set()
        condition = [self.number[block.condition]] if block.condition else []
        for one in (*block.body, None):
            new, old = self._parts(one) if one else ([], condition)
            lines += [f"r{r} = F.get({r}, L)" for r in dict.fromkeys(old) if r not in known]
            lines += [self._translate(one, b)] if one else []
            known.update(new, old)
        lines += [f"F[{r}] = r{r}" for r in sorted(self.new[b])]
        lines += [f"return {'~' * block.negated}r{r}" for r in condition]
        source = "\n    ".join(["def block(F, S, M, L):", *lines, "return None"])
        exec(source, scope := globals() | self._constants)
        return scope["block"]

    def _constant(self, value):
        self._constants[name := f"c{len(self._constants)}"] = value
        return name

    def _read(self, text, kind, one, wider=False):
        dtype = type_of(kind)
        if text in self.number:
            stored = self.dtypes[self.number[text]]
            if stored.itemsize < dtype.itemsize or (stored.itemsize > dtype.itemsize and not wider):
                raise PtxError(f"a register of {stored.itemsize} bytes: {one.text}")
            how = "view" if stored.itemsize == dtype.itemsize else "astype"
            return f"r{self.number[text]}" + (f".{how}('{dtype.str}')" if stored != dtype else "")
        if text in SPECIAL or text in self.kernel.shared or text in self.kernel.local:
            return f"S[{text!r}]" + ("[L]" if text in VARYING else "")
        if text.startswith("0d"):
            return self._constant(np.uint64(int(text[2:], 16)).view(dtype))
        try:
            value = int(text, 0)
        except ValueError:
            raise PtxError(f"an unknown operand {text}: {one.text}") from None
        if kind == "pred":
            return self._constant(np.bool_(value))
        bits = np.array(value % (1 << 8 * dtype.itemsize), f"u{dtype.itemsize}")
        return self._constant(bits.view(dtype)[()])

    def _translate(self, one, b):
        opcode = one.opcode
        operands = one.operands
        name, _, kind = opcode.rpartition(".")
        if opcode not in EXPRESSIONS and opcode not in MOVES:
            raise PtxError(f"an unknown instruction: {one.text}")
        if name == "ld" or (name.startswith(("ld.", "st.", "atom.")) and "param" not in name):
            return self._move(one, b)
        result = self.number[operands[0]]
        stored = self.dtypes[result]
        if name == "ld.param":
            place = list(self.kernel.parameters).index(operands[1][1:-1])
            return f"r{result} = S[{place}].astype('{type_of(kind)}').astype('{stored}')"
        if name.startswith("cvt."):
            value = self._read(operands[1], kind, one, True)
            to = type_of(name.split(".")[-1])
            return f"r{result} = {value}.astype('{to}').astype('{stored}')"
        if name == "cvta.to.global":
            return f"r{result} = {self._read(operands[1], 's64', one)}"
        others = {"shl": "u32", "shr": "u32"}.get(name, kind), "pred" if name == "selp" else kind
        pairs = zip(operands[1:], (kind, *others), strict=False)
        values = [self._read(*pair, one) for pair in pairs]
        if len(values) != len(set(re.findall(r"{\d}", EXPRESSIONS[opcode]))):
            raise PtxError(f"a wrong number of operands: {one.text}")
        expression = EXPRESSIONS[opcode].format(*values)
        if name in ("shl", "shr") and operands[2].isdigit() and int(operands[2]) < int(kind[1:]):
            by = self._constant(type_of(kind).type(int(operands[2])))
            expression = f"{values[0]} {'<<' if name == 'shl' else '>>'} {by}"
        if name == "mul.wide":
            expression = expression.replace("wide", repr(f"{type_of(kind).kind}{stored.itemsize}"))
        if name.startswith("setp."):
            return f"r{result} = {expression}"
        same = type_of(kind).itemsize == stored.itemsize or name == "mul.wide"
        return f"r{result} = ({expression}).{'view' if same else 'astype'}('{stored}')"

    def _move(self, one, b):
        how, *parts, kind = one.opcode.split(".")
        space = next((word for word in parts if word in SPACES), "generic")
        dtype = type_of(kind)
        operands = list(one.operands)
        name, _, offset = operands.pop(how != "st").strip("[]").partition("+")
        address = self._read(name, "s64", one)
        if offset:
            address += f" + {self._constant(np.int64(int(offset)))}"
        self.moved[b][space] += dtype.itemsize
        if how == "st":
            site = self._constant(Site(one.text, dtype, dtype, space))
            return f"M.store({site}, {address}, {self._read(operands[0], kind, one, True)}, L)"
        result = self.number[operands[0]]
        site = self._constant(Site(one.text, dtype, self.dtypes[result], space))
        if how == "ld":
            return f"r{result} = M.load({site}, {address}, L)"
        values = ", ".join(self._read(text, kind, one) for text in operands[1:])
        return f"r{result} = M.change({site}, {address}, {parts[-1]!r}, ({values},), L)"
