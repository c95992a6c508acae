"""The report: tables, figures and the guide to the results."""

KOOI_TABLES = [f"results/tables/kooi-2005-table-{n:02}" for n in range(1, 13)]
GUR_TABLES = [f"results/tables/gur-2025-table-{n}" for n in (1, 3, 4)]


REPORTED = [
    "results/README.md",
    "results/metrics/strategies.csv",
    "results/discrepancies.csv",
    "results/exact/checked.csv",
    *multiext_all(
        [
            *KOOI_TABLES,
            *GUR_TABLES,
            *(WEIGHT_TABLES if PAPER_MODELS else []),
            *(["results/tables/entropy-families"] if COMPARED else []),
            *(["results/tables/move-costs"] if PRICED else []),
            *(["results/tables/players"] if CONTESTS else []),
            *(["results/tables/scaling"] if STUDY.config.scaling.games else []),
            *[f"results/tables/pareto-{game}" for game in SWEEPS],
            "results/tables/exact-optima",
            "results/tables/machine",
            "results/tables/terminals",
        ],
        ".csv",
        ".md",
    ),
    *[f"results/tables/pareto-families-{game}.csv" for game in SWEEPS],
    *[f"results/pareto/{game}/policies.parquet" for game in SWEEPS],
    *[
        f"results/players/{game}/random-consistent.json"
        for game in STUDY.config.players.random_consistent
    ],
    *(["results/tables/players-significance.csv"] if CONTESTS else []),
    *[f"results/weights/{PAPERS_GAME}/{model}/best.json" for model in PAPER_MODELS],
    *[path for game in GUIDED for path in guided_files(game, "guided.json")],
    *(["results/exact/checked-bounds.csv"] if GUIDED else []),
    *(["results/certificates/checked.csv"] if UNTABLED else []),
]
"""What the report may read; a study without some of these files has a shorter report."""

PICTURES = [
    spec.removesuffix(".json") + suffix
    for spec in chart_specs()
    for suffix in (".svg", ".png", ".json")
]


localrules:
    compare_kooi,
    compare_gur,
    draw_figures,
    describe_results,
    describe_machine,
    write_report,


rule report:
    input:
        multiext_all(KOOI_TABLES + GUR_TABLES, ".csv", ".md"),
        charts(*FIGURES),
        "results/README.md",
        "results/report.md",
        "results/report.html",
        "results/facts.csv",


rule compare_kooi:
    input:
        two_pegs="results/games/mm-2-4/game.npz",
        game=f"results/games/{PAPERS_GAME}/game.npz",
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


rule describe_machine:
    input:
        pins=local_all([Path(workflow.basedir) / "envs" / "environment.yaml"]),
        code=code_of("describe_machine.py"),
    output:
        tables=multiext("results/tables/machine", ".csv", ".md"),
    log:
        "logs/describe_machine.log",
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/describe_machine.py"


rule write_report:
    input:
        results=REPORTED,
        figures=PICTURES,
        templates=templates(),
        code=code_of("write_report.py"),
    output:
        report="results/report.md",
        page="results/report.html",
        facts="results/facts.csv",
    log:
        "logs/write_report.log",
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/write_report.py"
