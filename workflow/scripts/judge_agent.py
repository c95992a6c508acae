"""Judge the games of an agent's log move by move."""

from codebreaker.report.chapters.agent_pages import judge_agent
from codebreaker.study.jobs import job

with job(snakemake) as log:
    inputs = snakemake.input
    log.info("%s", judge_agent(inputs.log, snakemake.params.game, snakemake.output))
