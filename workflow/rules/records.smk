rule records:
    """Records: a game's best tree, a bound for all its strategies, and its first guesses."""
    input:
        expand("results/best-known/{game}.csv", game=BEST_KNOWN),
        expand("results/best-known/{game}.first-guesses.csv", game=FIRST_GUESSES),
        each(
            "results/certificates/{game}/{name}.json",
            {game: ROLLOUTS.get(game, {}) for game in BEST_KNOWN},
        ),


rule bound_totals:
    "Bound the total of any strategy for a game, by opening."
    output:
        bounds="results/best-known/{game}.bounds.csv",
    log:
        "logs/bound_totals/{game}.log",
    benchmark:
        "results/resources/bound_totals/{game}.tsv"
    group:
        "best-known"
    resources:
        mem_mb=by_try(2000),
        runtime=by_try(20),
    params:
        code=code.bound_totals,
    script:
        "../scripts/bound_totals.py"


rule compare_first_guesses:
    "Compare the first guesses of a game, each followed by the classic policies."
    output:
        compared="results/best-known/{game}.first-guesses.csv",
    log:
        "logs/compare_first_guesses/{game}.log",
    benchmark:
        "results/resources/compare_first_guesses/{game}.tsv"
    group:
        "best-known"
    resources:
        mem_mb=by_try(2000),
        runtime=by_try(60),
    params:
        code=code_of("compare_first_guesses", STUDY.config.best_known.policies),
        policies=STUDY.config.best_known.policies,
    script:
        "../scripts/compare_first_guesses.py"


rule select_best_known:
    "Select a game's best tree, and write its gap to the proven bound."
    input:
        trees=lambda wildcards: [
            tree_file(wildcards.game, name)
            for name in setting(BEST_KNOWN, "game", wildcards.game)
        ],
        costs=lambda wildcards: [
            cost_of(wildcards.game, name)
            for name in setting(BEST_KNOWN, "game", wildcards.game)
        ],
        certificates=lambda wildcards: each(
            "results/exact/{game}/{name}.json",
            {
                wildcards.game: [
                    name
                    for name in setting(BEST_KNOWN, "game", wildcards.game)
                    if name in TARGETS.get(wildcards.game, {})
                ]
            },
        ),
        bounds=lambda wildcards: (
            [f"results/best-known/{wildcards.game}.bounds.csv"]
            if wildcards.game in ROLLOUTS
            else []
        ),
    output:
        best="results/best-known/{game}.csv",
    log:
        "logs/select_best_known/{game}.log",
    params:
        code=code.select_best_known,
        rollouts=lambda wildcards: ROLLOUTS.get(wildcards.game, {}),
    script:
        "../scripts/select_best_known.py"
