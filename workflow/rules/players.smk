"""Players: random consistent play in expectation, and contests of players that search."""


localrules:
    compare_players,


rule players:
    input:
        [
            f"results/players/{game}/random-consistent.json"
            for game in STUDY.config.players.random_consistent
        ],
        "results/tables/players.md" if CONTESTS else [],


rule play_random_consistent:
    input:
        game="results/games/{game}/game.npz",
        code=code_of("play_random_consistent.py"),
    output:
        expected="results/players/{game}/random-consistent.json",
    log:
        "logs/play_random_consistent/{game}.log",
    group:
        "small"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        mem_mb=by_try(1000 + MEMO_MIB),
        runtime=by_try(20),
    params:
        memo_mib=STUDY.config.limits.memo_mib,
    script:
        "../scripts/play_random_consistent.py"


for contest, settings in CONTESTS.items():

    rule:
        name:
            f"play_contest_{contest}".replace("-", "_")
        input:
            code=code_of("play_contest.py"),
        output:
            logs=player_logs(contest),
        log:
            f"logs/play_contest/{contest}.log",
        group:
            "contests"
        conda:
            "../../envs/environment.yaml"
        threads: 2
        resources:
            mem_mb=by_try(1000),
            runtime=by_try(60),
        params:
            name=contest,
            contest=settings.model_dump(),
            seed=STUDY.config.players.seed,
            checkpoints=f"checkpoints/players/{contest}",
        script:
            "../scripts/play_contest.py"


rule compare_players:
    input:
        logs=[path for contest in CONTESTS for path in player_logs(contest)],
        published=published_files("published"),
        code=code_of("compare_players.py"),
    output:
        means=shown("results/tables/players.csv", "Tables", "players"),
        tests=shown("results/tables/players-significance.csv", "Tables", "players"),
        text="results/tables/players.md",
        figures=drawn("players", *PLAYER_FIGURES),
    log:
        "logs/compare_players.log",
    conda:
        "../../envs/environment.yaml"
    params:
        png_scale=STUDY.config.figures.png_scale,
    script:
        "../scripts/compare_players.py"
