"""The CPU compiler: Numba, with machine code cached until a source that it depends on changes.

Numba's own cache notices changes only in a function's own file. Here a function's code lies in a
folder that is named by a digest of its module, of the modules of functions that its closure refers
to, and of all modules that these import; so code of other sources is never found.

Of functions that call each other in a cycle, all but one must be inlined (`inline="always"`), as a
cached one would crash. A constant argument compiles a version for it; `np.int64(0)` avoids this.
Constants of modules are compiled in, so nothing may change one: that code would be cached, too.

A closure may refer to compiled functions, constants and itself. Its files are looked up when it is
defined, so it has to be defined after the functions of other files that it refers to, directly or
by way of other closures: edits of these files would go unnoticed.
"""

import hashlib
import logging
import os
import pickle
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import FrameType, FunctionType, ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import numba
from numba.core import caching
from numba.core.event import Event, Listener, register
from numba.core.registry import CPUDispatcher
from numba.core.serialize import dumps

from codebreaker.compiling import optimise_once
from codebreaker.runtime.caches import Cache, cache_folder, warn_once
from codebreaker.runtime.sources import digest_of

log = logging.getLogger("codebreaker")


class _Part(NamedTuple):
    """A part of the package with compiled loops: what they do, and CPU seconds to compile them."""

    what: str
    seconds: int


PARTS = {
    "optimise": _Part("the genetic algorithm", 10),
    "players": _Part("the players", 17),
    "proofs": _Part("weights guided by exact totals", 2),
    "sampling": _Part("samples of candidates", 6),
    "search": _Part("the exact search", 14),
    "sets": _Part("candidate sets", 2),
    "trees": _Part("the growth of trees", 5),
}
"""By package; the seconds are those between a part's first and last event of Numba's compiler.

They include the functions of other parts that are compiled for it, and were measured on a busy AMD
EPYC, with an empty cache: `solve mm-4-6` (search; its trees add their own line), `grow` by entropy
and the steps of `compile_kernels` for players and weights, which compile all of their part.
"""


class _Compilation(Listener):  # type: ignore[misc]
    """Logs that a part's loops are compiled rather than loaded from the cache, once a process.

    It is a warning, which Python shows on stderr unless a program has its own handlers.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._logged: set[str] = set()

    def on_start(self, event: Event) -> None:
        """Log a function's part, unless it is compiled for another one or is not the package's."""
        if self._depth == 0:
            package, *modules = event.data["dispatcher"].py_func.__module__.split(".")
            name = modules[0] if package == "codebreaker" and modules else ""
            if name in PARTS and name not in self._logged:
                self._logged.add(name)
                part = PARTS[name]
                message = "compiling %s for about %d s, once: later calls load it from a cache"
                log.warning(message, part.what, part.seconds)
        self._depth += 1

    def on_end(self, event: Event) -> None:
        """Note the end."""
        self._depth -= 1


class _HeldInterrupt(Listener):  # type: ignore[misc]
    """Holds Ctrl-C back while the main thread compiles or loads a function, then raises it.

    An exception in the middle of either leaves half-registered types behind, and the process
    can't compile any more. The second Ctrl-C ends the process at once.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._came = False
        self._handler: Any = None

    def on_start(self, event: Event) -> None:
        """Replace the handler of Ctrl-C."""
        if threading.current_thread() is not threading.main_thread():
            return  # Python runs signal handlers in the main thread
        if self._depth == 0:
            self._came = False
            self._handler = signal.getsignal(signal.SIGINT)
            if self._handler is not None:  # a handler that Python didn't set can't be restored
                signal.signal(signal.SIGINT, self._hold)
        self._depth += 1

    def on_end(self, event: Event) -> None:
        """Restore the handler, and let it handle a signal that came."""
        if threading.current_thread() is not threading.main_thread():
            return
        self._depth -= 1
        if self._depth == 0 and self._handler is not None:
            signal.signal(signal.SIGINT, self._handler)
            if self._came:
                signal.raise_signal(signal.SIGINT)

    def _hold(self, _number: int, _frame: FrameType | None) -> None:
        if self._came:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.raise_signal(signal.SIGINT)
        self._came = True
        log.warning("interrupted: ends when the compiler is done; Ctrl-C again ends at once")


register("numba:compile", _Compilation())
register("numba:compiler_lock", _HeldInterrupt())


def njit(function: Callable[..., Any] | None = None, variant: str = "", **options: Any) -> Any:  # noqa: ANN401
    """Compile a function, or return a decorator; the function can't be passed as a value.

    A closure needs a `variant`, different for each call of the function that defines it. It becomes
    part of the closure's name in machine code: the linker would take one for the other. Raises
    `ValueError` if it is missing.
    """
    if function is None:
        return partial(njit, variant=variant, **options)
    if function.__closure__ and not variant:
        raise ValueError(f"{function.__qualname__} is a closure: name its variant")
    if variant:
        function.__qualname__ += f"_{variant}"
    compiled = numba.njit(no_cfunc_wrapper=True, **options)(function)
    if hasattr(compiled, "enable_caching"):  # not where compilation is turned off
        with suppress(OSError):  # no file has its source
            compiled._cache = _MachineCode(function)
    return compiled


class _Inner(CPUDispatcher):  # type: ignore[misc]
    """A function without the code by which Python calls it."""

    def __call__(self, *_: object) -> None:
        """Raise `TypeError`: what Python would jump to does not exist."""
        raise TypeError(f"only compiled functions can call {self.py_func.__qualname__}")


def inner(function: Callable[..., Any] | None = None, variant: str = "", **options: Any) -> Any:  # noqa: ANN401
    """Compile a function that only compiled functions call, or return a decorator, as `njit`.

    It has neither machine code nor the code by which Python calls a function (`optimise_once`); a
    version of Numba that `optimise_once` doesn't know makes machine code of it all the same.
    """
    if function is None:
        return partial(inner, variant=variant, **options)
    if optimise_once.is_usable():
        options["pipeline_class"] = optimise_once.LoweringCompiler
    compiled = njit(function, variant, no_cpython_wrapper=True, **options)
    if isinstance(compiled, CPUDispatcher):
        compiled.__class__ = _Inner
    return compiled


def compiled(module: ModuleType, compiler: Callable[[Any], Any]) -> SimpleNamespace:
    """Compile a module's functions; each calls the compiled form of earlier ones."""
    scope = dict(vars(module))
    names = [
        name
        for name, value in scope.items()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__
    ]
    for name in names:
        plain = scope[name]
        scope[name] = compiler(FunctionType(plain.__code__, scope, name, plain.__defaults__))
    return SimpleNamespace(**{name: scope[name] for name in names})


class _Locator(caching._CacheLocator):  # type: ignore[misc]
    """The place of a function's code: in NUMBA_CACHE_DIR or the user's cache folder."""

    def __init__(self, function: Callable[..., Any]) -> None:
        base = Path(os.environ.get("NUMBA_CACHE_DIR") or cache_folder() / "code").expanduser()
        source = Path(function.__code__.co_filename)
        self._folder = base / f"{source.stem}-{digest_of(*_files_of(function))}"
        self._line = function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, function: Callable[..., Any], _file: str) -> "_Locator":
        """Return a function's place."""
        return cls(function)

    def get_cache_path(self) -> str:
        """Return the folder."""
        return str(self._folder)

    def ensure_cache_path(self) -> None:
        """Do nothing: `_CheckedFiles` makes the folder."""

    def get_source_stamp(self) -> str:
        """Return the sources' name."""
        return self._folder.name

    def get_disambiguator(self) -> str:
        """Return the line, as names may repeat."""
        return str(self._line)


class _Implementation(caching.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = [_Locator]  # noqa: RUF012

    def rebuild(self, context: Any, saved: Any) -> Any:  # noqa: ANN401
        """Return a function that was saved, machine code or an inner function's code."""
        return optimise_once.rebuild(context, saved)


class _CheckedFiles:
    """A function's machine code: a file per signature, unpickled from bytes that `Cache` checked.

    Numba's own files have an index besides, which may name the code of another signature when two
    processes save at once.
    """

    def __init__(self, folder: str, name: str) -> None:
        self._files = Cache(Path(folder))
        self._name = name

    def save(self, key: Any, data: Any) -> None:  # noqa: ANN401
        """Save machine code if the folder can be written."""
        try:
            self._files.write(self._file_of(key), dumps((key, data)))
        except OSError as why:
            message = f"compiled code can't be cached ({why}): it is compiled again each time"
            warn_once(self._files.folder.parent, message)

    def load(self, key: Any) -> Any:  # noqa: ANN401
        """Return machine code, or None."""
        content = self._files.read(self._file_of(key))
        if content is None:
            return None
        saved_key, data = pickle.loads(content)
        return data if saved_key == key else None  # types of one name may differ

    def flush(self) -> None:
        """Do nothing: what is saved again replaces what there was."""

    def _file_of(self, key: Any) -> str:  # noqa: ANN401
        digest = hashlib.sha256(repr((numba.__version__, key)).encode()).hexdigest()
        return f"{self._name}.{digest[:16]}.nbc"


class _MachineCode(caching.FunctionCache):  # type: ignore[misc]
    """Numba's cache of a function, in the folder of its sources."""

    _impl_class = _Implementation

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = _CheckedFiles(self._cache_path, self._impl.filename_base)

    def _index_key(self, sig: Any, codegen: Any) -> Any:  # noqa: ANN401
        """Return a signature's key: with it, the processor, the bytecode and what a closure holds.

        Numba would pickle what a closure holds. But a pickled compiled function has a random
        number, so no other process would find the code; here its name stands for it.
        """
        functions, values = _reached_by(self._py_func)
        names = [f"{each.__module__}.{each.__qualname__}" for each in functions]
        contents = (self._py_func.__code__.co_code, names, [dumps(value) for value in values])
        return sig, codegen.magic_tuple(), hashlib.sha256(repr(contents).encode()).hexdigest()


def _files_of(function: Callable[..., Any]) -> list[Path]:
    """Return the files of a function and of those that its closure refers to, directly or not."""
    functions, _ = _reached_by(function)
    return sorted({Path(each.__code__.co_filename) for each in functions})


def _reached_by(function: Callable[..., Any]) -> tuple[list[FunctionType], list[Any]]:
    """Return a function and those that its closure refers to, directly or not; and other values.

    They are in the order of their variables in the code, so each process finds the same order.
    """
    functions = list[FunctionType]()
    values = list[Any]()
    pending = [function]
    while pending:
        value = pending.pop(0)
        value = getattr(value, "py_func", value)
        if not isinstance(value, FunctionType):
            values.append(value)
        elif value not in functions:
            functions.append(value)
            for cell in value.__closure__ or ():
                with suppress(ValueError):  # it is empty until the name is defined
                    pending.append(cell.cell_contents)
    return functions, values
