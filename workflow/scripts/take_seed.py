"""Take a seed's files from the islands of its model."""

import shutil
from pathlib import Path

from codebreaker.study.jobs import job

with job(snakemake):
    output = snakemake.output
    for path in map(Path, (output.weights, output.history, output.speed, output.population)):
        shutil.copy(Path(snakemake.input.islands) / path.name, path)
