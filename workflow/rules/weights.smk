"""The analysis of published and found weights, where the study searches for some on MM(4,6)."""


localrules:
    analyse_weights,
    draw_weights,
    cite_paper_scale,


WEIGHT_TABLES = {
    name: f"results/tables/weights-{name}.csv"
    for name in ("deviations", "ablation", "rounding", "seeds", "convergence")
}
WEIGHT_TEXTS = {
    f"{name}_md": path.replace(".csv", ".md") for name, path in WEIGHT_TABLES.items()
}
WEIGHT_CHARTS = [
    "ga-convergence",
    "weight-boxes",
    "turn-ablation",
    "weight-rounding",
    "found-weights",
]
PAPER_SCALE = WORKFLOW.parent / "resources" / "paper-scale"
PAPER_SCALE_TABLES = [
    f"results/paper-scale/{path.name}" for path in sorted(PAPER_SCALE.glob("*.csv"))
]
WEIGHT_FILES = [*WEIGHT_TABLES.values(), *WEIGHT_TEXTS.values()]


rule weights:
    input:
        WEIGHT_FILES if PAPER_MODELS else [],
        charts(*WEIGHT_CHARTS) if PAPER_MODELS else [],


QUOTED += PAPER_SCALE_TABLES
CHARTS += WEIGHT_CHARTS if PAPER_MODELS else []
QUOTED += WEIGHT_FILES if PAPER_MODELS else []
QUOTED += [weights_of(PAPERS_GAME, model) for model in PAPER_MODELS]
MEASURED += ["results/resources/analyse_weights.tsv"] if PAPER_MODELS else []


rule analyse_weights:
    input:
        game=f"results/games/{PAPERS_GAME}/game.npz",
        best=[weights_of(PAPERS_GAME, model) for model in PAPER_MODELS],
        found=seed_files(PAPERS_GAME, PAPER_MODELS, ".json"),
        published=published_files("weights"),
    output:
        **{
            name: shown(path, "Tables", "weights")
            for name, path in WEIGHT_TABLES.items()
        },
        **WEIGHT_TEXTS,
    log:
        "logs/analyse_weights.log",
    benchmark:
        "results/resources/analyse_weights.tsv"
    params:
        code=code_of("analyse_weights.py"),
        models=PAPER_MODELS,
    script:
        "../scripts/analyse_weights.py"


rule draw_weights:
    input:
        **WEIGHT_TABLES,
        found=seed_files(PAPERS_GAME, PAPER_MODELS, ".json"),
        histories=seed_files(PAPERS_GAME, PAPER_MODELS, ".history.parquet"),
    output:
        figures=drawn("weights", *WEIGHT_CHARTS),
    log:
        "logs/draw_weights.log",
    params:
        code=code_of("draw_weights.py"),
        tables=list(WEIGHT_TABLES),
        png_scale=PNG_SCALE,
    script:
        "../scripts/draw_weights.py"


rule cite_paper_scale:
    input:
        tables=local_all(sorted(PAPER_SCALE.glob("*.csv"))),
    output:
        tables=PAPER_SCALE_TABLES,
    log:
        "logs/cite_paper_scale.log",
    shell:
        "cp -v {input.tables} $(dirname {output.tables[0]}) > {log} 2>&1"
