"""Other codemakers than the usual one, and guesses that are all made before any is answered."""


localrules:
    tabulate_static_sets,


OTHER_CODEMAKERS = STUDY.config.codemaker
LONG_SEARCHES = WORKFLOW.parent / "resources" / "codemaker"
STATIC = OTHER_CODEMAKERS.static if COUNTED else []


rule codemaker:
    input:
        [*tables("static-play"), *charts("static-play")] if STATIC else [],


CHARTS += ["static-play"] if STATIC else []
QUOTED += tables("static-play") if STATIC else []
MEASURED += ["results/resources/find_static_sets.tsv"] if STATIC else []


rule find_static_sets:
    output:
        found="results/exact/static.parquet",
    log:
        "logs/find_static_sets.log",
    benchmark:
        "results/resources/find_static_sets.tsv"
    group:
        "exact"
    resources:
        mem_mb=by_try(1000),
        runtime=by_try(120),
    params:
        code=code_of("find_static_sets.py"),
        games=STATIC,
    script:
        "../scripts/find_static_sets.py"


rule tabulate_static_sets:
    input:
        found="results/exact/static.parquet",
        recorded=local_all([LONG_SEARCHES / "static.csv"])[0],
        rounds="results/exact/rounds.parquet",
    output:
        tables=tabled("strategies", "static-play"),
        figures=drawn("strategies", "static-play"),
    log:
        "logs/tabulate_static_sets.log",
    params:
        code=code_of("tabulate_static_sets.py"),
        png_scale=PNG_SCALE,
    script:
        "../scripts/tabulate_static_sets.py"
