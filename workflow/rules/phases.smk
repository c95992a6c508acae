"""What each phase makes: its charts and tables, what the report quotes, and what is measured."""

from itertools import chain


def when(condition, *names):
    """Return names, or none where a condition does not hold."""
    return list(names) if condition else []


KOOI_TABLES = [f"kooi-2005-table-{n:02}" for n in range(1, 13)]
KOOI_TABLES += ["kooi-2005-footnote-4"]
KOOI_CHARTS = ["kooi-2005-figures-1-3", "kooi-2005-figure-4"]
GUR_SEARCH = [weights_of(PAPERS_GAME, name) for name in PAPER_MODELS if name == "stage"]
GUR_TABLES = [f"gur-2025-table-{n}" for n in (1, 3, 4, *when(GUR_SEARCH, 2))]
STRATEGY_CHARTS = [
    *("profiles", "mean-and-maximum", "stage-weights", "above-the-optimum"),
    *when("mm-5-8" in GAMES, "records"),
]
PLAYER_CHARTS = [
    f"players-{name}"
    for name in ("guesses", "evaluations", "share", "statements", "scaling")
]
WEIGHT_TABLES = ["deviations", "ablation", "rounding", "seeds", "convergence"]
WEIGHT_CHARTS = [
    *("ga-convergence", "weight-boxes", "turn-ablation", "weight-rounding"),
    "found-weights",
]
VALUE_TABLES = [
    *("game-values", "codemaker-chances", "codebreaker-mixtures", "fair-trees"),
]

# Names of tables, each a CSV and a Markdown file, all of which the report may quote.
TABLES = {
    "exact": [
        *when(TARGETS, "exact-optima"),
        *when(COUNTED, "rounds"),
        *when(PAPERS_GAME in FRONTIERS, "mixtures"),
        *when(PRICED, "move-costs"),
        *when(PAPERS_GAME in PRICED, "openings"),
    ],
    "values": when(VALUED, *VALUE_TABLES),
    "players": [
        *when(CONTESTS, "players", "cotta-2010-statements"),
        *(f"{name}-methods" for name in METHODS),
    ],
    "terminals": when(PLAYED, "terminals"),
    "evaluate": when(QUANTITIES, "source-quantities"),
    "weights": [f"weights-{name}" for name in when(PAPER_MODELS, *WEIGHT_TABLES)],
    "transfer": when(TRANSFER.games, "weight-transfer"),
    "families": when(COMPARED, "entropy-families"),
    "pareto": [f"pareto-{game}" for game in SWEEPS],
    "scaling": when(SCALED, "scaling"),
    "best_known": ["best-known", "first-guesses", "two-pegs", "rollouts"],
    "codemaker": [
        *when(DEVIOUS, "devious", "devious-strategies"),
        *when(WRONG.games, "one-lie", "wrong-answers"),
        *when(STATIC, "static-play"),
    ],
    "report": [
        *when(KOOI, *KOOI_TABLES),
        *when(GUR, *GUR_TABLES, "gur-2025-deviations"),
        *("machine", "resources"),
        *when(RUNS, "resources-searches"),
    ],
}

# Names of charts, each in four formats.
CHARTS = {
    "exact": [
        *when(PAPERS_GAME in FRONTIERS, "rounds"),
        *when(PRICED, "move-costs"),
    ],
    "values": when(VALUES_DRAWN, "codemaker-chances"),
    "players": when(CONTESTS, *PLAYER_CHARTS),
    "terminals": when(PLAYED, "terminals"),
    "weights": when(PAPER_MODELS, *WEIGHT_CHARTS),
    "transfer": when(TRANSFER.games, "weight-transfer"),
    "families": when(COMPARED, "entropy-families"),
    "pareto": [f"{name}-{game}" for name in ("pareto", "orders") for game in SWEEPS],
    "scaling": when(SCALED, "scaling"),
    "best_known": ["best-known", "rollouts"],
    "codemaker": [
        *when(DEVIOUS, "devious"),
        *when(WRONG.games, "one-lie", "wrong-answers"),
        *when(STATIC, "static-play"),
    ],
    "report": [*when(CHARTED, *STRATEGY_CHARTS), *when(KOOI, *KOOI_CHARTS)],
}
ALL_CHARTS = [*chain.from_iterable(CHARTS.values())]

# Further files that the report quotes.
QUOTED = [
    *tables(*chain.from_iterable(TABLES.values())),
    *each("results/weights/{game}/{name}/guided.json", GUIDED),
    *when(GUIDED, "results/exact/checked-bounds.csv"),
    *when(TARGETS, "results/exact/checked.csv"),
    *when(CERTIFIED, "results/certificates/checked.csv"),
    *when(PAPERS_GAME in FRONTIERS, "results/tables/rounds-frontier.csv"),
    *when(
        PAPERS_GAME in PRICED,
        f"results/resources/solve_exactly/{PAPERS_GAME}/optimal.tsv",
    ),
    *when(VALUED, "results/values/checked.csv"),
    *RANDOM_CONSISTENT,
    *when(CONTESTS, "results/tables/players-significance.csv"),
    *("results/metrics/strategies.csv", "results/discrepancies.csv"),
    *PAPER_SCALE_TABLES,
    *(weights_of(PAPERS_GAME, model) for model in PAPER_MODELS),
    *expand("results/tables/pareto-families-{game}.csv", game=SWEEPS),
    *expand("results/pareto/{game}/policies.parquet", game=SWEEPS),
    "results/README.md",
]
CLAIMED = sorted(
    {file for file in QUOTED if file.removeprefix("results/") in files_of_claims()}
)


def measurements(**instances):
    """Return what Snakemake measures of some rules, by the instances of each; "" is the only one."""
    return [
        f"results/resources/{rule}{'/' if one else ''}{one}.tsv"
        for rule, names in instances.items()
        for one in names
    ]


MEASURED = measurements(
    tabulate_game=TABULATED,
    optimise_islands=each("{game}/{name}", MODELS) if ISLANDS else [],
    optimise_weights=[] if ISLANDS else each("{game}/{name}", RUNS),
    bound_one_row=each("{game}/{name}", BOUNDS),
    guide_weights=each("{game}/{name}", GUIDED),
    grow_tree=each("{game}/{name}", TREES),
    roll_out=each("{game}/{name}", ROLLOUTS),
    solve_exactly=each("{game}/{name}", TARGETS),
    price_moves=PRICED,
    count_rounds=when(COUNTED, ""),
    bound_openings=when(PAPERS_GAME in PRICED, ""),
    find_values=when(VALUED, ""),
    play_games=each("{game}/{name}", PLAYERS),
    compare_methods=METHODS,
    play_random_consistent=STUDY.config.players.random_consistent,
    play_terminals=when(PLAYED, ""),
    analyse_weights=when(PAPER_MODELS, ""),
    transfer_weights=when(TRANSFER.games, ""),
    join_games=(
        [f"transfer/{name}" for name in JOINT_MODELS] if TRANSFER.games else []
    ),
    sweep_policies=SWEEPS,
    measure_scaling=SCALED,
    cost_wrong_answers=when(WRONG.games, ""),
    find_static_sets=when(STATIC, ""),
    play_deviously=when(DEVIOUS, ""),
    bound_totals=[game for game in BEST_KNOWN if game in ROLLOUTS],
    compare_first_guesses=FIRST_GUESSES,
)
