rule games:
    "Games: feedback tables, computed once and cached."
    input:
        expand("results/games/{game}/game.npz", game=TABULATED),


rule tabulate_game:
    "Compute a game's feedback table."
    input:
        words=lambda wildcards: local_all(
            path
            for files in STUDY.lists_of(wildcards.game).values()
            for path in files.paths
        ),
        prior=lambda wildcards: local_all(STUDY.prior_of(wildcards.game)),
    output:
        game="results/games/{game}/game.npz",
    log:
        "logs/tabulate_game/{game}.log",
    benchmark:
        "results/resources/tabulate_game/{game}.tsv"
    priority: 100
    params:
        code=code.tabulate_game,
        table_limit_mib=LIMITS.table_mib,
        alphabets=lambda wildcards: {
            name: files.alphabet
            for name, files in STUDY.lists_of(wildcards.game).items()
        },
    script:
        "../scripts/tabulate_game.py"
