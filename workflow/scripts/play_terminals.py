"""Draw terminals, and play each with every strategy."""

import polars as pl

from codebreaker.files import write_frame
from codebreaker.players.terminals import draw_terminals, play_terminal
from codebreaker.study.jobs import job

with job(snakemake) as log:
    terminals = list(draw_terminals(snakemake.input.words, **snakemake.params.draw))
    rows = []
    for number, terminal in enumerate(terminals, start=1):
        rows += play_terminal(terminal, snakemake.params.attempts, snakemake.params.resets)
        if number % 500 == 0:
            log.info("%d/%d terminals", number, len(terminals), extra={"progress": True})
    write_frame(pl.DataFrame(rows), snakemake.output.terminals)
    log.info("%d terminals", len(terminals))
