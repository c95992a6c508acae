"""Judge the sources' claims by the computed results."""

from pathlib import Path

from codebreaker.files import write_frame
from codebreaker.report.claims import weigh
from codebreaker.report.numbers import Results
from codebreaker.study.jobs import job

with job(snakemake) as log:
    folder = Path(snakemake.output.discrepancies).parent
    files = [Path(path).relative_to(folder).as_posix() for path in snakemake.input.results]
    recorded = [Path(path).relative_to(folder).as_posix() for path in snakemake.input.recorded]
    verdicts = weigh(Results(folder, [*files, *recorded]), recorded)
    write_frame(verdicts.claims, snakemake.output.discrepancies)
    write_frame(verdicts.readings, snakemake.output.readings)
    for row in verdicts.claims.iter_rows(named=True):
        log.info("%s: %s, %s", row["verdict"], row["source"], row["statement"])
