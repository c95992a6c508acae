"""Print Snakemake's options for a study in a file: `make study FILE=my.yaml`."""

import re
import shlex
import sys
from pathlib import Path

from codebreaker.errors import CodebreakerError
from codebreaker.study.jobs import check_paths
from codebreaker.study.yaml_files import read_given_yaml

TAKEN = {
    *("best-known", "bounds", "certificates", "exact", "figures", "games", "metrics"),
    *("paper-scale", "pareto", "players", "scaling", "tables"),
    *("terminals", "transfer", "trees", "values", "weights"),
}
"""The folders of the default study's results."""


def options(file: str) -> list[str]:
    """Return the options; raise `CodebreakerError` if something is wrong with the file."""
    if not file:
        raise CodebreakerError("name the study's file, as in make study FILE=my.yaml")
    path = Path(file)
    if path.suffix not in (".yaml", ".yml"):
        raise CodebreakerError(f"{file} is not a YAML file: its name must end in .yaml")
    if not re.fullmatch(r"[A-Za-z0-9][-\w.]*", path.stem) or path.stem in TAKEN:
        raise CodebreakerError(f"results can't go to results/{path.stem}: rename {file}")
    check_paths([path])
    study = read_given_yaml(path)
    if not isinstance(study, dict):
        raise CodebreakerError(f"{file} has no keys: config/README.md explains them")
    return ["--directory", f"results/{path.stem}", "--configfile", str(path)]


if __name__ == "__main__":
    try:
        print(shlex.join(options(sys.argv[1])))
    except CodebreakerError as error:
        sys.exit(f"error: {error}")
