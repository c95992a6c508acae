rule trees:
    "Game trees: of the study's policies, and of the weights that it finds."
    input:
        each("results/trees/{game}/{name}.parquet", TREES),
        each("results/trees/{game}/{name}.txt", TREES),


rule grow_trees:
    "Grow the game trees of the study's policies that are missing or out of date."
    input:
        games=expand("results/games/{game}/game.npz", game=GAMES),
        published=published_weights(),
    output:
        trees=updated("results/trees/{game}/{name}.parquet", STUDY.policies),
        texts=updated("results/trees/{game}/{name}.txt", STUDY.policies),
    log:
        "logs/grow_trees.log",
    benchmark:
        "results/resources/grow_trees.tsv"
    priority: 30
    threads: 4
    resources:
        mem_mb=by_try(2000),
        runtime=by_try(60),
    params:
        trees=[
            tree_to_grow(game, name) for game in GAMES for name in STUDY.policies[game]
        ],
        contents=contents(published_weights()),
    script:
        "../scripts/grow_trees.py"


rule grow_found_trees:
    "Grow the game trees of the weights that the study finds."
    input:
        games=expand("results/games/{game}/game.npz", game=FOUND_POLICIES),
        found=[
            weights_of(game, model)
            for game in FOUND_POLICIES
            for model in FOUND_POLICIES[game].values()
        ],
    output:
        trees=updated("results/trees/{game}/{name}.parquet", FOUND_POLICIES),
        texts=updated("results/trees/{game}/{name}.txt", FOUND_POLICIES),
    log:
        "logs/grow_found_trees.log",
    benchmark:
        "results/resources/grow_found_trees.tsv"
    threads: 4
    resources:
        mem_mb=by_try(2000),
        runtime=by_try(60),
    params:
        trees=[
            tree_to_grow(game, name)
            for game in FOUND_POLICIES
            for name in FOUND_POLICIES[game]
        ],
    script:
        "../scripts/grow_trees.py"
