"""The report: tables, figures, what the run cost, and the guide to the results."""


localrules:
    compare_kooi,
    compare_gur,
    draw_figures,
    describe_results,
    describe_machine,
    summarise_resources,
    write_report,


KOOI_TABLES = [f"kooi-2005-table-{n:02}" for n in range(1, 13)]
KOOI_TABLES += ["kooi-2005-footnote-4"]
KOOI_CHARTS = ["kooi-2005-figures-1-3", "kooi-2005-figure-4"]
GUR_SEARCH = [weights_of(PAPERS_GAME, name) for name in PAPER_MODELS if name == "stage"]
GUR_TABLES = [f"gur-2025-table-{n}" for n in (1, 3, 4)]
GUR_TABLES += ["gur-2025-table-2"] if GUR_SEARCH else []
STRATEGY_CHARTS = [
    "profiles",
    "mean-and-maximum",
    "stage-weights",
    "above-the-optimum",
    "records",
]
if "mm-5-8" not in GAMES:
    STRATEGY_CHARTS.remove("records")
SEARCH_SPEEDS = ["resources-searches"] if RUNS else []


rule report:
    input:
        tables(*KOOI_TABLES) if KOOI else [],
        tables(*GUR_TABLES, "gur-2025-deviations") if GUR else [],
        tables("resources", *SEARCH_SPEEDS),
        charts(*STRATEGY_CHARTS) if CHARTED else [],
        charts(*KOOI_CHARTS) if KOOI else [],
        "results/README.md",
        ["results/report.md", "results/report.html", "results/facts.csv"]
        if PAPER
        else [],


CHARTS += STRATEGY_CHARTS if CHARTED else []
CHARTS += KOOI_CHARTS if KOOI else []
QUOTED += tables(*KOOI_TABLES) if KOOI else []
QUOTED += tables(*GUR_TABLES, "gur-2025-deviations") if GUR else []
QUOTED += tables("machine", "resources", *SEARCH_SPEEDS)
QUOTED += ["results/README.md"]


rule compare_kooi:
    input:
        two_pegs="results/games/mm-2-4/game.npz",
        game=f"results/games/{PAPERS_GAME}/game.npz",
        strategies="results/metrics/strategies.parquet",
        published=published_files(),
    output:
        tables=tabled("sources", *KOOI_TABLES),
        figures=drawn("sources", *KOOI_CHARTS),
    log:
        "logs/compare_kooi.log",
    params:
        code=code_of("compare_kooi.py"),
        png_scale=PNG_SCALE,
    script:
        "../scripts/compare_kooi.py"


rule compare_gur:
    input:
        strategies="results/metrics/strategies.parquet",
        found=GUR_SEARCH,
        published=published_files(),
    output:
        tables=tabled("sources", *GUR_TABLES),
        deviations=tabled("sources", "gur-2025-deviations"),
    log:
        "logs/compare_gur.log",
    params:
        code=code_of("compare_gur.py"),
    script:
        "../scripts/compare_gur.py"


rule draw_figures:
    input:
        strategies="results/metrics/strategies.parquet",
        published=published_files(),
    output:
        figures=drawn("strategies", *STRATEGY_CHARTS),
    log:
        "logs/draw_figures.log",
    params:
        code=code_of("draw_figures.py"),
        png_scale=PNG_SCALE,
    script:
        "../scripts/draw_figures.py"


rule describe_results:
    input:
        strategies="results/metrics/strategies.parquet",
        discrepancies="results/discrepancies.csv",
        players=["results/tables/players.csv"] if CONTESTS else [],
        template=local_all([ROOT / "report" / "templates" / "guide.md.j2"]),
    output:
        guide="results/README.md",
    log:
        "logs/describe_results.log",
    params:
        code=code_of("describe_results.py"),
    script:
        "../scripts/describe_results.py"


rule describe_machine:
    input:
        pins=local_all([WORKFLOW.parent / "envs" / "lock.txt"]),
    output:
        tables=tables("machine"),
    log:
        "logs/describe_machine.log",
    params:
        code=code_of("describe_machine.py"),
    script:
        "../scripts/describe_machine.py"


rule summarise_resources:
    input:
        measured=MEASURED,
        speeds=each("results/weights/{game}/{name}.speed.parquet", RUNS),
    output:
        tables=tabled("resources", "resources"),
        searches=tabled("resources", *SEARCH_SPEEDS),
    log:
        "logs/summarise_resources.log",
    params:
        code=code_of("summarise_resources.py"),
    script:
        "../scripts/summarise_resources.py"


rule write_report:
    input:
        results=QUOTED,
        figures=[
            f"results/figures/{name}{suffix}"
            for name in sorted(CHARTS)
            for suffix in (".svg", ".png", ".json")
        ],
        templates=local_all(
            sorted((ROOT / "report" / "templates").rglob("*.*"))
        ),
    output:
        report="results/report.md",
        page="results/report.html",
        facts="results/facts.csv",
    log:
        "logs/write_report.log",
    params:
        code=code_of("write_report.py"),
    script:
        "../scripts/write_report.py"
