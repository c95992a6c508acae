rule report:
    "The report: tables, figures, resources, and the guide to the results."
    input:
        tables(*TABLES["report"]),
        charts(*CHARTS["report"]),
        "results/README.md",
        ["results/report.md", "results/report.html", "results/facts.csv"]
        if PAPER
        else [],


rule compare_kooi:
    "Write Kooi's tables."
    input:
        two_pegs="results/games/mm-2-4/game.npz",
        game=f"results/games/{PAPERS_GAME}/game.npz",
        strategies="results/metrics/strategies.parquet",
        published=published_files(),
    output:
        tables=tabled("sources", *KOOI_TABLES),
    log:
        "logs/compare_kooi.log",
    params:
        code=code.compare_kooi,
        contents=contents(published_files()),
    script:
        "../scripts/render_report.py"


rule compare_gur:
    "Write Gür's tables."
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
        code=code.compare_gur,
        contents=contents(published_files()),
    script:
        "../scripts/render_report.py"


rule draw_figures:
    "Draw all charts of the table of strategies as SVG, PNG and Vega-Lite."
    input:
        strategies="results/metrics/strategies.parquet",
        published=published_files(),
    output:
        figures=drawn("strategies", *STRATEGY_CHARTS),
    log:
        "logs/draw_figures.log",
    params:
        code=code.draw_figures,
        contents=contents(published_files()),
        png_scale=PNG_SCALE,
    script:
        "../scripts/render_report.py"


rule describe_results:
    "Write the guide to the results."
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
        code=code.describe_results,
        contents=contents(local_all([ROOT / "report" / "templates" / "guide.md.j2"])),
    script:
        "../scripts/describe_results.py"


rule describe_machine:
    "Record the machine and the versions of its software."
    input:
        pins=local_all([WORKFLOW.parent / "envs" / "lock.txt"]),
    output:
        tables=tables("machine"),
    log:
        "logs/describe_machine.log",
    params:
        code=code.describe_machine,
        contents=contents(local_all([WORKFLOW.parent / "envs" / "lock.txt"])),
    script:
        "../scripts/render_report.py"


rule summarise_resources:
    "Tabulate time and memory of each rule, and the speed of the searches for weights."
    input:
        measured=MEASURED,
        speeds=each("results/weights/{game}/{name}.speed.parquet", RUNS),
    output:
        tables=tabled("resources", "resources"),
        searches=tabled("resources", *when(RUNS, "resources-searches")),
    log:
        "logs/summarise_resources.log",
    params:
        code=code.summarise_resources,
    script:
        "../scripts/render_report.py"


rule write_report:
    "Write the report as Markdown and HTML, and the facts that it quotes."
    input:
        results=QUOTED,
        figures=[
            f"results/figures/{name}{suffix}"
            for name in sorted(ALL_CHARTS)
            for suffix in (".svg", ".png", ".json")
        ],
        templates=local_all(sorted((ROOT / "report" / "templates").rglob("*.*"))),
    output:
        report="results/report.md",
        page="results/report.html",
        facts="results/facts.csv",
    log:
        "logs/write_report.log",
    params:
        code=code.write_report,
        contents=contents(
            local_all(sorted((ROOT / "report" / "templates").rglob("*.*")))
        ),
    script:
        "../scripts/write_report.py"
