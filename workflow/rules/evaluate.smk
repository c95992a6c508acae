JOBS |= {
    "summarise_game": by("game", SUMMARISED),
    "summarise_strategies": once(True),
    "sweep_policies": by("game", SWEEPS),
    "draw_frontier": by("game", SWEEPS),
    "compare_first_guesses": by("game", FIRST_GUESSES),
    "select_best_known": by("game", BEST_KNOWN),
    "cite_best_known": once(True),
}


rule summarise_game:
    "Tabulate the metrics of a game's trees, one row per strategy."
    input:
        trees=lambda wildcards: trees_of(wildcards.game),
        prior=lambda wildcards: when(
            STUDY.games.prior_of(wildcards.game),
            f"results/games/{wildcards.game}/game.npz",
        ),
    output:
        strategies="results/metrics/{game}.parquet",
        effort=effort("summarise_game/{game}"),
    log:
        "logs/summarise_game/{game}.log",
    localrule: True
    params:
        *code("summarise_game"),
    script:
        "../scripts/summarise_game.py"


rule summarise_strategies:
    "Join the metrics of all games."
    input:
        games=expand("results/metrics/{game}.parquet", game=SUMMARISED),
    output:
        strategies="results/metrics/strategies.parquet",
        text=shown("results/metrics/strategies.csv", "Tables", "strategies"),
        effort=effort("summarise_strategies"),
    log:
        "logs/summarise_strategies.log",
    localrule: True
    params:
        *code("summarise_strategies"),
    script:
        "../scripts/summarise_strategies.py"


rule sweep_policies:
    "Grow all policies of a game's sweep, and tabulate their results."
    input:
        game="results/games/{game}/game.npz",
        compiled=compiled("trees"),
        populations=lambda wildcards: seed_files(
            wildcards.game, MODELS.get(wildcards.game, {}), ".population.npz"
        ),
    output:
        policies="results/pareto/{game}/policies.parquet",
        effort=effort("sweep_policies/{game}"),
    log:
        "logs/sweep_policies/{game}.log",
    priority: 100
    group:
        "trees"
    resources:
        mem_mb=by_try(1000),
        runtime=by_try(20),
    params:
        *code("sweep_policies"),
        **settings(
            models=lambda wildcards: [
                name
                for name, model in MODELS.get(wildcards.game, {}).items()
                for _ in model.seeds
            ],
            orders=lambda wildcards: sweep_of(wildcards).orders.numbers,
            shares=lambda wildcards: sweep_of(wildcards).shares.numbers,
            openings=lambda wildcards: sweep_of(wildcards).openings,
            individuals=lambda wildcards: sweep_of(wildcards).individuals,
        ),
    script:
        "../scripts/sweep_policies.py"


rule draw_frontier:
    "Tabulate and draw the frontier of a game's strategies by mean and maximum."
    input:
        sweep="results/pareto/{game}/policies.parquet",
        strategies="results/metrics/strategies.parquet",
        players=lambda wildcards: when(
            wildcards.game in STUDY.config.players.random_consistent,
            f"results/players/{wildcards.game}/random-consistent.json",
        ),
        contests=when(CONTESTS, "results/tables/players.csv"),
    output:
        tables=tabled("strategies", "pareto-{game}"),
        families="results/tables/pareto-families-{game}.csv",
        figures=drawn("strategies", "pareto-{game}", suffix=".png"),
        effort=effort("draw_frontier/{game}"),
    log:
        "logs/draw_frontier/{game}.log",
    localrule: True
    params:
        *code("draw_frontier"),
        **settings(png_scale=PNG_SCALE),
    script:
        "../scripts/draw_frontier.py"


rule compare_first_guesses:
    "Compare the first guesses of a game, each followed by the classic policies."
    output:
        compared="results/best-known/{game}.first-guesses.csv",
        effort=effort("compare_first_guesses/{game}"),
    log:
        "logs/compare_first_guesses/{game}.log",
    group:
        "best-known"
    resources:
        mem_mb=by_try(2000),
        runtime=by_try(60),
    params:
        *code("compare_first_guesses"),
        **settings(policies=STUDY.config.best_known.policies),
    script:
        "../scripts/compare_first_guesses.py"


rule select_best_known:
    "Select a game's best tree, and write its gap to the proven bound."
    input:
        tree="results/exact/{game}/optimal.parquet",
        cost=effort("solve_exactly/{game}/optimal"),
        certificate="results/exact/{game}/optimal.json",
    output:
        best="results/best-known/{game}.csv",
        effort=effort("select_best_known/{game}"),
    log:
        "logs/select_best_known/{game}.log",
    localrule: True
    params:
        *code("select_best_known"),
    script:
        "../scripts/select_best_known.py"


RECORDED = {
    key: resource(f"best-known/{name}.csv")
    for key, name in (
        ("best", "best-known"),
        ("first_guesses", "first-guesses"),
        ("two_pegs", "two-pegs"),
        ("rollouts", "rollouts"),
    )
}


rule cite_best_known:
    "Cite the recorded best known strategies and first guesses."
    input:
        **RECORDED,
    output:
        best=tabled("strategies", "best-known"),
        first_guesses=tabled("strategies", "first-guesses"),
        two_pegs=tabled("strategies", "two-pegs"),
        rollouts=tabled("strategies", "rollouts"),
        figures=drawn("strategies", "best-known"),
        rollout_figures=drawn("strategies", "rollouts"),
        effort=effort("cite_best_known"),
    log:
        "logs/cite_best_known.log",
    localrule: True
    params:
        *code("cite_best_known"),
        *contents_of(*RECORDED.values()),
        **settings(png_scale=PNG_SCALE),
    script:
        "../scripts/cite_best_known.py"


rule pareto:
    """The frontier of mean against maximum: one job grows all policies of a game's sweep."""
    input:
        made(
            "sweep_policies",
            "draw_frontier",
        ),


rule records:
    """Records: a game's best tree, and its first guesses."""
    input:
        made(
            "select_best_known",
            "compare_first_guesses",
        ),


rule best_known:
    """Best known strategies of many games, cited from resources/best-known."""
    input:
        made(
            "cite_best_known",
        ),
