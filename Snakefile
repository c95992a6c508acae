"""Strategies for Mastermind, recomputed, checked and beaten: see README.md."""

from snakemake.utils import min_version

min_version("9.20")


configfile: "config/config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/files.smk"
include: "workflow/rules/phases.smk"
include: "workflow/rules/games.smk"
include: "workflow/rules/optimise.smk"
include: "workflow/rules/guided.smk"
include: "workflow/rules/trees.smk"
include: "workflow/rules/rollout.smk"
include: "workflow/rules/exact.smk"
include: "workflow/rules/values.smk"
include: "workflow/rules/players.smk"
include: "workflow/rules/terminals.smk"
include: "workflow/rules/evaluate.smk"
include: "workflow/rules/weights.smk"
include: "workflow/rules/transfer.smk"
include: "workflow/rules/families.smk"
include: "workflow/rules/pareto.smk"
include: "workflow/rules/scaling.smk"
include: "workflow/rules/best_known.smk"
include: "workflow/rules/codemaker.smk"
include: "workflow/rules/records.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/site.smk"


rule all:
    default_target: True
    input:
        rules.games.input,
        rules.optimise.input,
        rules.guided.input,
        rules.trees.input,
        rules.rollout.input,
        rules.exact.input,
        rules.values.input,
        rules.players.input,
        rules.terminals.input,
        rules.evaluate.input,
        rules.weights.input,
        rules.transfer.input,
        rules.families.input,
        rules.pareto.input,
        rules.scaling.input,
        rules.best_known.input,
        rules.codemaker.input,
        rules.records.input,
        rules.report.input,
        rules.site.input,


# For each job that has ended, Snakemake's limit on jobs a second looks for ready jobs again, every
# second: after a hundred jobs that keeps a core busy. Jobs on this machine need no such limit.
onstart:
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None
        remove_drafts("results")
