"""Find the maximum number of secrets solved within 1, 2, ... guesses of some games."""

import polars as pl

from codebreaker.files import write_frame
from codebreaker.games.model import read_game
from codebreaker.search.rounds import count_rounds
from codebreaker.study.jobs import job

MEMO_MIB = 32
"""Each search visits few candidate sets."""

with job(snakemake) as log:
    frames = []
    for path in snakemake.input.games:
        game = read_game(path)
        frames.append(count_rounds(game, game.name in snakemake.params.frontiers, MEMO_MIB))
        log.info("%s: %s secrets", game.name, frames[-1]["won"].to_list())
    write_frame(pl.concat(frames), snakemake.output.rounds)
