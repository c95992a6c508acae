"""Scaling: trees of ever larger games, grown with feedback on demand and timed."""


localrules:
    draw_scaling,


rule scaling:
    input:
        (
            [
                *multiext("results/tables/scaling", ".csv", ".md"),
                *charts("scaling"),
            ]
            if STUDY.config.scaling.games
            else []
        ),


rule measure_scaling:
    input:
        code=code_of("measure_scaling.py"),
    output:
        measured="results/scaling/{game}.csv",
    log:
        "logs/measure_scaling/{game}.log",
    group:
        "scaling"
    conda:
        "../../envs/environment.yaml"
    threads: STUDY.config.scaling.threads
    resources:
        mem_mb=by_try(2000),
        runtime=by_try(60),
    params:
        policies=STUDY.config.scaling.policies,
    script:
        "../scripts/measure_scaling.py"


rule draw_scaling:
    input:
        measured=[f"results/scaling/{game}.csv" for game in STUDY.config.scaling.games],
        code=code_of("draw_scaling.py"),
    output:
        tables=tabled("scaling", "results/tables/scaling"),
        figures=drawn("scaling", "scaling"),
    log:
        "logs/draw_scaling.log",
    conda:
        "../../envs/environment.yaml"
    params:
        png_scale=STUDY.config.figures.png_scale,
    script:
        "../scripts/draw_scaling.py"
