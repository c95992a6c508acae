rule scaling:
    "Scaling: trees of larger and larger games, grown with feedback on demand and timed."
    input:
        tables(*TABLES["scaling"]),
        charts(*CHARTS["scaling"]),


rule measure_scaling:
    "Grow a game's trees with feedback on demand, and measure time, memory and guesses."
    output:
        measured="results/scaling/{game}.csv",
    log:
        "logs/measure_scaling/{game}.log",
    benchmark:
        "results/resources/measure_scaling/{game}.tsv"
    group:
        "scaling"
    resources:
        mem_mb=by_try(2000),
        runtime=by_try(60),
    params:
        code=code_of("measure_scaling", STUDY.config.scaling.policies),
        policies=STUDY.config.scaling.policies,
    script:
        "../scripts/measure_scaling.py"


rule draw_scaling:
    "Tabulate and draw time, memory and guesses by the number of codes."
    input:
        measured=expand("results/scaling/{game}.csv", game=SCALED),
    output:
        tables=tabled("scaling", "scaling"),
        figures=drawn("scaling", "scaling"),
    log:
        "logs/draw_scaling.log",
    params:
        code=code.draw_scaling,
        png_scale=PNG_SCALE,
    script:
        "../scripts/render_report.py"
