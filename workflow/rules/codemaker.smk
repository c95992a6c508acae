LONG_SEARCHES = WORKFLOW.parent / "resources" / "codemaker"


rule codemaker:
    """Devious and erring codemakers, and non-adaptive guesses."""
    input:
        tables(*TABLES["codemaker"]),
        charts(*CHARTS["codemaker"]),


rule play_deviously:
    "Play a contest's players against a devious codemaker."
    output:
        games="results/players/devious.parquet",
    log:
        "logs/play_deviously.log",
    benchmark:
        "results/resources/play_deviously.tsv"
    group:
        "contests"
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=by_try(60),
    params:
        code=code.play_deviously,
        contest=DEVIOUS and DEVIOUS.model_dump(),
        games=OTHER_CODEMAKERS.devious.games,
        seed=STUDY.config.players.seed,
        memo_mib=memo_of,
    script:
        "../scripts/play_deviously.py"


rule rank_deviously:
    "Rank players and strategies against a devious codemaker."
    input:
        games=expand("results/games/{game}/game.npz", game=GAMES),
        trees=trees_of(GAMES, optimal=True),
        played="results/players/devious.parquet",
        means="results/tables/players.csv",
    output:
        tables=tabled("players", "devious"),
        strategies=tabled("strategies", "devious-strategies"),
        figures=drawn("players", "devious"),
    log:
        "logs/rank_deviously.log",
    params:
        code=code.rank_deviously,
        contest=OTHER_CODEMAKERS.devious.contest,
        png_scale=PNG_SCALE,
    script:
        "../scripts/render_report.py"


rule find_static_sets:
    "Find the fewest non-adaptive guesses that separate all secrets."
    output:
        found="results/exact/static.parquet",
    log:
        "logs/find_static_sets.log",
    benchmark:
        "results/resources/find_static_sets.tsv"
    group:
        "exact"
    resources:
        mem_mb=by_try(1000),
        runtime=by_try(120),
    params:
        code=code.find_static_sets,
        games=STATIC,
    script:
        "../scripts/find_static_sets.py"


rule tabulate_static_sets:
    "Tabulate and draw non-adaptive guesses."
    input:
        found="results/exact/static.parquet",
        recorded=local_all([LONG_SEARCHES / "static.csv"])[0],
        rounds="results/exact/rounds.parquet",
    output:
        tables=tabled("strategies", "static-play"),
        figures=drawn("strategies", "static-play"),
    log:
        "logs/tabulate_static_sets.log",
    params:
        code=code.tabulate_static_sets,
        contents=contents(local_all([LONG_SEARCHES / "static.csv"])),
        png_scale=PNG_SCALE,
    script:
        "../scripts/render_report.py"


rule cost_wrong_answers:
    "Find the guesses that wrong answers add."
    output:
        lies="results/exact/lies.parquet",
        errors="results/players/errors.parquet",
    log:
        "logs/cost_wrong_answers.log",
    benchmark:
        "results/resources/cost_wrong_answers.tsv"
    group:
        "exact"
    resources:
        mem_mb=by_try(1000),
        runtime=by_try(60),
    params:
        code=code.cost_wrong_answers,
        games=WRONG.games,
        errors=WRONG.model_dump(exclude={"games"}),
        seed=STUDY.config.players.seed,
    script:
        "../scripts/cost_wrong_answers.py"


rule tabulate_wrong_answers:
    "Tabulate and draw the guesses that wrong answers add."
    input:
        lies="results/exact/lies.parquet",
        recorded=local_all([LONG_SEARCHES / "lies.csv"])[0],
        errors="results/players/errors.parquet",
    output:
        lies=tabled("strategies", "one-lie"),
        errors=tabled("players", "wrong-answers"),
        lie_figures=drawn("strategies", "one-lie"),
        error_figures=drawn("players", "wrong-answers"),
    log:
        "logs/tabulate_wrong_answers.log",
    params:
        code=code.tabulate_wrong_answers,
        contents=contents(local_all([LONG_SEARCHES / "lies.csv"])),
        png_scale=PNG_SCALE,
    script:
        "../scripts/render_report.py"
