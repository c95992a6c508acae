"""Runs PTX in NumPy, for all threads of a launch together.

The lowest ready basic block runs first, so that threads meet again after a branch.
"""

import heapq
from collections import defaultdict

import numpy as np
from ptx_memory import BLOCK, INTERVAL, LAUNCH, KernelFault, Memory


class Machine:
    """Runs launches in a memory, and counts by kernel.

    Up to `at_once` threads run in step; with a seed as `order`, warps, blocks and lanes take
    turns at random.
    """

    def __init__(self, order=None, at_once=1 << 15):
        self.memory = Memory()
        self.order = order
        self.at_once = at_once
        self.launches = 0
        self.counts = defaultdict(lambda: defaultdict(int))

    def launch(self, code, grid, threads, values):
        """Run all blocks."""
        memory = self.memory
        self.launches = self.launches + 1
        memory.kernel = code.name
        written = {int(values[i]) for i in code.pointers}
        for region in list(memory.regions.values()):
            region.tracked = region.base in written
        n = grid[0] * grid[1]
        n_at_once = max(self.at_once // threads, 1)
        draw = None
        blocks = np.arange(n)
        if self.order is not None:
            draw = np.random.default_rng([self.order, self.launches])
            blocks = draw.permutation(n)
            n_at_once = int(draw.integers(1, 5))
        self.counts[code.name]["launches"] += 1
        special = dict(enumerate(values)) | {"%ntid.x": np.int32(threads)}
        special |= {"%nctaid.x": np.int32(grid[0]), "%nctaid.y": np.int32(grid[1])}
        with np.errstate(all="ignore"):
            for batch in np.split(blocks, range(n_at_once, n, n_at_once)):
                number = np.repeat(batch, threads)
                special["%tid.x"] = np.tile(np.arange(threads, dtype=np.int32), len(batch))
                special["%ctaid.x"] = (number % grid[0]).astype(np.int32)
                special["%ctaid.y"] = (number // grid[0]).astype(np.int32)
                memory.marks = (self.launches << LAUNCH) | (number << BLOCK) | special["%tid.x"]
                BlockRun(self, code, special, threads, draw).finish()


class Group(dict):
    """Threads that run together."""

    def __init__(self, registers, n):
        self.registers = registers
        self.n = n
        self.lanes = np.zeros(0, int)
        self.warps = 0
        self.last = 0
        self.heap = []
        self.ready = {}
        self.dirty = set()

    def get(self, register, lanes):
        """Read a register."""
        if register not in self:
            if register not in self.registers:
                raise KernelFault(f"a read of register {register}, which no thread has set")
            self[register] = self.registers[register][lanes]
        return self[register]

    def flush(self, live, lanes):
        """Write live registers back."""
        for register in self.dirty & live:
            self.write(register, self.lanes, self[register])
        self.clear()
        self.dirty = set()
        self.lanes = lanes

    def write(self, register, lanes, values):
        """Set a register."""
        if register not in self.registers:
            self.registers[register] = np.zeros(self.n, values.dtype)
        self.registers[register][lanes] = values

    def push(self, b, lanes):
        """Make threads ready."""
        if b not in self.ready:
            heapq.heappush(self.heap, b)
        self.ready.setdefault(b, []).append(lanes)

    def take(self):
        """Return the lowest block."""
        b = heapq.heappop(self.heap)
        lanes = self.ready.pop(b)
        return b, lanes[0] if len(lanes) == 1 else np.concatenate(lanes)


class BlockRun:
    """A run of some blocks."""

    def __init__(self, machine, code, special, threads, draw):
        self.memory = machine.memory
        self.code = code
        self.special = special
        self.counts = machine.counts[code.name]
        self.threads = threads
        self.draw = draw
        everyone = np.arange(len(special["%tid.x"]))
        self.block_of = everyone // threads
        kernel = code.kernel
        n = len(everyone)
        self.warp_of = self.block_of * -(-threads // 32) + everyone % threads // 32
        self.memory.copies = {"shared": self.block_of, "local": everyone}
        self.regions = []
        spaces = (("shared", kernel.shared, n // threads), ("local", kernel.local, n))
        for space, variables, copies in spaces:
            for name, sizes in variables.items():
                self.regions.append(self.memory.add(f"{space} {name}", *sizes, copies, space))
                special[name] = np.int64(self.regions[-1].base)
        parts = [everyone]
        if draw is not None:
            warps = range(self.warp_of[-1] + 1)
            parts = [draw.permutation(everyone[self.warp_of == warp]) for warp in warps]
        registers = {}
        self.groups = [Group(registers, n) for _ in parts]
        for group, lanes in zip(self.groups, parts, strict=True):
            group.push(0, lanes)
        self.waiting = []

    def finish(self):
        """Run to the end."""
        while True:
            while ready := [group for group in self.groups if group.heap]:
                group = ready[0]
                steps = -1
                if self.draw is not None:
                    group = ready[self.draw.integers(len(ready))]
                    steps = int(self.draw.integers(1, 60))
                while group.heap and steps:
                    self._step(group)
                    steps -= 1
            if not self.waiting:
                return
            self._release()

    def _release(self):
        """Let blocks go on whose threads have all reached a barrier; fail if there are none."""
        n = int(self.block_of[-1]) + 1
        left = []
        arrived = defaultdict(int)
        held = defaultdict(int)
        for _, b, lanes, holds in self.waiting:
            arrived[b] = arrived[b] + np.bincount(self.block_of[lanes], minlength=n)
            held[b] = held[b] + np.bincount(self.block_of[lanes[holds]], minlength=n)
        if not any((here == self.threads).any() for here in arrived.values()):
            stuck = self.block_of[self.waiting[0][2][0]]
            counts = {b: here[stuck] for b, here in arrived.items() if here[stuck]}
            text = ", ".join(f"{count} at {b}" for b, count in counts.items())
            raise KernelFault(
                f"{self.code.name}: a barrier that not all {self.threads} threads of a block reach"
                f": in basic blocks, {text}"
            )
        for group, b, lanes, holds in self.waiting:
            whole = (arrived[b] == self.threads)[self.block_of[lanes]]
            if not whole.all():
                left.append((group, b, lanes[~whole], holds[~whole]))
                lanes = lanes[whole]
            self.memory.marks[lanes] += 1 << INTERVAL
            if len(lanes):
                group.push(b + 1, lanes)
            if answer := self.code.kernel.blocks[b].answer:
                register = self.code.number[answer]
                group.pop(register, None)
                group.write(register, lanes, (held[b] == self.threads)[self.block_of[lanes]])
        self.waiting = left

    def _step(self, group):
        """Run the lowest ready block of a group, and make ready what follows it."""
        b, lanes = group.take()
        code = self.code
        block = self.code.kernel.blocks[b]
        n = len(lanes)
        if lanes is not group.lanes:
            group.flush(code.live[group.last], lanes)
            group.warps = np.count_nonzero(np.bincount(self.warp_of[lanes]))
        chosen = code.functions[b](group, self.special, self.memory, lanes)
        group.dirty |= code.new[b]
        group.last = b
        counts = self.counts
        counts["steps"] += 1
        counts["instructions"] += code.sizes[b] * n
        counts["warp instructions"] += code.sizes[b] * group.warps
        for space, size in code.moved[b].items():
            counts[space] += size * n
        if block.waits:
            holds = np.ones(n, bool) if chosen is None else np.broadcast_to(chosen, n)
            self.waiting.append((group, b, lanes, holds))
            return
        after = block.successors(b)
        if chosen is not None:
            taken = np.count_nonzero(chosen) if chosen.ndim else n * bool(chosen)
            if 0 < taken < n:
                group.push(after[0], lanes[chosen])
                group.push(after[1], lanes[~chosen])
                return
            after = after[:1] if taken else after[1:]
        if after and after[0] < len(code.functions):
            group.push(after[0], lanes)
