"""Find and check the proofs of lower bounds in resources/proofs/ (`make proofs`)."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import polars as pl
from recording import CHECKERS, LOWER_BOUNDS, RESOURCES, ROOT

from codebreaker.files import atomic_write, read_toml, write_frame, write_text
from codebreaker.games.registry import make_game
from codebreaker.proofs.proof import regrets_of
from codebreaker.search.lower_bound import LowerBound
from codebreaker.types import GuessPool
from codebreaker_records.bounds import bounds_of_parts

FOLDER = RESOURCES / "proofs"
SOLVERS = ROOT / "records" / "checkers"
TABLE_MIB = 512
MEMO_MIB = 1024.0
LARGE = 1 << 20  # bytes of a proof: larger ones are compressed
RECORDED = read_toml(Path(__file__).with_name("proofs.toml"))

KNOWN = pl.read_csv(RESOURCES / "best-known" / "best-known.csv")
TOTALS = dict(KNOWN.select("game", "total").iter_rows())
BOUNDS = dict(KNOWN.select("game", "bound").iter_rows())
LOWEST = pl.read_csv(RESOURCES / "best-known" / "lowest-maximum.csv")
MAXIMA = dict(LOWEST.select("game", "max").iter_rows())


def _write(proof: LowerBound, name: str) -> Path:
    text = json.dumps(proof.to_dict(), indent=0)
    if len(text) > LARGE:
        return _write_compressed(text.encode(), name)
    path = FOLDER / f"{name}.json"
    write_text(path, text)
    return path


def _write_compressed(text: bytes, name: str) -> Path:
    path = FOLDER / f"{name}.json.gz"
    with atomic_write(path) as temporary:
        temporary.write_bytes(gzip.compress(text, mtime=0))
    return path


def _prove(game: str, pool: GuessPool, limit: int | None, total: int | None) -> Path:
    """Write a proof that a game needs a total, or that no tree exists within a limit."""
    proof = LowerBound(make_game(game).with_table(), pool, limit)
    proof.prove(total)
    named = (game, pool if pool != "all" else "", f"max-{limit}" if limit else "")
    return _write(proof, "_".join(filter(None, named)))


def _raised(game: str) -> pl.DataFrame:
    """Return bounds on the sets after each first guess that add up to a game's recorded bound."""
    return bounds_of_parts(make_game(game, TABLE_MIB), goal=BOUNDS[game], memo_mib=MEMO_MIB)


def _check(name: str, *arguments: str | Path, folder: Path = CHECKERS) -> None:
    subprocess.run([sys.executable, folder / f"{name}.py", *arguments], check=True)


if __name__ == "__main__":
    results = ROOT / "build" / "proofs" / "results"
    bounds = list[Path]()
    options = list[str]()
    paths = [_prove(game, "all", None, TOTALS[game]) for game in RECORDED["totals"]]
    paths += [_prove(game, "all", MAXIMA[game] - 1, None) for game in RECORDED["maxima"]]
    paths += [
        _prove(known["game"], known["guess_pool"], known.get("guess_limit"), known["total"])
        for known in RECORDED["others"]
    ]
    _check("check_lower_bound", *paths, "--table", LOWER_BOUNDS)
    raised = [_raised(game) for game in RECORDED["raised"]]
    write_frame(pl.concat(raised), FOLDER / "raised-bounds.csv")
    for game in RECORDED["raised"]:
        _check("check_raised_bounds", game, str(BOUNDS[game]), folder=SOLVERS)
    for model, file in RECORDED["bounds"].items():
        text = (results / file).read_bytes()
        facts = json.loads(text)
        game = make_game(facts["game"]).with_table()
        proof = LowerBound(game, guess_limit=facts["guess_limit"])
        proof.prove(facts["optimum"], regrets_of(proof.game, facts))
        bounds.append(_write_compressed(text, f"bound-{model}"))
        options += ["--claims", str(_write(proof, model))]
    table = RESOURCES / "paper-scale" / "checked-bounds.csv"
    _check("check_bounds", *bounds, *options, "--table", table)
