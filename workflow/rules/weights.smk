"""The analysis of published and found weights, where the study searches for some on MM(4,6)."""


localrules:
    analyse_weights,
    draw_weights,


rule weights:
    input:
        multiext_all(WEIGHT_TABLES, ".csv", ".md") if PAPER_MODELS else [],
        charts(*WEIGHT_FIGURES) if PAPER_MODELS else [],


rule analyse_weights:
    input:
        game=f"results/games/{PAPERS_GAME}/game.npz",
        best=[
            f"results/weights/{PAPERS_GAME}/{model}/best.json"
            for model in PAPER_MODELS
        ],
        found=runs_of(PAPER_MODELS, ".json"),
        published=published_files("weights"),
        code=code_of("analyse_weights.py"),
    output:
        **{
            name: shown(path, "Tables", "weights")
            for name, path in weight_tables("").items()
        },
        **weight_tables("_md"),
    log:
        "logs/analyse_weights.log",
    conda:
        "../../envs/environment.yaml"
    params:
        models=list(PAPER_MODELS),
    script:
        "../scripts/analyse_weights.py"


rule draw_weights:
    input:
        **weight_tables(""),
        found=runs_of(PAPER_MODELS, ".json"),
        histories=runs_of(PAPER_MODELS, ".history.parquet"),
        code=code_of("draw_weights.py"),
    output:
        figures=drawn("weights", *WEIGHT_FIGURES),
    log:
        "logs/draw_weights.log",
    conda:
        "../../envs/environment.yaml"
    params:
        tables=list(weight_tables("")),
        png_scale=STUDY.config.figures.png_scale,
    script:
        "../scripts/draw_weights.py"
