JOBS |= {
    "solve_exactly": by_game("target", TARGETS),
    "check_certificates": by(
        "folder", [*when(TARGETS, "exact"), *when(CERTIFIED, "certificates")]
    ),
    "tabulate_optima": once(TARGETS),
    "count_rounds": once(COUNTED),
    "tabulate_rounds": once(COUNTED),
    "mix_strategies": once(PAPERS_GAME in FRONTIERS),
    "compute_regrets": by("game", WITH_OPTIMA),
    "bound_openings": once(PAPERS_GAME in WITH_OPTIMA),
    "compare_moves": once(WITH_OPTIMA),
    "find_value": by("game", VALUED),
    "check_values": once(VALUED),
    "tabulate_values": once(VALUED),
}


rule solve_exactly:
    "Find an optimal tree, with a certificate."
    input:
        game="results/games/{game}/game.npz",
        compiled=compiled("search"),
        recorded=recorded_tree,
    output:
        certificate="results/exact/{game}/{target}.json",
        tree="results/exact/{game}/{target}.parquet",
        text="results/exact/{game}/{target}.txt",
        effort=effort("solve_exactly/{game}/{target}"),
    log:
        "logs/solve_exactly/{game}/{target}.log",
    priority: 40
    group:
        "exact"
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=lambda wildcards, attempt: attempt
        * (5 + STUDY.time_limit_s(wildcards.game, wildcards.target) // 60),
    params:
        *code("solve_exactly"),
        **settings(
            target=lambda wildcards: target_of(wildcards).settings,
            contents=lambda wildcards: contents_of(*recorded_tree(wildcards)),
        ),
        memo_mib=memo_of,
        time_limit_s=time_limit_of,
    script:
        "../scripts/solve_exactly.py"


rule check_certificates:
    "Check certificates by playing every secret, deliberately without the package."
    input:
        certificates=lambda wildcards: certificates_in(wildcards.folder),
        words=packaged(*WORD_FILES),
    output:
        checked="results/{folder}/checked.csv",
        effort=effort("check_certificates/{folder}"),
    log:
        "logs/check_certificates/{folder}.log",
    wildcard_constraints:
        folder="exact|certificates",
    localrule: True
    params:
        *checker("check_certificates", "exact.smk"),
        *contents_of(*WORD_FILES),
        **settings(words=WORDS_OPTIONS),
        program=measured("check_certificates"),
    shell:
        "{params.program:q} {input.certificates:q}"
        " {params.words:q} --table {output.checked} > {log} 2>&1"


# What other programs have checked of minimum totals and lowest maxima.
EVIDENCE = {
    "lower_bounds": resource("proofs/lower-bounds.csv"),
    "second_solver": resource("proofs/second-solver.csv"),
}


rule tabulate_optima:
    "Tabulate the proven optima of every game, and what they rest on."
    input:
        **EVIDENCE,
        certificates=certificates_in("exact"),
    output:
        tables=tabled("strategies", "exact-optima"),
        effort=effort("tabulate_optima"),
    log:
        "logs/tabulate_optima.log",
    localrule: True
    params:
        *code("tabulate_optima"),
        *contents_of(*EVIDENCE.values()),
    script:
        "../scripts/tabulate_optima.py"


rule count_rounds:
    "Find the maximum number of secrets solved within each number of guesses."
    input:
        games=expand("results/games/{game}/game.npz", game=COUNTED),
        compiled=compiled("search"),
    output:
        rounds="results/exact/rounds.parquet",
        effort=effort("count_rounds"),
    log:
        "logs/count_rounds.log",
    group:
        "exact"
    resources:
        mem_mb=by_try(1000),
        runtime=by_try(10),
    params:
        *code("count_rounds"),
        **settings(frontiers=FRONTIERS),
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
        effort=effort("tabulate_rounds"),
    log:
        "logs/tabulate_rounds.log",
    localrule: True
    params:
        *code("tabulate_rounds"),
        **settings(png_scale=PNG_SCALE),
    script:
        "../scripts/tabulate_rounds.py"


rule mix_strategies:
    "Mix the trees of a game to make the worst class mean smallest."
    input:
        game=f"results/games/{PAPERS_GAME}/game.npz",
        trees=trees_of(PAPERS_GAME),
        rounds="results/exact/rounds.parquet",
    output:
        tables=tabled("strategies", "mixtures"),
        effort=effort("mix_strategies"),
    log:
        "logs/mix_strategies.log",
    localrule: True
    params:
        *code("mix_strategies"),
    script:
        "../scripts/mix_strategies.py"


rule compute_regrets:
    "Compute the regret of each move of a game's strategies, from the exact cost-to-go."
    input:
        game="results/games/{game}/game.npz",
        compiled=compiled("search"),
        trees=lambda wildcards: trees_of(wildcards.game),
    output:
        regrets="results/exact/{game}/moves.parquet",
        effort=effort("compute_regrets/{game}"),
    log:
        "logs/compute_regrets/{game}.log",
    group:
        "exact"
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=by_try(20),
    params:
        *code("compute_regrets"),
        memo_mib=memo_of,
    script:
        "../scripts/compute_regrets.py"


rule bound_openings:
    "Find the minimum total after each opening."
    input:
        game=f"results/games/{PAPERS_GAME}/game.npz",
        compiled=compiled("search"),
    output:
        tables=tabled("strategies", "openings"),
        effort=effort("bound_openings"),
    log:
        "logs/bound_openings.log",
    group:
        "exact"
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=by_try(20),
    params:
        *code("bound_openings"),
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
        effort=effort("compare_moves"),
    log:
        "logs/compare_moves.log",
    localrule: True
    params:
        *code("compare_moves"),
        **settings(png_scale=PNG_SCALE),
    script:
        "../scripts/compare_moves.py"


rule find_value:
    "Find the value of a game, and write a certificate of it."
    input:
        game="results/games/{game}/game.npz",
        compiled=compiled("values"),
    output:
        value="results/values/{game}.json",
        effort=effort("find_value/{game}"),
    log:
        "logs/find_value/{game}.log",
    priority: 50
    group:
        "exact"
    resources:
        mem_mb=by_try(1000),
        runtime=by_try(20),
    params:
        *code("find_value"),
        # Each tree has a new search, and the first use of a page of its memo takes time.
        memo_mib=64,
    script:
        "../scripts/find_value.py"


rule check_values:
    "Check the values of games, deliberately without the package."
    input:
        values=expand("results/values/{game}.json", game=VALUED),
        words=packaged(*WORD_FILES),
    output:
        checked="results/values/checked.csv",
        effort=effort("check_values"),
    log:
        "logs/check_values.log",
    localrule: True
    params:
        *checker("check_values", "exact.smk"),
        *contents_of(*WORD_FILES),
        **settings(words=WORDS_OPTIONS),
        program=measured("check_values"),
    shell:
        "{params.program:q} {input.values:q}"
        " {params.words:q} --table {output.checked} > {log} 2>&1"


rule tabulate_values:
    "Tabulate the values of games with both sides' mixed strategies."
    input:
        values=expand("results/values/{game}.json", game=VALUED),
        checked="results/values/checked.csv",
        recorded=resource("codemaker/fair.csv"),
    output:
        tables=tabled(
            "strategies",
            "game-values",
            "codemaker-prior",
            "codebreaker-mixtures",
            "fair-trees",
        ),
        effort=effort("tabulate_values"),
    log:
        "logs/tabulate_values.log",
    localrule: True
    params:
        *code("tabulate_values"),
        *contents_of(resource("codemaker/fair.csv")),
    script:
        "../scripts/tabulate_values.py"


rule exact:
    """Exact search: optimal trees with certificates, checked by programs that share no code with it."""
    input:
        made(
            "solve_exactly",
            "certify_tree",
            "check_certificates",
            "tabulate_optima",
            "count_rounds",
            "tabulate_rounds",
            "mix_strategies",
            "compute_regrets",
            "bound_openings",
            "compare_moves",
        ),


rule values:
    """Values of games, with checked certificates."""
    input:
        made(
            "find_value",
            "check_values",
            "tabulate_values",
        ),
