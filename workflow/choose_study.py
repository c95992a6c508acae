"""Print Snakemake's options for a study in a file: `make study FILE=my.yaml`."""

import re
import shlex
import sys
from pathlib import Path

import yaml

TAKEN = {
    *("best-known", "bounds", "certificates", "exact", "figures", "games", "metrics"),
    *("paper-scale", "pareto", "players", "resources", "rollout", "scaling", "tables"),
    *("terminals", "transfer", "trees", "values", "weights"),
}
"""The folders of the default study's results."""


def options(file: str) -> list[str]:
    """Return the options; raise `ValueError` if something is wrong with the file."""
    if not file:
        raise ValueError("name the study's file, as in make study FILE=my.yaml")
    path = Path(file)
    if path.suffix not in (".yaml", ".yml"):
        raise ValueError(f"{file} is not a YAML file: its name must end in .yaml")
    if not re.fullmatch(r"[A-Za-z0-9][-\w.]*", path.stem) or path.stem in TAKEN:
        raise ValueError(f"results can't go to results/{path.stem}: rename {file}")
    try:
        study = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{file} can't be read: {error.strerror}") from None
    except (UnicodeDecodeError, yaml.YAMLError, RecursionError) as error:
        line = " ".join(str(error).split())
        raise ValueError(f"{file} is not YAML: {line}") from None
    if not isinstance(study, dict):
        raise ValueError(f"{file} has no keys: config/README.md explains them")
    return ["--directory", f"results/{path.stem}", "--configfile", str(path)]


if __name__ == "__main__":
    try:
        print(shlex.join(options(sys.argv[1])))
    except ValueError as error:
        sys.exit(f"error: {error}")
