"""Records of many fields that compiled functions pass to each other as one pointer.

Numba passes a named tuple by value: each call takes it apart into the fields of all its arrays and
puts it together again, and this code is compiled at every call. The search has a record of 33
fields that each of its functions gets. With `by_reference` a function gets the address of a struct
instead, which the caller from Python fills once, and reads a field where it needs it.

The struct holds borrowed arrays. So a record can't be made or returned by compiled code, and an
array of it must not be returned either: the tuple in Python owns it while the call lasts.

This uses Numba's interface for extensions only (`numba.extending`, and its types and templates).
"""

# ruff: noqa: ANN401 (Numba has no types for its contexts, builders and calls)

import hashlib
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from llvmlite import ir  # type: ignore[import-untyped]
from numba import typeof
from numba.core import cgutils, types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)

Record = TypeVar("Record", bound=type)

NOT_READ = ("meminfo", "parent")
"""Members of an array that count references; a borrowed array has none."""


class RecordType(types.Type):
    """The type of a record: its class, and the names and types of its fields."""

    def __init__(self, name: str, fields: tuple[tuple[str, types.Type], ...]) -> None:
        self.fields = dict(fields)
        self.positions = {field: position for position, field in enumerate(self.fields)}
        # The name takes part in those of machine code, which would be thousands of letters long.
        digest = hashlib.sha256(repr(fields).encode()).hexdigest()
        super().__init__(f"{name}_{digest[:16]}")


register_model(RecordType)(models.OpaqueModel)  # a pointer


@infer_getattr
class _FieldTypes(AttributeTemplate):  # type: ignore[misc]
    """The types of fields."""

    key = RecordType

    def generic_resolve(self, record: RecordType, field: str) -> types.Type | None:
        """Return a field's type, None if the record lacks it."""
        return record.fields.get(field)


@lower_getattr_generic(RecordType)
def _read_field(context: Any, builder: Any, record: RecordType, value: Any, field: str) -> Any:
    """Emit code that reads a field."""
    struct = builder.bitcast(value, _struct_of(context, record).as_pointer())
    address = cgutils.gep_inbounds(builder, struct, 0, record.positions[field])
    return _read(context, builder, record.fields[field], address)


@unbox(RecordType)
def _fill(record: RecordType, values: Any, call: Any) -> NativeValue:
    """Emit code that fills the struct from the tuple; it lives as long as the call from Python.

    To unbox an array takes a reference to it. Numba gives back those of the arguments that it
    knows, and of a record it knows the pointer alone: so they are given back here.
    """
    builder = call.builder
    struct = cgutils.alloca_once(builder, _struct_of(call.context, record))
    is_error = cgutils.false_bit
    releases: list[Callable[[], None]] = []
    for position, kind in enumerate(record.fields.values()):
        native = call.unbox(kind, call.pyapi.tuple_getitem(values, position))
        stored = call.context.data_model_manager[kind].as_data(builder, native.value)
        builder.store(stored, cgutils.gep_inbounds(builder, struct, 0, position))
        is_error = builder.or_(is_error, native.is_error)
        releases.append(partial(call.context.nrt.decref, builder, kind, native.value))
        if native.cleanup is not None:
            releases.append(native.cleanup)

    def release() -> None:
        for each in reversed(releases):
            each()

    pointer = builder.bitcast(struct, cgutils.voidptr_t)
    return NativeValue(pointer, is_error=is_error, cleanup=release)


def _struct_of(context: Any, record: RecordType) -> ir.Type:
    """Return the layout of a record's struct."""
    return ir.LiteralStructType([context.get_data_type(kind) for kind in record.fields.values()])


def _read(context: Any, builder: Any, kind: types.Type, address: Any) -> Any:
    """Emit code that reads a value: arrays and tuples by their parts, as the rest isn't needed."""
    if isinstance(kind, types.Array):
        return _read_array(context, builder, kind, address)
    if isinstance(kind, types.BaseTuple):  # type: ignore[attr-defined]
        items = [
            _read(context, builder, item, cgutils.gep_inbounds(builder, address, 0, position))
            for position, item in enumerate(kind.types)
        ]
        return context.make_tuple(builder, kind, items)
    return context.data_model_manager[kind].from_data(builder, builder.load(address))


def _read_array(context: Any, builder: Any, kind: types.Array, address: Any) -> Any:
    """Emit code that reads an array as one that no memory manager knows."""
    array = cgutils.create_struct_proxy(kind)(context, builder)
    for position, member in enumerate(context.data_model_manager[kind]._fields):
        place = cgutils.gep_inbounds(builder, address, 0, position)
        if member in NOT_READ:
            value = ir.Constant(getattr(array, member).type, None)
        elif member == "itemsize":
            # A constant: the compiler uses it where it computes addresses.
            size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
            value = ir.Constant(array.itemsize.type, size)
        elif member in ("shape", "strides"):
            numbers = [cgutils.gep_inbounds(builder, place, 0, axis) for axis in range(kind.ndim)]
            value = cgutils.pack_array(builder, [builder.load(number) for number in numbers])
        else:
            value = builder.load(place)
        setattr(array, member, value)
    return array._getvalue()


def by_reference(record: Record) -> Record:
    """Have compiled functions get the values of a named tuple's class as a pointer."""

    def type_of(values: Any, _: Any) -> RecordType:
        fields = zip(record._fields, map(typeof, values), strict=True)  # type: ignore[attr-defined]
        return RecordType(record.__name__, tuple(fields))

    typeof_impl.register(record)(type_of)
    return record
