"""Best known strategies of many games, cited as records.smk and config/best-known.yaml found them."""


localrules:
    cite_best_known,


RECORDED = WORKFLOW.parent / "resources" / "best-known"


rule best_known:
    input:
        tables("best-known", "first-guesses"),
        charts("best-known"),


CHARTS += ["best-known"]
QUOTED += tables("best-known", "first-guesses")


rule cite_best_known:
    input:
        best=local_all([RECORDED / "best-known.csv"])[0],
        first_guesses=local_all([RECORDED / "first-guesses.csv"])[0],
    output:
        best=tabled("strategies", "best-known"),
        first_guesses=tabled("strategies", "first-guesses"),
        figures=drawn("strategies", "best-known"),
    log:
        "logs/cite_best_known.log",
    params:
        code=code_of("cite_best_known.py"),
        png_scale=PNG_SCALE,
    script:
        "../scripts/cite_best_known.py"
