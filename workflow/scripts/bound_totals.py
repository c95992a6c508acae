"""Bound the total of any strategy for a game, by opening."""

from codebreaker.files import write_frame
from codebreaker.games.registry import rules_of
from codebreaker.search.bounds import bounds_by_opening
from codebreaker.study.jobs import job

with job(snakemake) as log:
    game = rules_of(snakemake.wildcards.game).on_demand()
    bounds = bounds_by_opening(game, snakemake.threads)
    write_frame(bounds, snakemake.output.bounds)
    for row in bounds.iter_rows():
        log.info("%s", row)
