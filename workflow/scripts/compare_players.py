"""Tabulate and draw the players' contests, and test their differences."""

from pathlib import Path

import polars as pl

from codebreaker.analysis.contests import contest_summary, pairwise_tests
from codebreaker.files import write_frame, write_text
from codebreaker.players.io import read_log
from codebreaker.report.charts import players
from codebreaker.report.charts.style import save
from codebreaker.study.jobs import job

with job(snakemake.log[0]) as log:
    logs = pl.concat(read_log(path) for path in snakemake.input.logs)
    told, tests = contest_summary(logs), pairwise_tests(logs)
    for frame, path in ((told, snakemake.output.means), (tests, snakemake.output.tests)):
        write_frame(frame, path)
    write_text(snakemake.output.text, players.to_markdown(told, tests))
    folder, scale = Path(snakemake.output.figures[0]).parent, snakemake.params.png_scale
    for name in told["contest"].unique(maintain_order=True):
        save(players.means_chart(told, name), folder / f"players-{name}", scale)
        effort = players.evaluations_chart(logs, name)
        save(effort, folder / f"players-{name}-evaluations", scale)
    save(players.share_chart(told), folder / "players-share", scale)
    save(players.scaling_chart(told), folder / "players-scaling", scale)
    log.info("%d players in %d contests", told["player"].n_unique(), told["contest"].n_unique())
