"""The fitness of weights on CUDA: the device evaluates, the host adds sets to the memo it reads."""

from typing import Any

import numpy as np
from numba import cuda

from codebreaker.errors import CodebreakerError
from codebreaker.optimise.devices import claim
from codebreaker.optimise.kernels import fitness_cuda as kernels
from codebreaker.optimise.problem import Problem, Vectors, individuals, start_sets
from codebreaker.optimise.worker import Worker
from codebreaker.trees.kernels.memo import (
    FULL,
    MEMBERS,
    OPTIONS,
    SETS,
    TURN_KEY,
    UNKNOWN,
    find_options,
    find_set,
)
from codebreaker.types import Offsets

MISSED_SETS, MISSED_MEMBERS = 1 << 13, 1 << 16
"""How many sets that the memo lacks are noted between two launches, and how many members."""

SET_COLUMNS = ("key", "turn", "size", "member_at", "option_at", "option_count")


def use_free_device() -> None:
    """Use a device that no other job has claimed; raise `CodebreakerError` where there is none."""
    n_devices = len(cuda.gpus)
    device = claim(n_devices)
    if device is None:
        raise CodebreakerError(
            f"all {n_devices} CUDA devices are taken by other jobs: run with --resources "
            f"gpu={n_devices}"
        )
    cuda.select_device(device)


def device_name() -> str:
    """Return the name of the CUDA device."""
    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


class CudaFitness:
    """Total guesses by weights on a CUDA device, bit for bit those of the CPU.

    Raises `CodebreakerError` where the game has too many kinds of feedback for the kernels.
    """

    def __init__(self, problem: Problem, memo_mib: float = 512.0) -> None:
        self.problem = problem
        self.spent, sets = start_sets(problem)
        self._host = Worker(problem, sets, memo_mib)
        game, rules, memo = problem.table, self._host.rules, self._host.memo
        if game.n_feedback > kernels.FEEDBACKS:
            raise CodebreakerError(
                f"{game.name} has {game.n_feedback} kinds of feedback, the CUDA backend takes "
                f"{kernels.FEEDBACKS}: use the config key optimise.backend: cpu"
            )
        turn_keys = np.arange(problem.n_turns + 2, dtype=np.uint64) * np.uint64(TURN_KEY)
        self.rules = kernels.DeviceGame(
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
        self.memo = kernels.DeviceMemo(
            **{name: _room_for(memo, name) for name in kernels.DeviceMemo._fields}
        )
        self.start = (
            cuda.to_device(np.concatenate([*sets, np.empty(0, np.int32)])),
            cuda.to_device(np.cumsum([0, *map(len, sets)])[:-1].astype(np.int32)),
            cuda.to_device(np.array([len(one) for one in sets], dtype=np.int32)),
        )
        self.missed = kernels.Missed(
            used=cuda.to_device(np.zeros(2, np.int32)),
            turn=cuda.device_array(MISSED_SETS, np.int32),
            at=cuda.device_array(MISSED_SETS, np.int32),
            size=cuda.device_array(MISSED_SETS, np.int32),
            members=cuda.device_array(MISSED_MEMBERS, np.int32),
        )
        self._n_work = 0
        self._begin()
        self._send()

    def __call__(self, some: Vectors) -> Offsets:
        """Return the totals of some individuals with weights in (0, 1], (n,) int64."""
        told, n_feedback = individuals(self.problem, some), self.problem.game.n_feedback
        totals = cuda.to_device(np.full(len(told.weights), self.spent, dtype=np.int64))
        active = cuda.to_device(np.ones(len(told.weights), dtype=np.int32))
        weights = cuda.to_device(np.ascontiguousarray(told.weights[:, :, :n_feedback]))
        self.launch(weights, cuda.to_device(told.orders), active, totals)
        self.learn()
        found: Offsets = totals.copy_to_host()
        return found

    def launch(self, weights: Any, orders: Any, active: Any, totals: Any) -> None:  # noqa: ANN401
        """Add the guesses of active individuals to their totals, on the device and in its time."""
        n = len(active)
        if n > self._n_work:
            self._work, self._n_work = _work(n, self.problem.game.n_secrets), n
        turn = 1 if self.problem.opening is None else 2
        kernels.evaluate_kernel[n, kernels.THREADS](
            turn, self.rules, self.memo, self.start, weights, orders, active, totals, self._work,
            self.missed,
        )  # fmt: skip

    def learn(self) -> None:
        """Add the sets to the memo that were missed since the last time."""
        n_missed = min(int(self.missed.used.copy_to_host()[0]), MISSED_SETS)
        if n_missed == 0:
            return
        turns, starts, sizes, members = (
            part.copy_to_host()
            for part in (self.missed.turn, self.missed.at, self.missed.size, self.missed.members)
        )
        host = self._host
        for place in np.flatnonzero(sizes[:n_missed]):
            one = members[starts[place] : starts[place] + sizes[place]]
            found = find_set(host.rules, host.memo, one, turns[place])
            if found != FULL and host.memo.option_at[found] == UNKNOWN:
                found = find_options(host.rules, host.memo, host.scratch, found)
            if found == FULL:
                host.clear()
                self._begin()
                break
        self.missed.used.copy_to_device(np.zeros(2, np.int32))
        self._send()

    def _begin(self) -> None:
        """Give an empty memo the sets that all individuals start from, if they fit."""
        host = self._host
        for found in host.start[host.start >= 0]:
            find_options(host.rules, host.memo, host.scratch, found)
        self._sent = np.zeros(4, np.int64)

    def _send(self) -> None:
        """Copy what is new in the memo to the device."""
        host, used, sent = self._host.memo, self._host.memo.used.copy(), self._sent
        self.memo.slots.copy_to_device(host.slots)
        parts = dict.fromkeys(SET_COLUMNS, SETS) | {"members": MEMBERS}
        parts |= dict.fromkeys(("counts", "guess"), OPTIONS)
        for name, part in parts.items():
            if used[part] > sent[part]:
                new = slice(int(sent[part]), int(used[part]))
                values = getattr(host, name)[new]
                values = values.view(np.int64) if name == "key" else values
                getattr(self.memo, name)[new].copy_to_device(values)
        self._sent = used


def _room_for(memo: Any, name: str) -> Any:  # noqa: ANN401
    values = getattr(memo, name)
    return cuda.device_array(values.shape, np.int64 if name == "key" else values.dtype)


def _work(n: int, n_secrets: int) -> kernels.Work:
    sets = n_secrets // 2 + 1
    return kernels.Work(
        members=cuda.device_array((n, 2, n_secrets), np.int32),
        at=cuda.device_array((n, 2, sets), np.int32),
        size=cuda.device_array((n, 2, sets), np.int32),
        known=cuda.device_array((n, 2, sets), np.int32),
        lane_best=cuda.device_array((n, sets, kernels.LANES), np.float64),
        best=cuda.device_array((n, sets), np.float64),
        winner=cuda.device_array((n, sets), np.int32),
    )
