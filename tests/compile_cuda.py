"""Compile the CUDA kernels for sm_90 without a device; fail if one spills or exceeds REGISTERS."""

import re
import subprocess
import sys
import tempfile
from importlib.metadata import files
from pathlib import Path
from types import SimpleNamespace

import numba.cuda.dispatcher
from numba import cuda, types

# Device functions ask for a device while they are compiled; there is none here.
numba.cuda.dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=(9, 0))

from codebreaker.trees.kernels import on_demand_cuda as demand  # noqa: E402
from codebreaker.weights.kernels import fitness_cuda as fitness  # noqa: E402
from codebreaker.weights.kernels import genetic_cuda as genetic  # noqa: E402
from codebreaker.weights.kernels.variation import Operators  # noqa: E402

REGISTERS = 128


INT, BOOL = types.int64, types.boolean
DTYPES = {
    "b": types.int8, "B": types.uint8, "H": types.uint16, "i": types.int32, "q": types.int64,
    "d": types.float64,
}  # fmt: skip


def array(code: str) -> types.Type:
    """Return the type of a C-ordered array by its numbers' letter and its dimensions, as in d2."""
    return types.Array(DTYPES[code[0]], int(code[1]), "C")


def tuple_of(cls: type, codes: str, **scalars: types.Type) -> types.Type:
    arrays = map(array, codes.split())
    return types.NamedTuple([scalars.get(name) or next(arrays) for name in cls._fields], cls)


RULES = tuple_of(fitness.DeviceGame, "B2 d1 q1 d1 q1 q1", solved=INT, last_turn=INT)
MEMO = tuple_of(fitness.DeviceMemo, "i1 q1 i1 i1 q1 i1 q1 i1 q1 H1 H1")
WORK = tuple_of(fitness.Work, "i3 i3 i3 i3 d3 d2 i2")
MISSES = tuple_of(fitness.Misses, "i1 i1 i1 i1 i1")
START = tuple_of(fitness.Start, "i1 i1 i1", turn=INT)
POPULATION = tuple_of(fitness.Population, "d3 i1 q1")
ISLANDS = tuple_of(genetic.Islands, "q2 q3 q2 q2 q3 q1 i1 d3 i2 q3")
OPERATORS = tuple_of(Operators, "", **dict.fromkeys(Operators._fields, INT))
CODES = tuple_of(demand.DeviceCodes, "B2 q1 i1 q1 q1 B1", n_colours=INT, repeats=BOOL)
SETS = tuple_of(demand.Sets, "i1 q1")
SWITCHES = ("takes_min", "consistent_only", "prefers_consistent", "reverses")
RULE = tuple_of(
    demand.ScoringRule,
    "d1 q1 d1 d2 d1",
    tolerance_part=types.float64,
    **dict.fromkeys(SWITCHES, BOOL),
)
BEFORE, ROW_OF, SCORES, PICKED = array("b2"), array("q1"), array("d2"), array("i1")

SIGNATURES = {
    demand.find_equivalent: (CODES, SETS, BOOL, BEFORE),
    demand.score: (CODES, SETS, BEFORE, RULE, ROW_OF, SCORES),
    demand.pick: (SETS, RULE, SCORES, PICKED),
    fitness.evaluate: (RULES, MEMO, START, POPULATION, WORK, MISSES),
    genetic.breed: (OPERATORS, ISLANDS, INT, INT, INT),
    genetic.tell: (OPERATORS, ISLANDS),
}


def ptxas() -> str:
    for file in files("nvidia-cuda-nvcc") or ():
        if file.name == "ptxas":
            return str(file.locate())
    return "ptxas"


def main() -> int:
    failed = 0
    for kernel, signature in SIGNATURES.items():
        ptx, _ = cuda.compile_ptx(kernel, types.void(*signature), cc=(9, 0))
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "kernel.ptx"
            source.write_text(ptx, encoding="utf-8")
            command = [ptxas(), "-arch=sm_90", "-v", str(source), "-o", str(source) + ".cubin"]
            report = subprocess.run(command, capture_output=True, text=True, check=True).stderr
        registers = int(re.findall(r"Used (\d+) registers", report)[-1])
        spilled = sum(int(size) for size in re.findall(r"(\d+) bytes spill", report))
        print(f"{kernel.__name__}: {registers} registers, {spilled} bytes spilled")
        failed |= registers > REGISTERS or spilled > 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
