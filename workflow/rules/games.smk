rule games:
    "Games: feedback tables, computed once and cached."
    input:
        expand("results/games/{game}/game.npz", game=TABULATED),
        expand("results/games/{part}.compiled", part=COMPILED),


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
        contents=lambda wildcards: contents(
            local_all(
                path
                for files in STUDY.lists_of(wildcards.game).values()
                for path in files.paths
            ),
            local_all(STUDY.prior_of(wildcards.game)),
        ),
        table_limit_mib=LIMITS.table_mib,
        alphabets=lambda wildcards: {
            name: files.alphabet
            for name, files in STUDY.lists_of(wildcards.game).items()
        },
    script:
        "../scripts/tabulate_game.py"


rule compile_kernels:
    "Compile the loops of a phase before its jobs start, which would all compile them."
    output:
        done="results/games/{part}.compiled",
    log:
        "logs/compile_kernels/{part}.log",
    priority: 90
    resources:
        mem_mb=by_try(1000),
        runtime=by_try(10),
    params:
        code=code.compile_kernels,
        players=sorted(
            {one for contest in CONTESTS.values() for one in contest.players}
        ),
    script:
        "../scripts/compile_kernels.py"
