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
        *code("solve_exactly"),
        **settings(
            target=lambda wildcards: asdict(target_of(wildcards)),
            contents=lambda wildcards: contents_of(*recorded_tree(wildcards)),
            time_limit_s=lambda wildcards: STUDY.time_limit_s(
                wildcards.game, wildcards.target
            ),
        ),
        memo_mib=memo_of,
    script:
        "../scripts/solve_exactly.py"


rule check_certificates:
    "Check certificates by playing every secret, deliberately without the package."
    input:
        certificates=lambda wildcards: certificates_in(wildcards.folder),
        words=packaged(*WORD_FILES),
    output:
        checked="results/{folder}/checked.csv",
    log:
        "logs/check_certificates/{folder}.log",
    wildcard_constraints:
        folder="exact|certificates",
    localrule: True
    params:
        *checker("check_certificates", "exact.smk"),
        *contents_of(*WORD_FILES),
        **settings(words=WORDS_OPTIONS),
        program=program("check_certificates"),
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
    log:
        "logs/compute_regrets/{game}.log",
    benchmark:
        "results/resources/compute_regrets/{game}.tsv"
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
    log:
        "logs/find_value/{game}.log",
    benchmark:
        "results/resources/find_value/{game}.tsv"
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
    log:
        "logs/check_values.log",
    localrule: True
    params:
        *checker("check_values", "exact.smk"),
        *contents_of(*WORD_FILES),
        **settings(words=WORDS_OPTIONS),
        program=program("check_values"),
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
        each("results/exact/{game}/{name}.parquet", TARGETS),
        each("results/exact/{game}/{name}.txt", TARGETS),
        when(TARGETS, "results/exact/checked.csv", rules.tabulate_optima.output),
        when(CERTIFIED, "results/certificates/checked.csv"),
        when(COUNTED, rules.tabulate_rounds.output),
        when(PAPERS_GAME in FRONTIERS, rules.mix_strategies.output),
        when(WITH_OPTIMA, rules.compare_moves.output),
        when(PAPERS_GAME in WITH_OPTIMA, rules.bound_openings.output),


rule values:
    """Values of games, with checked certificates."""
    input:
        expand("results/values/{game}.json", game=VALUED),
        when(VALUED, rules.check_values.output, rules.tabulate_values.output),
