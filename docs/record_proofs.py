"""Find the proofs of lower bounds in resources/proofs/ again, and check them.

Run by `make proofs`. The totals are those of the exact search; the checker needs only the proofs.
"""

import json
import subprocess
import sys
from pathlib import Path

from codebreaker.exact.lower_bound import LowerBound
from codebreaker.files import write_text
from codebreaker.games.model import TableGame
from codebreaker.games.registry import make_game
from codebreaker.types import GuessPool

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "resources" / "proofs"

TOTALS: dict[tuple[str, GuessPool, int | None], int | None] = {
    ("mm-4-6", "all", None): 5625,
    ("mm-4-6", "all", 5): 5626,
    ("mm-4-6", "all", 4): None,
    ("mm-4-6", "consistent", None): 5660,
    ("mm-4-7", "all", None): 11228,
}
"""What to prove of a game, a guess pool and a limit on guesses; None if there is no strategy."""


def main() -> None:
    """Write the proofs, and run the checker on them."""
    paths = []
    for (name, pool, limit), least in TOTALS.items():
        game = make_game(name)
        assert isinstance(game, TableGame)
        proof = LowerBound(game, pool, limit)
        proof.prove(least)
        named = [name, *([pool] if pool != "all" else []), *([f"max-{limit}"] if limit else [])]
        paths.append(FOLDER / f"{'_'.join(named)}.json")
        write_text(paths[-1], json.dumps(proof.to_dict(), indent=0))
    checker = ROOT / "workflow" / "checkers" / "check_lower_bound.py"
    subprocess.run([sys.executable, checker, *paths], check=True)


if __name__ == "__main__":
    main()
