JOBS |= {
    "play_random_consistent": by("game", RANDOM_CONSISTENT),
    "play_games": by("contest", CONTESTS),
    "compare_players": once(CONTESTS),
    "tabulate_seeds": [],  # `make paper-scale` alone asks for it
    "compare_methods": by("table", METHODS),
    "play_deviously": once(DEVIOUS),
    "rank_deviously": once(DEVIOUS),
    "play_terminals": once(PLAYED),
    "tabulate_terminals": once(PLAYED),
}


rule play_random_consistent:
    "Compute the expected results of random consistent play."
    input:
        game="results/games/{game}/game.npz",
    output:
        expected="results/players/{game}/random-consistent.json",
        effort=effort("play_random_consistent/{game}"),
    log:
        "logs/play_random_consistent/{game}.log",
    group:
        "exact"
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=by_try(20),
    params:
        *code("play_random_consistent"),
        memo_mib=memo_of,
    script:
        "../scripts/play_random_consistent.py"


rule play_games:
    "Play a contest's games, in batches that survive a kill."
    input:
        compiled=compiled("players"),
    output:
        games="results/players/{contest}/games.parquet",
        effort=effort("play_games/{contest}"),
    log:
        "logs/play_games/{contest}.log",
    priority: 20
    group:
        "contests"
    resources:
        mem_mb=by_try(1000),
        runtime=by_try(60),
    params:
        *code("play_games"),
        **settings(
            contest=lambda wildcards: setting(
                CONTESTS, "contest", wildcards.contest
            ).model_dump(),
            seed=STUDY.config.players.seed,
        ),
        version=version("play_games"),
    script:
        "../scripts/play_games.py"


rule compare_players:
    "Tabulate and draw the players' contests, and test their differences."
    input:
        logs=expand("results/players/{contest}/games.parquet", contest=CONTESTS),
        published=published("published/cotta-2010-*"),
    output:
        means=shown("results/tables/players.csv", "Tables", "players"),
        tests=shown("results/tables/players-significance.csv", "Tables", "players"),
        text="results/tables/players.md",
        statements=tabled("players", "cotta-2010-statements"),
        readings=tabled("players", "cotta-2010-readings"),
        gaps=shown("results/tables/cotta-2010-gaps.csv", "Tables", "players"),
        figures=drawn(
            "players",
            "players-guesses",
            "players-evolutionary",
            "players-share",
            "players-statements",
        ),
        effort=effort("compare_players"),
    log:
        "logs/compare_players.log",
    localrule: True
    params:
        *code("compare_players"),
        *contents_of(*published("published/cotta-2010-*")),
        **settings(
            margins=STUDY.config.players.margins.model_dump(),
            png_scale=PNG_SCALE,
        ),
    script:
        "../scripts/compare_players.py"


# Asked for by `make paper-scale` alone.
rule tabulate_seeds:
    "Count how many seeds of evolutionary players stay feasible (Cotta et al. 2010)."
    input:
        compiled=compiled("players"),
    output:
        tables=tabled("players", "cotta-2010-seeds"),
        effort=effort("tabulate_seeds"),
    log:
        "logs/tabulate_seeds.log",
    group:
        "contests"
    resources:
        mem_mb=by_try(1000),
        runtime=by_try(60),
    params:
        *code("tabulate_seeds"),
        **settings(
            contests={
                name: contest.model_dump()
                for name, contest in CONTESTS.items()
                if name.removesuffix("-keeping") in ("four-six", "four-eight")
            },
            seed=STUDY.config.players.seed,
        ),
    script:
        "../scripts/tabulate_seeds.py"


rule compare_methods:
    "Play and time several players against the same secrets, in one job."
    input:
        compiled=compiled("players"),
    output:
        tables=tabled("players", "{table}-methods"),
        effort=effort("compare_methods/{table}"),
    log:
        "logs/compare_methods/{table}.log",
    priority: 20
    group:
        "contests"
    resources:
        mem_mb=by_try(1000),
        runtime=by_try(60),
    params:
        *code("compare_methods"),
        **settings(
            methods=lambda wildcards: setting(
                METHODS, "table", wildcards.table
            ).model_dump(),
            seed=STUDY.config.players.seed,
        ),
    script:
        "../scripts/compare_methods.py"


rule play_deviously:
    "Play a contest's players against a devious codemaker."
    input:
        compiled=compiled("players"),
    output:
        games="results/players/devious.parquet",
        effort=effort("play_deviously"),
    log:
        "logs/play_deviously.log",
    group:
        "contests"
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=by_try(60),
    params:
        *code("play_deviously"),
        **settings(
            contest=DEVIOUS and DEVIOUS.model_dump(),
            games=STUDY.config.codemaker.devious.games,
            seed=STUDY.config.players.seed,
        ),
        memo_mib=memo_of,
    script:
        "../scripts/play_deviously.py"


rule rank_deviously:
    "Rank players and strategies against a devious codemaker."
    input:
        games=expand("results/games/{game}/game.npz", game=GAMES),
        trees=[tree for game in GAMES for tree in trees_of(game)],
        played="results/players/devious.parquet",
        means="results/tables/players.csv",
    output:
        tables=tabled("players", "devious"),
        strategies=tabled("strategies", "devious-strategies"),
        figures=drawn("players", "devious"),
        effort=effort("rank_deviously"),
    log:
        "logs/rank_deviously.log",
    localrule: True
    params:
        *code("rank_deviously"),
        **settings(
            contest=STUDY.config.codemaker.devious.contest,
            png_scale=PNG_SCALE,
        ),
    script:
        "../scripts/rank_deviously.py"


rule play_terminals:
    "Draw terminals of Fallout 3, and play each with every strategy."
    input:
        words=packaged(STUDY.terminal_words)[0],
    output:
        terminals="results/terminals/terminals.parquet",
        effort=effort("play_terminals"),
    log:
        "logs/play_terminals.log",
    group:
        "contests"
    resources:
        mem_mb=by_try(1000),
        runtime=by_try(20),
    params:
        *code("play_terminals"),
        *contents_of(STUDY.terminal_words),
        **settings(
            draw=STUDY.config.terminals.model_dump(
                exclude={"words", "attempts", "resets"}
            ),
            attempts=STUDY.config.terminals.attempts,
            resets=STUDY.config.terminals.resets,
        ),
    script:
        "../scripts/play_terminals.py"


rule tabulate_terminals:
    "Tabulate the terminals, and draw how often they are solved within the attempts."
    input:
        terminals="results/terminals/terminals.parquet",
    output:
        tables=tabled("players", "terminals"),
        figures=drawn("players", "terminals"),
        effort=effort("tabulate_terminals"),
    log:
        "logs/tabulate_terminals.log",
    localrule: True
    params:
        *code("tabulate_terminals"),
        **settings(
            attempts=STUDY.config.terminals.attempts,
            resets=STUDY.config.terminals.resets,
            png_scale=PNG_SCALE,
        ),
    script:
        "../scripts/tabulate_terminals.py"


rule players:
    """Players: random consistent play in expectation, and contests of players that search."""
    input:
        made(
            "play_random_consistent",
            "play_games",
            "compare_players",
            "compare_methods",
        ),


rule codemaker:
    """Players and strategies against a devious codemaker."""
    input:
        made(
            "play_deviously",
            "rank_deviously",
        ),


rule terminals:
    "Terminals of Fallout 3: played with every strategy, tabulated, drawn."
    input:
        made(
            "play_terminals",
            "tabulate_terminals",
        ),
