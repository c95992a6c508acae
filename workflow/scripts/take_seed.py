"""Take a seed's files from the islands of its model."""

import shutil
from pathlib import Path

from codebreaker.study.jobs import job

with job(snakemake):
    for path in map(Path, snakemake.output):
        shutil.copy(Path(snakemake.input.islands) / path.name, path)
