WEIGHT_FILES = {name: f"results/tables/weights-{name}.csv" for name in WEIGHT_TABLES}
WEIGHT_TEXTS = {
    f"{name}_md": path.replace(".csv", ".md") for name, path in WEIGHT_FILES.items()
}


rule weights:
    """The analysis of published and found weights, where the study searches for some on MM(4,6)."""
    input:
        tables(*TABLES["weights"]),
        charts(*CHARTS["weights"]),


rule analyse_weights:
    "Analyse published and found weights."
    input:
        game=f"results/games/{PAPERS_GAME}/game.npz",
        best=[weights_of(PAPERS_GAME, model) for model in PAPER_MODELS],
        found=seed_files(PAPERS_GAME, PAPER_MODELS, ".json"),
        published=published_files("weights"),
        runs=local_all([PAPER_SCALE_RUNS]),
    output:
        **{
            name: shown(path, "Tables", "weights")
            for name, path in WEIGHT_FILES.items()
        },
        **WEIGHT_TEXTS,
    log:
        "logs/analyse_weights.log",
    benchmark:
        "results/resources/analyse_weights.tsv"
    params:
        code=code.analyse_weights,
        contents=contents(published_files("weights"), local_all([PAPER_SCALE_RUNS])),
        models=PAPER_MODELS,
    script:
        "../scripts/analyse_weights.py"


rule draw_weights:
    "Draw the charts of weights and of the search for them."
    input:
        ablation=WEIGHT_FILES["ablation"],
        found=seed_files(PAPERS_GAME, PAPER_MODELS, ".json"),
        histories=seed_files(PAPERS_GAME, PAPER_MODELS, ".history.parquet"),
    output:
        figures=drawn("weights", *WEIGHT_CHARTS),
    log:
        "logs/draw_weights.log",
    params:
        code=code.draw_weights,
        png_scale=PNG_SCALE,
    script:
        "../scripts/render_report.py"


rule cite_paper_scale:
    "Cite the tables of the run at the published scale."
    input:
        tables=local_all(PAPER_SCALE),
    output:
        tables=PAPER_SCALE_TABLES,
    log:
        "logs/cite_paper_scale.log",
    params:
        contents=contents(local_all(PAPER_SCALE)),
    shell:
        "cp -v {input.tables} $(dirname {output.tables[0]}) > {log} 2>&1"
