"""The search on CUDA: the device breeds, evaluates and ranks; the host extends its memo.

`optimise/kernels/README.md` draws the arrays on the device.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numba import cuda
from numpy.typing import NDArray

from codebreaker.compiling.cuda_graphs import record
from codebreaker.games.model import TableGame
from codebreaker.optimise.fitness import Worker
from codebreaker.optimise.genetic import Population, operators_of
from codebreaker.optimise.kernels import fitness_cuda as kernels
from codebreaker.optimise.kernels import genetic_cuda as breeding
from codebreaker.optimise.kernels.fitness import Phenotypes
from codebreaker.optimise.kernels.genetic_cuda import Islands
from codebreaker.optimise.problem import Problem, start_sets, with_integer_weights, with_weights
from codebreaker.optimise.run import HISTORY, SNAPSHOT_EVERY, Run, Task, history_row
from codebreaker.sets import option_memo
from codebreaker.sets.primitives import GOLDEN
from codebreaker.types import FeedbackIds, Indices, Totals

MOST_MISSES = 1 << 13
"""Maximum number of missing sets that are recorded between two extensions of the memo."""

MOST_MISSED_MEMBERS = 1 << 16
"""Maximum number of members of these sets."""

SEEN_COUNTS = 1 << 20
"""Counts of the members of missing sets, by hash key."""

MEMO_PARTS = dict.fromkeys(kernels.DeviceMemo._fields[1:], option_memo.SETS)
MEMO_PARTS.update(members=option_memo.MEMBERS, cells=option_memo.CELLS, rank=option_memo.OPTIONS)
"""The arrays of a device's memo (all but `slots`), each with the position in `used` of its rows."""

GENERATIONS = 32
"""Maximum number of generations per call; between calls the host extends the memo."""

LEARN_EVERY = 4
"""Generations after which the cache learns."""

SLOTS = 1 << 14
"""Slots of the cache per island: a power of two, and a multiple of `kernels.SLOTS_OF_BLOCK`."""

NUMBERS = ("seed", "generation", "best_total", "start_best", "stagnant", "restarts")
"""The first columns of an island's state on the device."""


def device_name() -> str:
    """Return the name of the CUDA device."""
    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


class CudaFitness:
    """Evaluates individuals on a device; `patience` as in `Misses`.

    The host has the memo, as it finds options; the device has a copy of the parts that it reads.
    Neither affects a result: at sets missing on the device its kernels try all guesses.
    """

    def __init__(self, problem: Problem, memo_mib: float = 512.0, patience: int = 11) -> None:
        """Move the game and an empty memo to the device."""
        self.problem = problem
        self.spent, sets = start_sets(problem)
        self._host = Worker(problem, sets, memo_mib)
        rules = self._host.rules
        memo = self._host.memo
        assert not problem.ordered, "the kernels have one criterion"
        # The device's game: rows of the one criterion, keys as signed integers.
        turn_keys = np.arange(problem.n_turns + 2, dtype=np.uint64) * np.uint64(GOLDEN)
        self.rules = _moved(
            kernels.DeviceGame(
                by_secret=rules.by_secret,
                four_by_secret=_in_fours(rules.by_secret),
                solved=rules.solved,
                last_turn=rules.last_turn,
                terms=rules.terms,
                terms_at=rules.terms_at[0],
                tolerances=rules.tolerances[0],
                reach=rules.reach[0],
                zobrist=_signed(rules.zobrist),
                turn_keys=_signed(turn_keys),
            )
        )
        columns = (_signed(getattr(memo, name)) for name in kernels.DeviceMemo._fields)
        self.memo = kernels.DeviceMemo(*map(cuda.device_array_like, columns))
        turn, at, size = (cuda.device_array(MOST_MISSES, np.int32) for _ in range(3))
        members = cuda.device_array(MOST_MISSED_MEMBERS, np.int32)
        seen = np.zeros(SEEN_COUNTS, np.int32)
        used = np.zeros(2, np.int32)
        self._misses = _moved(kernels.Misses(seen, patience, used, turn, at, size, members))
        self._n_blocks = 0
        self._evaluations = 0
        self._missed: list[tuple[Indices, int]] = []
        self._cache: kernels.Cache | None = None
        self._arguments: kernels.Launch | None = None
        self._prepare()
        self.upload()

    @property
    def n_sets(self) -> int:
        """Return the number of sets in the memo."""
        return int(self._host.memo.used[option_memo.SETS])

    def __call__(self, phenotypes: Phenotypes) -> Totals:
        """Return total guesses, (n,) int64."""
        individuals = with_integer_weights(self.problem, phenotypes)
        n_feedback = self.problem.game.n_feedback
        n = len(individuals.weights)
        device_totals = cuda.to_device(np.full(n, self.spent, dtype=np.int64))
        active = cuda.to_device(np.ones(n, dtype=np.int32))
        weights = cuda.to_device(np.ascontiguousarray(individuals.weights[:, :, :n_feedback]))
        generation = self._evaluations % GENERATIONS
        self.launch(
            self.arguments(kernels.DevicePopulation(weights, active, device_totals, n)), generation
        )
        self._evaluations += 1
        self.extend_memo()
        totals: Totals = device_totals.copy_to_host()
        return totals

    def arguments(self, population: kernels.DevicePopulation) -> kernels.Launch:
        """Return the arguments of launches, the same ones until the memo is emptied."""
        known = self._arguments
        if known is not None and known.population is population:
            return known
        n = len(population.active)
        n_islands = len(population.active) // population.size
        if n > self._n_blocks:
            self._work = _allocate_work(n, self.problem.table)
            self._n_blocks = n
        if self._cache is None or len(self._cache.reference) != n_islands:
            cell_type = self._host.memo.cells.dtype
            self._cache = _allocate_cache(n_islands, self.problem, cell_type)
        self._arguments = kernels.Launch(
            rules=self.rules,
            memo=self.memo,
            cache=self._cache,
            start=self.start,
            population=population,
            work=self._work,
            misses=self._misses,
        )
        return self._arguments

    def launch(
        self,
        arguments: kernels.Launch,
        generation: int,
        stream: Any = 0,  # noqa: ANN401
    ) -> None:
        """Add the guesses of active individuals to their totals, asynchronously on the device.

        The cache learns in some generations, counted from the last extension of the memo.
        """
        n = len(arguments.population.active)
        n_islands = len(arguments.cache.reference)
        kernels.begin[n, kernels.THREADS, stream](arguments)
        for level in range(kernels.LEVELS):
            kernels.advance[n, kernels.THREADS, stream](arguments, level)
            kernels.choose[kernels.CHOOSERS, kernels.THREADS, stream](arguments, level)
        kernels.finish[n, kernels.THREADS, stream](arguments)
        if generation % LEARN_EVERY == 0:
            grid = SLOTS // kernels.SLOTS_OF_BLOCK, n_islands
            kernels.learn[grid, kernels.THREADS, stream](arguments, generation == 0)

    def extend_memo(self) -> None:
        """Add to the memo the sets that were missing since the last call; empty a full memo."""
        self.collect_misses()
        self.find_missed()
        self.upload()

    def collect_misses(self) -> None:
        """Wait for the device, and copy the sets that were missing there since the last call."""
        n_misses = min(int(self._misses.used.copy_to_host()[0]), MOST_MISSES)
        if n_misses == 0:
            return
        known = self._misses.turn, self._misses.at, self._misses.size
        turns, starts, sizes = (part[:n_misses].copy_to_host() for part in known)
        n_members = int((starts + sizes).max())
        members = self._misses.members[:n_members].copy_to_host()
        self._misses.used.copy_to_device(np.zeros(2, np.int32))
        self._missed = [
            (members[starts[miss] : starts[miss] + sizes[miss]], int(turns[miss]))
            for miss in np.flatnonzero(sizes)  # a size of 0: its members found no room
        ]

    def find_missed(self) -> None:
        """Find the options of the collected sets on the host; empty a full memo."""
        host = self._host
        for members, turn in self._missed:
            status = set_id = option_memo.find_set(host.rules, host.memo, members, turn)
            if set_id != option_memo.FULL and host.memo.option_at[set_id] == option_memo.UNKNOWN:
                status = self._find_options(set_id)
            if status == option_memo.FULL:
                host.reset()
                self._prepare()
                break
        self._missed = []

    def _find_options(self, set_id: int) -> int:
        """Find a set's options in the host's memo; return their number, or FULL."""
        host = self._host
        return int(option_memo.find_options(host.rules, host.memo, host.work, set_id))

    def _prepare(self) -> None:
        """Begin with a memo of the start sets alone; raise `CodebreakerError` without room."""
        ids = self._host.start
        if any(
            set_id < 0 or self._find_options(set_id) == option_memo.FULL for set_id in ids.tolist()
        ):
            raise self._host.too_small()
        self.start = kernels.Start(cuda.to_device(ids), self.problem.start_turn)
        self._cache = self._arguments = None  # its ids are the memo's
        self._uploaded = np.zeros_like(self._host.memo.used)

    def upload(self) -> None:
        """Copy what is new in the host's memo to the device."""
        host = self._host.memo
        used = self._host.memo.used.copy()
        uploaded = self._uploaded
        if (used == uploaded).all():
            return
        self.memo.slots.copy_to_device(host.slots)
        for name, part in MEMO_PARTS.items():
            if used[part] > uploaded[part]:
                new = slice(int(uploaded[part]), int(used[part]))
                getattr(self.memo, name)[new].copy_to_device(_signed(getattr(host, name)[new]))
        self._uploaded = used


def _moved(parts: Any) -> Any:  # noqa: ANN401
    """Return a tuple with its arrays on the device."""
    return parts._make(cuda.to_device(v) if isinstance(v, np.ndarray) else v for v in parts)


def _signed(values: NDArray[Any]) -> NDArray[Any]:
    """Return hash keys as signed integers, the type of Python's integers in kernels."""
    return values.view(np.int64) if values.dtype == np.uint64 else values


def _in_fours(by_secret: FeedbackIds) -> NDArray[np.int32]:
    """Return the feedback ids of four guesses in a row as one number, (n_secrets, n_fours)."""
    padded = np.pad(by_secret, ((0, 0), (0, -by_secret.shape[1] % 4)))
    return padded.view("<i4")


def _allocate_work(n: int, game: TableGame) -> kernels.Work:
    """Allocate the working memory of n individuals; at most half the secrets are sets of two."""
    n_secrets = game.n_secrets
    sets = game.n_secrets // 2 + 1
    return kernels.Work(
        members=cuda.device_array((n, 2, n_secrets), np.int32),
        sets=cuda.device_array((n, 2, sets, 3), np.int32),
        n_sets=cuda.device_array((n, 2), np.int32),
        queue=cuda.device_array(n * sets, np.int32),
        n_queued=cuda.device_array(kernels.LEVELS + n, np.int32),
        scores=cuda.device_array((n, sets, kernels.LEADERS), np.float64),
        winner=cuda.device_array((n, sets), np.int64),
    )


def _allocate_cache(n_islands: int, problem: Problem, cell_type: np.dtype[Any]) -> kernels.Cache:
    """Allocate an empty cache."""
    shape = (n_islands, SLOTS)
    n_feedback = problem.game.n_feedback
    ranked = (*shape, kernels.LEADERS + 1)
    return kernels.Cache(
        reference=cuda.to_device(np.zeros((n_islands, problem.n_turns, n_feedback))),
        sets=cuda.to_device(np.full(shape, -1)),
        uses=cuda.to_device(np.zeros(shape, np.int32)),
        leaders=cuda.to_device(np.full(ranked, -1, np.int32)),
        scores=cuda.device_array(ranked, np.float64),
        cells=cuda.device_array((*shape, kernels.LEADERS, n_feedback), cell_type),
        options=cuda.to_device(np.full(shape, -1)),
        children=cuda.device_array((2, *shape, n_feedback), np.int32),
        wanted=cuda.to_device(np.full((2, *shape), -1)),
    )


class CudaEngine:
    """Advances all runs together, several generations at a time."""

    backend = "cuda"

    def __init__(self, fitness: CudaFitness) -> None:
        """Prepare an engine; the first call of `advance` uploads the runs."""
        self._fitness = fitness
        self._islands: Islands | None = None
        self._launched_with: kernels.Launch | None = None
        self._replay: Callable[[], None] | None = None

    def advance(self, tasks: Sequence[Task], runs: Sequence[Run]) -> None:
        """Advance every incomplete run by up to GENERATIONS, at most to the next snapshot."""
        began = time.monotonic()
        before = [run.state.generation for run in runs]
        if self._islands is None:
            self._islands = self._upload(tasks, [run.state for run in runs])
            size = tasks[0].params.population
            self._population = kernels.DevicePopulation(
                self._islands.weights, self._islands.active, self._islands.totals, size
            )
        islands = self._islands
        state = islands.state.copy_to_host()
        state[:, breeding.BEGAN] = state[:, breeding.GENERATION]
        islands.state.copy_to_device(state)
        to_snapshots = (SNAPSHOT_EVERY - old % SNAPSHOT_EVERY for old in before)
        self._launch(tasks[0], min(GENERATIONS, *to_snapshots))
        # Meanwhile the host works on the sets that were missing in the call before.
        self._fitness.find_missed()
        self._fitness.collect_misses()
        self._fitness.upload()
        self._download(islands, runs)
        seconds = time.monotonic() - began
        done = [run.state.generation - old for run, old in zip(runs, before, strict=True)]
        for run, generations in zip(runs, done, strict=True):
            if generations > 0:
                run.take_snapshot()
            run.seconds += [seconds / max(done)] * generations

    def _launch(self, task: Task, n_generations: int) -> None:
        """Start generations on the device.

        A launch from Python takes longer than a generation, so all of them are recorded once, as a
        graph. It holds the arguments of its launches; new ones (of an emptied memo) are launched
        once without a graph, which also compiles the kernels, and recorded the next time.
        """
        problem = task.problem
        islands = self._islands
        fitness = self._fitness
        assert islands is not None
        operators = operators_of(task.params, problem.n_genes, problem.genes_of_row)
        arguments = fitness.arguments(self._population)

        def launch(stream: Any) -> None:  # noqa: ANN401 (cuda.core's, or 0)
            """Launch the kernels of the generations on a stream."""
            first_row = problem.first_turn - 1
            scale = int(problem.weight_scale)
            breed = breeding.breed[len(islands.active), breeding.THREADS, stream]
            tell = breeding.tell[len(islands.ranked), breeding.THREADS, stream]
            for generation in range(n_generations):
                breed(operators, islands, first_row, scale, fitness.spent)
                fitness.launch(arguments, generation, stream)
                tell(operators, islands)

        if arguments is not self._launched_with:
            self._replay = None
        if n_generations < GENERATIONS or arguments is not self._launched_with:
            launch(0)
            self._launched_with = arguments
            return
        if self._replay is None:
            self._replay = record(launch)
        self._replay()

    def _upload(self, tasks: Sequence[Task], states: Sequence[Population]) -> Islands:
        """Copy populations to the device, an island each; turns without genes get weights of 1."""
        problem = tasks[0].problem
        population = tasks[0].params.population
        n = len(tasks)
        n_genes = problem.n_genes
        n_feedback = problem.game.n_feedback
        ones = with_weights(np.ones((n * population, problem.n_turns, n_feedback)))
        weights = with_integer_weights(problem, ones).weights[:, :, :n_feedback]
        rows = [
            [*(getattr(of_island, name) for name in NUMBERS), 0, task.generations]
            for of_island, task in zip(states, tasks, strict=True)
        ]
        return Islands(
            state=cuda.to_device(np.array(rows, dtype=np.int64)),
            ranked=cuda.to_device(np.stack([s.genes for s in states])),
            ranked_totals=cuda.to_device(np.stack([s.totals for s in states])),
            best=cuda.to_device(np.stack([s.best_genes for s in states])),
            genes=cuda.device_array((n, population, n_genes), np.int64),
            totals=cuda.device_array(n * population, np.int64),
            active=cuda.device_array(n * population, np.int32),
            weights=cuda.to_device(np.ascontiguousarray(weights)),
            order=cuda.device_array((n, population), np.int32),
            history=cuda.to_device(np.zeros((n, GENERATIONS, len(HISTORY)), np.int64)),
        )

    def _download(self, islands: Islands, runs: Sequence[Run]) -> None:
        """Wait for the device; copy its populations, and the history since the last call."""
        names = ("state", "ranked", "ranked_totals", "best", "history")
        columns = zip(*(getattr(islands, name).copy_to_host() for name in names), strict=True)
        for run, (state, genes, totals, best, history) in zip(runs, columns, strict=True):
            *numbers, began, _ = state.tolist()
            known = dict(zip(NUMBERS, numbers, strict=True))
            run.state = Population(genes=genes, totals=totals, best_genes=best, **known)
            for sums in history[: run.state.generation - began].tolist():
                run.history.append(history_row(sums, *genes.shape))
