"""Describe the run as an RO-Crate."""

import csv
import json
from pathlib import Path

import yaml

from codebreaker.files import write_text
from codebreaker.study.crate import describe_run, ran_with
from codebreaker.study.jobs import job

MACHINE = ("processor", "cores", "memory", "operating system")

with job(snakemake):
    output = Path(snakemake.output.crate)
    with Path(snakemake.input.machine).open(encoding="utf-8") as table:
        versions = {row["what"]: row["value"] for row in csv.DictReader(table)}
    software = {name: versions[name] for name in versions if name not in MACHINE}
    text = Path(snakemake.input.citation).read_text(encoding="utf-8")
    results = map(Path, snakemake.input.results)
    inputs = map(Path, snakemake.input.settings)
    ran = ran_with(map(Path, snakemake.input.efforts), Path(snakemake.input.citation).parent)
    crate = describe_run(output.parent, results, inputs, software, yaml.safe_load(text), ran)
    write_text(output, json.dumps(crate, indent=1, ensure_ascii=False) + "\n")
