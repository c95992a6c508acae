"""Draw how often terminals are solved within the attempts, as SVG, PNG and HTML."""

from codebreaker.players.terminals import read_terminals
from codebreaker.report.chapters.terminals import terminals_chart
from codebreaker.report.style import save
from codebreaker.study.jobs import job

with job(snakemake):
    terminals = read_terminals(snakemake.input.terminals)
    drawn = terminals_chart(terminals, snakemake.params.attempts)
    save(drawn, snakemake.output.figures[0], snakemake.params.png_scale)
