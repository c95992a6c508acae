"""Set the sources' claims beside what the project computes, and write the verdicts."""

from codebreaker.files import whole
from codebreaker.game_io import read_game
from codebreaker.jobs import job
from codebreaker.metrics import read_strategies
from codebreaker.players.expectation import read_expectation
from codebreaker.report.comparison import read_cells
from codebreaker.report.discrepancies import Evidence, discrepancies

with job(snakemake.log[0]) as log:
    seen = Evidence(
        read_game(snakemake.input.game),
        read_strategies(snakemake.input.strategies),
        read_cells(snakemake.input.tables),
        read_expectation(snakemake.input.random),
    )
    found = discrepancies(seen)
    with whole(snakemake.output.discrepancies) as draft:
        found.write_csv(draft)
    for row in found.iter_rows(named=True):
        log.info("%s: %s, %s", row["verdict"], row["source"], row["claim"])
