"""Bound the total after each opening, as far as weights are concerned that take fewer guesses."""

from codebreaker.games.model import read_game
from codebreaker.report.tables import markdown_page, write_table
from codebreaker.search.bounds import opening_bounds
from codebreaker.study.jobs import job
from codebreaker.trees.metrics import OPTIMAL, read_strategies, strategy

with job(snakemake) as log:
    strategies = read_strategies(snakemake.input.strategies)
    best = strategy(strategies, OPTIMAL)
    limit = strategy(strategies, "fixed-weighted")["total_guesses"] + 1
    game, known = read_game(snakemake.input.game), {best["opening"]: best["total_guesses"]}
    table = opening_bounds(game, known, limit, snakemake.params.memo_mib)
    text = markdown_page("The least totals after each opening, or bounds", table)
    write_table(table, text, snakemake.output.tables)
    for row in table.iter_rows():
        log.info("%s", row)
