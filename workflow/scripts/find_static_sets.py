"""Find the fewest non-adaptive guesses that separate all secrets."""

import polars as pl

from codebreaker.files import write_frame
from codebreaker.games.registry import make_game
from codebreaker.search.static import minimum_static_set, row_of
from codebreaker.study.jobs import job

with job(snakemake) as log:
    rows = []
    for name in snakemake.params.games:
        game = make_game(name)
        rows.append(row_of(game, minimum_static_set(game)))
        log.info("%s: %s", game.name, rows[-1]["set"][0])
    write_frame(pl.concat(rows), snakemake.output.found)
