rule evaluate:
    "Evaluation: the strategies' metrics, and the sources' claims."
    input:
        "results/metrics/strategies.csv",
        "results/discrepancies.csv",
        "results/discrepancies-checked.txt",
        tables(*TABLES["evaluate"]),


rule summarise_strategies:
    "Tabulate the metrics of all game trees, one row per strategy."
    input:
        trees=[
            *trees_of(GAMES, optimal=True),
            *trees_of([game for game in FOUND if game not in GAMES]),
        ],
        priors=expand("results/games/{game}/game.npz", game=WITH_PRIOR),
    output:
        strategies="results/metrics/strategies.parquet",
        text=shown("results/metrics/strategies.csv", "Tables", "strategies"),
    log:
        "logs/summarise_strategies.log",
    params:
        code=code.summarise_strategies,
    script:
        "../scripts/summarise_strategies.py"


rule compute_quantities:
    "Compute the quantities that only the texts of the sources mention, not their tables."
    input:
        game=f"results/games/{PAPERS_GAME}/game.npz",
        strategies="results/metrics/strategies.parquet",
    output:
        tables=tabled("sources", "source-quantities"),
    log:
        "logs/compute_quantities.log",
    params:
        code=code.compute_quantities,
    script:
        "../scripts/render_report.py"


rule check_sources:
    "Judge the sources' claims by the computed results, and write the verdicts."
    input:
        results=CLAIMED,
        published=published_files("published"),
    output:
        discrepancies=shown("results/discrepancies.csv", "Tables", "sources"),
    log:
        "logs/check_sources.log",
    params:
        code=code.check_sources,
        contents=contents(published_files("published")),
    script:
        "../scripts/check_sources.py"


rule check_claims:
    "Judge the sources' claims again, deliberately without the package."
    input:
        results=CLAIMED,
        claims="results/discrepancies.csv",
    output:
        checked="results/discrepancies-checked.txt",
    log:
        "logs/check_claims.log",
    params:
        code=checked_by("check_claims"),
        program=program("check_claims"),
    shell:
        "{params.program:q} {input.claims:q} > {output.checked} 2> {log}"
        " && cp {output.checked} {log}"
