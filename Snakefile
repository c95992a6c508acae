"""Strategies for Mastermind, recomputed, checked and beaten: see README.md."""

from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.utils import min_version

min_version("9.20")

# Rules read programs, data and digests beside them, which Snakemake doesn't fetch from a git path.
if not Path(str(workflow.current_basedir)).is_dir():
    raise WorkflowError(
        "error: use the workflow from a clone: snakefile: path/to/codebreaker/Snakefile"
    )


configfile: "config/config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"


# The first rule is what a run makes, unless a workflow that has this one as a module has a first rule
# of its own.
rule all:
    "Make all results of the study."
    input:
        lambda wildcards: made(*JOBS),


include: "workflow/rules/games.smk"
include: "workflow/rules/weights.smk"
include: "workflow/rules/trees.smk"
include: "workflow/rules/exact.smk"
include: "workflow/rules/players.smk"
include: "workflow/rules/agents.smk"
include: "workflow/rules/evaluate.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/report.smk"


# Temporary files of killed jobs; jobs of a cluster may still be writing when another run starts.
onstart:
    if workflow.local_exec:
        remove_temporary_files("results")


# The last line of a run says what to open. A shell's PWD is where Snakemake was called, before --directory.
onsuccess:
    made = [
        name
        for name in ("index.html", "report.html")
        if Path("results", name).exists()
    ]
    if made and workflow.local_exec:
        here = os.environ.get("PWD", os.getcwd())
        print(
            "open",
            " and ".join(
                os.path.relpath(Path("results", name), here) for name in made
            ),
        )
