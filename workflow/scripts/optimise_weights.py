"""Search for the weights of a model from one seed, going on from a checkpoint if there is one."""

from pathlib import Path

from codebreaker.criteria import criterion
from codebreaker.game_io import read_game
from codebreaker.jobs import job
from codebreaker.optimise.backend import choose_evaluator
from codebreaker.optimise.genetic import Params
from codebreaker.optimise.problem import Problem
from codebreaker.optimise.run import Task, run
from codebreaker.optimise_io import history_frame, speed_frame, weights_found, write_frame
from codebreaker.weights import write_weights

with job(snakemake.log[0]) as log:
    model = snakemake.params.model
    problem = Problem(
        read_game(snakemake.input.game), criterion("entropy"), model["turns"], model["opening"]
    )
    task = Task(
        problem,
        Params(**snakemake.params.preset),
        int(snakemake.wildcards.seed),
        model["generations"],
    )
    evaluator = choose_evaluator(
        snakemake.params.backend,
        problem,
        snakemake.params.memo_mib,
        snakemake.threads,
        snakemake.resources.get("gpu", 0),
    )
    progress = run(task, evaluator, Path(snakemake.params.checkpoint))
    found = weights_found(task, progress, snakemake.wildcards.model, evaluator.backend)
    write_frame(history_frame(progress), snakemake.output.history)
    write_frame(speed_frame(task, progress), snakemake.output.speed)
    write_weights(found, snakemake.output.weights)
    Path(snakemake.params.checkpoint).unlink()
    log.info("best total %d", progress.state.best_total)
