"""Find optimal trees, each with a certificate; up-to-date files stay, killed searches resume."""

import shutil
from pathlib import Path

from codebreaker.files import DATA
from codebreaker.games.model import read_game
from codebreaker.search.certificate import find_optimum, key_of_optimum, write_certificate
from codebreaker.search.settings import Target
from codebreaker.study.jobs import are_kept, job, record_digests
from codebreaker.trees.io import read_tree, write_tree, write_tree_text

with job(snakemake) as log:
    params = snakemake.params
    output = snakemake.output
    paths = {Path(path).parent.name: path for path in snakemake.input.games}
    for (name, target, seconds), *files in zip(
        params.targets, output.certificates, output.trees, output.texts, strict=True
    ):
        game = read_game(paths[name])
        origin = params.code, game.digest, target, seconds
        if are_kept(files, *origin):
            continue
        folder = Path(files[0]).with_suffix(".checkpoints")
        goal = Target(**target)
        file = DATA / "trees" / f"{name}.parquet"
        known = read_tree(file)[0] if goal.from_best_known else None
        optimum = find_optimum(game, goal, params.memo_mib, seconds, folder, known)
        solution, (certificate, tree, text) = optimum.solution, files
        key = key_of_optimum(game, optimum)
        write_certificate(game, optimum, certificate)
        write_tree(solution.tree, key, tree)
        write_tree_text(game, solution.tree, key, text)
        record_digests(files, *origin)
        shutil.rmtree(folder, ignore_errors=True)
        figures = solution.tree.total_guesses, solution.bound, solution.sets_searched
        log.info("%s: %d guesses, bound %d; %d sets searched", name, *figures)
