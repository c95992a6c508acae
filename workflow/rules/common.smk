"""What all rules share: the checked study, and the files that each script depends on."""

from dataclasses import asdict
from pathlib import Path

from snakemake.exceptions import WorkflowError

from codebreaker.constants import PAPERS_GAME
from codebreaker.study.dependencies import ROOT, modules_of
from codebreaker.errors import CodebreakerError
from codebreaker.policies.policy import FOUND as FOUND_SUFFIX
from codebreaker.study.jobs import explain
from codebreaker.study.load import load_study, requests_gpu

SCRIPTS = Path(str(workflow.current_basedir)).parent / "scripts"
DATA = ROOT / "data"
FIGURES = ("profiles", "mean-and-maximum", "stage-weights")
CHART = (".svg", ".png", ".html", ".json")

try:
    STUDY = load_study(config, workflow.basedir)
except CodebreakerError as error:
    raise WorkflowError(f"error: {explain(error)}") from None

GAMES = list(STUDY.policies)
UNTABLED = [game for game in GAMES if game in STUDY.without_table]
MODELS = STUDY.config.optimise.models
GUIDED = STUDY.config.guided.models
EXACT = STUDY.targets
SWEEPS = STUDY.config.pareto
CONTESTS = STUDY.config.players.contests
MEMO_MIB = int(STUDY.config.limits.memo_mib)
GPUS_OF_A_JOB = int(requests_gpu(STUDY.config.optimise.backend))


wildcard_constraints:
    game="[a-z]+[-0-9a-z]*",
    model="[a-z][a-z0-9-]*",


def local_all(paths):
    """Mark files that come with the package, which no storage plugin needs to fetch."""
    return [local(str(path)) for path in paths]


def code_of(script):
    """Return the package files that a script imports: editing one reruns its rule."""
    return local_all(modules_of(SCRIPTS / script))


def by_try(number):
    """Return memory or time that grows with each attempt, in case a job ran out of it."""
    return lambda wildcards, attempt: number * attempt


def minutes_of_search(game, model, seeds):
    """Return the run time that a search for weights requests, in minutes.

    It assumes 1,000 individuals per second, or one in two seconds for games without a table.
    """
    settings = STUDY.config.optimise.presets[model.preset]
    a_minute = 30 if game in STUDY.without_table else 60_000
    return 10 + settings.population * model.generations * len(seeds) // a_minute


def trees_of(game, suffix, folder="results/trees"):
    """Return the files of a game's trees, one for each policy of the study."""
    return [f"{folder}/{game}/{slug}{suffix}" for slug in STUDY.policies[game]]


def player_logs(contest):
    """Return the game logs of a contest, one for each player."""
    return [
        f"results/players/{contest}/{name}.parquet"
        for name in CONTESTS[contest].players
    ]


def templates():
    """Return the templates of the report."""
    return local_all(sorted((ROOT / "report" / "paper" / "templates").rglob("*.*")))


def published_files(*kinds):
    """Return the package's files of published figures, of weights, or of both."""
    kinds = kinds or ("published", "weights")
    return local_all(sorted(path for kind in kinds for path in DATA.glob(f"{kind}/*")))


def multiext_all(stems, *suffixes):
    """Return every stem with every suffix."""
    return [stem + suffix for stem in stems for suffix in suffixes]


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
    """Return the files of charts as outputs; those with the suffix go into the report."""
    return [
        shown(path, "Charts", category) if path.endswith(suffix) else path
        for path in charts(*names)
    ]


def tabled(category, *stems):
    """Return the CSV and Markdown files of tables as outputs; the CSV goes into the report."""
    return [
        shown(path, "Tables", category) if path.endswith(".csv") else path
        for path in multiext_all(stems, ".csv", ".md")
    ]


def all_models():
    """Return the game, name and settings of every model."""
    return [
        (game, name, model)
        for game, models in MODELS.items()
        for name, model in models.items()
    ]


def seed_files(game, name, seeds, suffix):
    """Return one file for each seed of a model."""
    return [f"results/weights/{game}/{name}/seed-{seed}{suffix}" for seed in seeds]


def seeds_of_jobs():
    """Yield the game, model and seeds of every job that searches for weights."""
    at_once = STUDY.config.optimise.seeds_per_job
    for game, models in MODELS.items():
        for name, model in models.items():
            for first in range(0, len(model.seeds), at_once):
                yield game, name, model.seeds[first : first + at_once]


def guided_files(game, file):
    """Return one file for each guided model of a game."""
    return [f"results/weights/{game}/{name}/{file}" for name in GUIDED.get(game, {})]


def found_files(game):
    """Return the files of the best weights found for a game, by model."""
    best = [f"results/weights/{game}/{name}/best.json" for name in MODELS.get(game, {})]
    names = [*MODELS.get(game, {}), *GUIDED.get(game, {})]
    return dict(zip(names, best + guided_files(game, "guided.json"), strict=True))


FOUND = {game: found_files(game) for game in dict.fromkeys([*MODELS, *GUIDED])}


def found_trees_of(game, suffix, folder="results/trees"):
    """Return the files of the trees of the weights found for a game."""
    return [
        f"{folder}/{game}/{model}{FOUND_SUFFIX}{suffix}"
        for model in FOUND.get(game, [])
    ]


def all_trees_of(game, *where):
    """Return the files of all trees of a game, those of found weights included."""
    return trees_of(game, *where) + found_trees_of(game, *where)


def certificates_of(game):
    """Return the files of the certificates of all trees of a game."""
    return all_trees_of(game, ".json", "results/certificates")


def exact_files(folder, suffix, games=tuple(EXACT)):
    """Return one file for each exact target of some games."""
    return [
        f"{folder}/{game}/{slug}{suffix}"
        for game in games
        if game in EXACT
        for slug in EXACT[game]
    ]


def priced_trees(game):
    """Return the trees of a game whose moves get a price, optimal trees included."""
    exact = exact_files("results/trees", ".parquet", [game])
    return all_trees_of(game, ".parquet") + exact


PAPER_MODELS = {
    name: model
    for name, model in MODELS.get(PAPERS_GAME, {}).items()
    if model.genes == "weights"
}
FAMILY_MODELS = {
    name: model
    for name, model in MODELS.get(PAPERS_GAME, {}).items()
    if model.turns > 1 and model.opening is not None
}
COMPARED = len({model.genes for model in FAMILY_MODELS.values()}) > 1
WEIGHT_TABLES = [
    f"results/tables/weights-{name}"
    for name in ("deviations", "ablation", "rounding", "seeds", "convergence")
]
WEIGHT_FIGURES = (
    "ga-convergence",
    "weight-boxes",
    "turn-ablation",
    "weight-rounding",
    "found-weights",
)
PLAYER_FIGURES = [
    f"players-{name}"
    for name in (
        *CONTESTS,
        *(f"{contest}-evaluations" for contest in CONTESTS),
        "share",
        "scaling",
    )
]
PRICED = [game for game in GAMES if "optimal" in EXACT.get(game, {})]


def charts(*names):
    """Return the files of charts."""
    return [f"results/figures/{name}{suffix}" for name in names for suffix in CHART]


def chart_specs():
    """Return the Vega-Lite files of all charts that the study draws."""
    asked = {
        *FIGURES,
        *(WEIGHT_FIGURES if PAPER_MODELS else ()),
        *(["entropy-families"] if COMPARED else ()),
        *(["move-costs"] if PRICED else ()),
        *(["scaling"] if STUDY.config.scaling.games else ()),
        *(PLAYER_FIGURES if CONTESTS else ()),
        *(f"{name}-{game}" for name in ("pareto", "orders") for game in SWEEPS),
        "terminals",
    }
    return [f"results/figures/{name}.json" for name in sorted(asked)]


def page_files():
    """Return the package's files of the page: its template, style and scripts."""
    return local_all(sorted((ROOT / "report" / "site" / "page").iterdir()))


def weight_tables(mark):
    """Return the tables of weights by name: CSV files, or Markdown files with the mark _md."""
    suffix = ".md" if mark else ".csv"
    return {stem.rsplit("-", 1)[1] + mark: stem + suffix for stem in WEIGHT_TABLES}


def runs_of(models, suffix):
    """Return one file for each seed of some models of the papers' game."""
    return [
        path
        for name, model in models.items()
        for path in seed_files(PAPERS_GAME, name, model.seeds, suffix)
    ]
