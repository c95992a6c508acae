"""Tabulate how far each strategy is from the optimum."""

import csv
import json
from pathlib import Path

optimum = json.loads(Path(snakemake.input.optimum).read_text(encoding="utf-8"))["total_guesses"]
with Path(snakemake.input.strategies).open(encoding="utf-8", newline="") as file:
    rows = [row for row in csv.DictReader(file) if row["game"] == "marks-animals"]
lines = ["| strategy | guesses in total | above the minimum |", "| --- | ---: | ---: |"]
for row in sorted(rows, key=lambda row: int(row["total_guesses"])):
    above = int(row["total_guesses"]) - optimum
    lines.append(f"| {row['tree']} | {row['total_guesses']} | {above} |")
Path(snakemake.output.table).write_text("\n".join(lines) + "\n", encoding="utf-8")
