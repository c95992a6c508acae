"""Evaluation: the strategies' metrics, and the sources' claims."""


localrules:
    summarise_strategies,
    check_sources,


rule evaluate:
    input:
        "results/metrics/strategies.csv",
        "results/discrepancies.csv",


QUOTED += ["results/metrics/strategies.csv", "results/discrepancies.csv"]


rule summarise_strategies:
    input:
        trees=[
            *trees_of(GAMES, optimal=True),
            *trees_of([game for game in FOUND if game not in GAMES]),
        ],
    output:
        strategies="results/metrics/strategies.parquet",
        text=shown("results/metrics/strategies.csv", "Tables", "strategies"),
    log:
        "logs/summarise_strategies.log",
    params:
        code=code_of("summarise_strategies.py"),
    script:
        "../scripts/summarise_strategies.py"


rule check_sources:
    input:
        game=f"results/games/{PAPERS_GAME}/game.npz",
        strategies="results/metrics/strategies.parquet",
        random=f"results/players/{PAPERS_GAME}/random-consistent.json",
        tables=[
            f"results/tables/{name}.csv"
            for name in (
                "kooi-2005-table-04",
                "kooi-2005-table-11",
                "gur-2025-table-3",
            )
        ],
        published=published_files(),
    output:
        discrepancies=shown("results/discrepancies.csv", "Tables", "sources"),
    log:
        "logs/check_sources.log",
    params:
        code=code_of("check_sources.py"),
        rules={
            "strategies": "summarise_strategies",
            "optima": "solve_exactly",
            "kooi": "compare_kooi",
            "gur": "compare_gur",
            "random play": "play_random_consistent",
            "checks": "check_sources",
        },
    script:
        "../scripts/check_sources.py"
