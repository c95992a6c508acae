"""The study's instances of each step, by game, and the names of their files."""

from codebreaker.policies.criterion import TIE_TOLERANCE_BITS
from codebreaker.report.paper import NEEDED as PAPER_NEEDS
from codebreaker.report.chapters.gur import GUR_NEEDS
from codebreaker.report.chapters.kooi import KOOI_NEEDS, KOOI_STRATEGIES
from codebreaker.report.claims import files_of_claims
from codebreaker.games.registry import rules_of

from snakemake.logging import logger

CHART = (".svg", ".png", ".json")
TABLE = (".csv", ".md")

MODELS = STUDY.config.optimise.models
GUIDED = STUDY.config.guided.models
TARGETS = STUDY.targets
ROLLOUTS = STUDY.rollouts
WORD_FILES = {name: list(files.paths) for name, files in STUDY.word_lists.items()}
WITH_PRIOR = [game for game in GAMES if STUDY.prior_of(game)]
COUNTED = STUDY.config.exact.rounds
FRONTIERS = STUDY.config.exact.frontiers
VALUED = STUDY.config.exact.values
VALUES_DRAWN = any(game.startswith("mm-") for game in VALUED)
CONTESTS = STUDY.config.players.contests
METHODS = STUDY.config.players.methods
SWEEPS = STUDY.config.pareto
RUNS = {
    game: [f"{name}/seed-{seed}" for name in models for seed in models[name].seeds]
    for game, models in MODELS.items()
}
FOUND = {
    game: [*MODELS.get(game, {}), *GUIDED.get(game, {})]
    for game in dict.fromkeys([*MODELS, *GUIDED])
}
FOUND_POLICIES = {
    game: {f"{model}{FOUND_SUFFIX}": model for model in models}
    for game, models in FOUND.items()
}
TREES = {
    game: [
        *STUDY.policies.get(game, {}),
        *FOUND_POLICIES.get(game, {}),
    ]
    for game in dict.fromkeys([*GAMES, *FOUND])
}
UNTABLED = [game for game in GAMES if game in STUDY.without_table]
CERTIFIED = {
    game: [*(TREES[game] if game in UNTABLED else []), *ROLLOUTS.get(game, [])]
    for game in dict.fromkeys([*UNTABLED, *ROLLOUTS])
}
BEST_KNOWN = {
    game: [
        *(name for name in TARGETS.get(game, {}) if name == "optimal"),
        *ROLLOUTS.get(game, {}),
    ]
    for game in STUDY.config.best_known.games
}
# Small games are solved in one job, without a time for each.
SMALL = {
    game: list(names)
    for game, names in TARGETS.items()
    if game not in (*BEST_KNOWN, PAPERS_GAME)
    and rules_of(game, STUDY.word_lists).table_shape[1] < 1300
}
FIRST_GUESSES = STUDY.config.best_known.first_guesses
WITH_OPTIMA = [game for game in GAMES if "optimal" in TARGETS.get(game, {})]
RANDOM_CONSISTENT = [
    f"results/players/{game}/random-consistent.json"
    for game in STUDY.config.players.random_consistent
]
BOUNDS = STUDY.config.guided.bounds
ISLANDS = requests_gpu(STUDY.config.optimise.backend)
COMPILED = [
    *(["weights"] if any(RUNS.values()) else []),
    *(["search"] if TARGETS or GUIDED else []),
    *(["players"] if CONTESTS else []),
]
TABULATED = list(dict.fromkeys([*TREES, *TARGETS, *COUNTED, *ROLLOUTS]))
PLAYED = STUDY.config.terminals.count > 0
SCALED = STUDY.config.scaling.games
TRANSFER = STUDY.config.transfer
JOINT = {name: model.games for name, model in TRANSFER.models.items()}
JOINT_MODELS = [f"{model}/without-{held}" for model in JOINT for held in JOINT[model]]
DEVIOUS = CONTESTS.get(STUDY.config.codemaker.devious.contest)
PAPER_SCALE = sorted((WORKFLOW.parent / "resources" / "paper-scale").glob("*.csv"))
PAPER_SCALE_RUNS = WORKFLOW.parent / "resources" / "paper-scale" / "runs.jsonl"
PAPER_SCALE_TABLES = [f"results/paper-scale/{path.name}" for path in PAPER_SCALE]

LEFT_OUT = {}


def possible(product, needed):
    """Return whether the study has the strategies of MM(4,6) that a product needs; log if not."""
    own = {**STUDY.policies.get(PAPERS_GAME, {}), **TARGETS.get(PAPERS_GAME, {})}
    if lacking := [name for name in needed if name not in own]:
        LEFT_OUT[product] = lacking
    return not lacking


KOOI = possible("Kooi's tables", KOOI_NEEDS)
GUR = possible("Gür's tables", GUR_NEEDS)
QUANTITIES = possible("quantities of the sources", KOOI_STRATEGIES.values())
PAPER = possible("report.md", PAPER_NEEDS)
CHARTED = bool(TREES.get(PAPERS_GAME) or TARGETS.get(PAPERS_GAME))

if workflow.is_main_process:
    for product, lacking in LEFT_OUT.items():
        some = ", ".join(lacking[:3]) + ", ..." * (len(lacking) > 3)
        logger.info(
            f"left out: {product}, as the study lacks strategies of {PAPERS_GAME} that are needed "
            f"there: {some}"
        )

# Models of the papers' game: with weights only, and by the meaning of their genes.
PAPER_MODELS = [
    name
    for name, model in MODELS.get(PAPERS_GAME, {}).items()
    if model.genes == "weights"
]
FAMILY_MODELS = {
    name: model
    for name, model in MODELS.get(PAPERS_GAME, {}).items()
    if model.turns > 1 and model.opening is not None
}
COMPARED = len({model.genes for model in FAMILY_MODELS.values()}) > 1


def each(pattern, names):
    """Fill a pattern's {game} and {name} with all names of each game."""
    return [
        pattern.format(game=game, name=name) for game in names for name in names[game]
    ]


def updated(pattern, names):
    """Return files as `each`, as outputs of one job that writes only what has changed."""
    return [update(path) for path in each(pattern, names)]


def charts(*names):
    """Return the files of charts."""
    return [f"results/figures/{name}{suffix}" for name in names for suffix in CHART]


def tables(*names):
    """Return the CSV and Markdown files of tables."""
    return [f"results/tables/{name}{suffix}" for name in names for suffix in TABLE]


def trees_of(games, optimal=False):
    """Return the trees of some games: of policies and found weights and, if wanted, optimal ones."""
    names = {game: list(TREES[game]) for game in games}
    for game in names:
        names[game] += TARGETS.get(game, []) if optimal else []
    return [tree_file(game, name) for game in names for name in names[game]]


def tree_file(game, name):
    """Return the file of a tree: optimal, by rollout, or grown."""
    folder = "exact" if name in TARGETS.get(game, {}) else "trees"
    folder = "rollout" if name in ROLLOUTS.get(game, {}) else folder
    return f"results/{folder}/{game}/{name}.parquet"


def weights_of(game, model):
    """Return the file of the best weights of a model."""
    name = "guided" if model in GUIDED.get(game, {}) else "best"
    return f"results/weights/{game}/{model}/{name}.json"


def seed_files(game, names, suffix):
    """Return one file for each seed of some models of a game."""
    return [
        f"results/weights/{game}/{name}/seed-{seed}{suffix}"
        for name in names
        for seed in setting(MODELS.get(game, {}), "model", name).seeds
    ]


def certificates_in(folder):
    """Return the certificates of optimal trees, or of rollouts and trees without a table."""
    names = TARGETS if folder == "exact" else CERTIFIED
    return each(f"results/{folder}/{{game}}/{{name}}.json", names)


def target_of(game, name):
    """Return an optimum to search for, with its time limit."""
    target = setting(TARGETS.get(game, {}), "optimum", name)
    return game, asdict(target), STUDY.time_limit_s(game, name)


def model_of(wildcards):
    """Return the settings of a model to optimise."""
    return setting(MODELS.get(wildcards.game, {}), "model", wildcards.model)


def search_of(wildcards):
    """Return all that a search for weights depends on except its seed."""
    model = model_of(wildcards)
    return {
        "name": wildcards.model,
        "model": model.model_dump(exclude={"seeds", "orders"}),
        "criteria": model.criteria,
        "preset": vars(STUDY.config.optimise.presets[model.preset]),
    }


def minutes_of_search(wildcards, attempt, n_seeds=1):
    """Return the run time that searches for weights request, in minutes.

    It assumes 1,000 individuals per second, or one in two seconds for games without a table.
    """
    model = model_of(wildcards)
    population = STUDY.config.optimise.presets[model.preset].population
    a_minute = 30 if wildcards.game in STUDY.without_table else 60_000
    return attempt * (10 + population * model.generations * n_seeds // a_minute)


def criteria_of(policies):
    """Return the names of the criteria of some policies, at any turn."""
    weighted = [policy.weights for policy in policies if policy.weights is not None]
    return {policy.criterion.name for policy in policies}.union(
        *(weights.criteria for weights in weighted)
    )


def tree_to_grow(game, name):
    """Return the source of a tree: a policy of the study, or the weights of a model."""
    policy = STUDY.policies.get(game, {}).get(name)
    model = FOUND_POLICIES.get(game, {}).get(name)
    criteria = ()
    if policy is not None:
        criteria = criteria_of([policy])
    elif model in MODELS.get(game, {}):
        criteria = MODELS[game][model].criteria
    return {
        "game": game,
        "name": name,
        "code": code_of("grow_trees", criteria),
        "policy": policy,
        "model": model,
    }


def published_weights():
    """Return the package's files of the weights of the study's policies."""
    policies = [policy for game in GAMES for policy in STUDY.policies[game].values()]
    return sorted({file for policy in policies for file in weights_of_policy(policy)})


def weights_of_policy(policy):
    """Return the package's file of a policy's weights, if it has any."""
    if policy.weights is None:
        return []
    return local_all([ROOT / "data" / "weights" / f"{policy.weights.name}.json"])


def cost_of(game, name):
    """Return the file with the effort of finding a tree."""
    finder = "roll_out" if name in ROLLOUTS.get(game, {}) else "solve_exactly"
    return f"results/resources/{finder}/{game}/{name}.tsv"


def rollout_of(wildcards):
    """Return the settings of a rollout."""
    return setting(ROLLOUTS.get(wildcards.game, {}), "rollout", wildcards.rollout)


def words_options(wildcards, input):
    """Return the word lists as options of a checker: their names with their files."""
    files = iter(input.words)
    return [
        f"--words={name}={','.join(next(files) for _ in paths)}"
        for name, paths in WORD_FILES.items()
    ]


PROVEN = [
    WORKFLOW.parent / "resources" / "proofs" / f"{PAPERS_GAME}{limit}.json"
    for limit in ("", "_max-5")
    if PAPERS_GAME in {**GUIDED, **BOUNDS}
]
TRUSTED = ["--trust=optimum", "--trust=regrets"]


def conditions_of(game, name, model):
    """Return the conditions of a model's bound, as its checker compares them."""
    told = {"game": game, "model": name, "margin_bits": TIE_TOLERANCE_BITS}
    told |= {
        key: vars(model).get(key) for key in ("opening", "guess_limit", "low", "high")
    }
    return " ".join(f"{key}={value}" for key, value in told.items())


def bounds_options(wildcards, input):
    """Return the claims for the checker of bounds, and each bound's conditions."""
    claimed = [
        f"--claimed={conditions_of(game, name, model)}"
        for models in (GUIDED, BOUNDS)
        for game in models
        for name, model in models[game].items()
    ]
    return [*(f"--claims={path}" for path in input.claims), *TRUSTED, *claimed]
