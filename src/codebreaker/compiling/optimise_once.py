"""Inner functions are optimised once: with the function that Python calls, not each for itself.

Numba optimises a function together with all that it calls, and makes machine code of the whole. So
a function below nine others is optimised ten times, and nine of ten pieces of machine code are
never run. Here what only compiled functions call is typed and turned into LLVM's intermediate code,
and left at that. A function that Python calls links this code, as it would any other.

    inner function    typed → intermediate code → linked with what it calls → cached
    called by Python  typed → intermediate code → linked with what it calls → optimised → machine
                      code → cached

Numba has no public interface for this. What is used here was tried with the versions in `TRIED`;
with any other, inner functions are compiled as Numba does it, which gives the same results later.
"""

# ruff: noqa: ANN401 (Numba has no types for its compilers, libraries and contexts)

from typing import Any

import llvmlite.binding as llvm  # type: ignore[import-untyped]
import numba
from llvmlite import ir
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen, JitEngine
from numba.core.compiler import Compiler, CompileResult

TRIED = ("0.67.0", "0.68.1")
"""Versions of Numba with which the tests of inner functions and of all searches passed."""

NAMES_USED = (
    (JITCodeLibrary, "_finalize_dynamic_globals _get_module_for_linking _raise_if_finalized"),
    (JITCodeLibrary, "_ensure_finalized _verify_declare_only_symbols enable_object_caching"),
    (JITCodeLibrary, "get_pointer_to_function serialize_using_object_code"),
    (JITCPUCodegen, "_add_module _create_empty_module set_env"),
    (JitEngine, "finalize_object is_symbol_defined"),
    (Compiler, "define_pipelines"),
    (CompileResult, "_reduce _rebuild"),
)
"""Classes of Numba, and their methods that are called or replaced here."""

ENVIRONMENT = "_ZN08NumbaEnv"
"""Prefix of the variables that hold a function's Python objects."""

LOWERED = "lowered"
"""The kind of a cached library of this module; Numba's own are `object` and `bitcode`."""


def is_usable(version: str = numba.__version__) -> bool:
    """Return whether this module was tried with a version, and Numba has what it uses."""
    return version in TRIED and all(
        hasattr(owner, name) for owner, names in NAMES_USED for name in names.split()
    )


class LoweringCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler, without an optimiser and without machine code."""

    def define_pipelines(self) -> Any:
        """Return Numba's passes, which fill the library that they find: a `_Lowered`."""
        state = self.state
        state.library = _Lowered(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().define_pipelines()


class _Lowered(JITCodeLibrary):  # type: ignore[misc]
    """The intermediate code of a function and of all that it calls."""

    def finalize(self) -> None:
        """Link the code of what the function calls, and nothing else."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finish()

    def load(self, code: bytes) -> None:
        """Take code that `serialize_using_object_code` returned."""
        self._final_module = llvm.parse_bitcode(code)
        self._finish()

    def _finish(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._define_environments()
        self._finalized = True

    def _define_environments(self) -> None:
        """Make room for the pointers to Python objects, which are set before there is code.

        The linker takes this room for all variables of these names in machine code that follows.
        """
        engine = self._codegen._engine
        room = self._codegen._create_empty_module(self.name)
        for variable in self._final_module.global_variables:
            name = variable.name
            if name.startswith(ENVIRONMENT) and not engine.is_symbol_defined(name):
                pointer = ir.GlobalVariable(room, ir.IntType(8).as_pointer(), name)
                pointer.linkage = "common"
                pointer.initializer = ir.Constant(pointer.value_type, None)
        if list(room.global_values):
            self._codegen._add_module(llvm.parse_assembly(str(room)))
            engine.finalize_object()

    def get_pointer_to_function(self, _name: str) -> int:
        """Return 0: there is no machine code."""
        self._ensure_finalized()
        return 0

    def serialize_using_object_code(self) -> Any:
        """Return the library as Numba's cache keeps it."""
        return self.name, LOWERED, self._get_module_for_linking().as_bitcode()


def rebuild(context: Any, saved: tuple[Any, ...]) -> CompileResult:
    """Return a function that was read from the cache, as `CompileResult._rebuild` does."""
    (name, kind, code), descriptor, environment, signature, *_, reload_init, environments = saved
    if kind != LOWERED:
        return CompileResult._rebuild(context, *saved)
    for reload in reload_init:
        reload()
    library = _Lowered(context.codegen(), name)
    library.load(code)
    for each in environments:
        context.codegen().set_env(each.env_name, each)
    return CompileResult(
        target_context=context,
        typing_context=context.typing_context,
        library=library,
        environment=environment,
        entry_point=context.get_executable(library, descriptor, environment),
        fndesc=descriptor,
        type_annotation="",
        signature=signature,
        objectmode=False,
        lifted=(),
        typing_error=None,
        call_helper=None,
        metadata=None,
        reload_init=reload_init,
        referenced_envs=environments,
    )
