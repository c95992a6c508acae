"""Search for weights from one seed, or from several as islands; resume if stopped."""

from pathlib import Path

from codebreaker.games.model import read_game
from codebreaker.optimise.backend import choose_engine
from codebreaker.optimise.problem import Problem
from codebreaker.optimise.run import Task, run_tasks, write_run
from codebreaker.optimise.settings import Params
from codebreaker.policies.families import criterion
from codebreaker.study.jobs import job

with job(snakemake) as log:
    params = snakemake.params
    search = snakemake.params.search
    output = snakemake.output
    model = search["model"]
    folder = Path(output[0]).parent
    problem = Problem(
        read_game(snakemake.input.game),
        tuple(criterion(name) for name in search["criteria"]),
        model["turns"],
        model["opening"],
        weighted="weights" in model["genes"],
        endgames=model["endgames"],
    )
    preset = Params(**search["preset"])
    length = model["generations"]
    tasks = [Task(problem, preset, seed, length, params.version) for seed in params.seeds]
    threads = snakemake.threads
    gpus = snakemake.resources.get("gpu", 0)
    # On a CPU the rule fixes the backend; the log says why, by what the configuration asks for.
    asked = (snakemake.config.get("optimise") or {}).get("backend", "auto")
    engine = choose_engine(asked, problem, params.memo_mib, threads, gpus)
    checkpoints = [folder / f"seed-{seed}.checkpoint.npz" for seed in params.seeds]
    runs = run_tasks(tasks, engine, checkpoints)
    target = Path(output.get("islands", folder))
    target.mkdir(parents=True, exist_ok=True)
    for task, run, checkpoint in zip(tasks, runs, checkpoints, strict=True):
        write_run(task, run, search["name"], engine.backend, target)
        checkpoint.unlink(missing_ok=True)
        log.info("seed %d: best total %d", task.seed, run.state.best_total)
