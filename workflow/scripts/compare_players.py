"""Tabulate and draw the players' contests, and test their differences."""

from pathlib import Path

import polars as pl

from codebreaker.analysis.contests import Inference, contest_summary, pairwise_tests
from codebreaker.analysis.statements import check_claims, paired_games
from codebreaker.files import write_frame
from codebreaker.players.io import read_log
from codebreaker.report.charts import players, statements
from codebreaker.report.charts.style import save
from codebreaker.report.tables.markdown import write_table
from codebreaker.report.tables.players import to_markdown
from codebreaker.study.jobs import job

with job(snakemake) as log:
    output, params = snakemake.output, snakemake.params
    logs = pl.concat(read_log(path) for path in snakemake.input.logs)
    inference = Inference(params.resamples, params.seed, params.margins)
    games, summary = paired_games(logs, inference), contest_summary(logs)
    tests, claims = pairwise_tests(games), check_claims(games)
    write_table(summary, to_markdown(summary, tests, inference), (output.means, output.text))
    write_table(claims, statements.to_markdown(claims, inference), output.statements)
    write_frame(tests, output.tests)
    folder, scale = Path(output.figures[0]).parent, params.png_scale
    save(players.means_chart(summary), folder / "players-guesses", scale)
    save(players.evaluations_chart(logs, summary), folder / "players-evaluations", scale)
    save(statements.guesses_chart(claims, inference), folder / "players-statements", scale)
    save(players.share_chart(summary), folder / "players-share", scale)
    save(players.scaling_chart(summary), folder / "players-scaling", scale)
    log.info(
        "%d players in %d contests", summary["player"].n_unique(), summary["contest"].n_unique()
    )
