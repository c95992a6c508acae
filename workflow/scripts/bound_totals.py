"""Bound the total of any strategy for a game, by opening."""

from codebreaker.exact.two_guesses import bounds_by_opening
from codebreaker.files import write_frame
from codebreaker.games.io import read_game
from codebreaker.study.jobs import job

with job(snakemake) as log:
    bounds = bounds_by_opening(read_game(snakemake.input.game), snakemake.threads)
    write_frame(bounds, snakemake.output.bounds)
    for row in bounds.iter_rows():
        log.info("%s", row)
