"""A device for `numba.cuda` without one: its arrays lie in the interpreter's memory."""

import importlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numba.cuda.dispatcher
import numpy as np
from numba import cuda, types
from numba.cuda import cgutils
from numba.cuda.np import arrayobj
from numpy.typing import NDArray
from ptx_code import Code
from ptx_machine import Machine
from ptx_memory import Region
from ptx_parser import parse

CAPABILITY = (9, 0)
NAME = "an interpreter of PTX"
HERE = SimpleNamespace(name=NAME, compute_capability=CAPABILITY)

NOWHERE = 0x5A5A5A5A5
"""An index outside all arrays."""


class DeviceArray:
    """A C-ordered array in the interpreter's memory, or rows of it."""

    def __init__(
        self, region: Region, start: int, shape: tuple[int, ...], dtype: np.dtype[Any]
    ) -> None:
        self.region = region
        self.start = start
        self.shape = shape
        self.dtype = dtype
        self.size = int(np.prod(shape))
        self._numba_type_ = types.Array(numba.from_dtype(dtype), len(shape), "C")

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: slice) -> "DeviceArray":
        start, stop, _ = rows.indices(len(self))
        at = self.start + start * (self.size // max(len(self), 1))
        return DeviceArray(self.region, at, (stop - start, *self.shape[1:]), self.dtype)

    def copy_to_host(self) -> NDArray[Any]:
        """Return the numbers."""
        numbers = self.region.bytes.view(self.dtype)[self.start : self.start + self.size]
        return numbers.reshape(self.shape).copy()

    def copy_to_device(self, values: NDArray[Any]) -> None:
        """Replace the numbers."""
        self.region.fill(self.start, np.ascontiguousarray(values, self.dtype))

    def parameters(self) -> list[np.int64]:
        """Return the parameters of numba's CUDA target."""
        size = self.dtype.itemsize
        strides = [size * int(np.prod(self.shape[i + 1 :])) for i in range(len(self.shape))]
        numbers = (
            0,
            0,
            self.size,
            size,
            self.region.base + self.start * size,
            *self.shape,
            *strides,
        )
        return list(map(np.int64, numbers))


class Kernels:
    """The PTX of compiled kernels.

    Devices can share it while the constants that kernels read stay as they are.
    """

    def __init__(self, checks_indices: bool = False) -> None:
        self.checks_indices = checks_indices
        self.sources: dict[tuple[Any, Any], str] = {}

    def ptx(self, kernel: Any, signature: tuple[Any, ...]) -> str:
        """Return a kernel's PTX for arguments of these types, compiled at the first call."""
        key = (kernel.py_func, signature)
        if key not in self.sources:
            how = {"launch_bounds": kernel.targetoptions.get("launch_bounds")}
            kind = types.void(*signature)
            with checked_indices() if self.checks_indices else ExitStack():
                self.sources[key], _ = cuda.compile_ptx(kernel.py_func, kind, cc=CAPABILITY, **how)
        return self.sources[key]

    def by_name(self) -> dict[str, str]:
        """Return the PTX of each kernel; of several variants, the one that was compiled last."""
        return {function.__name__: source for (function, _), source in self.sources.items()}


class Device:
    """Stands for `numba.cuda`."""

    def __init__(self, machine: Machine, kernels: Kernels) -> None:
        self.machine = machine
        self.kernels = kernels
        self.codes: dict[tuple[Any, Any], Code] = {}  # they remember arrays of this machine

    def device_array(self, shape: int | tuple[int, ...], dtype: Any) -> DeviceArray:
        """Allocate an array whose numbers are not set."""
        shape = tuple(map(int, np.atleast_1d(shape)))
        dtype = np.dtype(dtype)
        size = int(np.prod(shape)) * dtype.itemsize
        name = f"the {dtype.name} array {shape}"
        return DeviceArray(self.machine.memory.add(name, size, dtype.itemsize), 0, shape, dtype)

    def to_device(self, values: NDArray[Any]) -> DeviceArray:
        """Copy an array to the device."""
        (result := self.device_array(values.shape, values.dtype)).copy_to_device(values)
        return result

    def launch(self, kernel: Any, configuration: Any, *arguments: Any) -> None:
        """Run a kernel."""
        grid, threads, *_ = configuration
        signature = tuple(map(numba.typeof, arguments))
        key = (kernel.py_func, signature)
        if key not in self.codes:
            source = self.kernels.ptx(kernel, signature)
            self.codes[key] = Code(parse(source), kernel.py_func.__name__)
        grid = tuple(map(int, np.atleast_1d(grid)))
        values = [value for argument in arguments for value in flattened(argument)]
        self.machine.launch(self.codes[key], (*grid, 1)[:2], int(threads), values)


def flattened(argument: Any) -> Iterator[Any]:
    """Yield an argument as the parameters of a kernel."""
    if isinstance(argument, tuple):
        for part in argument:
            yield from flattened(part)
    elif isinstance(argument, DeviceArray):
        yield from argument.parameters()
    else:
        kinds = {types.boolean: np.uint8, types.float64: np.float64}
        yield kinds.get(numba.typeof(argument), np.int64)(argument)


@contextmanager
def checked_indices() -> Iterator[None]:
    """Compile indices outside their axis, negative ones too, to addresses that nothing has."""

    def checked(builder: Any, index: Any, size: Any) -> Any:
        inside = builder.icmp_unsigned("<", index, size)
        return builder.select(inside, index, index.type(NOWHERE))

    def fix(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
        return checked(builder, context.cast(builder, index, kind, types.intp), size)

    def point(context: Any, builder: Any, **parts: Any) -> Any:
        if parts.pop("wraparound"):
            pairs = zip(parts["inds"], parts["shape"], strict=True)
            parts["inds"] = [checked(builder, *pair) for pair in pairs]
        return plain(context, builder, **parts)

    plain = cgutils.get_item_pointer2
    with (
        patch.object(arrayobj, "fix_integer_index", fix),
        patch.object(cgutils, "get_item_pointer2", point),
    ):
        yield


@contextmanager
def installed(machine: Machine, kernels: Kernels | None = None) -> Iterator[Device]:
    """Let `numba.cuda` use the interpreter."""
    device = Device(machine, kernels or Kernels())
    dispatcher = numba.cuda.dispatcher
    replaced = {
        "to_device": device.to_device,
        "device_array": device.device_array,
        "device_array_like": lambda like: device.device_array(like.shape, like.dtype),
        "get_current_device": lambda: HERE,
        "is_available": lambda: True,
    }
    launched = lambda kernel, configuration: partial(device.launch, kernel, configuration)  # noqa: E731
    with ExitStack() as stack:
        for name, value in replaced.items():
            stack.enter_context(patch.object(cuda, name, value))
        # Device functions ask for a device while they are compiled.
        stack.enter_context(patch.object(dispatcher, "get_current_device", lambda: HERE))
        stack.enter_context(patch.object(dispatcher.CUDADispatcher, "__getitem__", launched))
        engine = importlib.import_module("codebreaker.optimise.cuda")
        stack.enter_context(patch.object(engine, "record", lambda launch: lambda: launch(0)))
        yield device
