"""Exact search: optimal trees with certificates, checked by programs that share no code with it."""


localrules:
    check_certificates,
    check_trees,
    tabulate_optima,
    compare_moves,


rule exact:
    input:
        exact_files("results/trees", ".parquet"),
        "results/exact/checked.csv",
        multiext("results/tables/exact-optima", ".csv", ".md"),
        ["results/certificates/checked.csv"] if UNTABLED else [],
        multiext("results/tables/move-costs", ".csv", ".md") if PRICED else [],
        charts("move-costs") if PRICED else [],


rule solve_exactly:
    input:
        games=[f"results/games/{game}/game.npz" for game in EXACT],
        code=code_of("solve_exactly.py"),
    output:
        certificates=exact_files("results/exact", ".json"),
        trees=exact_files("results/trees", ".parquet"),
        texts=exact_files("results/trees", ".txt"),
    log:
        "logs/solve_exactly.log",
    group:
        "small"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=by_try(1000 + MEMO_MIB),
        runtime=by_try(60),
    params:
        targets=[
            (number, asdict(target))
            for number, targets in enumerate(EXACT.values())
            for target in targets.values()
        ],
        memo_mib=STUDY.config.limits.memo_mib,
        time_limit_s=STUDY.config.exact.time_limit_s,
    script:
        "../scripts/solve_exactly.py"


rule check_certificates:
    input:
        certificates=exact_files("results/exact", ".json"),
    output:
        checked="results/exact/checked.csv",
    log:
        "logs/check_certificates.log",
    conda:
        "../../envs/environment.yaml"
    script:
        "../checkers/check_certificates.py"


for game in UNTABLED:

    rule:
        name:
            f"certify_trees_{game}".replace("-", "_")
        input:
            game=f"results/games/{game}/game.npz",
            trees=all_trees_of(game, ".parquet"),
            code=code_of("certify_trees.py"),
        output:
            certificates=certificates_of(game),
        log:
            f"logs/certify_trees/{game}.log",
        group:
            "found"
        conda:
            "../../envs/environment.yaml"
        threads: 1
        resources:
            mem_mb=by_try(1000),
            runtime=by_try(20),
        script:
            "../scripts/certify_trees.py"


rule check_trees:
    input:
        certificates=[path for game in UNTABLED for path in certificates_of(game)],
    output:
        checked="results/certificates/checked.csv",
    log:
        "logs/check_trees.log",
    conda:
        "../../envs/environment.yaml"
    script:
        "../checkers/check_certificates.py"


rule tabulate_optima:
    input:
        certificates=exact_files("results/exact", ".json"),
        code=code_of("tabulate_optima.py"),
    output:
        tables=tabled("strategies", "results/tables/exact-optima"),
    log:
        "logs/tabulate_optima.log",
    conda:
        "../../envs/environment.yaml"
    script:
        "../scripts/tabulate_optima.py"


rule price_moves:
    input:
        games=[f"results/games/{game}/game.npz" for game in PRICED],
        trees=[priced_trees(game) for game in PRICED],
        code=code_of("price_moves.py"),
    output:
        prices=[f"results/exact/{game}/moves.parquet" for game in PRICED],
    log:
        "logs/price_moves.log",
    group:
        "found"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=by_try(1000 + MEMO_MIB),
        runtime=by_try(20),
    params:
        memo_mib=MEMO_MIB,
    script:
        "../scripts/price_moves.py"


rule compare_moves:
    input:
        prices=[f"results/exact/{game}/moves.parquet" for game in PRICED],
        strategies="results/metrics/strategies.parquet",
        code=code_of("compare_moves.py"),
    output:
        tables=tabled("strategies", "results/tables/move-costs"),
        figures=drawn("strategies", "move-costs"),
    log:
        "logs/compare_moves.log",
    conda:
        "../../envs/environment.yaml"
    params:
        png_scale=STUDY.config.figures.png_scale,
    script:
        "../scripts/compare_moves.py"
