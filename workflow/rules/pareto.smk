"""The frontier of mean against maximum: one job grows all policies of a game's sweep."""


localrules:
    draw_frontier,


rule pareto:
    input:
        [f"results/tables/pareto-{game}.md" for game in SWEEPS],


for game, sweep in SWEEPS.items():

    rule:
        name:
            f"sweep_policies_{game}".replace("-", "_")
        input:
            game=f"results/games/{game}/game.npz",
            populations=[
                path
                for name, model in MODELS.get(game, {}).items()
                for path in seed_files(game, name, model.seeds, ".population.npz")
            ],
            code=code_of("sweep_policies.py"),
        output:
            policies=f"results/pareto/{game}/policies.parquet",
        log:
            f"logs/sweep_policies/{game}.log",
        group:
            "found"
        conda:
            "../../envs/environment.yaml"
        threads: 2
        resources:
            mem_mb=by_try(1000 + MEMO_MIB),
            runtime=by_try(20),
        params:
            models=[
                name
                for name, model in MODELS.get(game, {}).items()
                for _ in model.seeds
            ],
            orders=sweep.orders.numbers,
            shares=sweep.shares.numbers,
            openings=sweep.openings,
            guess_pools=sweep.guess_pools,
            individuals=sweep.individuals,
            memo_mib=STUDY.config.limits.memo_mib,
        script:
            "../scripts/sweep_policies.py"


rule draw_frontier:
    input:
        sweep="results/pareto/{game}/policies.parquet",
        strategies="results/metrics/strategies.parquet",
        players=lambda wildcards: [
            f"results/players/{wildcards.game}/random-consistent.json"
            for game in STUDY.config.players.random_consistent
            if game == wildcards.game
        ],
        contests=["results/tables/players.csv"] if CONTESTS else [],
        code=code_of("draw_frontier.py"),
    output:
        tables=tabled("strategies", "results/tables/pareto-{game}"),
        families="results/tables/pareto-families-{game}.csv",
        figures=drawn("strategies", "pareto-{game}", "orders-{game}", suffix=".png"),
    log:
        "logs/draw_frontier/{game}.log",
    conda:
        "../../envs/environment.yaml"
    params:
        png_scale=STUDY.config.figures.png_scale,
    script:
        "../scripts/draw_frontier.py"
