SEEDS = [
    {"game": game, "model": name, "seed": seed}
    for game, models in MODELS.items()
    for name, model in models.items()
    for seed in model.seeds
]
JOBS |= {
    "optimise_weights": [] if ISLANDS else SEEDS,
    "optimise_islands": by_game("model", MODELS) if ISLANDS else [],
    "take_seed": SEEDS if ISLANDS else [],
    "select_weights": by_game("model", MODELS),
    "guide_weights": by_game("model", GUIDED),
    "bound_one_row": by_game("model", BOUNDS),
    "check_bounds": once({**GUIDED, **BOUNDS}),
    "join_games": [
        {"model": name, "held": held}
        for name, model in TRANSFER.models.items()
        for held in model.games
    ],
    "transfer_weights": once(TRANSFER.games),
    "analyse_weights": once(PAPER_MODELS),
    "draw_weights": once(PAPER_MODELS),
    "compare_families": once(
        len({model.genes for model in FAMILY_MODELS.values()}) > 1
    ),
    "cite_paper_scale": once(True),
}


# On a GPU one job runs all seeds of a model, as islands of one launch; on a CPU each seed is a job.
if ISLANDS:

    ruleorder: take_seed > optimise_weights

else:

    ruleorder: optimise_weights > take_seed


rule optimise_weights:
    "Search for a model's weights from one seed."
    input:
        game="results/games/{game}/game.npz",
        compiled=compiled("weights"),
    output:
        weights="results/weights/{game}/{model}/seed-{seed}.json",
        history="results/weights/{game}/{model}/seed-{seed}.history.parquet",
        speed="results/weights/{game}/{model}/seed-{seed}.speed.parquet",
        population="results/weights/{game}/{model}/seed-{seed}.population.npz",
        effort=effort("optimise_weights/{game}/{model}/seed-{seed}"),
    log:
        "logs/optimise_weights/{game}/{model}/seed-{seed}.log",
    priority: 80
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=lambda wildcards, attempt: attempt * minutes_of_search(wildcards, 1),
    params:
        *code("optimise_weights"),
        **settings(
            search=search_of,
            seeds=lambda wildcards: [int(wildcards.seed)],
            backend="cpu",
        ),
        version=version("optimise_weights"),
        memo_mib=memo_of,
    script:
        "../scripts/optimise_weights.py"


rule optimise_islands:
    "Search for a model's weights from all seeds, as islands of one launch on a GPU."
    input:
        game="results/games/{game}/game.npz",
    output:
        islands=temp(directory("results/weights/{game}/{model}/islands")),
        effort=effort("optimise_islands/{game}/{model}"),
    log:
        "logs/optimise_islands/{game}/{model}.log",
    priority: 80
    resources:
        gpu=1,
        mem_mb=by_try(SEARCH_MB),
        runtime=lambda wildcards, attempt: attempt
        * minutes_of_search(wildcards, len(model_of(wildcards).seeds)),
    params:
        *code("optimise_weights"),
        **settings(
            search=search_of,
            seeds=lambda wildcards: model_of(wildcards).seeds,
            backend=STUDY.config.optimise.backend,
        ),
        version=version("optimise_weights"),
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
        effort=effort("take_seed/{game}/{model}/seed-{seed}"),
    log:
        "logs/take_seed/{game}/{model}/seed-{seed}.log",
    localrule: True
    params:
        *code("take_seed"),
    script:
        "../scripts/take_seed.py"


rule select_weights:
    "Select the best weights among a model's seeds."
    input:
        found=lambda wildcards: seed_files(wildcards.game, [wildcards.model], ".json"),
    output:
        best="results/weights/{game}/{model}/best.json",
        effort=effort("select_weights/{game}/{model}"),
    log:
        "logs/select_weights/{game}/{model}.log",
    localrule: True
    params:
        *code("select_weights"),
    script:
        "../scripts/select_weights.py"


rule guide_weights:
    "Search for a model's weights, guided by the exact cost-to-go."
    input:
        game="results/games/{game}/game.npz",
        compiled=compiled("search"),
    output:
        weights="results/weights/{game}/{model}/guided.json",
        bound="results/weights/{game}/{model}/bound.json",
        effort=effort("guide_weights/{game}/{model}"),
    log:
        "logs/guide_weights/{game}/{model}.log",
    priority: 60
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=by_try(30),
    params:
        *code("guide_weights"),
        **settings(
            model=lambda wildcards: vars(
                setting(
                    GUIDED.get(wildcards.game, {}), "guided model", wildcards.model
                )
            ),
        ),
        memo_mib=memo_of,
    script:
        "../scripts/guide_weights.py"


rule bound_one_row:
    "Prove a bound on one row of weights that serves all turns."
    input:
        game="results/games/{game}/game.npz",
        compiled=compiled("search"),
    output:
        bound="results/bounds/{game}/{model}.json",
        effort=effort("bound_one_row/{game}/{model}"),
    log:
        "logs/bound_one_row/{game}/{model}.log",
    priority: 60
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=by_try(600),
    params:
        *code("bound_one_row"),
        **settings(
            bound=lambda wildcards: setting(
                BOUNDS.get(wildcards.game, {}), "bound", wildcards.model
            ).model_dump(),
        ),
        memo_mib=memo_of,
    script:
        "../scripts/bound_one_row.py"


PROVEN = [
    resource(f"proofs/{PAPERS_GAME}{limit}.json")
    for limit in ("", "_max-5")
    if PAPERS_GAME in {**GUIDED, **BOUNDS}
]


rule check_bounds:
    "Check proofs of bounds on weights, deliberately without the package."
    input:
        bounds=[
            *each("results/weights/{game}/{name}/bound.json", GUIDED),
            *each("results/bounds/{game}/{name}.json", BOUNDS),
        ],
        claims=PROVEN,
    output:
        checked="results/exact/checked-bounds.csv",
        effort=effort("check_bounds"),
    log:
        "logs/check_bounds.log",
    localrule: True
    params:
        *checker("check_bounds", "weights.smk"),
        *code("check_lower_bound"),
        *contents_of(*PROVEN),
        **settings(
            claims=[f"--claims={path}" for path in PROVEN],
            trusted=TRUSTED,
            claimed=CLAIMED_BOUNDS,
        ),
        program=measured("check_bounds"),
    shell:
        "{params.program:q} {input.bounds:q}"
        " {params.claims:q} {params.trusted:q} {params.claimed:q} --table {output.checked} > {log} 2>&1"


rule join_games:
    "Search for weights for all but one of several games together."
    input:
        compiled=compiled("weights"),
    output:
        weights="results/transfer/{model}/without-{held}.json",
        effort=effort("join_games/{model}/without-{held}"),
    log:
        "logs/join_games/{model}/without-{held}.log",
    priority: 80
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=by_try(120),
    params:
        *code("join_games"),
        **settings(
            model=lambda wildcards: setting(
                TRANSFER.models, "joint model", wildcards.model
            ).model_dump(),
            preset=lambda wildcards: vars(
                STUDY.config.optimise.presets[TRANSFER.models[wildcards.model].preset]
            ),
        ),
        memo_mib=memo_of,
    script:
        "../scripts/join_games.py"


rule transfer_weights:
    "Play weights on games other than the one that they were found for."
    input:
        found=[weights_of(PAPERS_GAME, model) for model in PAPER_MODELS],
        joint=[f"results/transfer/{name}.json" for name in JOINT_MODELS],
        published=published("weights/*.json"),
    output:
        tables=tabled("weights", "weight-transfer"),
        figures=drawn("weights", "weight-transfer"),
        effort=effort("transfer_weights"),
    log:
        "logs/transfer_weights.log",
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=by_try(20),
    params:
        *code("transfer_weights"),
        *contents_of(*published("weights/*.json")),
        **settings(
            models=[
                *PAPER_MODELS,
                *(
                    name
                    for name, model in TRANSFER.models.items()
                    for _ in model.games
                ),
            ],
            games=TRANSFER.games,
            openings=TRANSFER.openings,
            png_scale=PNG_SCALE,
        ),
    script:
        "../scripts/transfer_weights.py"


WEIGHT_TABLES = [
    "deviations",
    "ablation",
    "rounding",
    "seeds",
    "convergence",
    "replayed",
]


rule analyse_weights:
    "Analyse published and found weights."
    input:
        game=f"results/games/{PAPERS_GAME}/game.npz",
        best=[weights_of(PAPERS_GAME, model) for model in PAPER_MODELS],
        found=seed_files(PAPERS_GAME, PAPER_MODELS, ".json"),
        published=published("weights/*.json"),
        runs=resource("paper-scale/runs.jsonl"),
    output:
        **{name: tabled("weights", f"weights-{name}") for name in WEIGHT_TABLES},
        effort=effort("analyse_weights"),
    log:
        "logs/analyse_weights.log",
    localrule: True
    params:
        *code("analyse_weights"),
        *contents_of(*published("weights/*.json"), resource("paper-scale/runs.jsonl")),
        **settings(models=PAPER_MODELS),
    script:
        "../scripts/analyse_weights.py"


rule draw_weights:
    "Draw the charts of weights and of the search for them."
    input:
        ablation="results/tables/weights-ablation.csv",
        found=seed_files(PAPERS_GAME, PAPER_MODELS, ".json"),
        histories=seed_files(PAPERS_GAME, PAPER_MODELS, ".history.parquet"),
    output:
        figures=drawn("weights", "ga-convergence", "turn-ablation"),
        effort=effort("draw_weights"),
    log:
        "logs/draw_weights.log",
    localrule: True
    params:
        *code("draw_weights"),
        **settings(png_scale=PNG_SCALE),
    script:
        "../scripts/draw_weights.py"


rule compare_families:
    "Compare weights, orders of entropies, and both, at equal numbers of evaluations."
    input:
        histories=seed_files(PAPERS_GAME, FAMILY_MODELS, ".history.parquet"),
        found=seed_files(PAPERS_GAME, FAMILY_MODELS, ".json"),
    output:
        tables=tabled("weights", "entropy-families"),
        effort=effort("compare_families"),
    log:
        "logs/compare_families.log",
    localrule: True
    params:
        *code("compare_families"),
        **settings(
            models=[
                name for name, model in FAMILY_MODELS.items() for _ in model.seeds
            ],
            genes=[
                model.genes for model in FAMILY_MODELS.values() for _ in model.seeds
            ],
            populations=[
                STUDY.config.optimise.presets[model.preset].population
                for model in FAMILY_MODELS.values()
                for _ in model.seeds
            ],
        ),
    script:
        "../scripts/compare_families.py"


PAPER_SCALE = sorted((RESOURCES / "paper-scale").glob("*.csv"))


rule cite_paper_scale:
    "Cite the tables of the run at the published scale."
    input:
        tables=packaged(*PAPER_SCALE),
    output:
        tables=[f"results/paper-scale/{path.name}" for path in PAPER_SCALE],
        effort=effort("cite_paper_scale"),
    log:
        "logs/cite_paper_scale.log",
    localrule: True
    params:
        *code("cite_paper_scale"),
        *contents_of(*PAPER_SCALE),
    script:
        "../scripts/cite_paper_scale.py"


rule optimise:
    "Optimisation: weights for each model and seed, and the best of a model's seeds."
    input:
        made(
            "optimise_weights",
            "optimise_islands",
            "take_seed",
            "select_weights",
        ),


rule guided:
    """Weights guided by the exact cost-to-go, with proven bounds."""
    input:
        made(
            "guide_weights",
            "bound_one_row",
            "check_bounds",
        ),


rule weights:
    """The analysis of published and found weights, where the study searches for some on MM(4,6)."""
    input:
        made(
            "analyse_weights",
            "draw_weights",
            "cite_paper_scale",
        ),


rule transfer:
    """Weights on other games, and weights for several games."""
    input:
        made(
            "join_games",
            "transfer_weights",
        ),


rule families:
    "Families of entropies: weights, orders, and both, at equal numbers of evaluations."
    input:
        made(
            "compare_families",
        ),
