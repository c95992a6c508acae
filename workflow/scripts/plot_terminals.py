"""Draw how often terminals are solved within the attempts, as SVG, PNG and HTML."""

from codebreaker.analysis.terminals import read_terminals
from codebreaker.report.charts.style import save
from codebreaker.report.charts.terminals import chart
from codebreaker.study.jobs import job

with job(snakemake):
    terminals = read_terminals(snakemake.input.terminals)
    drawn = chart(terminals, snakemake.params.attempts)
    save(drawn, snakemake.output.figures[0], snakemake.params.png_scale)
