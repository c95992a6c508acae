"""Cite the recorded best known strategies and first guesses, and draw the gaps to the bounds."""

from codebreaker.report.chapters.best_known import (
    best_known_page,
    first_guesses_page,
    gaps_chart,
    gaps_finding,
    read_recorded,
    rollout_chart,
    rollouts_page,
    two_pegs_page,
)
from codebreaker.report.style import save
from codebreaker.report.tables import write_table
from codebreaker.study.jobs import job

with job(snakemake) as log:
    inputs, output = snakemake.input, snakemake.output
    table, first_guesses = read_recorded(str(inputs.best)), read_recorded(str(inputs.first_guesses))
    write_table(table, best_known_page(table), output.best)
    write_table(first_guesses, first_guesses_page(first_guesses), output.first_guesses)
    two_pegs = read_recorded(str(inputs.two_pegs))
    write_table(two_pegs, two_pegs_page(two_pegs), output.two_pegs)
    rollouts = read_recorded(str(inputs.rollouts))
    write_table(rollouts, rollouts_page(rollouts), output.rollouts)
    scale = snakemake.params.png_scale
    save(gaps_chart(table, first_guesses), output.figures[0], scale)
    save(rollout_chart(rollouts, table), output.rollout_figures[0], scale)
    log.info("%s", gaps_finding(table))
