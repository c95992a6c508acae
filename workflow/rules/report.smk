"""The report: tables, figures and the guide to the results."""

KOOI_TABLES = [f"results/tables/kooi-2005-table-{n:02}" for n in range(1, 13)]
GUR_TABLES = [f"results/tables/gur-2025-table-{n}" for n in (1, 3, 4)]


localrules:
    compare_kooi,
    compare_gur,
    draw_figures,
    describe_results,


rule report:
    input:
        multiext_all(KOOI_TABLES + GUR_TABLES, ".csv", ".md"),
        charts(*FIGURES),
        "results/README.md",


rule compare_kooi:
    input:
        two_pegs="results/games/mm-2-4/game.npz",
        game="results/games/mm-4-6/game.npz",
        strategies="results/metrics/strategies.parquet",
        published=published_files(),
        code=code_of("compare_kooi.py"),
    output:
        tables=tabled("sources", *KOOI_TABLES),
    log:
        "logs/compare_kooi.log",
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/compare_kooi.py"


rule compare_gur:
    input:
        strategies="results/metrics/strategies.parquet",
        published=published_files(),
        code=code_of("compare_gur.py"),
    output:
        tables=tabled("sources", *GUR_TABLES),
    log:
        "logs/compare_gur.log",
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/compare_gur.py"


rule draw_figures:
    input:
        strategies="results/metrics/strategies.parquet",
        published=published_files(),
        code=code_of("draw_figures.py"),
    output:
        figures=drawn("strategies", *FIGURES),
    log:
        "logs/draw_figures.log",
    conda:
        "../../envs/environment.yaml"
    params:
        png_scale=STUDY.config.figures.png_scale,
    script:
        "../scripts/draw_figures.py"


rule describe_results:
    input:
        strategies="results/metrics/strategies.parquet",
        discrepancies="results/discrepancies.csv",
        players=["results/tables/players.csv"] if CONTESTS else [],
        code=code_of("describe_results.py"),
    output:
        guide="results/README.md",
    log:
        "logs/describe_results.log",
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/describe_results.py"
