RECORDED = WORKFLOW.parent / "resources" / "best-known"


rule best_known:
    """Best known strategies of many games, cited from the study config/best-known.yaml."""
    input:
        tables(*TABLES["best_known"]),
        charts(*CHARTS["best_known"]),


rule cite_best_known:
    "Cite the recorded best known strategies and first guesses."
    input:
        best=local_all([RECORDED / "best-known.csv"])[0],
        first_guesses=local_all([RECORDED / "first-guesses.csv"])[0],
        two_pegs=local_all([RECORDED / "two-pegs.csv"])[0],
        rollouts=local_all([RECORDED / "rollouts.csv"])[0],
    output:
        best=tabled("strategies", "best-known"),
        first_guesses=tabled("strategies", "first-guesses"),
        two_pegs=tabled("strategies", "two-pegs"),
        rollouts=tabled("strategies", "rollouts"),
        figures=drawn("strategies", "best-known"),
        rollout_figures=drawn("strategies", "rollouts"),
    log:
        "logs/cite_best_known.log",
    params:
        code=code.cite_best_known,
        contents=contents(
            local_all([RECORDED / "best-known.csv"]),
            local_all([RECORDED / "first-guesses.csv"]),
            local_all([RECORDED / "two-pegs.csv"]),
            local_all([RECORDED / "rollouts.csv"]),
        ),
        png_scale=PNG_SCALE,
    script:
        "../scripts/render_report.py"
