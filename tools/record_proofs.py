"""Find and check the proofs of lower bounds in resources/proofs/ again (`make proofs`)."""

import json
import subprocess
import sys
from pathlib import Path

from recording import CHECKERS, RESOURCES, ROOT

from codebreaker.files import write_text
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
"""What to prove of a game, a guess pool and a limit on guesses; None if there is no strategy."""

BOUNDS = {
    model: ROOT / "results" / "weights" / "mm-4-6" / model / "bound.json"
    for model in ("guided-stage", "guided-stage-max-5")
}
"""Bounds on weights, by model, whose regrets are shown."""


def main() -> None:
    """Write the proofs, and run the checkers on them."""
    absent = [str(path.relative_to(ROOT)) for path in BOUNDS.values() if not path.exists()]
    if absent:
        sys.exit(f"error: {', '.join(absent)} not found: run `make` first")
    paths = []
    for (name, pool, limit), least in TOTALS.items():
        proof = LowerBound(make_game(name), pool, limit)
        proof.prove(least)
        named = (name, pool if pool != "all" else "", f"max-{limit}" if limit else "")
        paths.append(write(proof, "_".join(filter(None, named))))
    check("check_lower_bound", *paths)
    for model, path in BOUNDS.items():
        facts = json.loads(path.read_text(encoding="utf-8"))
        game = make_game(facts["game"])
        proof = LowerBound(game, guess_limit=facts["guess_limit"])
        proof.prove(TOTALS[facts["game"], "all", facts["guess_limit"]], regrets_of(game, facts))
        check("check_regrets", path, write(proof, model))


def write(proof: LowerBound, name: str) -> Path:
    """Write a proof, and return its path."""
    path = FOLDER / f"{name}.json"
    write_text(path, json.dumps(proof.to_dict(), indent=0))
    return path


def check(name: str, *paths: Path) -> None:
    """Run a checker on files; its refusal ends this program too."""
    subprocess.run([sys.executable, CHECKERS / f"{name}.py", *paths], check=True)


if __name__ == "__main__":
    main()
