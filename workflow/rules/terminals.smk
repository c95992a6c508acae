rule terminals:
    "Terminals of Fallout 3: played with every strategy, tabulated, drawn."
    input:
        ["results/terminals/terminals.parquet"] if PLAYED else [],
        tables(*TABLES["terminals"]),
        charts(*CHARTS["terminals"]),


rule play_terminals:
    "Draw terminals of Fallout 3, and play each with every strategy."
    input:
        words=local_all([STUDY.terminal_words])[0],
    output:
        terminals="results/terminals/terminals.parquet",
    log:
        "logs/play_terminals.log",
    benchmark:
        "results/resources/play_terminals.tsv"
    group:
        "exact"
    resources:
        mem_mb=by_try(1000),
        runtime=by_try(20),
    params:
        code=code.play_terminals,
        contents=contents(local_all([STUDY.terminal_words])),
        draw=STUDY.config.terminals.model_dump(exclude={"words", "attempts", "resets"}),
        attempts=STUDY.config.terminals.attempts,
        resets=STUDY.config.terminals.resets,
    script:
        "../scripts/play_terminals.py"


rule tabulate_terminals:
    "Tabulate the terminals, and draw how often they are solved within the attempts."
    input:
        terminals="results/terminals/terminals.parquet",
    output:
        tables=tabled("players", "terminals"),
        figures=drawn("players", "terminals"),
    log:
        "logs/tabulate_terminals.log",
    params:
        code=code.tabulate_terminals,
        attempts=STUDY.config.terminals.attempts,
        resets=STUDY.config.terminals.resets,
        png_scale=PNG_SCALE,
    script:
        "../scripts/render_report.py"
