"""Find and check the proofs of lower bounds in resources/proofs/ (`make proofs`)."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

from recording import CHECKERS, LOWER_BOUNDS, RESOURCES, ROOT

from codebreaker.files import atomic_write, read_toml, write_text
from codebreaker.games.registry import make_game
from codebreaker.proofs.proof import regrets_of
from codebreaker.search.lower_bound import LowerBound

FOLDER = RESOURCES / "proofs"
RECORDED = read_toml(Path(__file__).with_name("proofs.toml"))


def _write(proof: LowerBound, name: str) -> Path:
    path = FOLDER / f"{name}.json"
    write_text(path, json.dumps(proof.to_dict(), indent=0))
    return path


def _check(name: str, *arguments: str | Path) -> None:
    subprocess.run([sys.executable, CHECKERS / f"{name}.py", *arguments], check=True)


if __name__ == "__main__":
    results = ROOT / "build" / "proofs" / "results"
    paths = list[Path]()
    bounds = list[Path]()
    options = list[str]()
    for known in RECORDED["totals"]:
        name = known["game"]
        pool = known["guess_pool"]
        limit = known.get("guess_limit")
        proof = LowerBound(make_game(name), pool, limit)
        proof.prove(known.get("total"))
        named = (name, pool if pool != "all" else "", f"max-{limit}" if limit else "")
        paths.append(_write(proof, "_".join(filter(None, named))))
    _check("check_lower_bound", *paths, "--table", LOWER_BOUNDS)
    for model, file in RECORDED["bounds"].items():
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
