# On a GPU one job runs all seeds of a model, as islands of one launch; on a CPU each seed is a job.
if ISLANDS:

    ruleorder: take_seed > optimise_weights

else:

    ruleorder: optimise_weights > take_seed


rule optimise:
    "Optimisation: weights for each model and seed, and the best of a model's seeds."
    input:
        each("results/weights/{game}/{name}/best.json", MODELS),


rule optimise_weights:
    "Search for a model's weights from one seed, or from several as islands."
    input:
        game="results/games/{game}/game.npz",
    output:
        weights="results/weights/{game}/{model}/seed-{seed}.json",
        history="results/weights/{game}/{model}/seed-{seed}.history.parquet",
        speed="results/weights/{game}/{model}/seed-{seed}.speed.parquet",
        population="results/weights/{game}/{model}/seed-{seed}.population.npz",
    log:
        "logs/optimise_weights/{game}/{model}/seed-{seed}.log",
    benchmark:
        "results/resources/optimise_weights/{game}/{model}/seed-{seed}.tsv"
    priority: 80
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=minutes_of_search,
    params:
        code=lambda wildcards: code_of("optimise_weights", model_of(wildcards).criteria),
        search=search_of,
        seeds=lambda wildcards: [int(wildcards.seed)],
        backend="cpu",
        memo_mib=memo_of,
    script:
        "../scripts/optimise_weights.py"


rule optimise_islands:
    "Search for a model's weights from one seed, or from several as islands."
    input:
        game="results/games/{game}/game.npz",
    output:
        islands=temp(directory("results/weights/{game}/{model}/islands")),
    log:
        "logs/optimise_islands/{game}/{model}.log",
    benchmark:
        "results/resources/optimise_islands/{game}/{model}.tsv"
    priority: 80
    resources:
        gpu=1,
        mem_mb=by_try(SEARCH_MB),
        runtime=lambda wildcards, attempt: minutes_of_search(
            wildcards, attempt, len(model_of(wildcards).seeds)
        ),
    params:
        code=lambda wildcards: code_of("optimise_weights", model_of(wildcards).criteria),
        search=search_of,
        seeds=lambda wildcards: model_of(wildcards).seeds,
        backend=STUDY.config.optimise.backend,
        memo_mib=memo_of,
    script:
        "../scripts/optimise_weights.py"


rule take_seed:
    "Take a seed's files from the islands of its model."
    input:
        islands="results/weights/{game}/{model}/islands",
    output:
        weights="results/weights/{game}/{model}/seed-{seed}.json",
        history="results/weights/{game}/{model}/seed-{seed}.history.parquet",
        speed="results/weights/{game}/{model}/seed-{seed}.speed.parquet",
        population="results/weights/{game}/{model}/seed-{seed}.population.npz",
    log:
        "logs/take_seed/{game}/{model}/seed-{seed}.log",
    shell:
        "cp {input.islands}/seed-{wildcards.seed}.* $(dirname {output.weights}) 2> {log}"


rule select_weights:
    "Select the best weights among a model's seeds."
    input:
        found=lambda wildcards: seed_files(wildcards.game, [wildcards.model], ".json"),
    output:
        best="results/weights/{game}/{model}/best.json",
    log:
        "logs/select_weights/{game}/{model}.log",
    params:
        code=code.select_weights,
    script:
        "../scripts/select_weights.py"
