"""Game trees: one job grows all policies of a game."""


rule trees:
    input:
        [trees_of(game, suffix) for game in GAMES for suffix in (".parquet", ".txt")],


for game in GAMES:

    rule:
        name:
            f"grow_trees_{game.replace('-', '_')}"
        input:
            game=f"results/games/{game}/game.npz",
            published=published_files("weights"),
            code=code_of("grow_trees.py"),
        output:
            trees=trees_of(game, ".parquet"),
            texts=trees_of(game, ".txt"),
        log:
            f"logs/grow_trees/{game}.log",
        group:
            "trees"
        conda:
            "../../envs/environment.yaml"
        threads: 1
        resources:
            mem_mb=by_try(1000),
            runtime=by_try(20),
        params:
            policies=list(STUDY.policies[game].values()),
        script:
            "../scripts/grow_trees.py"
