rule players:
    """Players: random consistent play in expectation, and contests of players that search."""
    input:
        RANDOM_CONSISTENT,
        tables(*TABLES["players"]),
        charts(*CHARTS["players"]),


rule play_random_consistent:
    "Compute the expected results of random consistent play."
    input:
        game="results/games/{game}/game.npz",
    output:
        expected="results/players/{game}/random-consistent.json",
    log:
        "logs/play_random_consistent/{game}.log",
    benchmark:
        "results/resources/play_random_consistent/{game}.tsv"
    group:
        "exact"
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=by_try(20),
    params:
        code=code.play_random_consistent,
        memo_mib=memo_of,
    script:
        "../scripts/play_random_consistent.py"


rule play_games:
    "Play a contest's games, in batches that survive a kill."
    output:
        games=update("results/players/{contest}/games.parquet"),
    log:
        "logs/play_games/{contest}.log",
    benchmark:
        "results/resources/play_games/{contest}.tsv"
    priority: 20
    group:
        "contests"
    resources:
        mem_mb=by_try(1000),
        runtime=by_try(60),
    params:
        code=code.play_games,
        contest=lambda wildcards: setting(
            CONTESTS, "contest", wildcards.contest
        ).model_dump(),
        seed=STUDY.config.players.seed,
    script:
        "../scripts/play_games.py"


rule compare_players:
    "Tabulate and draw the players' contests, and test their differences."
    input:
        logs=expand("results/players/{contest}/games.parquet", contest=CONTESTS),
        published=published_files("published"),
    output:
        means=shown("results/tables/players.csv", "Tables", "players"),
        tests=shown("results/tables/players-significance.csv", "Tables", "players"),
        text="results/tables/players.md",
        statements=tabled("players", "cotta-2010-statements"),
        figures=drawn("players", *PLAYER_CHARTS),
    log:
        "logs/compare_players.log",
    params:
        code=code.compare_players,
        contents=contents(published_files("published")),
        margins=STUDY.config.players.margins.model_dump(),
        png_scale=PNG_SCALE,
    script:
        "../scripts/render_report.py"


rule compare_methods:
    "Play and time several players against the same secrets, in one job."
    output:
        tables=tabled("players", "{table}-methods"),
    log:
        "logs/compare_methods/{table}.log",
    benchmark:
        "results/resources/compare_methods/{table}.tsv"
    priority: 20
    group:
        "contests"
    resources:
        mem_mb=by_try(1000),
        runtime=by_try(60),
    params:
        code=code.compare_methods,
        methods=lambda wildcards: setting(
            METHODS, "table", wildcards.table
        ).model_dump(),
        seed=STUDY.config.players.seed,
    script:
        "../scripts/compare_methods.py"
