VALUES = expand("results/values/{game}.json", game=VALUED)


rule values:
    """Values of games, with checked certificates."""
    input:
        [*VALUES, "results/values/checked.csv"] if VALUED else [],
        tables(*TABLES["values"]),
        charts(*CHARTS["values"]),


rule find_values:
    "Find the values of some games, and write a certificate of each."
    input:
        games=expand("results/games/{game}/game.npz", game=VALUED),
    output:
        values=VALUES,
    log:
        "logs/find_values.log",
    benchmark:
        "results/resources/find_values.tsv"
    priority: 50
    group:
        "exact"
    resources:
        mem_mb=by_try(1000),
        runtime=by_try(20),
    params:
        code=code.find_values,
        # Each tree has a new search, and the first use of a page of its memo takes time.
        memo_mib=64,
    script:
        "../scripts/find_values.py"


rule check_values:
    "Check the values of games, deliberately without the package."
    input:
        values=VALUES,
        words=local_all(path for files in WORD_FILES.values() for path in files),
    output:
        checked="results/values/checked.csv",
    log:
        "logs/check_values.log",
    params:
        code=checked_by("check_values"),
        program=program("check_values"),
        contents=contents(
            local_all(path for files in WORD_FILES.values() for path in files)
        ),
        words=words_options,
    shell:
        "{params.program:q} {input.values:q}"
        " {params.words:q} --table {output.checked} > {log} 2>&1"


rule tabulate_values:
    "Tabulate the values of games with both sides' mixed strategies."
    input:
        values=VALUES,
        checked="results/values/checked.csv",
        recorded=local_all([WORKFLOW.parent / "resources" / "codemaker" / "fair.csv"])[
            0
        ],
    output:
        tables=tabled("strategies", *VALUE_TABLES),
        figures=drawn("strategies", "codemaker-prior") if VALUES_DRAWN else [],
    log:
        "logs/tabulate_values.log",
    params:
        code=code.tabulate_values,
        contents=contents(
            local_all([WORKFLOW.parent / "resources" / "codemaker" / "fair.csv"])
        ),
        png_scale=PNG_SCALE,
    script:
        "../scripts/render_report.py"
