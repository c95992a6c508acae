"""Select a game's best tree, and write its gap to the proven bound."""

from codebreaker.files import read_json, write_frame
from codebreaker.runtime.effort import read_effort
from codebreaker.search.certificate import Certificate
from codebreaker.study.jobs import job
from codebreaker.trees.best_known import EXACT, KnownTree, best_known
from codebreaker.trees.io import read_tree

with job(snakemake) as log:
    inputs = snakemake.input
    seconds = read_effort(inputs.cost).seconds
    known = KnownTree(*read_tree(inputs.tree), method=EXACT, seconds=seconds)
    row = best_known([known], [read_json(inputs.certificate, Certificate).bound])
    write_frame(row, snakemake.output.best)
    log.info("%s", row.row(0))
