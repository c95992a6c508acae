from codebreaker.policies.criterion import TIE_TOLERANCE_BITS

PROVEN = [
    WORKFLOW.parent / "resources" / "proofs" / f"{PAPERS_GAME}{limit}.json"
    for limit in ("", "_max-5")
    if PAPERS_GAME in {**GUIDED, **BOUNDS}
]
TRUSTED = ["--trust=optimum", "--trust=regrets"]


def conditions_of(game, name, model):
    """Return the conditions of a model's bound, as its checker compares them."""
    told = {"game": game, "model": name, "margin_bits": TIE_TOLERANCE_BITS}
    told |= {
        key: vars(model).get(key) for key in ("opening", "guess_limit", "low", "high")
    }
    return " ".join(f"{key}={value}" for key, value in told.items())


def bounds_options(wildcards, input):
    """Return the claims for the checker of bounds, and each bound's conditions."""
    claimed = [
        f"--claimed={conditions_of(game, name, model)}"
        for models in (GUIDED, BOUNDS)
        for game in models
        for name, model in models[game].items()
    ]
    return [*(f"--claims={path}" for path in input.claims), *TRUSTED, *claimed]


rule guided:
    "Weights guided by the exact cost-to-go, with proven bounds."
    input:
        each("results/weights/{game}/{name}/guided.json", GUIDED),
        "results/exact/checked-bounds.csv",


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
        memo_mib=LIMITS.memo_mib,
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
        memo_mib=LIMITS.memo_mib,
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
        contents=contents(local_all(PROVEN)),
        options=bounds_options,
    shell:
        "{sys.executable:q} {WORKFLOW:q}/checkers/check_bounds.py {input.bounds:q}"
        " {params.options:q} --table {output.checked} > {log}"
