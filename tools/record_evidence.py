"""Record what solved games rest on, where their totals are quoted (`make proofs`).

The tables of the checkers in resources/proofs/ decide: `codebreaker.proven.Evidence`. They are
written to resources/best-known/, to the known totals of the package, and to docs/trust.md.
"""

from collections.abc import Iterable

import polars as pl
from recording import RESOURCES, ROOT, evidence, with_evidence, with_evidence_at_maximum

from codebreaker.files import write_frame, write_text
from codebreaker.games.registry import CODES
from codebreaker.proven import EVIDENCE, ONE_PROGRAM
from codebreaker.report.names import notation_of
from codebreaker.report.tables import markdown_table, read_table
from codebreaker.trees.verify import KNOWN

BEST_KNOWN = RESOURCES / "best-known" / "best-known.csv"
LOWEST_MAXIMUM = RESOURCES / "best-known" / "lowest-maximum.csv"
TRUST = ROOT / "docs" / "trust.md"
START = "<!-- evidence: written by `make proofs` -->"
END = "<!-- end of evidence -->"

OURS = "exact search of this project"
"""The source of known totals that were first proven here, as far as we know."""


def by_size(game: str) -> tuple[int, ...]:
    """Return a key that sorts games by family, pegs and colours."""
    family, pegs, colours = game.split("-")
    return list(CODES).index(family), int(pegs), int(colours)


def in_words(games: Iterable[str]) -> str:
    """Return a list of games, in which three or more of one more colour each are a range."""
    ranges = list[list[str]]()
    for game in sorted(games, key=by_size):
        *size, colours = by_size(game)
        if ranges and by_size(ranges[-1][-1]) == (*size, colours - 1):
            ranges[-1].append(game)
        else:
            ranges.append([game])
    texts = []
    for games_of_range in ranges:
        names = [notation_of(game) for game in games_of_range]
        if len(names) > 2:
            sizes_of_last = names[-1].partition("(")[2]
            names = [f"{names[0]} to ({sizes_of_last}"]
        texts += names
    return ", ".join(texts)


def table_of_evidence(best_known: pl.DataFrame, lowest_maximum: pl.DataFrame) -> str:
    """Return the two tables of docs/trust.md: of minimum totals, and of lowest maxima."""
    rows = []
    for kind in EVIDENCE:
        games = best_known.filter(evidence=kind)["game"].to_list()
        rows.append([kind, str(len(games)), in_words(games) or "–"])
    totals = markdown_table(["evidence", "minimum totals", "games"], rows)

    has_lowest = lowest_maximum.filter(pl.col("max") == pl.col("max_bound"))
    solved = lowest_maximum.filter(proven="yes")
    least = best_known.select("game", pl.col("total").alias("least"))
    dearer = solved.join(least, on="game").filter(pl.col("total") > pl.col("least"))
    rests = evidence()
    maxima = {
        game: rests.of_maximum(game, maximum)
        for game, maximum in has_lowest.select("game", "max").iter_rows()
    }
    at_maximum = {
        game: rests.of_total(game, total, maximum)
        for game, maximum, total in dearer.select("game", "max", "total").iter_rows()
    }
    rows = [[kind, _counted(maxima, kind), _counted(at_maximum, kind)] for kind in EVIDENCE]
    header = ["evidence", "lowest maxima", "totals at a lowest maximum that costs guesses"]
    return f"{totals}\n\n{markdown_table(header, rows)}"


def _counted(kinds: dict[str, str], kind: str) -> str:
    """Return how many games have a kind of evidence, with their names if they are few."""
    games = [game for game in kinds if kinds[game] == kind]
    names = f": {in_words(games)}" if 0 < len(games) <= 10 else ""
    return f"{len(games)}{names}"


def known_with_evidence(known: pl.DataFrame) -> pl.DataFrame:
    """Return the known totals; sources say where one program alone has proven them."""
    rests = evidence()
    sources = []
    for row in known.iter_rows(named=True):
        source = row["source"]
        if row["kind"] == "proven" and source.startswith(OURS):
            kind = rests.of_total(row["game"], row["total"], row["max_guesses"])
            source = f"{OURS}, one program only" if kind == ONE_PROGRAM else OURS
        sources.append(source)
    return known.with_columns(pl.Series("source", sources))


if __name__ == "__main__":
    best_known = with_evidence(read_table(BEST_KNOWN))
    lowest_maximum = with_evidence_at_maximum(read_table(LOWEST_MAXIMUM))
    write_frame(best_known, BEST_KNOWN)
    write_frame(lowest_maximum, LOWEST_MAXIMUM)
    write_text(KNOWN, known_with_evidence(read_table(KNOWN)).write_csv())
    before, rest = TRUST.read_text(encoding="utf-8").split(START)
    after = rest.split(END)[1]
    tables = table_of_evidence(best_known, lowest_maximum)
    write_text(TRUST, f"{before}{START}\n\n{tables}\n\n{END}{after}")
