"""Find an optimal tree, with a certificate; a killed search resumes."""

import shutil
from pathlib import Path

from codebreaker.games.model import read_game
from codebreaker.search.certificate import write_certificate
from codebreaker.search.optimum import find_optimum, strategy_of_optimum
from codebreaker.search.settings import Target
from codebreaker.study.jobs import job
from codebreaker.trees.io import read_tree, write_tree, write_tree_text

with job(snakemake) as log:
    params = snakemake.params
    output = snakemake.output
    game = read_game(snakemake.input.game)
    recorded = [read_tree(path)[0] for path in snakemake.input.recorded]
    checkpoints = Path(output.certificate).with_suffix(".checkpoints")
    optimum = find_optimum(
        game,
        Target(**params.target),
        params.memo_mib,
        params.time_limit_s,
        checkpoints,
        recorded[0] if recorded else None,
    )
    solution = optimum.solution
    strategy = strategy_of_optimum(game, optimum)
    write_certificate(game, optimum, output.certificate)
    write_tree(solution.tree, strategy, output.tree)
    write_tree_text(game, solution.tree, strategy, output.text)
    shutil.rmtree(checkpoints, ignore_errors=True)
    if not solution.proven:
        log.info("not proven: for a longer search, raise exact.time_limit_s, and run again with")
        log.info("snakemake --forcerun solve_exactly -- %s", output.certificate)
    figures = solution.tree.total_guesses, solution.bound, solution.sets_searched
    log.info("%s: %d guesses, bound %d; %d sets searched", game.name, *figures)
