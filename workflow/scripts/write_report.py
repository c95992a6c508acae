"""Write the report, its page, and the facts that it prints."""

from pathlib import Path

from codebreaker.files import whole, write_text
from codebreaker.jobs import job
from codebreaker.report.page import to_html
from codebreaker.report.paper import write
from codebreaker.report.results import Results

with job(snakemake.log[0]) as log:
    folder = Path(snakemake.output.report).parent
    files = [Path(path) for path in (*snakemake.input.results, *snakemake.input.figures)]
    text, facts = write(Results(folder, [path.relative_to(folder).as_posix() for path in files]))
    table = facts.frame()
    with whole(snakemake.output.facts) as draft:
        table.write_csv(draft)
    write_text(snakemake.output.report, text)
    write_text(snakemake.output.page, to_html(text))
    log.info("%d facts", table.height)
