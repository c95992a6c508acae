"""Select a game's best tree, and write its gap to the proven bound."""

from pathlib import Path

import polars as pl

from codebreaker.files import read_json, write_frame
from codebreaker.runtime.effort import read_effort
from codebreaker.search.certificate import Certificate
from codebreaker.study.jobs import job
from codebreaker.trees.best_known import EXACT, KnownTree, best_known
from codebreaker.trees.io import read_tree

with job(snakemake) as log:
    inputs = snakemake.input
    methods = snakemake.params.methods
    known_trees = [
        KnownTree(
            *read_tree(tree),
            method=methods.get(Path(tree).stem, EXACT),
            seconds=read_effort(cost).seconds,
        )
        for tree, cost in zip(inputs.trees, inputs.costs, strict=True)
    ]
    bounds = [read_json(path, Certificate).bound for path in inputs.certificates]
    bounds += [pl.read_csv(path)["bound"].min() for path in inputs.bounds]
    row = best_known(known_trees, bounds)
    write_frame(row, snakemake.output.best)
    log.info("%s", row.row(0))
