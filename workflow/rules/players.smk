"""Players: random consistent play in expectation, and contests of players that search."""


localrules:
    compare_players,


rule players:
    input:
        RANDOM_CONSISTENT,
        "results/tables/players.md" if CONTESTS else [],
        tables(*(f"{name}-methods" for name in METHODS)),


CHARTS += PLAYER_CHARTS if CONTESTS else []
QUOTED += RANDOM_CONSISTENT
QUOTED += (
    [
        *tables("players", "cotta-2010-statements"),
        "results/tables/players-significance.csv",
    ]
    if CONTESTS
    else []
)
QUOTED += tables(*(f"{name}-methods" for name in METHODS))
MEASURED += each("results/resources/play_games/{game}/{name}.tsv", PLAYERS)
MEASURED += expand("results/resources/compare_methods/{table}.tsv", table=METHODS)
MEASURED += expand(
    "results/resources/play_random_consistent/{game}.tsv",
    game=STUDY.config.players.random_consistent,
)


rule play_random_consistent:
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
        code=code_of("play_random_consistent.py"),
        memo_mib=LIMITS.memo_mib,
    script:
        "../scripts/play_random_consistent.py"


rule play_games:
    output:
        games="results/players/{contest}/{player}.parquet",
    log:
        "logs/play_games/{contest}/{player}.log",
    benchmark:
        "results/resources/play_games/{contest}/{player}.tsv"
    priority: 20
    group:
        "contests"
    resources:
        mem_mb=by_try(1000),
        runtime=by_try(60),
    params:
        code=code_of("play_games.py"),
        contest=lambda wildcards: setting(
            CONTESTS, "contest", wildcards.contest
        ).model_dump(include={"game", "opening", "rounds", "secrets"}),
        options=lambda wildcards: CONTESTS[wildcards.contest].options.get(
            wildcards.player, {}
        ),
        seed=STUDY.config.players.seed,
    script:
        "../scripts/play_games.py"


rule compare_players:
    input:
        logs=each("results/players/{game}/{name}.parquet", PLAYERS),
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
        code=code_of("compare_players.py"),
        resamples=STUDY.config.players.resamples,
        seed=STUDY.config.players.seed,
        margins=STUDY.config.players.margins.model_dump(),
        png_scale=PNG_SCALE,
    script:
        "../scripts/compare_players.py"


rule compare_methods:
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
        code=code_of("compare_methods.py"),
        methods=lambda wildcards: setting(
            METHODS, "table", wildcards.table
        ).model_dump(),
        seed=STUDY.config.players.seed,
    script:
        "../scripts/compare_methods.py"
