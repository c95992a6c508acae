"""Find an optimal tree, with a certificate of what is proven."""

from codebreaker.games.model import read_game
from codebreaker.search.certificate import find_optimum, key_of_optimum, write_certificate
from codebreaker.search.settings import Target
from codebreaker.study.jobs import job
from codebreaker.trees.io import write_tree, write_tree_text
from codebreaker.trees.metrics import BEST_KNOWN, OPTIMAL

with job(snakemake) as log:
    params, output = snakemake.params, snakemake.output
    log.info("a search that was stopped starts again from the beginning")
    game = read_game(snakemake.input.game)
    optimum = find_optimum(game, Target(**params.target), params.memo_mib, params.time_limit_s)
    solution = optimum.solution
    key = key_of_optimum(game, optimum, OPTIMAL if solution.proven else BEST_KNOWN)
    write_certificate(game, optimum, output.certificate)
    write_tree(solution.tree, key, output.tree)
    write_tree_text(game, solution.tree, key, output.text)
    figures = solution.tree.total_guesses, solution.bound, solution.sets_searched
    log.info("%d guesses, bound %d; %d sets searched", *figures)
