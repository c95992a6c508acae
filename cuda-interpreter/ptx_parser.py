"""A parser of PTX; instructions under a predicate become a branch around them."""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

STATEMENT = re.compile(r"\s*([$\w]+:|[^;]+;)")
WORD = re.compile(r"\{[^}]*\}|\[[^\]]*\]|[^\s,]+")
REGISTER = re.compile(r"%[A-Za-z_]\w*(?![\w.])")
SCOPE = re.compile(r"\{([^{}]*\.reg[^{}]*)\}")
VARIABLE = r"\.{}\s+\.align\s+(\d+)\s+\.b8\s+([^\s\[]+)\[(\d+)\]"
PARAMETER = re.compile(r"\.param\s+\.(\w+)(?:\s+\.(?:ptr|global|align\s+\d+))*\s+([^\s,]+)")
REGISTERS = re.compile(r"\.reg\s+\.(\w+)\s+(%\w+)(?:<(\d+)>)?\s*;")


class PtxError(Exception):
    """PTX that can't be interpreted."""


class Instruction(NamedTuple):
    """An opcode with its operands."""

    opcode: str
    operands: tuple[str, ...]
    text: str


@dataclass
class Block:
    """Instructions, then a branch, a barrier or a return.

    `condition` is the predicate of the branch, or of a barrier that answers whether all hold it.
    """

    body: list[Instruction] = field(default_factory=list)
    end: Instruction | None = None
    condition: str = ""
    negated: bool = False
    target: int = -1
    answer: str = ""

    @property
    def waits(self):
        """Whether the end is a barrier."""
        return self.end is not None and self.end.opcode.startswith("bar.")

    def successors(self, b):
        """Return what may follow block b."""
        if self.target >= 0:
            return [self.target, b + 1] if self.condition else [self.target]
        return [] if self.end and self.end.opcode == "ret" else [b + 1]


@dataclass
class Kernel:
    """Types of parameters and registers, and variables with their bytes."""

    name: str
    parameters: dict[str, str]
    registers: dict[str, str]
    shared: dict[str, tuple[int, int]]
    local: dict[str, tuple[int, int]]
    blocks: list[Block]


def parse(text):
    """Return the one kernel of a module."""
    text = re.sub(r"//[^\n]*", "", text)
    entries = re.findall(r"\.entry\s+(\S+?)\s*\((.*?)\)[^{;]*\{(.*)\}", text, flags=re.S)
    if len(entries) != 1 or text.count(".entry") > 1:
        raise PtxError(f"a module needs one kernel, and has {text.count('.entry')}")
    ((name, parameters, body),) = entries
    body = _without_scopes(body)
    registers = {}
    for kind, prefix, count in REGISTERS.findall(body):
        names = [f"{prefix}{i}" for i in range(int(count))] if count else [prefix]
        registers |= dict.fromkeys(names, kind)
    widths = map(int, re.findall(r"\b(?:ld|st)\.local\.[a-z](\d+)", body))
    word = min(widths, default=8) // 8
    sizes = re.findall(VARIABLE.format("local"), body)
    shared = re.findall(VARIABLE.format("shared"), text)
    return Kernel(
        name,
        {name: kind for kind, name in PARAMETER.findall(parameters)},
        registers,
        {name: (int(size), int(align)) for align, name, size in shared},
        {name: (int(size), word) for _, name, size in sizes},
        _split(body),
    )


def _without_scopes(body):
    """Return a body where registers of inner scopes have names of their own."""
    n = 0
    while scope := SCOPE.search(body):
        inner = scope[1]
        n = n + 1
        for _, register, _ in REGISTERS.findall(inner):
            inner = re.sub(rf"{register}\b", f"{register}_{n}", inner)
        body = body[: scope.start()] + inner + body[scope.end() :]
    return body


def _split(body):
    """Return the basic blocks of a body: a label starts one; a branch or a barrier ends one."""
    block_at = {}
    branches = []
    blocks = [Block()]
    for statement in STATEMENT.findall(body):
        if statement.endswith(":"):
            if blocks[-1].body:
                blocks.append(Block())
            block_at[statement[:-1]] = len(blocks) - 1
        elif not statement.startswith("."):
            _append(" ".join(statement[:-1].split()), blocks, block_at, branches)
    for block, label in branches:
        block.target = block_at[label]
    return blocks


def _append(text, blocks, block_at, branches):
    """Append an instruction to the last block, and start the next one after what ends a block.

    A guarded instruction becomes a block of its own, with a branch around it. `block_at` and
    `branches` collect blocks by label, and blocks with the label that they branch to.
    """
    words = WORD.findall(text)
    guard = ""
    if words[0].startswith("@"):
        guard = words.pop(0)[1:]
    opcode, *operands = words
    instruction = Instruction(opcode, tuple(operands), text)
    block = blocks[-1]
    negated = guard[:1] == "!"
    is_branch = opcode in ("bra", "bra.uni")
    label = f"around {len(blocks)}"
    if is_branch or guard:
        block.end = instruction._replace(opcode="bra")
        block.condition = guard.removeprefix("!")
        block.negated = negated if is_branch else not negated
        branches.append((block, operands[0] if is_branch else label))
        block = Block()
        blocks.append(block)
    if is_branch:
        return
    ends = opcode.startswith(("ret", "exit", "trap", "bar", "call"))
    if ends:
        block.end = instruction
        if opcode == "bar.red.and.pred" and operands[1] == "0":
            block.answer, _, block.condition = operands
        elif (opcode, *operands) not in (("ret",), ("bar.sync", "0")):
            raise PtxError(f"an unknown instruction: {text}")
    else:
        block.body.append(instruction)
    if ends or guard:
        blocks.append(Block())
        block_at[label] = len(blocks) - 1
