"""The fitness of individuals on CUDA: the device evaluates, the host extends its memo."""

from typing import Any

import numpy as np
from numba import cuda

from codebreaker.errors import CodebreakerError
from codebreaker.sets.option_memo import (
    FULL,
    MEMBERS,
    OPTIONS,
    SETS,
    UNKNOWN,
    find_options,
    find_set,
)
from codebreaker.sets.primitives import GOLDEN
from codebreaker.types import Totals
from codebreaker.weights.devices import claim
from codebreaker.weights.kernels import device_memory as memory
from codebreaker.weights.kernels import fitness_cuda as kernels
from codebreaker.weights.problem import Phenotypes, Problem, exact, start_sets
from codebreaker.weights.worker import Worker

MOST_MISSES, MOST_MISSED_MEMBERS = 1 << 13, 1 << 16
"""The most missing sets, and members of such sets, that are recorded between two extensions."""

SET_COLUMNS = ("key", "turn", "size", "member_at", "option_at", "option_count")


def use_free_device() -> None:
    """Select a device that no other job uses; raise `CodebreakerError` if there is none."""
    cuda.select_device(claim([device.uuid for device in cuda.gpus]))


def device_name() -> str:
    """Return the name of the CUDA device."""
    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


class CudaFitness:
    """Evaluates individuals on a CUDA device, with the same totals as on the CPU.

    Raises `CodebreakerError` if the game has too many feedback ids or secrets for the kernels.
    """

    def __init__(self, problem: Problem, memo_mib: float = 512.0) -> None:
        self.problem = problem
        self.spent, sets = start_sets(problem)
        self._host = Worker(problem, sets, memo_mib)
        game, rules, memo = problem.table, self._host.rules, self._host.memo
        for n, limit, what in (
            (game.n_feedback, kernels.MOST_FEEDBACK, "feedback ids"),
            (game.n_secrets, kernels.MOST_SECRETS, "secrets"),
        ):
            if n > limit:
                raise CodebreakerError(
                    f"{game.name} has {n} {what}, more than the {limit} of the backend cuda: "
                    "use the backend cpu",
                    setting="backend",
                )
        turn_keys = np.arange(problem.n_turns + 2, dtype=np.uint64) * np.uint64(GOLDEN)
        self.rules = memory.DeviceGame(
            by_secret=cuda.to_device(rules.by_secret),
            solved=rules.solved,
            last_turn=rules.last_turn,
            terms=cuda.to_device(rules.terms),
            terms_at=cuda.to_device(rules.terms_at.ravel()),
            tolerances=cuda.to_device(rules.tolerances.ravel()),
            zobrist=cuda.to_device(rules.zobrist.view(np.int64)),
            turn_keys=cuda.to_device(turn_keys.view(np.int64)),
            n_sizes=rules.terms_at.shape[1],
        )
        self.memo = memory.DeviceMemo(
            **{name: _device_array_like(memo, name) for name in memory.DeviceMemo._fields}
        )
        self.start = memory.Start(
            members=cuda.to_device(np.concatenate([*sets, np.empty(0, np.int32)])),
            at=cuda.to_device(np.cumsum([0, *map(len, sets)])[:-1].astype(np.int32)),
            size=cuda.to_device(np.array([len(one) for one in sets], dtype=np.int32)),
            turn=problem.start_turn,
        )
        self._misses = memory.Misses(
            used=cuda.to_device(np.zeros(2, np.int32)),
            turn=cuda.device_array(MOST_MISSES, np.int32),
            at=cuda.device_array(MOST_MISSES, np.int32),
            size=cuda.device_array(MOST_MISSES, np.int32),
            members=cuda.device_array(MOST_MISSED_MEMBERS, np.int32),
        )
        self._n_blocks = 0
        self._prepare()
        self._upload()

    def __call__(self, phenotypes: Phenotypes) -> Totals:
        """Return the total guesses of individuals with weights in (0, 1], (n,) int64."""
        individuals, n_feedback = exact(self.problem, phenotypes), self.problem.game.n_feedback
        n = len(individuals.weights)
        device_totals = cuda.to_device(np.full(n, self.spent, dtype=np.int64))
        active = cuda.to_device(np.ones(n, dtype=np.int32))
        weights = cuda.to_device(np.ascontiguousarray(individuals.weights[:, :, :n_feedback]))
        orders = cuda.to_device(individuals.orders)
        self.launch(memory.Population(weights, orders, active, device_totals))
        self.extend_memo()
        totals: Totals = device_totals.copy_to_host()
        return totals

    def launch(self, population: memory.Population) -> None:
        """Add the guesses of active individuals to their totals, asynchronously on the device."""
        n = len(population.active)
        if n > self._n_blocks:
            self._work, self._n_blocks = _allocate_work(n, self.problem.game.n_secrets), n
        kernels.evaluate_kernel[n, kernels.THREADS](
            self.rules, self.memo, self.start, population, self._work, self._misses
        )

    def extend_memo(self) -> None:
        """Add the sets to the memo that were missing since the last call."""
        n_misses = min(int(self._misses.used.copy_to_host()[0]), MOST_MISSES)
        if n_misses == 0:
            return
        turns, starts, sizes, members = (
            part.copy_to_host()
            for part in (
                self._misses.turn,
                self._misses.at,
                self._misses.size,
                self._misses.members,
            )
        )
        host = self._host
        for place in np.flatnonzero(sizes[:n_misses]):
            one = members[starts[place] : starts[place] + sizes[place]]
            status = set_id = find_set(host.rules, host.memo, one, turns[place])
            if set_id != FULL and host.memo.option_at[set_id] == UNKNOWN:
                status = find_options(host.rules, host.memo, host.work, set_id)
            if status == FULL:
                host.reset()
                self._prepare()
                break
        self._misses.used.copy_to_device(np.zeros(2, np.int32))
        self._upload()

    def _prepare(self) -> None:
        """Find the options of the start sets in an empty memo, if they fit."""
        host = self._host
        for set_id in host.start[host.start >= 0]:
            find_options(host.rules, host.memo, host.work, set_id)
        self._uploaded = np.zeros(4, np.int64)

    def _upload(self) -> None:
        """Copy the new part of the memo to the device."""
        host, used, uploaded = self._host.memo, self._host.memo.used.copy(), self._uploaded
        self.memo.slots.copy_to_device(host.slots)
        parts = dict.fromkeys(SET_COLUMNS, SETS) | {"members": MEMBERS}
        parts |= dict.fromkeys(("counts", "guess"), OPTIONS)
        for name, part in parts.items():
            if used[part] > uploaded[part]:
                new = slice(int(uploaded[part]), int(used[part]))
                values = getattr(host, name)[new]
                values = values.view(np.int64) if name == "key" else values
                getattr(self.memo, name)[new].copy_to_device(values)
        self._uploaded = used


def _device_array_like(memo: Any, name: str) -> Any:  # noqa: ANN401
    values = getattr(memo, name)
    return cuda.device_array(values.shape, np.int64 if name == "key" else values.dtype)


def _allocate_work(n: int, n_secrets: int) -> memory.Work:
    sets = n_secrets // 2 + 1
    return memory.Work(
        members=cuda.device_array((n, 2, n_secrets), np.int32),
        at=cuda.device_array((n, 2, sets), np.int32),
        size=cuda.device_array((n, 2, sets), np.int32),
        set_id=cuda.device_array((n, 2, sets), np.int32),
        lane_best=cuda.device_array((n, sets, kernels.LANES), np.float64),
        best=cuda.device_array((n, sets), np.float64),
        winner=cuda.device_array((n, sets), np.int32),
    )
