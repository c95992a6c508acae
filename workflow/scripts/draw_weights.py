"""Draw the charts of weights and of the search for them."""

from pathlib import Path

import polars as pl

from codebreaker.files import read_frame
from codebreaker.policies.weights import read_weights
from codebreaker.report.chapters.weights import WEIGHT_FIGURES
from codebreaker.report.style import save
from codebreaker.study.jobs import job

with job(snakemake) as log:
    histories, found = {}, {}
    for path, history in zip(snakemake.input.found, snakemake.input.histories, strict=True):
        weights, model = read_weights(path), Path(path).parent.name
        found.setdefault(model, []).append(weights)
        seed = weights.provenance["seed"]
        histories.setdefault(model, {})[seed] = read_frame(history)
    read = {name: pl.read_csv(snakemake.input[name]) for name in snakemake.params.tables}
    arguments = {
        "ga-convergence": (histories, read["seeds"]),
        "weight-boxes": (found,),
        "turn-ablation": (read["ablation"],),
        "weight-rounding": (read["rounding"],),
        "found-weights": (read["deviations"],),
    }
    folder = Path(snakemake.output.figures[0]).parent
    for name, draw in WEIGHT_FIGURES.items():
        save(draw(*arguments[name]), folder / name, snakemake.params.png_scale)
        log.info("%s", name)
