"""The checked hunt, the names of its files, and what its rules share."""

import os
from pathlib import Path

from snakemake.exceptions import WorkflowError

from codebreaker.errors import CodebreakerError, unknown
from codebreaker.files import DATA, remove_temporary_files
from codebreaker.games.registry import rules_of, without_table
from codebreaker.study.contract import by_try, contents_of, digest_of_versions
from codebreaker.study.contract import settings, versions_of
from codebreaker.study.jobs import explain
from codebreaker.study.yaml_files import read_given_yaml
from codebreaker_records.config import load_hunt

WORKFLOW = Path(str(workflow.current_basedir)).parent

try:
    for file in workflow.configfiles:  # `config` no longer shows keys that occur twice
        read_given_yaml(file)
    HUNT = load_hunt(config, WORKFLOW.parents[1])
except CodebreakerError as error:
    raise WorkflowError(f"error: {explain(error)}") from None


wildcard_constraints:
    game="[a-z]+[-0-9a-z]*",
    rollout="rollout-[a-z0-9-]+",


TREES = HUNT.trees
ROLLOUTS = HUNT.rollouts
BOUND_GOALS = HUNT.config.bound_goals
FIRST_GUESSES = HUNT.study.config.best_known.first_guesses
UNSEEN = "results/.jobs"
"""The folder of what only jobs read."""
SEARCH_MB = 1024
"""Memory of a rollout, of which a quarter is its memo: --set-resources changes both."""


def when(condition, *files):
    """Return files if a condition holds, otherwise an empty list."""
    return list(files) if condition else []


def setting(settings, kind, name):
    """Look up the settings of a rule's wildcard."""
    if name not in settings:
        raise WorkflowError(f"error: {unknown(kind, name, settings)}")
    return settings[name]


def rollout_of(wildcards):
    """Return the settings of a rollout."""
    return setting(ROLLOUTS.get(wildcards.game, {}), "rollout", wildcards.rollout)


def packaged(*paths):
    """Return data files of the package, relative to the working folder."""
    return [local(os.path.relpath(path)) for path in paths]


def methods_of(wildcards):
    """Return the methods of a game's rollouts in words, by name."""
    return {
        name: rollout.method
        for name, rollout in ROLLOUTS.get(wildcards.game, {}).items()
    }


def published_weights(wildcards):
    """Return the package's file of the weights of a rollout's policy, if it has any."""
    weights = rollout_of(wildcards).base.weights
    return packaged(
        *when(weights, DATA / "weights" / f"{weights and weights.name}.json")
    )


def smaller_tree(wildcards):
    """Return the recorded tree of the game with a colour less, where a rollout plays like it."""
    if not rollout_of(wildcards).like_smaller:
        return []
    name = without_table(rules_of(wildcards.game)).one_colour_less
    return packaged(DATA / "trees" / f"{name}.parquet")


def tree_file(game, name):
    """Return the file of a tree: by rollout, or optimal."""
    folder = "rollout" if name in ROLLOUTS.get(game, {}) else "exact"
    return f"results/{folder}/{game}/{name}.parquet"


def certified_tree(wildcards):
    """Return the file of a tree to certify."""
    return tree_file(wildcards.game, wildcards.policy)


def certificates(trees):
    """Return the certificates of rollouts among trees; those of optimal trees come with them."""
    return [
        f"results/certificates/{game}/{name}.json"
        for game in trees
        for name in ROLLOUTS.get(game, {})
    ]


def trees_of(wildcards):
    """Return the files of the trees among which a game's best is selected."""
    return [
        tree_file(wildcards.game, name)
        for name in setting(TREES, "game", wildcards.game)
    ]


def costs_of(wildcards):
    """Return the files with the effort of finding each tree."""
    return [
        effort(f"{finder}/{wildcards.game}/{name}")
        for name in setting(TREES, "game", wildcards.game)
        for finder in [
            "roll_out" if name in ROLLOUTS.get(wildcards.game, {}) else "solve_exactly"
        ]
    ]


def proofs_of(wildcards):
    """Return the certificates of a game's optimal trees."""
    return [
        f"results/exact/{wildcards.game}/{name}.json"
        for name in setting(TREES, "game", wildcards.game)
        if name not in ROLLOUTS.get(wildcards.game, {})
    ]


def effort(job):
    """Return the file that says what a job took, as in the study's rules."""
    return f"{UNSEEN}/effort/{job}.json"


# The versions of what a job reads besides the files of other jobs, as in the study's rules.


def code(program):
    """Return the versions of a script, of the modules and of the libraries that it imports."""
    return versions_of(WORKFLOW, program)


def version(program):
    """Return one digest of a script and its imports, by which a checkpoint is known."""
    return digest_of_versions(code(program))


def memo_of(wildcards, resources):
    """Return the MiB of a search's memo, whose change reruns no job, as the trees stay the same."""
    return resources.mem_mb / 4
