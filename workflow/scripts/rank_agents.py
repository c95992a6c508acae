"""Tabulate and draw what the guesses of agents cost, and test their differences."""

from codebreaker.report.chapters.agents import rank_agents
from codebreaker.study.jobs import job

with job(snakemake) as log:
    log.info("%s", rank_agents(snakemake.input, snakemake.output, snakemake.params))
