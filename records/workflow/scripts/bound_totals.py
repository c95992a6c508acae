"""Bound the total of any strategy for a game, by opening."""

from codebreaker.files import write_frame
from codebreaker.games.model import read_game
from codebreaker.games.registry import rules_of
from codebreaker.study.jobs import job
from codebreaker_records.bounds import bounds_by_opening

with job(snakemake):
    # A game with a goal comes with its table, which the search needs.
    tables = [read_game(path) for path in snakemake.input.game]
    game = tables[0] if tables else rules_of(snakemake.wildcards.game).on_demand()
    goal = snakemake.params.goal
    bounds = bounds_by_opening(game, snakemake.threads, goal, snakemake.params.memo_mib)
    write_frame(bounds, snakemake.output.bounds)
