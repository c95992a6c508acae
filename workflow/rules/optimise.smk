"""Optimisation: weights by model and seed, the best of the seeds, and their trees."""


rule optimise:
    input:
        [
            found_trees_of(game, suffix)
            for game in MODELS
            for suffix in (".parquet", ".txt")
        ],


rule optimise_weights:
    input:
        game="results/games/{game}/game.npz",
        code=code_of("optimise_weights.py"),
    output:
        weights="results/weights/{game}/{model}/seed-{seed}.json",
        history="results/weights/{game}/{model}/seed-{seed}.history.parquet",
        speed="results/weights/{game}/{model}/seed-{seed}.speed.parquet",
    log:
        "logs/optimise_weights/{game}/{model}/seed-{seed}.log",
    conda:
        "../../envs/environment.yaml"
    threads: STUDY.config.optimise.threads
    resources:
        gpu=GPUS_OF_A_JOB,
    params:
        model=lambda wildcards: model_of(wildcards).model_dump(exclude={"seeds"}),
        preset=lambda wildcards: STUDY.config.optimise.presets[
            model_of(wildcards).preset
        ].model_dump(),
        backend=STUDY.config.optimise.backend,
        memo_mib=STUDY.config.limits.memo_mib,
        checkpoint="checkpoints/{game}/{model}/seed-{seed}.npz",
    script:
        "../scripts/optimise_weights.py"


rule select_weights:
    input:
        found=seed_files,
        code=code_of("select_weights.py"),
    output:
        best="results/weights/{game}/{model}/best.json",
    log:
        "logs/select_weights/{game}/{model}.log",
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/select_weights.py"


for game in MODELS:

    rule:
        name:
            f"grow_found_trees_{game.replace('-', '_')}"
        input:
            game=f"results/games/{game}/game.npz",
            found=[
                f"results/weights/{game}/{model}/best.json" for model in MODELS[game]
            ],
            code=code_of("grow_found_trees.py"),
        output:
            trees=found_trees_of(game, ".parquet"),
            texts=found_trees_of(game, ".txt"),
        log:
            f"logs/grow_found_trees/{game}.log",
        conda:
            "../../envs/environment.yaml"
        params:
            models=list(MODELS[game]),
        script:
            "../scripts/grow_found_trees.py"
