"""Players that draw their guesses at random."""


rule players:
    input:
        [
            f"results/players/{game}/random-consistent.json"
            for game in STUDY.config.players.random_consistent
        ],


rule play_random_consistent:
    input:
        game="results/games/{game}/game.npz",
        code=code_of("play_random_consistent.py"),
    output:
        expected="results/players/{game}/random-consistent.json",
    log:
        "logs/play_random_consistent/{game}.log",
    conda:
        "../../envs/environment.yaml"
    params:
        memo_mib=STUDY.config.limits.memo_mib,
    script:
        "../scripts/play_random_consistent.py"
