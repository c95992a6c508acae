"""The checked study, its limits, and marks for Snakemake's report, for all rules."""

import os
import sys
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

from snakemake.exceptions import WorkflowError

from codebreaker.constants import PAPERS_GAME
from codebreaker.errors import CodebreakerError, unknown
from codebreaker.files import remove_temporary_files
from codebreaker.policies.registry import FOUND as FOUND_SUFFIX
from codebreaker.report.chapters import CHAPTERS, path_of
from codebreaker.runtime.sources import ROOT, digest_of, modules_of
from codebreaker.study.jobs import check_paths, check_place, explain
from codebreaker.study.load import load_study, requests_gpu
from codebreaker.study.yaml_files import read_given_yaml

WORKFLOW = Path(str(workflow.current_basedir)).parent

try:
    check_place()
    check_paths([WORKFLOW, ROOT, *workflow.configfiles])
    for file in workflow.configfiles:
        read_given_yaml(file)
    STUDY = load_study(config, WORKFLOW.parent)
except CodebreakerError as error:
    raise WorkflowError(f"error: {explain(error)}") from None

GAMES = list(STUDY.policies)
LIMITS = STUDY.config.limits
PNG_SCALE = STUDY.config.figures.png_scale
SEARCH_MB = 1024
"""Memory of a search, of which a quarter is its memo: --set-resources changes both."""
NOTES = {
    text.with_suffix(".py"): sha256(text.read_bytes()).hexdigest()[:16]
    for pattern in ("chapters/*.txt", "*.toml")
    for text in (ROOT / "report").glob(pattern)
}
"""Digests of the report's notes and names, by module."""


wildcard_constraints:
    game="[a-z]+[-0-9a-z]*",
    model="[a-z][a-z0-9-]*",
    seed="[0-9]+",
    policy="[^/]+",
    target="optimal[^/]*",
    rollout="rollout-[a-z0-9-]+",
    contest="[a-z][a-z0-9-]*",
    player="[A-Za-z][A-Za-z0-9-]*",
    table="[a-z][a-z0-9-]*",
    part="[a-z]+",


def setting(settings, kind, name):
    """Look up the settings of a rule's wildcard."""
    if name not in settings:
        raise WorkflowError(f"error: {unknown(kind, name, settings)}")
    return settings[name]


def local_all(paths):
    """Mark files that come with the package, which no storage plugin needs to fetch.

    Their paths are relative to the working folder, so that a copy of the project, results
    included, has nothing to do.
    """
    return [local(os.path.relpath(path)) for path in paths]


def contents(*inputs):
    """Return the digests of source files, as a changed file may have an old time.

    Snakemake compares no parameters that are functions of a job's input.
    """
    files = [Path(path) for paths in inputs for path in paths if Path(path).exists()]
    return [sha256(path.read_bytes()).hexdigest()[:16] for path in files]


def code_of(script, criteria=()):
    """Return a digest of a script's code and of its imports from the package, notes included.

    A rule whose tables and charts a chapter of the report renders stands for that chapter.
    `criteria` are the names of criteria that its parameters give it.
    """
    folders = (WORKFLOW / name for name in ("scripts", "checkers"))
    name = "render_report" if script in CHAPTERS else script
    path = next(one for folder in folders if (one := folder / f"{name}.py").exists())
    files = [path.resolve(), *([path_of(script)] if script in CHAPTERS else [])]
    notes = [NOTES[one] for one in (*files[1:], *modules_of(*files)) if one in NOTES]
    return " ".join([digest_of(*files, criteria=frozenset(criteria)), *notes])


def program(name):
    """Return a function for a checker's command; Snakemake compares no functions of an input."""
    path = WORKFLOW / "checkers" / f"{name}.py"
    return lambda wildcards, input: [sys.executable, str(path)]


def checked_by(*programs):
    """Return digests of checkers, which are plain programs, and of their shared modules."""
    return [code_of(name) for name in (*programs, "game_rules", "strict_json")]


class Code:
    """The digest of each script's code, by its name: a rule with `code.play_games` reruns with it."""

    __getattr__ = staticmethod(code_of)


code = Code()


def published_files(*kinds):
    """Return the package's files of published figures, of weights, or of both."""
    kinds = kinds or ("published", "weights")
    return local_all(
        sorted(path for kind in kinds for path in (ROOT / "data").glob(f"{kind}/*"))
    )


def by_try(number):
    """Return memory or time that grows with each attempt of a job."""
    return lambda wildcards, attempt: number * attempt


def memo_of(wildcards, resources):
    """Return the MiB of a search's memo, whose change reruns no job, as the trees stay the same."""
    return resources.mem_mb / 4


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
    return [
        shown(path, "Charts", category) if path.endswith(suffix) else path
        for path in charts(*names)
    ]


def tabled(category, *names):
    """Return the files of tables as outputs; the CSV files go into Snakemake's report."""
    return [
        shown(path, "Tables", category) if path.endswith(".csv") else path
        for path in tables(*names)
    ]
