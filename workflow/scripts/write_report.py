"""Write the report as Markdown and HTML, and the facts that it quotes."""

from pathlib import Path

from codebreaker.files import write_frame, write_text
from codebreaker.report.numbers import Results
from codebreaker.report.paper import to_html, write
from codebreaker.study.jobs import job

with job(snakemake) as log:
    folder = Path(snakemake.output.report).parent
    files = [Path(path) for path in snakemake.input.results]
    text, facts = write(Results(folder, [path.relative_to(folder).as_posix() for path in files]))
    table = facts.frame()
    write_frame(table, snakemake.output.facts)
    write_text(snakemake.output.report, text)
    write_text(snakemake.output.page, to_html(text))
    log.info("%d facts", table.height)
