"""Mix the trees of a game to make the worst class mean smallest."""

from codebreaker.report.chapters.rounds import mix_strategies
from codebreaker.study.jobs import job

with job(snakemake) as log:
    log.info("%s", mix_strategies(snakemake.input, snakemake.output, snakemake.params))
