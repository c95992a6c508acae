"""Weights guided by the exact cost-to-go: one job per game, whose models share compiled code."""


localrules:
    check_bounds,


rule guided:
    input:
        [path for game in GUIDED for path in guided_files(game, "guided.json")],
        "results/exact/checked-bounds.csv",


for game, models in GUIDED.items():

    rule:
        name:
            f"guide_weights_{game}".replace("-", "_")
        input:
            game=f"results/games/{game}/game.npz",
            code=code_of("guide_weights.py"),
        output:
            weights=guided_files(game, "guided.json"),
            bounds=guided_files(game, "bound.json"),
        log:
            f"logs/guide_weights/{game}.log",
        conda:
            "../../envs/environment.yaml"
        threads: 1
        resources:
            mem_mb=by_try(1000 + MEMO_MIB),
            runtime=by_try(30),
        params:
            models={name: model.model_dump() for name, model in models.items()},
            memo_mib=STUDY.config.limits.memo_mib,
        script:
            "../scripts/guide_weights.py"


rule check_bounds:
    input:
        bounds=[path for game in GUIDED for path in guided_files(game, "bound.json")],
    output:
        checked="results/exact/checked-bounds.csv",
    log:
        "logs/check_bounds.log",
    conda:
        "../../envs/environment.yaml"
    script:
        "../checkers/check_bounds.py"
