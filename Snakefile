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


PHASES = (
    "games optimise guided trees rollout exact values players terminals "
    "evaluate weights transfer families pareto scaling best_known codemaker "
    "records report site"
).split()


include: "workflow/rules/crate.smk"


rule all:
    "Make all results of the study."
    default_target: True
    input:
        [getattr(rules, phase).input for phase in [*PHASES, "crate"]],


# These take moments; on a cluster they run on Snakemake's machine.
localrules:
    analyse_weights,
    build_site,
    check_bounds,
    check_certificates,
    check_claims,
    check_sources,
    check_values,
    cite_best_known,
    cite_paper_scale,
    compare_families,
    compare_gur,
    compare_kooi,
    compare_moves,
    compare_players,
    compute_quantities,
    describe_machine,
    describe_results,
    describe_run,
    draw_figures,
    draw_frontier,
    draw_scaling,
    draw_weights,
    mix_strategies,
    rank_deviously,
    select_best_known,
    select_weights,
    summarise_resources,
    summarise_strategies,
    tabulate_game,
    tabulate_optima,
    tabulate_rounds,
    tabulate_terminals,
    tabulate_values,
    take_seed,
    write_report,


# Temporary files of killed jobs; jobs of a cluster may still be writing when another run starts.
onstart:
    if workflow.local_exec:
        remove_temporary_files("results")
