"""Find the proofs of lower bounds that resources/proofs/ lacks, and check all (`make proofs`).

A proof is kept if it is one of the total that is known now. Delete it to find it again.
"""

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
RAISED = FOLDER / "raised-bounds.csv"
SOLVERS = ROOT / "records" / "checkers"
TABLE_MIB = 2200
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
    """Return a proof that a game needs a total, or that no tree exists within a limit."""
    named = (game, pool if pool != "all" else "", f"max-{limit}" if limit else "")
    name = "_".join(filter(None, named))
    for path in FOLDER.glob(f"{name}.json*"):
        if _proven(path) == total:
            return path
        path.unlink()
    proof = LowerBound(make_game(game).with_table(), pool, limit)
    proof.prove(total)
    return _write(proof, name)


def _proven(path: Path) -> int | None:
    """Return the total that a proof's first claim is about; None if it says that no tree exists."""
    text = path.read_bytes()
    claims = json.loads(gzip.decompress(text) if path.suffix == ".gz" else text)["claims"]
    bound: int | None = claims[0][1]
    return bound


def _raise(game: str) -> None:
    """Bound the sets after each first guess so that they add up to a game's recorded bound."""
    known = pl.read_csv(RAISED)
    model = make_game(game, TABLE_MIB)
    rows = known.filter(game=game)
    parts = rows.partition_by("opening")
    totals = [model.n_secrets + sum(part["bound"].to_list()) for part in parts]
    if min(totals, default=0) < BOUNDS[game]:
        rows = bounds_of_parts(model, goal=BOUNDS[game], memo_mib=MEMO_MIB)
        frames = [rows if name == game else known.filter(game=name) for name in RECORDED["raised"]]
        write_frame(pl.concat(frames), RAISED)


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
    for game in RECORDED["raised"]:
        _raise(game)
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
