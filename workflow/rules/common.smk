"""The checked study, the names of its files, and what all rules share."""

import os
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.io import is_flagged
from snakemake.logging import logger

from codebreaker.constants import NARROW, PAPERS_GAME
from codebreaker.errors import CodebreakerError, unknown
from codebreaker.files import DATA, remove_temporary_files
from codebreaker.policies.registry import FOUND as FOUND_SUFFIX
from codebreaker.proofs.settings import BEHIND_BITS
from codebreaker.report.needs import GUR_NEEDS, KOOI_NEEDS, KOOI_STRATEGIES, PAPER_NEEDS
from codebreaker.runtime.sources import ROOT
from codebreaker.study.contract import by_try, contents_of, digest_of_versions
from codebreaker.study.contract import settings, versions_of
from codebreaker.study.jobs import check_package, check_paths, check_place, explain
from codebreaker.study.load import load_study
from codebreaker.study.yaml_files import read_given_yaml

WORKFLOW = Path(str(workflow.current_basedir)).parent
RESOURCES = WORKFLOW.parent / "resources"

try:
    check_place()
    check_package(WORKFLOW.parent)
    check_paths([WORKFLOW, ROOT, *workflow.configfiles])
    for file in workflow.configfiles:  # `config` no longer shows keys that occur twice
        read_given_yaml(file)
    STUDY = load_study(config, WORKFLOW.parent)
except CodebreakerError as error:
    raise WorkflowError(f"error: {explain(error)}") from None


wildcard_constraints:
    game="[a-z]+[-0-9a-z]*",
    model="[a-z][a-z0-9-]*",
    seed="[0-9]+",
    policy="[^/]+",
    target="optimal[^/]*",
    contest="[a-z][a-z0-9-]*",
    player="[A-Za-z][A-Za-z0-9-]*",
    agent="[A-Za-z0-9][A-Za-z0-9._-]*",
    table="[a-z][a-z0-9-]*",
    part="[a-z]+",


# What the study has, by game. Rules are part of it where a condition holds, and files where games
# have them.


def when(condition, *files):
    """Return files if a condition holds, otherwise an empty list."""
    return list(files) if condition else []


GAMES = list(STUDY.strategies)
PNG_SCALE = STUDY.config.figures.png_scale
UNSEEN = "results/.jobs"
"""The folder of what only jobs read: marks, digests, and what each job took."""
SEARCH_MB = 1024
"""Memory of a search, of which a quarter is its memo: --set-resources changes both."""

MODELS = STUDY.config.optimise.models
GUIDED = STUDY.config.guided.models
BOUNDS = STUDY.config.guided.bounds
TARGETS = STUDY.targets
WORD_FILES = [path for files in STUDY.games.word_lists.values() for path in files.paths]
COUNTED = STUDY.config.exact.rounds
FRONTIERS = STUDY.config.exact.frontiers
VALUED = STUDY.config.exact.values
CONTESTS = STUDY.config.players.contests
METHODS = STUDY.config.players.methods
SWEEPS = STUDY.config.pareto
SCALED = STUDY.config.scaling.games
TRANSFER = STUDY.config.transfer
DEVIOUS = CONTESTS.get(STUDY.config.codemaker.devious.contest)
FIRST_GUESSES = STUDY.config.best_known.first_guesses
PLAYED = STUDY.config.terminals.count > 0
AGENTS = STUDY.agent_logs
ISLANDS = STUDY.requests_gpu(runs_here=workflow.local_exec)

# Models whose weights the study finds, and the strategies that play by them.
FOUND = {
    game: [*MODELS.get(game, {}), *GUIDED.get(game, {})]
    for game in dict.fromkeys([*MODELS, *GUIDED])
}
FOUND_POLICIES = {
    game: {f"{model}{FOUND_SUFFIX}": model for model in models}
    for game, models in FOUND.items()
}
# The trees to grow: of the study's strategies, and of the weights that it finds.
TREES = {
    game: [*STUDY.strategies.get(game, {}), *FOUND_POLICIES.get(game, {})]
    for game in dict.fromkeys([*GAMES, *FOUND])
}
RANDOM_CONSISTENT = STUDY.config.players.random_consistent
GUR_MODEL = "stage"
"""The model whose search has the settings that Gür's Table 2 prints."""
KOOIS_SMALL_GAME = "mm-2-4"
"""The game of Kooi's Table 1."""
SUMMARISED = list(dict.fromkeys([*GAMES, *FOUND]))
WITH_OPTIMA = [game for game in GAMES if "optimal" in TARGETS.get(game, {})]
# The kinds of steps whose loops are compiled before their jobs start.
PARTS = [
    *when(TREES or SWEEPS, "trees"),
    *when(
        TARGETS or COUNTED or WITH_OPTIMA or GUIDED or BOUNDS or VALUED or AGENTS,
        "search",
    ),
    *when(VALUED, "values"),
    *when(any(MODELS.values()) and not ISLANDS or TRANSFER.models, "weights"),
    *when(CONTESTS or METHODS or DEVIOUS, "players"),
]
# Trees that no exact search certifies: they are large, so that every secret is played as a check.
CERTIFIED = {game: TREES[game] for game in GAMES if game in STUDY.without_table}
BEST_KNOWN = STUDY.config.best_known.games
JOINT_MODELS = [
    f"{name}/without-{held}"
    for name, model in TRANSFER.models.items()
    for held in model.games
]
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


def possible(product, needed):
    """Return whether the study has the strategies of MM(4,6) that a product needs; log if not."""
    grown = {**STUDY.strategies.get(PAPERS_GAME, {}), **TARGETS.get(PAPERS_GAME, {})}
    lacking = [name for name in needed if name not in grown]
    if lacking and workflow.is_main_process:
        some = ", ".join(lacking[:3]) + ", ..." * (len(lacking) > 3)
        logger.info(
            f"left out: {product}, as the study lacks strategies of {PAPERS_GAME} that are needed "
            f"there: {some}"
        )
    return not lacking


KOOI = possible("Kooi's tables", KOOI_NEEDS)
GUR = possible("Gür's tables", GUR_NEEDS)
QUANTITIES = possible("quantities of the sources", KOOI_STRATEGIES.values())
PAPER = possible("report.md", PAPER_NEEDS)

TABULATED = list(
    dict.fromkeys(
        [
            *TREES,
            *TARGETS,
            *COUNTED,
            *VALUED,
            *SWEEPS,
            *BOUNDS,
            *RANDOM_CONSISTENT,
            *when(KOOI, KOOIS_SMALL_GAME),
        ]
    )
)
"""The games whose tables some job reads."""


def each(pattern, names):
    """Fill a pattern's {game} and {name} with all names of each game."""
    return [
        pattern.format(game=game, name=name) for game in names for name in names[game]
    ]


# The jobs of the study. What is made, described, measured and required follows from them.

JOBS = {}
"""For each rule, the wildcards of each job; each file of rules adds its own."""


def once(condition):
    """Return the one job of a rule without wildcards, if the study has it."""
    return [{}] if condition else []


def by(wildcard, values):
    """Return a job for each value of a wildcard."""
    return [{wildcard: value} for value in values]


def by_game(wildcard, names):
    """Return a job for each game and each of its names, which are values of a wildcard."""
    return [{"game": game, wildcard: name} for game in names for name in names[game]]


def made(*names):
    """Return all files that the jobs of some rules leave, except what only jobs read.

    They stay the objects that Snakemake made of them: these know if a module's prefix was added.
    """
    return [file for file in left_by(*names) if f"{UNSEEN}/" not in str(file)]


def efforts_of(*names):
    """Return the files that say what the jobs of some rules took."""
    return [file for file in left_by(*names) if f"{UNSEEN}/effort/" in str(file)]


def left_by(*names):
    """Return all files that the jobs of some rules leave."""
    return [
        pattern.apply_wildcards(job)
        for name in names
        for pattern in getattr(rules, name).output
        if not is_flagged(pattern, "temp")
        for job in JOBS[name]
    ]


def names_of_results(wildcards):
    """Return the names of all results in their folder, whichever rule makes them."""
    return [str(file).partition("results/")[2] for file in made(*JOBS)]


def effort(job):
    """Return the file that says what a job took."""
    return f"{UNSEEN}/effort/{job}.json"


def setting(settings, kind, name):
    """Look up the settings of a rule's wildcard."""
    if name not in settings:
        raise WorkflowError(f"error: {unknown(kind, name, settings)}")
    return settings[name]


def tree_file(game, name):
    """Return the file of a tree: optimal, or grown."""
    folder = "exact" if name in TARGETS.get(game, {}) else "trees"
    return f"results/{folder}/{game}/{name}.parquet"


def papers_trees(names):
    """Return the files of trees of the papers' game."""
    return [tree_file(PAPERS_GAME, name) for name in names]


def trees_of(game):
    """Return the trees of a game: of strategies and found weights, and optimal ones."""
    names = [*TREES.get(game, []), *TARGETS.get(game, [])]
    return [tree_file(game, name) for name in names]


def weights_of(game, model):
    """Return the file of the best weights of a model."""
    name = "guided" if model in GUIDED.get(game, {}) else "best"
    return f"results/weights/{game}/{model}/{name}.json"


def seed_files(game, models, suffix):
    """Return one file for each seed of some models of a game."""
    return [
        f"results/weights/{game}/{name}/seed-{seed}{suffix}"
        for name in models
        for seed in setting(MODELS.get(game, {}), "model", name).seeds
    ]


# Files that come with the package or the user's study.


def packaged(*paths):
    """Mark files that no storage plugin needs to fetch.

    Their paths are relative to the working folder, so that a copy of the project, results
    included, has nothing to do.
    """
    return [local(os.path.relpath(path)) for path in paths]


def published(pattern):
    """Return the package's data files whose names fit a pattern, of which there must be some."""
    files = sorted(DATA.glob(pattern))
    assert files, pattern
    return packaged(*files)


def resource(name):
    """Return a file of the folder `resources`."""
    return packaged(RESOURCES / name)[0]


# The versions of what a job reads besides the files of other jobs. They are parameters, so that a
# change reruns the job, and Snakemake's reason names the module, library or file.


def code(*programs):
    """Return the versions of programs, of the modules and of the libraries that they import."""
    return versions_of(WORKFLOW, *programs)


def version(*programs):
    """Return one digest of programs and their imports, by which a checkpoint is known."""
    return digest_of_versions(code(*programs))


def checker(name, file):
    """Return the digests of a checker, which imports nothing of the package.

    A rule's file counts, too: Snakemake compares commands only together with the times of scripts,
    which are new in each copy of the project.
    """
    rule_file = WORKFLOW / "rules" / file
    return [*code(name, "game_rules", "strict_json"), *contents_of(rule_file)]


def measured(name):
    """Return a function for the command of a checker, with what writes the checker's effort.

    Snakemake compares no functions of an input or output.
    """
    path = WORKFLOW / "checkers" / f"{name}.py"
    measure = [sys.executable, "-m", "codebreaker.runtime.effort"]
    return lambda wildcards, output: [*measure, output.effort, sys.executable, path]


WORDS_OPTIONS = [
    f"--words={name}={','.join(map(os.path.relpath, lists.paths))}"
    for name, lists in STUDY.games.word_lists.items()
]
"""The word lists as options of a checker: their names with their files."""


# Resources.


def memo_of(wildcards, resources):
    """Return the MiB of a search's memo, whose change reruns no job, as the trees stay the same."""
    return resources.mem_mb / 4


# Tables and charts, and their marks for Snakemake's report.


def tables(*names):
    """Return the CSV and Markdown files of tables."""
    return [f"results/tables/{name}{end}" for name in names for end in (".csv", ".md")]


def charts(*names):
    """Return the files of charts."""
    ends = (".svg", ".png", ".json", NARROW)
    return [f"results/figures/{name}{end}" for name in names for end in ends]


def shown(path, kind, category):
    """Mark an output for Snakemake's report, under charts or tables and a category."""
    return report(
        path,
        caption=f"../report/{category}.rst",
        category=kind,
        subcategory=category,
        labels={"name": Path(path).stem},
    )


def drawn(category, *names, suffix=".svg"):
    """Return the files of charts as outputs; those with the suffix go into Snakemake's report."""
    reported = [f"results/figures/{name}{suffix}" for name in names]
    return [
        shown(path, "Charts", category) if path in reported else path
        for path in charts(*names)
    ]


def tabled(category, *names):
    """Return the files of tables as outputs; the CSV files go into Snakemake's report."""
    return [
        shown(path, "Tables", category) if path.endswith(".csv") else path
        for path in tables(*names)
    ]


# Games.


def words_of(wildcards):
    """Return the files of a game's word lists."""
    lists = STUDY.games.lists_of(wildcards.game).values()
    return [path for files in lists for path in files.paths]


def compiled(part):
    """Return the mark that the loops of a kind of step are compiled."""
    return f"{UNSEEN}/compiled/{part}"


# Weights.


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


def minutes_of_search(wildcards, n_seeds):
    """Return the run time that searches for weights request, in minutes.

    It assumes 1,000 individuals per second, or one in two seconds for games without a table.
    """
    model = model_of(wildcards)
    population = STUDY.config.optimise.presets[model.preset].population
    a_minute = 30 if wildcards.game in STUDY.without_table else 60_000
    return 10 + population * model.generations * n_seeds // a_minute


def conditions_of(game, name, model):
    """Return the conditions of a model's bound, as its checker compares them."""
    conditions = {"game": game, "model": name, "behind_bits": BEHIND_BITS}
    for key in ("opening", "guess_limit", "low", "high"):
        conditions[key] = vars(model).get(key)
    return " ".join(f"{key}={value}" for key, value in conditions.items())


TRUSTED = ["--trust=optimum", "--trust=regrets"]
"""Steps of a proof that its checker takes as given."""


CLAIMED_BOUNDS = [
    f"--claimed={conditions_of(game, name, model)}"
    for models in (GUIDED, BOUNDS)
    for game in models
    for name, model in models[game].items()
]
"""Each bound's conditions."""


# Trees.


def strategy_of(wildcards):
    """Return a strategy of the study, or None for the weights of a model."""
    if wildcards.policy in FOUND_POLICIES.get(wildcards.game, {}):
        return None
    strategies = STUDY.strategies.get(wildcards.game, {})
    return setting(strategies, "strategy", wildcards.policy)


def strategy_settings(wildcards):
    """Return a strategy's settings, or None for the weights of a model."""
    strategy = strategy_of(wildcards)
    return strategy and strategy.settings


def published_weights(wildcards):
    """Return the package's file of a strategy's weights, if it has any."""
    strategy = strategy_of(wildcards)
    if strategy is None or strategy.weights is None:
        return []
    return packaged(DATA / "weights" / f"{strategy.weights.name}.json")


def found_weights(wildcards):
    """Return the file of the weights that a tree plays by, if the study finds them."""
    model = FOUND_POLICIES.get(wildcards.game, {}).get(wildcards.policy)
    return when(model, weights_of(wildcards.game, model))


# Exact search.


def target_of(wildcards):
    """Return the settings of an optimum."""
    return setting(TARGETS.get(wildcards.game, {}), "optimum", wildcards.target)


def time_limit_of(wildcards, resources):
    """Return a search's seconds, whose change reruns no job: an optimum that is proven stays so.

    Snakemake records no parameter that depends on resources.
    """
    return STUDY.time_limit_s(wildcards.game, wildcards.target)


def recorded_tree(wildcards):
    """Return the recorded tree that a search starts from, if the study wants one."""
    if not target_of(wildcards).from_best_known:
        return []
    return packaged(DATA / "trees" / f"{wildcards.game}.parquet")


def certificates_in(folder):
    """Return the certificates of optimal trees, or of trees without a table."""
    names = TARGETS if folder == "exact" else CERTIFIED
    return each(f"results/{folder}/{{game}}/{{name}}.json", names)


# Agents.


def log_of(wildcards):
    """Return the log of an agent."""
    return packaged(setting(AGENTS, "agent", wildcards.agent))[0]


# Evaluation.


def sweep_of(wildcards):
    """Return the settings of a game's sweep."""
    return setting(SWEEPS, "game", wildcards.game)


# What is written about the results.


def among(files, names):
    """Return the files whose names in the folder of results are among the given ones."""
    ends = tuple(f"results/{name}" for name in names)
    by_path = {str(path): path for path in files}
    return [by_path[path] for path in sorted(by_path) if path.endswith(ends)]
