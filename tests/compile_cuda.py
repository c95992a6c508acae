"""Compile the CUDA kernels for sm_90, without a device, and print their resources.

Needs numba-cuda[cu13] and cuda-toolkit[nvcc]==13.0.* (envs/lock-cuda.txt). Ends with exit code 1
where a kernel spills registers, or uses more of them than its limit.
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

from codebreaker.kernels import fitness_cuda as kernels  # noqa: E402

REGISTERS = 128


F1, F2, F3 = (types.Array(types.float64, n, "C") for n in (1, 2, 3))
I1, I2, I3 = (types.Array(types.int32, n, "C") for n in (1, 2, 3))
L1 = types.Array(types.int64, 1, "C")
U2 = types.Array(types.uint16, 2, "C")
RULES = types.Tuple((F1, L1, F1))
SETS = types.Tuple((I1, I1, L1, I1, I2, F2, F1, I1, F2))
OPTIONS = types.Tuple((U2, L1, I1))

SIGNATURES = {
    kernels.rank_sets: (types.int64, types.int64, RULES, SETS, OPTIONS, F3),
    kernels.evaluate: (types.int64, RULES, SETS, OPTIONS, F3, F3, I1, I3, L1, I2, I1),
}


def ptxas() -> str:
    """Return the path of the assembler that came with the packages."""
    for file in files("nvidia-cuda-nvcc") or ():
        if file.name == "ptxas":
            return str(file.locate())
    return "ptxas"


def main() -> int:
    """Compile all kernels; return the exit code."""
    failed = 0
    for kernel, signature in SIGNATURES.items():
        ptx, _ = cuda.compile_ptx(
            kernel, types.void(*signature), cc=(9, 0), launch_bounds=kernels.THREADS
        )
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "kernel.ptx"
            source.write_text(ptx, encoding="utf-8")
            command = [ptxas(), "-arch=sm_90", "-v", str(source), "-o", str(source) + ".cubin"]
            told = subprocess.run(command, capture_output=True, text=True, check=True).stderr
        registers = int(re.findall(r"Used (\d+) registers", told)[-1])
        spilled = sum(int(size) for size in re.findall(r"(\d+) bytes spill", told))
        print(f"{kernel.__name__}: {registers} registers, {spilled} bytes spilled")
        failed |= registers > REGISTERS or spilled > 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
