JOBS |= {
    "grow_tree": by_game("policy", TREES),
    "certify_tree": by_game("policy", CERTIFIED),
    "measure_scaling": by("game", SCALED),
    "draw_scaling": once(SCALED),
    "cite_larger_games": once(SCALED),
}


rule grow_tree:
    "Grow the game tree of a strategy, and write it as a table and as text."
    input:
        game="results/games/{game}/game.npz",
        compiled=compiled("trees"),
        published=published_weights,
        found=found_weights,
    output:
        tree="results/trees/{game}/{policy}.parquet",
        text="results/trees/{game}/{policy}.txt",
        effort=effort("grow_tree/{game}/{policy}"),
    log:
        "logs/grow_tree/{game}/{policy}.log",
    priority: 30
    group:
        "trees"
    resources:
        mem_mb=by_try(2000),
        runtime=by_try(60),
    params:
        *code("grow_tree"),
        **settings(
            strategy=strategy_settings,
            contents=lambda wildcards: contents_of(*published_weights(wildcards)),
        ),
    script:
        "../scripts/grow_tree.py"


rule certify_tree:
    "Write the certificate of a large tree, for the checker that plays every secret."
    input:
        game="results/games/{game}/game.npz",
        tree=lambda wildcards: tree_file(wildcards.game, wildcards.policy),
    output:
        certificate="results/certificates/{game}/{policy}.json",
        effort=effort("certify_tree/{game}/{policy}"),
    log:
        "logs/certify_tree/{game}/{policy}.log",
    group:
        "trees"
    resources:
        mem_mb=by_try(1000),
        runtime=by_try(10),
    params:
        *code("certify_tree"),
    script:
        "../scripts/certify_tree.py"


rule measure_scaling:
    "Grow a game's trees with feedback on demand, and measure time, memory and guesses."
    output:
        measured="results/scaling/{game}.csv",
        effort=effort("measure_scaling/{game}"),
    log:
        "logs/measure_scaling/{game}.log",
    group:
        "scaling"
    resources:
        mem_mb=by_try(2000),
        runtime=by_try(60),
    params:
        *code("measure_scaling"),
        **settings(policies=STUDY.config.scaling.policies),
    script:
        "../scripts/measure_scaling.py"


rule draw_scaling:
    "Tabulate and draw time, memory and guesses by the number of codes."
    input:
        measured=expand("results/scaling/{game}.csv", game=SCALED),
    output:
        tables=tabled("scaling", "scaling"),
        figures=drawn("scaling", "scaling"),
        effort=effort("draw_scaling"),
    log:
        "logs/draw_scaling.log",
    localrule: True
    params:
        *code("draw_scaling"),
        **settings(png_scale=PNG_SCALE),
    script:
        "../scripts/draw_scaling.py"


LARGER_GAMES = resource("larger-games/sampled.csv")


rule cite_larger_games:
    "Cite the recorded games of the strategy `sampled`, and draw time, memory and guesses."
    input:
        recorded=LARGER_GAMES,
    output:
        tables=tabled("scaling", "larger-games"),
        figures=drawn("scaling", "larger-games"),
        effort=effort("cite_larger_games"),
    log:
        "logs/cite_larger_games.log",
    localrule: True
    params:
        *code("cite_larger_games"),
        *contents_of(LARGER_GAMES),
        **settings(png_scale=PNG_SCALE),
    script:
        "../scripts/cite_larger_games.py"


rule trees:
    "Game trees: of the study's policies, and of the weights that it finds."
    input:
        made(
            "grow_tree",
        ),


rule scaling:
    "Scaling: trees of larger and larger games, timed, and games too large for trees."
    input:
        made(
            "measure_scaling",
            "draw_scaling",
            "cite_larger_games",
        ),
