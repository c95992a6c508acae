rule codemaker:
    """Players and strategies against a devious codemaker."""
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
        games=STUDY.config.codemaker.devious.games,
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
        contest=STUDY.config.codemaker.devious.contest,
        png_scale=PNG_SCALE,
    script:
        "../scripts/render_report.py"
