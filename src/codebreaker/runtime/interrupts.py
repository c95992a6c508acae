"""Ctrl-C, held back until a computation has saved what it has."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupt:
    """Whether Ctrl-C came while it was held back."""

    def __init__(self) -> None:
        self.came = False

    def note(self, _number: int, _frame: FrameType | None) -> None:
        """Note the signal, as a handler does."""
        self.came = True


@contextmanager
def held_interrupts(holds: bool = True) -> Iterator[Interrupt]:
    """Hold Ctrl-C back, and raise `KeyboardInterrupt` at the end if it came.

    Nothing is held unless `holds`, nor outside the main thread, in which Python handles signals,
    nor where another language's handler is set, which couldn't be restored.
    """
    interrupt = Interrupt()
    before = signal.getsignal(signal.SIGINT)
    if not holds or before is None or threading.current_thread() is not threading.main_thread():
        yield interrupt
        return
    signal.signal(signal.SIGINT, interrupt.note)
    try:
        yield interrupt
    finally:
        signal.signal(signal.SIGINT, before)
    if interrupt.came:
        raise KeyboardInterrupt
