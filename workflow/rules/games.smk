JOBS |= {
    "tabulate_game": by("game", TABULATED),
    "compile_kernels": by("part", PARTS),
}


rule tabulate_game:
    "Compute a game's feedback table."
    input:
        words=lambda wildcards: packaged(*words_of(wildcards)),
        prior=lambda wildcards: packaged(*STUDY.games.prior_of(wildcards.game)),
    output:
        game="results/games/{game}/game.npz",
        effort=effort("tabulate_game/{game}"),
    log:
        "logs/tabulate_game/{game}.log",
    priority: 100
    localrule: True
    params:
        *code("tabulate_game"),
        **settings(
            contents=lambda wildcards: contents_of(
                *words_of(wildcards), *STUDY.games.prior_of(wildcards.game)
            ),
            with_table=lambda wildcards: STUDY.games.game(wildcards.game).has_table,
            alphabets=lambda wildcards: {
                name: files.alphabet
                for name, files in STUDY.games.lists_of(wildcards.game).items()
            },
        ),
    script:
        "../scripts/tabulate_game.py"


rule compile_kernels:
    """Compile the loops of a kind of step, which its first jobs would all compile at once.

    No result depends on it, so it has no digest of the code: after a change of the code, the jobs
    that run again compile what they need. Values use many loops of the search, so theirs come after.
    """
    input:
        lambda wildcards: when(wildcards.part == "values", compiled("search")),
    output:
        done=f"{UNSEEN}/compiled/{{part}}",
        effort=effort("compile_kernels/{part}"),
    log:
        "logs/compile_kernels/{part}.log",
    priority: 90
    resources:
        mem_mb=by_try(1000),
        runtime=by_try(10),
    script:
        "../scripts/compile_kernels.py"


rule games:
    "Games: feedback tables, computed once and cached."
    input:
        made(
            "tabulate_game",
        ),
