"""Terminals of Fallout 3: played with every strategy, tabulated, drawn."""


localrules:
    tabulate_terminals,
    plot_terminals,


rule terminals:
    input:
        "results/terminals/terminals.parquet",
        multiext("results/tables/terminals", ".csv", ".md"),
        charts("terminals"),


rule play_terminals:
    input:
        words=local(STUDY.terminal_words),
        code=code_of("play_terminals.py"),
    output:
        terminals="results/terminals/terminals.parquet",
    log:
        "logs/play_terminals.log",
    group:
        "small"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=by_try(1000),
        runtime=by_try(20),
    params:
        draw=STUDY.config.terminals.model_dump(exclude={"words", "attempts"}),
        attempts=STUDY.config.terminals.attempts,
    script:
        "../scripts/play_terminals.py"


rule tabulate_terminals:
    input:
        terminals="results/terminals/terminals.parquet",
        code=code_of("tabulate_terminals.py"),
    output:
        tables=tabled("players", "results/tables/terminals"),
    log:
        "logs/tabulate_terminals.log",
    conda:
        "../../envs/environment.yaml"
    params:
        attempts=STUDY.config.terminals.attempts,
    script:
        "../scripts/tabulate_terminals.py"


rule plot_terminals:
    input:
        terminals="results/terminals/terminals.parquet",
        code=code_of("plot_terminals.py"),
    output:
        figures=drawn("players", "terminals"),
    log:
        "logs/plot_terminals.log",
    conda:
        "../../envs/environment.yaml"
    params:
        attempts=STUDY.config.terminals.attempts,
        png_scale=STUDY.config.figures.png_scale,
    script:
        "../scripts/plot_terminals.py"
