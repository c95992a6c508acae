"""The small study in a folder, and what tests ask Snakemake about it."""

import os
import re
import shutil

import yaml
from conftest import ROOT, python

CONFIG = ROOT / "config" / "smoke.yaml"
GPU = ("--resources", "gpu=1")
RULES = ROOT / "workflow" / "rules"
AUDIT = ROOT / "tests" / "workflow" / "opened"
OPENED = "opened.tsv"
"""What the jobs of a whole run opened, in the study's folder."""

BODY = re.compile(r"^rule (\w+):\n(.*?)(?=^\S|\Z)", re.MULTILINE | re.DOTALL)
JOB = re.compile(r"^ *(?:local)?rule (\w+):\n(.*?)(?:\n\n|\n *\[|\Z)", re.MULTILINE | re.DOTALL)
TOTAL = re.compile(r"^total +(\d+)$", re.MULTILINE)


def rule_bodies():
    """Return the text of each rule by its name."""
    texts = [path.read_text(encoding="utf-8") for path in RULES.glob("*.smk")]
    return {name: body for text in texts for name, body in BODY.findall(text)}


# Rules without outputs only name what a phase makes.
TARGETS = {"all"} | {name for name, body in rule_bodies().items() if "\n    output:\n" not in body}


def run_snakemake(*arguments, cwd=ROOT, source=ROOT / "src", opened=None):
    """Run Snakemake on two cores with the package in `source`; jobs may note what they open."""
    paths = {"PYTHONPATH": str(source)}
    if opened is not None:
        paths = {"PYTHONPATH": f"{source}{os.pathsep}{AUDIT}", "CODEBREAKER_OPENED": str(opened)}
    return python("-m", "snakemake", "--cores", "2", *arguments, cwd=cwd, environment=paths)


class StudyFolder:
    """A study in a folder."""

    def __init__(self, folder, source=ROOT / "src", root=ROOT, config=CONFIG):
        self.folder = folder
        self.source = source
        self.root = root
        self.config = config

    def snakemake(self, *arguments, overlay=None, full=True, opened=None):
        """Run Snakemake, with an overlay."""
        files = [self.config]
        if overlay is not None:
            files.append(self.folder / "overlay.yaml")
            files[1].write_text(yaml.safe_dump(overlay), encoding="utf-8")
        options = ["--directory", self.folder, *["--logger-lines-full"] * full]
        options += ["--configfile", *files, *arguments]
        return run_snakemake(*options, cwd=self.root, source=self.source, opened=opened)

    def results(self, name=""):
        """Return a path of results."""
        return self.folder / "results" / name

    def text(self, name):
        """Read a result."""
        return self.results(name).read_text(encoding="utf-8")


def jobs_of(run):
    """Return the name and the description of each job in Snakemake's log."""
    assert run.returncode == 0, run.stderr
    jobs = JOB.findall(run.stdout + run.stderr)
    counts = TOTAL.findall(run.stdout + run.stderr)
    # Snakemake counts the jobs, in a table before and perhaps after them.
    assert len(jobs) == (int(counts[0]) if counts else 0)
    return [job for job in jobs if job[0] not in TARGETS]


def names_of(run):
    """Return the names of the rules in Snakemake's log."""
    return {name for name, _ in jobs_of(run)}


def copy_of(study, folder):
    """Return a copy of the project and a study, in folders that lie to each other as before."""
    copy = folder / study.folder.absolute().relative_to("/")
    root = folder / ROOT.relative_to("/")
    shutil.copytree(study.folder, copy)
    shutil.copytree(ROOT / "src", root / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for name in (
        "CITATION.cff",
        "Snakefile",
        "config",
        "envs",
        "profiles",
        "resources",
        "workflow",
    ):
        copied = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copied(ROOT / name, root / name)
    config = root / study.config.relative_to(ROOT)
    return StudyFolder(copy, source=root / "src", root=root, config=config)
