"""Write the guide to the results."""

import polars as pl

from codebreaker.files import write_text
from codebreaker.report.guide import guide
from codebreaker.study.jobs import job
from codebreaker.trees.metrics import read_strategies

with job(snakemake):
    strategies = read_strategies(snakemake.input.strategies)
    discrepancies = pl.read_csv(snakemake.input.discrepancies, infer_schema=False)
    players = [pl.read_csv(path) for path in snakemake.input.players]
    contests = pl.concat(players) if players else None
    text = guide(strategies, discrepancies, contests, snakemake.params.files)
    write_text(snakemake.output.guide, text)
