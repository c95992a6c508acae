"""Memory of the interpreter: regions that know who touched each word.

An address is a region's number times 2^40, plus an offset. A mark says who touched a word last,
in bit fields: launch, block, interval between barriers, and thread.
"""

from weakref import WeakValueDictionary

import numpy as np

REGION = 40
"""Bits of an offset."""

INTERVAL = 10
BLOCK = 24
LAUNCH = 44
"""Lowest bits of a mark's fields; below INTERVAL is the thread."""

THREADS = (1 << INTERVAL) - 1
BLOCKS = (1 << LAUNCH) - (1 << BLOCK)
"""Fields of a mark; all bits are set if several read a word."""

UNSET = 0
BY_HOST = 1

ATOMICS = {
    "add": np.add,
    "min": np.minimum,
    "cas": lambda old, expected, new: np.where(old == expected, new, old),
}


class KernelFault(Exception):  # noqa: N818
    """A fault of a kernel that a device may not report."""


class Region:
    """An array for all, or one for each block or thread, with marks of each word.

    A launch can write to it if it is `tracked`.
    """

    def __init__(self, number, name, size, itemsize, copies, space):
        self.base = number << REGION
        self.name = name
        self.size = size
        self.itemsize = itemsize
        self.space = space
        self.span = -(-size // itemsize) * itemsize
        words = copies * self.span // itemsize
        self.bytes = np.zeros(copies * self.span, np.uint8)
        self.written, self.changed, self.read = np.zeros((3, words), np.int64)
        self.complete = False
        self.tracked = True

    def fill(self, start, values):
        """Copy numbers from the host."""
        stop = start + values.size
        self.bytes.view(values.dtype)[start:stop] = values.ravel()
        self.written[start:stop] = BY_HOST
        self.complete |= values.size == len(self.written)


class Site:
    """An instruction that touches memory."""

    def __init__(self, text, dtype, to, space):
        self.text = text
        self.dtype = dtype
        self.to = to
        self.space = space
        self.width = dtype.itemsize
        self.shift = dtype.itemsize.bit_length() - 1
        self.kind = "volatile" if ".volatile." in text else "read"
        self.last = None


def conflicts(marks, ours):
    """Return where a mark is of this launch and of a thread that no barrier orders before ours."""
    differ = marks ^ ours
    near = (differ > 0) & (differ < 1 << INTERVAL)
    return (differ < 1 << LAUNCH) & (near | (differ >= 1 << BLOCK))


class Memory:
    """The regions, and the marks and copies of the threads that run."""

    def __init__(self):
        self.regions = WeakValueDictionary()
        self.marks = None
        self.copies = {}
        self.last = 0

    def add(self, name, size, word, copies=1, space="global"):
        """Allocate a region."""
        self.last += 1
        self.regions[self.last] = region = Region(self.last, name, size, word, copies, space)
        return region

    def load(self, site, address, lanes):
        """Read numbers."""
        result = np.empty(len(lanes), site.to)
        for chosen, region, index in self._words(site, address, lanes):
            if region.tracked or not region.complete:
                self._check(site, region, index, lanes[chosen], site.kind)
            result[chosen] = region.bytes.view(site.dtype)[index]
        return result

    def store(self, site, address, values, lanes):
        """Write numbers to addresses."""
        values = np.broadcast_to(values, len(lanes)).astype(site.dtype)
        for chosen, region, index in self._words(site, address, lanes):
            self._check(site, region, index, lanes[chosen], "write")
            region.bytes.view(site.dtype)[index] = values[chosen]

    def change(self, site, address, name, values, lanes):
        """Apply an atomic operation lane by lane."""
        values = tuple(np.broadcast_to(operand, len(lanes)) for operand in values)
        before = np.empty(len(lanes), site.dtype)
        for chosen, region, index in self._words(site, address, lanes):
            self._check(site, region, index, lanes[chosen], "atomic")
            memory = region.bytes.view(site.dtype)
            left = np.arange(len(lanes))[chosen]
            while len(left):
                # One lane for each word at a time: those that are left follow.
                words, first = np.unique(index, return_index=True)
                now = left[first]
                before[now] = memory[words]
                memory[words] = ATOMICS[name](before[now], *(operand[now] for operand in values))
                left = np.delete(left, first)
                index = np.delete(index, first)
        return before.view(site.to)

    def _words(self, site, address, lanes):
        """Return parts of the lanes, each with its region and the indices of its words there."""
        if address.ndim == 0:
            address = np.full(len(lanes), address)
        if region := site.last:
            offset = address - region.base
            if offset.view(np.uint64).max() <= region.size - site.width:
                return [(slice(None), region, self._index(site, region, offset, lanes))]
        parts = []
        numbers = (address + (1 << (REGION - 1))) >> REGION
        for number in np.unique(numbers).tolist():
            chosen = np.flatnonzero(numbers == number)
            region = self.regions.get(number)
            offset = address[chosen] - (number << REGION)
            size = region.size if region and site.space in (region.space, "generic") else 0
            outside = (offset < 0) | (offset > size - site.width)
            self._require(~outside, f"no {site.space} memory", site, lanes[chosen], region, offset)
            site.last = region
            parts.append((chosen, region, self._index(site, region, offset, lanes[chosen])))
        return parts

    def _index(self, site, region, offset, lanes):
        if site.shift:
            whole = offset & (site.width - 1) == 0
            self._require(whole, "a misaligned address", site, lanes, region, offset)
        if region.space != "global":
            offset = offset + self.copies[region.space][lanes] * region.span
        return offset >> site.shift if site.shift else offset

    def _require(self, right, what, site, lanes, region, at):
        """Raise a fault that names the first thread that isn't right."""
        if right.all():
            return
        k = int(np.argmin(right))
        mark = int(self.marks[lanes[k]])
        offset = int(at[k])
        who = f"thread {mark & THREADS} of block {(mark & BLOCKS) >> BLOCK}"
        where = f"byte {offset} of {region.size} of {region.name}" if region else hex(offset)
        raise KernelFault(f"{self.kernel}: {what} at {where}, {who}: {site.text}")

    def _check(self, site, region, index, lanes, kind):
        """Require words that are set, and no race; mark the words as touched by their threads."""
        writes = kind in ("write", "atomic")
        if site.width > region.itemsize:
            raise KernelFault(
                f"{self.kernel}: words of {region.itemsize} bytes are not: {site.text}"
            )
        if writes and not region.tracked:
            raise KernelFault(
                f"{self.kernel}: an array that no pointer to write leads to: {site.text}"
            )
        word = index // (region.itemsize // site.width)
        at = index * site.width % region.span
        written = region.written[word]
        ours = self.marks[lanes]
        if kind != "write":
            right = written != UNSET
            self._require(right, "a read of an unset word", site, lanes, region, at)
        if site.space == "local" and writes:
            region.written[word] = BY_HOST
        if site.space == "local" or not region.tracked:
            return
        bad = conflicts(written, ours)
        if kind in ("read", "write"):
            bad |= conflicts(region.changed[word], ours)
        if writes:
            bad |= conflicts(region.read[word], ours)
            marks = region.changed if kind == "atomic" else region.written
            marks[word] = ours
            if kind == "write":
                bad |= marks[word] != ours
        self._require(~bad, "a race", site, lanes, region, at)
        if kind == "read":
            self._note_read(region.read, word, ours)

    def _note_read(self, read, word, ours):
        """Mark words as read: all bits of the thread, or of the block, are set if several read."""
        differ = read[word] ^ ours
        near = (differ > 0) & (differ < 1 << INTERVAL)
        far = (differ >= 1 << BLOCK) & (differ < 1 << LAUNCH)
        marks = ours | np.where(near, THREADS, 0) | np.where(far, BLOCKS | THREADS, 0)
        read[word] = marks
        mixed = read[word] ^ marks
        if mixed.any():
            read_by = np.where(mixed >= 1 << BLOCK, BLOCKS | THREADS, THREADS)
            np.bitwise_or.at(read, word, np.where(mixed != 0, read_by, 0))
