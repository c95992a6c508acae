"""Check the sources' claims against the computed results, and write the verdicts."""

from codebreaker.analysis.metrics import read_strategies
from codebreaker.files import write_frame
from codebreaker.games.io import read_game
from codebreaker.players.io import read_expectation
from codebreaker.report.tables.comparison import read_cells
from codebreaker.report.tables.discrepancies import Evidence, discrepancies
from codebreaker.study.jobs import job

with job(snakemake.log[0]) as log:
    evidence = Evidence(
        read_game(snakemake.input.game),
        read_strategies(snakemake.input.strategies),
        read_cells(snakemake.input.tables),
        vars(read_expectation(snakemake.input.random)),
    )
    claims = discrepancies(evidence, snakemake.params.rules)
    write_frame(claims, snakemake.output.discrepancies)
    for row in claims.iter_rows(named=True):
        log.info("%s: %s, %s", row["verdict"], row["source"], row["claim"])
