rule exact:
    """Exact search: optimal trees with certificates, checked by programs that share no code with it."""
    input:
        each("results/exact/{game}/{name}.parquet", TARGETS),
        each("results/exact/{game}/{name}.txt", TARGETS),
        ["results/exact/checked.csv"] if TARGETS else [],
        ["results/certificates/checked.csv"] if CERTIFIED else [],
        tables(*TABLES["exact"]),
        charts(*CHARTS["exact"]),


ruleorder: solve_small_games > solve_exactly


rule solve_exactly:
    "Find an optimal tree, with a certificate."
    input:
        games=["results/games/{game}/game.npz"],
    output:
        certificates=["results/exact/{game}/{target}.json"],
        trees=["results/exact/{game}/{target}.parquet"],
        texts=["results/exact/{game}/{target}.txt"],
    log:
        "logs/solve_exactly/{game}/{target}.log",
    benchmark:
        "results/resources/solve_exactly/{game}/{target}.tsv"
    priority: 40
    group:
        "exact"
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=lambda wildcards, attempt: attempt
        * (5 + STUDY.time_limit_s(wildcards.game, wildcards.target) // 60),
    params:
        code=code.solve_exactly,
        targets=lambda wildcards: [target_of(wildcards.game, wildcards.target)],
        memo_mib=memo_of,
    script:
        "../scripts/solve_exactly.py"


rule solve_small_games:
    "Find the optimal trees of small games, with certificates."
    input:
        games=expand("results/games/{game}/game.npz", game=SMALL),
    output:
        certificates=updated("results/exact/{game}/{name}.json", SMALL),
        trees=updated("results/exact/{game}/{name}.parquet", SMALL),
        texts=updated("results/exact/{game}/{name}.txt", SMALL),
    log:
        "logs/solve_small_games.log",
    benchmark:
        "results/resources/solve_small_games.tsv"
    priority: 40
    group:
        "exact"
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=by_try(30),
    params:
        code=code.solve_exactly,
        targets=[target_of(game, name) for game in SMALL for name in SMALL[game]],
        memo_mib=memo_of,
    script:
        "../scripts/solve_exactly.py"


rule certify_trees:
    "Write the certificates of trees, for the checker that plays every secret."
    input:
        games=expand("results/games/{game}/game.npz", game=CERTIFIED),
        trees=[tree_file(game, name) for game in CERTIFIED for name in CERTIFIED[game]],
    output:
        certificates=certificates_in("certificates"),
    log:
        "logs/certify_trees.log",
    group:
        "found"
    resources:
        mem_mb=by_try(1000),
        runtime=by_try(10),
    params:
        code=code.certify_trees,
    script:
        "../scripts/certify_trees.py"


rule check_certificates:
    "Check certificates by playing every secret, deliberately without the package."
    input:
        certificates=lambda wildcards: certificates_in(wildcards.folder),
        words=local_all(path for files in WORD_FILES.values() for path in files),
    output:
        checked="results/{folder}/checked.csv",
    log:
        "logs/check_certificates/{folder}.log",
    wildcard_constraints:
        folder="exact|certificates",
    params:
        code=checked_by("check_certificates"),
        program=program("check_certificates"),
        contents=contents(
            local_all(path for files in WORD_FILES.values() for path in files)
        ),
        words=words_options,
    shell:
        "{params.program:q} {input.certificates:q}"
        " {params.words:q} --table {output.checked} > {log} 2>&1"


rule tabulate_optima:
    "Tabulate the proven optima of every game."
    input:
        certificates=certificates_in("exact"),
    output:
        tables=tabled("strategies", "exact-optima"),
    log:
        "logs/tabulate_optima.log",
    params:
        code=code.tabulate_optima,
    script:
        "../scripts/render_report.py"


rule count_rounds:
    "Find the maximum number of secrets solved within each number of guesses."
    input:
        games=expand("results/games/{game}/game.npz", game=COUNTED),
    output:
        rounds="results/exact/rounds.parquet",
    log:
        "logs/count_rounds.log",
    benchmark:
        "results/resources/count_rounds.tsv"
    group:
        "exact"
    resources:
        mem_mb=by_try(1000),
        runtime=by_try(10),
    params:
        code=code.count_rounds,
        frontiers=FRONTIERS,
    script:
        "../scripts/count_rounds.py"


rule tabulate_rounds:
    "Tabulate and draw the secrets solved within each number of guesses."
    input:
        rounds="results/exact/rounds.parquet",
        strategies="results/metrics/strategies.parquet",
    output:
        tables=tabled("strategies", "rounds"),
        frontier="results/tables/rounds-frontier.csv",
        figures=drawn("strategies", "rounds") if PAPERS_GAME in FRONTIERS else [],
    log:
        "logs/tabulate_rounds.log",
    params:
        code=code.tabulate_rounds,
        png_scale=PNG_SCALE,
    script:
        "../scripts/render_report.py"


rule mix_strategies:
    "Mix the trees of a game to make the worst class mean smallest."
    input:
        game=f"results/games/{PAPERS_GAME}/game.npz",
        trees=lambda wildcards: trees_of([PAPERS_GAME], optimal=True),
        rounds="results/exact/rounds.parquet",
    output:
        tables=tabled("strategies", "mixtures"),
    log:
        "logs/mix_strategies.log",
    params:
        code=code.mix_strategies,
    script:
        "../scripts/render_report.py"


rule compute_regrets:
    "Compute the regret of each move of a game's strategies, from the exact cost-to-go."
    input:
        game="results/games/{game}/game.npz",
        trees=lambda wildcards: trees_of([wildcards.game], optimal=True),
    output:
        regrets="results/exact/{game}/moves.parquet",
    log:
        "logs/compute_regrets/{game}.log",
    benchmark:
        "results/resources/compute_regrets/{game}.tsv"
    group:
        "found"
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=by_try(20),
    params:
        code=code.compute_regrets,
        memo_mib=memo_of,
    script:
        "../scripts/compute_regrets.py"


rule bound_openings:
    "Find the minimum total after each opening."
    input:
        game=f"results/games/{PAPERS_GAME}/game.npz",
    output:
        tables=tabled("strategies", "openings"),
    log:
        "logs/bound_openings.log",
    benchmark:
        "results/resources/bound_openings.tsv"
    group:
        "exact"
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=by_try(20),
    params:
        code=code.bound_openings,
        memo_mib=memo_of,
    script:
        "../scripts/bound_openings.py"


rule compare_moves:
    "Tabulate and draw the turns at which strategies lose guesses to optimal play."
    input:
        regrets=expand("results/exact/{game}/moves.parquet", game=WITH_OPTIMA),
        strategies="results/metrics/strategies.parquet",
    output:
        tables=tabled("strategies", "lost-by-turn"),
        figures=drawn("strategies", "lost-by-turn"),
    log:
        "logs/compare_moves.log",
    params:
        code=code.compare_moves,
        png_scale=PNG_SCALE,
    script:
        "../scripts/render_report.py"
