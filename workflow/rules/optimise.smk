"""Optimisation: weights for each model and seed, the best of the seeds, and their trees."""


localrules:
    select_weights,


rule optimise:
    input:
        [
            found_trees_of(game, suffix)
            for game in FOUND
            for suffix in (".parquet", ".txt")
        ],


for game, name, seeds in seeds_of_jobs():

    rule:
        name:
            f"optimise_{game}_{name}_{seeds[0]}".replace("-", "_")
        input:
            game=f"results/games/{game}/game.npz",
            code=code_of("optimise_weights.py"),
        output:
            weights=seed_files(game, name, seeds, ".json"),
            history=seed_files(game, name, seeds, ".history.parquet"),
            speed=seed_files(game, name, seeds, ".speed.parquet"),
            population=seed_files(game, name, seeds, ".population.npz"),
        log:
            f"logs/optimise_weights/{game}/{name}/seed-{seeds[0]}.log",
        conda:
            "../../envs/environment.yaml"
        threads: STUDY.config.optimise.threads
        resources:
            gpu=GPUS_OF_A_JOB,
            mem_mb=by_try(1000 + MEMO_MIB),
            runtime=by_try(minutes_of_search(game, MODELS[game][name], seeds)),
        params:
            name=name,
            model=MODELS[game][name].model_dump(exclude={"seeds", "orders"}),
            criteria=MODELS[game][name].criteria,
            preset=STUDY.config.optimise.presets[MODELS[game][name].preset].model_dump(),
            seeds=seeds,
            backend=STUDY.config.optimise.backend,
            memo_mib=STUDY.config.limits.memo_mib,
            checkpoints=[f"checkpoints/{game}/{name}/seed-{seed}.npz" for seed in seeds],
        script:
            "../scripts/optimise_weights.py"


if MODELS:

    rule select_weights:
        input:
            found=[
                path
                for game, name, model in all_models()
                for path in seed_files(game, name, model.seeds, ".json")
            ],
            code=code_of("select_weights.py"),
        output:
            best=[
                f"results/weights/{game}/{name}/best.json"
                for game, name, _ in all_models()
            ],
        log:
            "logs/select_weights.log",
        conda:
            "../../envs/environment.yaml"
        params:
            n_seeds=[len(model.seeds) for _, _, model in all_models()],
        script:
            "../scripts/select_weights.py"


for game in FOUND:

    rule:
        name:
            f"grow_found_trees_{game.replace('-', '_')}"
        input:
            game=f"results/games/{game}/game.npz",
            found=list(FOUND[game].values()),
            code=code_of("grow_found_trees.py"),
        output:
            trees=found_trees_of(game, ".parquet"),
            texts=found_trees_of(game, ".txt"),
        log:
            f"logs/grow_found_trees/{game}.log",
        group:
            "found"
        conda:
            "../../envs/environment.yaml"
        threads: 1
        resources:
            mem_mb=by_try(1000),
            runtime=by_try(20),
        params:
            models=list(FOUND[game]),
        script:
            "../scripts/grow_found_trees.py"
