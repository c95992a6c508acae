"""Weights on other games than the one that they were found for, and weights for several games."""

TRANSFER = STUDY.config.transfer
JOINT = {name: model.games for name, model in TRANSFER.models.items()}
JOINT_WEIGHTS = [
    f"results/transfer/{model}/without-{held}.json"
    for model in JOINT
    for held in JOINT[model]
]


rule transfer:
    input:
        tables("weight-transfer") if TRANSFER.games else [],
        charts("weight-transfer") if TRANSFER.games else [],


CHARTS += ["weight-transfer"] if TRANSFER.games else []
QUOTED += tables("weight-transfer") if TRANSFER.games else []
MEASURED += ["results/resources/transfer_weights.tsv"] if TRANSFER.games else []
MEASURED += [
    path.replace("results", "results/resources/join_games", 1).replace(".json", ".tsv")
    for path in (JOINT_WEIGHTS if TRANSFER.games else [])
]


rule join_games:
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
        code=code_of("join_games.py"),
        model=lambda wildcards: setting(
            TRANSFER.models, "joint model", wildcards.model
        ).model_dump(),
        preset=lambda wildcards: STUDY.config.optimise.presets[
            TRANSFER.models[wildcards.model].preset
        ].model_dump(),
        table_limit_mib=LIMITS.table_mib,
        memo_mib=LIMITS.memo_mib,
    script:
        "../scripts/join_games.py"


rule transfer_weights:
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
        code=code_of("transfer_weights.py"),
        models=[*PAPER_MODELS, *(model for model in JOINT for _ in JOINT[model])],
        games=TRANSFER.games,
        openings=TRANSFER.openings,
        table_limit_mib=LIMITS.table_mib,
        png_scale=PNG_SCALE,
    script:
        "../scripts/transfer_weights.py"
