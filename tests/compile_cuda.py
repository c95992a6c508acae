"""Compile the CUDA kernels for sm_90 without a device, and print their resources.

Needs numba-cuda[cu13] and cuda-toolkit[nvcc]==13.0.* (envs/lock-cuda.txt). Exits with
code 1 if a kernel spills registers or uses more than REGISTERS.
"""

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


def array(dtype: types.Type, n: int) -> types.Type:
    """Return the type of a C-ordered array with n dimensions."""
    return types.Array(dtype, n, "C")


def tuple_of(cls: type, **fields: types.Type) -> types.Type:
    """Return the type of a named tuple of the kernels."""
    return types.NamedTuple([fields[name] for name in cls._fields], cls)


F1, F2, F3 = (array(types.float64, n) for n in (1, 2, 3))
I1, I2, I3 = (array(types.int32, n) for n in (1, 2, 3))
L1, L2, L3 = (array(types.int64, n) for n in (1, 2, 3))
B1, B2, U2 = array(types.uint8, 1), array(types.uint8, 2), array(types.uint16, 2)
INT, BOOL = types.int64, types.boolean
RULES = tuple_of(
    fitness.DeviceGame, by_secret=B2, solved=INT, last_turn=INT, terms=F1, terms_at=L1,
    tolerances=F1,
    zobrist=L1, turn_keys=L1,
)  # fmt: skip
MEMO = tuple_of(
    fitness.DeviceMemo, slots=I1, key=L1, turn=I1, size=I1, member_at=L1, members=I1, option_at=L1,
    option_count=I1, counts=U2, guess=I1,
)  # fmt: skip
WORK = tuple_of(
    fitness.Work, members=I3, at=I3, size=I3, set_id=I3, lane_best=F3, best=F2, winner=I2
)
MISSES = tuple_of(fitness.Misses, used=I1, turn=I1, at=I1, size=I1, members=I1)
START = tuple_of(fitness.Start, members=I1, at=I1, size=I1, turn=INT)
POPULATION = tuple_of(fitness.Population, weights=F3, active=I1, totals=L1)
ISLANDS = tuple_of(
    genetic.Islands, state=L2, ranked=L3, ranked_totals=L2, best=L2, genes=L3, totals=L1,
    active=I1, weights=F3, order=I2, history=L3,
)  # fmt: skip
OPERATORS = tuple_of(Operators, **dict.fromkeys(Operators._fields, INT))

CODES = tuple_of(
    demand.DeviceCodes, colours=B2, place=L1, index_of=I1, by_peg=L1, by_colour=L1, ids=B1,
    n_colours=INT, repeats=BOOL,
)  # fmt: skip
SETS = tuple_of(demand.Sets, members=I1, offsets=L1)
RULE = tuple_of(
    demand.ScoringRule, terms=F1, terms_at=L1, tolerances=F1, tolerance_part=types.float64,
    weights=F2, log_parts=F1, takes_min=BOOL, consistent_only=BOOL, prefers_consistent=BOOL,
    reverses=BOOL,
)  # fmt: skip
BEFORE = array(types.int8, 2)

SIGNATURES = {
    demand.find_equivalent: (CODES, SETS, BOOL, BEFORE),
    demand.score: (CODES, SETS, BEFORE, RULE, L1, F2),
    demand.pick: (SETS, RULE, F2, I1),
    fitness.evaluate: (RULES, MEMO, START, POPULATION, WORK, MISSES),
    genetic.breed: (OPERATORS, ISLANDS, INT, INT, INT),
    genetic.tell: (OPERATORS, ISLANDS),
}


def ptxas() -> str:
    """Return the path of the assembler that is installed with the packages."""
    for file in files("nvidia-cuda-nvcc") or ():
        if file.name == "ptxas":
            return str(file.locate())
    return "ptxas"


def main() -> int:
    """Compile all kernels; return the exit code."""
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
