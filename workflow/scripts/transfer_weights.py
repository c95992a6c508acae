"""Play weights on other games than the one that they were found for, and compare with entropy."""

import polars as pl

from codebreaker.games.registry import make_game
from codebreaker.policies.weights import read_weights
from codebreaker.report.chapters.transfer import (
    candidates,
    transfer_chart,
    transfer_finding,
    transfer_page,
    transfer_rows,
)
from codebreaker.report.style import save
from codebreaker.report.tables import write_table
from codebreaker.study.jobs import job

with job(snakemake) as log:
    inputs, params, output = snakemake.input, snakemake.params, snakemake.output
    paths = [*inputs.found, *inputs.joint]
    found = [(model, read_weights(path)) for model, path in zip(params.models, paths, strict=True)]
    some, parts = candidates(found), []
    for name in params.games:
        game = make_game(name, params.table_limit_mib)
        parts.append(transfer_rows(game, some, params.openings))
        log.info("%s: %d policies", name, len(some))
    table = pl.concat(parts)
    write_table(table, transfer_page(table), output.tables)
    save(transfer_chart(table), output.figures[0], params.png_scale)
    log.info("%s", transfer_finding(table))
