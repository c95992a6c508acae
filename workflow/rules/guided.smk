rule guided:
    "Weights guided by the exact cost-to-go, with proven bounds."
    input:
        each("results/weights/{game}/{name}/guided.json", GUIDED),
        when({**GUIDED, **BOUNDS}, "results/exact/checked-bounds.csv"),


rule guide_weights:
    "Search for a model's weights, guided by the exact cost-to-go."
    input:
        game="results/games/{game}/game.npz",
    output:
        weights="results/weights/{game}/{model}/guided.json",
        bound="results/weights/{game}/{model}/bound.json",
    log:
        "logs/guide_weights/{game}/{model}.log",
    benchmark:
        "results/resources/guide_weights/{game}/{model}.tsv"
    priority: 60
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=by_try(30),
    params:
        code=code.guide_weights,
        model=lambda wildcards: vars(
            setting(GUIDED.get(wildcards.game, {}), "guided model", wildcards.model)
        ),
        memo_mib=memo_of,
    script:
        "../scripts/guide_weights.py"


rule bound_one_row:
    "Prove a bound on one row of weights that serves all turns."
    input:
        game="results/games/{game}/game.npz",
    output:
        bound="results/bounds/{game}/{model}.json",
    log:
        "logs/bound_one_row/{game}/{model}.log",
    benchmark:
        "results/resources/bound_one_row/{game}/{model}.tsv"
    priority: 60
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=by_try(600),
    params:
        code=code.bound_one_row,
        bound=lambda wildcards: setting(
            BOUNDS.get(wildcards.game, {}), "bound", wildcards.model
        ).model_dump(),
        memo_mib=memo_of,
    script:
        "../scripts/bound_one_row.py"


rule check_bounds:
    "Check proofs of bounds on weights, deliberately without the package."
    input:
        bounds=each("results/weights/{game}/{name}/bound.json", GUIDED)
        + each("results/bounds/{game}/{name}.json", BOUNDS),
        claims=local_all(PROVEN),
    output:
        checked="results/exact/checked-bounds.csv",
    log:
        "logs/check_bounds.log",
    params:
        code=checked_by("check_bounds", "check_lower_bound"),
        program=program("check_bounds"),
        contents=contents(local_all(PROVEN)),
        options=bounds_options,
    shell:
        "{params.program:q} {input.bounds:q}"
        " {params.options:q} --table {output.checked} > {log} 2>&1"
