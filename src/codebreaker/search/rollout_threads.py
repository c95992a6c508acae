"""Pieces of work in threads, each of which has tools of its own."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from queue import SimpleQueue
from typing import TypeVar

Tools = TypeVar("Tools")
Result = TypeVar("Result")


def in_threads(
    tools: Sequence[Tools], work: Callable[[Tools, int], Result], count: int
) -> Iterator[tuple[int, Result]]:
    """Do pieces of work in as many threads as there are tools; yield them as they are done."""
    free: SimpleQueue[Tools] = SimpleQueue()
    for tool in tools:
        free.put(tool)

    def do(index: int) -> tuple[int, Result]:
        tool = free.get()
        try:
            return index, work(tool, index)
        finally:
            free.put(tool)

    with ThreadPoolExecutor(len(tools)) as workers:
        futures = [workers.submit(do, index) for index in range(count)]
        try:
            for future in as_completed(futures):
                yield future.result()
        finally:
            workers.shutdown(cancel_futures=True)
