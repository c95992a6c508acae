"""Games: feedback tables, computed once and cached."""


rule tabulate_game:
    input:
        code=code_of("tabulate_game.py"),
    output:
        game="results/games/{game}/game.npz",
    log:
        "logs/tabulate_game/{game}.log",
    conda:
        "../../envs/environment.yaml"
    params:
        table_limit_mib=STUDY.config.limits.table_mib,
    script:
        "../scripts/tabulate_game.py"
