"""Find and check the proofs of lower bounds in resources/proofs/ (`make proofs`)."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

from recording import CHECKERS, RESOURCES, ROOT

from codebreaker.files import atomic_write, write_text
from codebreaker.games.registry import make_game
from codebreaker.search.lower_bound import LowerBound
from codebreaker.types import GuessPool
from codebreaker.weights.proof import regrets_of

FOLDER = RESOURCES / "proofs"

TOTALS: dict[tuple[str, GuessPool, int | None], int | None] = {
    ("mm-4-6", "all", None): 5625,
    ("mm-4-6", "all", 5): 5626,
    ("mm-4-6", "all", 4): None,
    ("mm-4-6", "consistent", None): 5660,
    ("mm-4-7", "all", None): 11228,
}
"""Minimum totals by game, guess pool and guess limit; None if no strategy exists."""

BOUNDS = {
    "guided-stage": "weights/mm-4-6/guided-stage/bound.json",
    "one-row": "bounds/mm-4-6/one-row.json",
}
"""Bounds on weights, whose files `make proofs` computes by config/paper.yaml."""


def _write(proof: LowerBound, name: str) -> Path:
    path = FOLDER / f"{name}.json"
    write_text(path, json.dumps(proof.to_dict(), indent=0))
    return path


def _check(name: str, *arguments: str | Path) -> None:
    subprocess.run([sys.executable, CHECKERS / f"{name}.py", *arguments], check=True)


if __name__ == "__main__":
    results = ROOT / "build" / "proofs" / "results"
    paths, bounds, options = list[Path](), list[Path](), list[str]()
    for (name, pool, limit), lowest in TOTALS.items():
        proof = LowerBound(make_game(name), pool, limit)
        proof.prove(lowest)
        named = (name, pool if pool != "all" else "", f"max-{limit}" if limit else "")
        paths.append(_write(proof, "_".join(filter(None, named))))
    _check("check_lower_bound", *paths)
    for model, file in BOUNDS.items():
        text = (results / file).read_bytes()
        facts = json.loads(text)
        proof = LowerBound(make_game(facts["game"]), guess_limit=facts["guess_limit"])
        proof.prove(facts["optimum"], regrets_of(proof.game, facts))
        bounds.append(FOLDER / f"bound-{model}.json.gz")
        with atomic_write(bounds[-1]) as temporary:
            temporary.write_bytes(gzip.compress(text, mtime=0))
        options += ["--claims", str(_write(proof, model))]
    table = RESOURCES / "paper-scale" / "checked-bounds.csv"
    _check("check_bounds", *bounds, *options, "--table", table)
