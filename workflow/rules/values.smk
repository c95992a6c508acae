"""Values of games: what codemaker and codebreaker can force, with certificates that are checked."""


localrules:
    check_values,
    tabulate_values,


VALUES = expand("results/values/{game}.json", game=VALUED)
VALUE_TABLES = tables(
    "game-values", "codemaker-chances", "codebreaker-mixtures", "fair-trees"
)


rule values:
    input:
        [*VALUES, "results/values/checked.csv", *VALUE_TABLES] if VALUED else [],
        charts("codemaker-chances") if VALUES_DRAWN else [],


CHARTS += ["codemaker-chances"] if VALUES_DRAWN else []
QUOTED += ["results/values/checked.csv", *VALUE_TABLES] if VALUED else []
MEASURED += ["results/resources/find_values.tsv"] if VALUED else []


rule find_values:
    input:
        games=expand("results/games/{game}/game.npz", game=VALUED),
    output:
        values=VALUES,
    log:
        "logs/find_values.log",
    benchmark:
        "results/resources/find_values.tsv"
    group:
        "exact"
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=by_try(20),
    params:
        code=code_of("find_values.py"),
        memo_mib=LIMITS.memo_mib,
    script:
        "../scripts/find_values.py"


rule check_values:
    input:
        values=VALUES,
        words=local_all(path for files in WORD_FILES.values() for path in files),
    output:
        checked="results/values/checked.csv",
    log:
        "logs/check_values.log",
    params:
        code=[
            code_of(f"../checkers/check_{what}.py")
            for what in ("values", "certificates")
        ],
        word_lists={name: len(files) for name, files in WORD_FILES.items()},
    script:
        "../checkers/check_values.py"


rule tabulate_values:
    input:
        values=VALUES,
        checked="results/values/checked.csv",
        recorded=local_all([WORKFLOW.parent / "resources" / "codemaker" / "fair.csv"])[
            0
        ],
    output:
        tables=tabled(
            "strategies",
            "game-values",
            "codemaker-chances",
            "codebreaker-mixtures",
            "fair-trees",
        ),
        figures=drawn("strategies", "codemaker-chances") if VALUES_DRAWN else [],
    log:
        "logs/tabulate_values.log",
    params:
        code=code_of("tabulate_values.py"),
        png_scale=PNG_SCALE,
    script:
        "../scripts/tabulate_values.py"
