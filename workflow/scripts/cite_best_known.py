"""Cite the recorded best known strategies and first guesses, and draw the gaps to the bounds."""

from codebreaker.report.charts.best_known import chart, finding, rollout_chart
from codebreaker.report.charts.style import save
from codebreaker.report.tables import best_known as tables
from codebreaker.report.tables.markdown import write_table
from codebreaker.study.jobs import job

with job(snakemake) as log:
    inputs, output = snakemake.input, snakemake.output
    table, first_guesses = tables.read(str(inputs.best)), tables.read(str(inputs.first_guesses))
    write_table(table, tables.to_markdown(table), output.best)
    write_table(
        first_guesses, tables.first_guesses_to_markdown(first_guesses), output.first_guesses
    )
    two_pegs = tables.read(str(inputs.two_pegs))
    write_table(two_pegs, tables.two_pegs_to_markdown(two_pegs), output.two_pegs)
    rollouts = tables.read(str(inputs.rollouts))
    write_table(rollouts, tables.rollouts_to_markdown(rollouts), output.rollouts)
    scale = snakemake.params.png_scale
    save(chart(table, first_guesses), output.figures[0], scale)
    save(rollout_chart(rollouts, table), output.rollout_figures[0], scale)
    log.info("%s", finding(table))
