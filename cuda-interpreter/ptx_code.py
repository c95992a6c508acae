"""Translates basic blocks of PTX to Python functions, which compute one number per thread.

A block is a list of steps, one per instruction. A step is a function of a `ThreadState` that reads
operands, computes, and sets registers of the frame.
"""

from collections import defaultdict

import numpy as np
from ptx_instructions import MOVES, OPERATIONS
from ptx_memory import Site
from ptx_parser import REGISTER, PtxError

SPACES = ("global", "shared", "local", "generic")
VARYING = ("%tid.x", "%ctaid.x", "%ctaid.y")
"""Special registers that differ between threads."""

SPECIAL = (*VARYING, "%ntid.x", "%nctaid.x", "%nctaid.y")


def type_of(kind, stored=False):
    """Return the NumPy type of numbers, or of the registers where they are stored."""
    if kind == "pred":
        return np.dtype(bool)
    letter = "f" if kind[0] == "f" else "i" if stored or kind[0] == "s" else "u"
    return np.dtype(f"{letter}{int(kind[1:]) // 8}")


class ThreadState:
    """What the steps of a block read and write while some threads run it.

    `registers`: arrays of one number per thread (or one number for all), by the register's number.
    `special`: special registers, parameters by position, and addresses of variables by name.
    `lanes`: the threads that run, as indices.
    """

    __slots__ = ("lanes", "memory", "registers", "special")

    def __init__(self, registers, special, memory, lanes):
        self.registers = registers
        self.special = special
        self.memory = memory
        self.lanes = lanes


class Code:
    """A kernel as functions, one per basic block.

    By block: registers needed later (`live`) and set here (`new`), numbers of instructions, and
    bytes moved, by space. `pointers`: parameters from which addresses of writes derive.
    """

    def __init__(self, kernel, name=""):
        self.kernel = kernel
        self.name = name or kernel.name
        blocks = kernel.blocks
        self.number = {register: i for i, register in enumerate(kernel.registers)}
        self.dtypes = [type_of(kind, stored=True) for kind in kernel.registers.values()]
        self.instructions = [instruction for block in blocks for instruction in block.body]
        self.moved = [dict.fromkeys(SPACES, 0) for _ in blocks]
        self.sizes = [len(block.body) + (block.end is not None) for block in blocks]
        self._find_live()
        self._find_pointers()
        self.functions = [self._compile(b) for b in range(len(blocks))]

    def _registers_of(self, instruction):
        """Return the registers that an instruction sets, and those that it reads."""
        try:
            numbers = [
                [self.number[name] for name in REGISTER.findall(text)]
                for text in instruction.operands
            ]
        except KeyError as unknown:
            raise PtxError(f"an unknown register {unknown}: {instruction.text}") from None
        written = [] if instruction.opcode.startswith("st.") else numbers.pop(0)
        return written, [register for operand in numbers for register in operand]

    def _find_live(self):
        """Find `live` and `new` by a backward analysis, repeated until nothing changes."""
        blocks = self.kernel.blocks
        reads = []
        sets = []
        answers = []
        for block in blocks:
            read_first = set()
            known = set()
            for instruction in block.body:
                written, read = self._registers_of(instruction)
                read_first.update(set(read) - known)
                known.update(written)
            if block.condition:
                read_first.update({self.number[block.condition]} - known)
            answers.append({self.number[block.answer]} if block.answer else set())
            reads.append(read_first)
            sets.append(known | answers[-1])
        needed = [set() for _ in range(len(blocks) + 1)]
        self.live = [set() for _ in blocks]
        n_before = -1
        n_needed = 0
        while n_before < n_needed:
            n_before = n_needed
            for b in range(len(blocks) - 1, -1, -1):
                self.live[b] = set().union(*(needed[after] for after in blocks[b].successors(b)))
                needed[b] = reads[b] | (self.live[b] - sets[b])
            n_needed = sum(map(len, needed))
        self.new = [a & b - c for a, b, c in zip(self.live, sets, answers, strict=True)]

    def _find_pointers(self):
        """Follow parameters through all instructions to the addresses of writes."""
        positions = {name: i for i, name in enumerate(self.kernel.parameters)}
        roots = defaultdict(set)
        n_before = -1
        n_roots = 0
        while n_before < n_roots:
            n_before = n_roots
            for instruction in self.instructions:
                written, read = self._registers_of(instruction)
                if instruction.opcode.startswith("ld.param"):
                    roots[written[0]].add(positions[instruction.operands[1][1:-1]])
                elif not instruction.opcode.startswith(("ld.", "atom.", "setp.")):
                    for register in written:
                        roots[register].update(*(roots[r] for r in read))
            n_roots = sum(map(len, roots.values()))
        self.pointers = set()
        for instruction in self.instructions:
            if instruction.opcode.startswith(("st.", "atom.")):
                address = instruction.operands[instruction.opcode.startswith("atom.")]
                registers = [self.number[name] for name in REGISTER.findall(address)]
                self.pointers.update(*(roots[register] for register in registers))

    def _compile(self, b):
        """Return a function that runs a block, and returns its condition by thread or None.

        It takes the group of threads, special registers, the memory and the threads' indices.
        """
        block = self.kernel.blocks[b]
        steps = [self._translate(instruction, b) for instruction in block.body]
        condition = self.number[block.condition] if block.condition else None
        read_first = []
        known = set()
        for instruction in block.body:
            written, read = self._registers_of(instruction)
            read_first += [register for register in read if register not in known]
            known.update(written, read)
        if condition is not None and condition not in known:
            read_first.append(condition)
        read_first = tuple(dict.fromkeys(read_first))
        written = tuple(sorted(self.new[b]))

        def run_block(group, special, memory, lanes):
            registers = {register: group.get(register, lanes) for register in read_first}
            frame = ThreadState(registers, special, memory, lanes)
            for step in steps:
                step(frame)
            for register in written:
                group[register] = registers[register]
            if condition is None:
                return None
            return ~registers[condition] if block.negated else registers[condition]

        return run_block

    def _reader(self, text, kind, instruction, may_be_wider=False):
        """Return a function of a frame that reads an operand as numbers of a type."""
        dtype = type_of(kind)
        if text in self.number:
            return self._register_reader(self.number[text], dtype, instruction, may_be_wider)
        if text in VARYING:
            return lambda frame: frame.special[text][frame.lanes]
        if text in SPECIAL or text in self.kernel.shared or text in self.kernel.local:
            return lambda frame: frame.special[text]
        value = _constant(text, kind, instruction)
        return lambda frame: value

    def _register_reader(self, register, dtype, instruction, may_be_wider):
        stored = self.dtypes[register]
        is_wider = stored.itemsize > dtype.itemsize
        if stored.itemsize < dtype.itemsize or (is_wider and not may_be_wider):
            raise PtxError(f"a register of {stored.itemsize} bytes: {instruction.text}")
        if stored == dtype:
            return lambda frame: frame.registers[register]
        if is_wider:
            return lambda frame: frame.registers[register].astype(dtype)
        return lambda frame: frame.registers[register].view(dtype)

    def _translate(self, instruction, b):
        """Return the step of an instruction; errors name what isn't known."""
        opcode = instruction.opcode
        name, _, kind = opcode.rpartition(".")
        if opcode not in OPERATIONS and opcode not in MOVES:
            raise PtxError(f"an unknown instruction: {instruction.text}")
        if name == "ld.param":
            return self._load_parameter(instruction, kind)
        if name == "ld" or name.startswith(("ld.", "st.", "atom.")):
            return self._access_memory(instruction, b)
        if name.startswith("cvt."):
            return self._convert(instruction, name.split(".")[-1], kind)
        if name == "cvta.to.global":
            # All spaces have addresses of their own here: the address stays.
            read = self._reader(instruction.operands[1], "s64", instruction)
            return _setter(self.number[instruction.operands[0]], read)
        return self._compute(instruction, name, kind)

    def _load_parameter(self, instruction, kind):
        result = self.number[instruction.operands[0]]
        position = list(self.kernel.parameters).index(instruction.operands[1][1:-1])
        dtype = type_of(kind)
        stored = self.dtypes[result]
        return _setter(result, lambda frame: frame.special[position].astype(dtype).astype(stored))

    def _convert(self, instruction, to, kind):
        result = self.number[instruction.operands[0]]
        read = self._reader(instruction.operands[1], kind, instruction, may_be_wider=True)
        dtype = type_of(to)
        stored = self.dtypes[result]
        return _setter(result, lambda frame: read(frame).astype(dtype).astype(stored))

    def _compute(self, instruction, name, kind):
        operation = OPERATIONS[instruction.opcode]
        result = self.number[instruction.operands[0]]
        stored = self.dtypes[result]
        texts = instruction.operands[1:]
        if len(texts) != operation.n_operands:
            raise PtxError(f"a wrong number of operands: {instruction.text}")
        second = "u32" if name in ("shl", "shr") else kind
        third = "pred" if name == "selp" else kind
        pairs = zip(texts, (kind, second, third), strict=False)
        readers = [self._reader(text, operand_kind, instruction) for text, operand_kind in pairs]
        computed = _applied(operation.compute, readers)
        if name.startswith("setp."):
            return _setter(result, computed)
        if type_of(kind).itemsize == stored.itemsize or name == "mul.wide":
            return _setter(result, lambda frame: computed(frame).view(stored))
        return _setter(result, lambda frame: computed(frame).astype(stored))

    def _access_memory(self, instruction, b):
        """Return the step of a load, a store or an atomic operation."""
        action, *parts, kind = instruction.opcode.split(".")
        space = next((part for part in parts if part in SPACES), "generic")
        dtype = type_of(kind)
        operands = list(instruction.operands)
        address_text = operands.pop(0 if action == "st" else 1)
        address = self._address_reader(address_text, instruction)
        self.moved[b][space] += dtype.itemsize
        if action == "st":
            site = Site(instruction.text, dtype, dtype, space)
            value = self._reader(operands[0], kind, instruction, may_be_wider=True)

            def store(frame):
                frame.memory.store(site, address(frame), value(frame), frame.lanes)

            return store
        result = self.number[operands[0]]
        site = Site(instruction.text, dtype, self.dtypes[result], space)
        if action == "ld":
            return _setter(
                result, lambda frame: frame.memory.load(site, address(frame), frame.lanes)
            )
        readers = [self._reader(text, kind, instruction) for text in operands[1:]]
        change = parts[-1]

        def apply_atomic(frame):
            values = tuple(read(frame) for read in readers)
            return frame.memory.change(site, address(frame), change, values, frame.lanes)

        return _setter(result, apply_atomic)

    def _address_reader(self, text, instruction):
        """Return a function that reads an address such as `[%rd1+8]`."""
        name, _, offset = text.strip("[]").partition("+")
        base = self._reader(name, "s64", instruction)
        if not offset:
            return base
        distance = np.int64(int(offset))
        return lambda frame: base(frame) + distance


def _setter(register, read):
    """Return the step that sets a register to what a function of the frame returns."""

    def step(frame):
        frame.registers[register] = read(frame)

    return step


def _applied(compute, readers):
    """Return a function of the frame that applies another to one, two or three operands."""
    if len(readers) == 1:
        (first,) = readers
        return lambda frame: compute(first(frame))
    if len(readers) == 2:
        first, second = readers
        return lambda frame: compute(first(frame), second(frame))
    first, second, third = readers
    return lambda frame: compute(first(frame), second(frame), third(frame))


def _constant(text, kind, instruction):
    """Return a number in PTX's text: an integer, or `0d` with the bits of a float."""
    dtype = type_of(kind)
    if text.startswith("0d"):
        return np.uint64(int(text[2:], 16)).view(dtype)
    try:
        value = int(text, 0)
    except ValueError:
        raise PtxError(f"an unknown operand {text}: {instruction.text}") from None
    if kind == "pred":
        return np.bool_(value)
    bits = np.array(value % (1 << 8 * dtype.itemsize), f"u{dtype.itemsize}")
    return bits.view(dtype)[()]
