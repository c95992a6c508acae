"""Search for a model's weights from several seeds, resuming from checkpoints."""

from pathlib import Path

from codebreaker.files import write_frame
from codebreaker.games.io import read_game
from codebreaker.optimise.backend import choose_engine
from codebreaker.optimise.genetic import Params
from codebreaker.optimise.io import best_weights, history_frame, speed_frame, write_population
from codebreaker.optimise.problem import Problem
from codebreaker.optimise.run import run_tasks
from codebreaker.optimise.task import Task
from codebreaker.policies.criteria import criterion
from codebreaker.policies.weights import write_weights
from codebreaker.study.jobs import job

with job(snakemake.log[0]) as log:
    params, output = snakemake.params, snakemake.output
    model, preset = params.model, Params(**params.preset)
    problem = Problem(
        read_game(snakemake.input.game),
        tuple(criterion(name) for name in params.criteria),
        model["turns"],
        model["opening"],
        weighted="weights" in model["genes"],
        endgames=model["endgames"],
    )
    tasks = [Task(problem, preset, seed, model["generations"]) for seed in params.seeds]
    engine = choose_engine(
        params.backend,
        problem,
        params.memo_mib,
        snakemake.threads,
        snakemake.resources.get("gpu", 0),
    )
    checkpoints = [Path(path) for path in params.checkpoints]
    runs = run_tasks(tasks, engine, checkpoints)
    for i, (task, run) in enumerate(zip(tasks, runs, strict=True)):
        write_frame(history_frame(run), output.history[i])
        write_frame(speed_frame(task, run), output.speed[i])
        write_population(task, run, output.population[i])
        write_weights(best_weights(task, run, params.name, engine.backend), output.weights[i])
        checkpoints[i].unlink()
        log.info("seed %d: best total %d", task.seed, run.state.best_total)
