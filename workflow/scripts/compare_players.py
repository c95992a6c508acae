"""Tabulate and draw the players' contests, and test their differences."""

from pathlib import Path

import polars as pl

from codebreaker.files import write_frame
from codebreaker.players.comparisons import Inference, contest_summary, pairwise_tests
from codebreaker.players.contest import read_log
from codebreaker.report.chapters.players import (
    evaluations_chart,
    means_chart,
    players_page,
    scaling_chart,
    share_chart,
)
from codebreaker.report.chapters.statements import (
    check_claims,
    paired_games,
    statements_chart,
    statements_page,
)
from codebreaker.report.style import save
from codebreaker.report.tables import write_table
from codebreaker.study.jobs import job

with job(snakemake) as log:
    output, params = snakemake.output, snakemake.params
    logs = pl.concat(read_log(path) for path in snakemake.input.logs)
    inference = Inference(params.resamples, params.seed, params.margins)
    games, summary = paired_games(logs, inference), contest_summary(logs)
    tests, claims = pairwise_tests(games), check_claims(games)
    write_table(summary, players_page(summary, tests, inference), (output.means, output.text))
    write_table(claims, statements_page(claims, inference), output.statements)
    write_frame(tests, output.tests)
    folder, scale = Path(output.figures[0]).parent, params.png_scale
    save(means_chart(summary), folder / "players-guesses", scale)
    save(evaluations_chart(logs, summary), folder / "players-evaluations", scale)
    save(statements_chart(claims, inference), folder / "players-statements", scale)
    save(share_chart(summary), folder / "players-share", scale)
    save(scaling_chart(summary), folder / "players-scaling", scale)
    log.info(
        "%d players in %d contests", summary["player"].n_unique(), summary["contest"].n_unique()
    )
