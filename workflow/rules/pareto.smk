rule pareto:
    """The frontier of mean against maximum: one job grows all policies of a game's sweep."""
    input:
        tables(*TABLES["pareto"]),
        charts(*CHARTS["pareto"]),


rule sweep_policies:
    "Grow all policies of a game's sweep in one batch, and tabulate their results."
    input:
        game="results/games/{game}/game.npz",
        populations=lambda wildcards: seed_files(
            wildcards.game, MODELS.get(wildcards.game, {}), ".population.npz"
        ),
    output:
        policies="results/pareto/{game}/policies.parquet",
    log:
        "logs/sweep_policies/{game}.log",
    benchmark:
        "results/resources/sweep_policies/{game}.tsv"
    priority: 100
    group:
        "found"
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=by_try(20),
    params:
        code=code.sweep_policies,
        models=lambda wildcards: [
            name
            for name, model in MODELS.get(wildcards.game, {}).items()
            for _ in model.seeds
        ],
        orders=lambda wildcards: setting(SWEEPS, "game", wildcards.game).orders.numbers,
        shares=lambda wildcards: setting(SWEEPS, "game", wildcards.game).shares.numbers,
        openings=lambda wildcards: setting(SWEEPS, "game", wildcards.game).openings,
        guess_pools=lambda wildcards: setting(
            SWEEPS, "game", wildcards.game
        ).guess_pools,
        individuals=lambda wildcards: setting(
            SWEEPS, "game", wildcards.game
        ).individuals,
        memo_mib=memo_of,
    script:
        "../scripts/sweep_policies.py"


rule draw_frontier:
    "Tabulate and draw the frontier of a game's strategies by mean and maximum."
    input:
        sweep="results/pareto/{game}/policies.parquet",
        strategies="results/metrics/strategies.parquet",
        players=lambda wildcards: [
            path for path in RANDOM_CONSISTENT if f"/{wildcards.game}/" in path
        ],
        contests=["results/tables/players.csv"] if CONTESTS else [],
    output:
        tables=tabled("strategies", "pareto-{game}"),
        families="results/tables/pareto-families-{game}.csv",
        figures=drawn("strategies", "pareto-{game}", suffix=".png"),
    log:
        "logs/draw_frontier/{game}.log",
    params:
        code=code.draw_frontier,
        png_scale=PNG_SCALE,
    script:
        "../scripts/render_report.py"
