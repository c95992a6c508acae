"""The charts, tables and other outputs of each phase, and what the report quotes."""

from itertools import chain


def when(condition, *names):
    """Return names if a condition holds, otherwise an empty list."""
    return list(names) if condition else []


KOOI_TABLES = [f"kooi-2005-table-{n:02}" for n in range(1, 13)]
KOOI_TABLES += ["kooi-2005-footnote-4"]
GUR_SEARCH = [weights_of(PAPERS_GAME, name) for name in PAPER_MODELS if name == "stage"]
GUR_TABLES = [f"gur-2025-table-{n}" for n in (1, 3, 4, *when(GUR_SEARCH, 2))]
STRATEGY_CHARTS = [
    *("profiles", "above-the-optimum"),
    *when("mm-5-8" in GAMES, "records"),
]
PLAYER_CHARTS = [f"players-{name}" for name in ("guesses", "share", "statements")]
WEIGHT_TABLES = [
    *("deviations", "ablation", "rounding", "seeds", "convergence", "replayed"),
]
WEIGHT_CHARTS = ["ga-convergence", "turn-ablation"]
VALUE_TABLES = [
    *("game-values", "codemaker-prior", "codebreaker-mixtures", "fair-trees"),
]

# Tables that the report may quote, each a CSV and a Markdown file.
TABLES = {
    "exact": [
        *when(TARGETS, "exact-optima"),
        *when(COUNTED, "rounds"),
        *when(PAPERS_GAME in FRONTIERS, "mixtures"),
        *when(WITH_OPTIMA, "lost-by-turn"),
        *when(PAPERS_GAME in WITH_OPTIMA, "openings"),
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
    "codemaker": when(DEVIOUS, "devious", "devious-strategies"),
    "report": [
        *when(KOOI, *KOOI_TABLES),
        *when(GUR, *GUR_TABLES, "gur-2025-deviations"),
        *("machine", "resources"),
        *when(RUNS, "resources-searches"),
    ],
}

# Names of charts, each in three formats.
CHARTS = {
    "exact": [
        *when(PAPERS_GAME in FRONTIERS, "rounds"),
        *when(WITH_OPTIMA, "lost-by-turn"),
    ],
    "values": when(VALUES_DRAWN, "codemaker-prior"),
    "players": when(CONTESTS, *PLAYER_CHARTS),
    "terminals": when(PLAYED, "terminals"),
    "weights": when(PAPER_MODELS, *WEIGHT_CHARTS),
    "transfer": when(TRANSFER.games, "weight-transfer"),
    "pareto": [f"pareto-{game}" for game in SWEEPS],
    "scaling": when(SCALED, "scaling"),
    "best_known": ["best-known", "rollouts"],
    "codemaker": when(DEVIOUS, "devious"),
    "report": when(CHARTED, *STRATEGY_CHARTS),
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
CLAIMED = sorted({f"results/{file}" for file in files_of_claims()}.intersection(QUOTED))


# Snakemake's measurements, by rule and instance.
MEASURED = [
    f"results/resources/{name}.tsv"
    for name in (
        *expand("tabulate_game/{game}", game=TABULATED),
        *(each("optimise_islands/{game}/{name}", MODELS) if ISLANDS else []),
        *([] if ISLANDS else each("optimise_weights/{game}/{name}", RUNS)),
        *each("bound_one_row/{game}/{name}", BOUNDS),
        *each("guide_weights/{game}/{name}", GUIDED),
        *when(any(STUDY.policies.values()), "grow_trees"),
        *when(FOUND_POLICIES, "grow_found_trees"),
        *each("roll_out/{game}/{name}", ROLLOUTS),
        *each(
            "solve_exactly/{game}/{name}",
            {game: TARGETS[game] for game in TARGETS if game not in SMALL},
        ),
        *when(SMALL, "solve_small_games"),
        *expand("compute_regrets/{game}", game=WITH_OPTIMA),
        *when(COUNTED, "count_rounds"),
        *when(PAPERS_GAME in WITH_OPTIMA, "bound_openings"),
        *when(VALUED, "find_values"),
        *expand("play_games/{contest}", contest=CONTESTS),
        *expand("compare_methods/{table}", table=METHODS),
        *expand(
            "play_random_consistent/{game}", game=STUDY.config.players.random_consistent
        ),
        *when(PLAYED, "play_terminals"),
        *when(PAPER_MODELS, "analyse_weights"),
        *when(TRANSFER.games, "transfer_weights"),
        *expand(
            "join_games/transfer/{name}", name=JOINT_MODELS if TRANSFER.games else []
        ),
        *expand("sweep_policies/{game}", game=SWEEPS),
        *expand("measure_scaling/{game}", game=SCALED),
        *when(DEVIOUS, "play_deviously"),
        *expand(
            "bound_totals/{game}", game=[one for one in BEST_KNOWN if one in ROLLOUTS]
        ),
        *expand("compare_first_guesses/{game}", game=FIRST_GUESSES),
    )
]
