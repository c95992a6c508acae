rule roll_out:
    "Improve a policy by rollout, and write its tree as a table and as text."
    input:
        game="results/games/{game}/game.npz",
        published=published_weights,
        smaller=smaller_tree,
    output:
        tree="results/rollout/{game}/{rollout}.parquet",
        text="results/rollout/{game}/{rollout}.txt",
        effort=effort("roll_out/{game}/{rollout}"),
    log:
        "logs/roll_out/{game}/{rollout}.log",
    priority: 50
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=by_try(60),
    params:
        *code("roll_out"),
        **settings(
            contents=lambda wildcards: contents_of(
                *published_weights(wildcards), *smaller_tree(wildcards)
            ),
            rollout=lambda wildcards: rollout_of(wildcards).settings,
        ),
        version=version("roll_out"),
        memo_mib=memo_of,
    script:
        "../scripts/roll_out.py"


rule bound_totals:
    "Bound the total of any strategy for a game, by opening."
    input:
        game=lambda wildcards: when(
            wildcards.game in BOUND_GOALS,
            f"results/games/{wildcards.game}/game.npz",
        ),
        compiled=lambda wildcards: when(
            wildcards.game in BOUND_GOALS, f"{UNSEEN}/compiled/search"
        ),
    output:
        bounds="results/best-known/{game}.bounds.csv",
        effort=effort("bound_totals/{game}"),
    log:
        "logs/bound_totals/{game}.log",
    group:
        "best-known"
    resources:
        mem_mb=by_try(2000),
        runtime=by_try(20),
    params:
        *code("bound_totals"),
        **settings(goal=lambda wildcards: BOUND_GOALS.get(wildcards.game, 0)),
        memo_mib=memo_of,
    script:
        "../scripts/bound_totals.py"


rule select_record:
    "Select a game's best tree, and write its gap to the proven bound."
    input:
        trees=trees_of,
        costs=costs_of,
        certificates=proofs_of,
        bounds=lambda wildcards: when(
            wildcards.game in ROLLOUTS,
            f"results/best-known/{wildcards.game}.bounds.csv",
        ),
    output:
        best="results/best-known/{game}.csv",
        effort=effort("select_record/{game}"),
    log:
        "logs/select_record/{game}.log",
    localrule: True
    params:
        *code("select_record"),
        **settings(methods=methods_of),
    script:
        "../scripts/select_record.py"
