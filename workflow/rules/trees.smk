rule trees:
    "Game trees: of the study's policies, and of the weights that it finds."
    input:
        each("results/trees/{game}/{name}.parquet", TREES),
        each("results/trees/{game}/{name}.txt", TREES),


rule grow_tree:
    "Grow the game tree of a policy or of found weights."
    input:
        game="results/games/{game}/game.npz",
        weights=lambda wildcards: (
            [weights_of(wildcards.game, found_model(wildcards))]
            if found_model(wildcards)
            else []
        ),
        published=weights_files,
    output:
        tree="results/trees/{game}/{policy}.parquet",
        text="results/trees/{game}/{policy}.txt",
    log:
        "logs/grow_tree/{game}/{policy}.log",
    benchmark:
        "results/resources/grow_tree/{game}/{policy}.tsv"
    group:
        lambda wildcards: "found" if found_model(wildcards) else "trees"
    resources:
        mem_mb=by_try(1000),
        runtime=by_try(10),
    params:
        code=code_of_tree,
        policy=policy_of,
        model=found_model,
    script:
        "../scripts/grow_tree.py"
