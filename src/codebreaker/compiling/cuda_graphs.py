"""CUDA graphs: launches that are recorded once and started together again and again."""

from collections.abc import Callable
from typing import Any


def record(launch: Callable[[Any], None]) -> Callable[[], None]:
    """Record the kernels that `launch` starts on the stream it is given; return what starts them.

    They run on the default stream, in order with all other work. The kernels must be compiled, and
    the arrays that they use must live as long as what is returned.
    """
    from cuda.core import Device

    device = Device()
    device.set_current()
    builder = device.create_graph_builder().begin_building()
    launch(builder)
    graph = builder.end_building().complete()
    stream = device.default_stream
    return lambda: graph.launch(stream)
