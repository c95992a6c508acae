JOINT_WEIGHTS = [f"results/transfer/{name}.json" for name in JOINT_MODELS]


rule transfer:
    """Weights on other games, and weights for several games."""
    input:
        tables(*TABLES["transfer"]),
        charts(*CHARTS["transfer"]),


rule join_games:
    "Search for weights for all but one of several games together."
    output:
        weights="results/transfer/{model}/without-{held}.json",
    log:
        "logs/join_games/{model}/without-{held}.log",
    benchmark:
        "results/resources/join_games/transfer/{model}/without-{held}.tsv"
    priority: 80
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=by_try(120),
    params:
        code=code.join_games,
        model=lambda wildcards: setting(
            TRANSFER.models, "joint model", wildcards.model
        ).model_dump(),
        preset=lambda wildcards: vars(
            STUDY.config.optimise.presets[TRANSFER.models[wildcards.model].preset]
        ),
        table_limit_mib=LIMITS.table_mib,
        memo_mib=memo_of,
    script:
        "../scripts/join_games.py"


rule transfer_weights:
    "Play weights on games other than the one that they were found for."
    input:
        found=[weights_of(PAPERS_GAME, model) for model in PAPER_MODELS],
        joint=JOINT_WEIGHTS,
        published=published_files("weights"),
    output:
        tables=tabled("weights", "weight-transfer"),
        figures=drawn("weights", "weight-transfer"),
    log:
        "logs/transfer_weights.log",
    benchmark:
        "results/resources/transfer_weights.tsv"
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=by_try(20),
    params:
        code=code.transfer_weights,
        contents=contents(published_files("weights")),
        models=[*PAPER_MODELS, *(model for model in JOINT for _ in JOINT[model])],
        games=TRANSFER.games,
        openings=TRANSFER.openings,
        table_limit_mib=LIMITS.table_mib,
        png_scale=PNG_SCALE,
    script:
        "../scripts/render_report.py"
