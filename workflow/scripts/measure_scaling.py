"""Grow a game's trees with feedback on demand, and measure time, memory and guesses."""

import polars as pl

from codebreaker.files import write_frame
from codebreaker.games.registry import rules_of
from codebreaker.policies.strategy import Strategy
from codebreaker.study.jobs import job
from codebreaker.trees.grow import grow
from codebreaker.trees.growth_cost import measure

with job(snakemake) as log:
    strategies = [Strategy(name) for name in snakemake.params.policies]
    small = rules_of("mm-3-4").on_demand()
    for strategy in strategies:
        grow(small, strategy)
    game = rules_of(snakemake.wildcards.game).on_demand()
    rows = []
    for strategy in strategies:
        rows.append(measure(game, strategy, snakemake.threads))
        log.info("%s", rows[-1])
    write_frame(pl.DataFrame(rows), snakemake.output.measured)
