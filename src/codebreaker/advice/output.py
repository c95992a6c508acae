"""The verdict's files: tables as CSV, Markdown and JSON, and a page to look at."""

import json
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from codebreaker.advice.verdict import Verdict
from codebreaker.extras import require
from codebreaker.files import write_frame, write_text

TEMPLATES = Path(__file__).parent / "templates"

MOST_LISTED = 200
"""The most games and skipped lines that the page and the Markdown list."""

PLAYERS = {
    "player": "player", "games": "games", "solved": "solved", "mean_guesses": "guesses",
    "consistent": "consistent", "regret": "regret", "luck": "luck",
}  # fmt: skip
TURNS = {
    "player": "player", "turn": "turn", "moves": "moves", "mean_candidates": "candidates",
    "consistent": "consistent", "regret": "regret", "luck": "luck",
}  # fmt: skip
GAMES = {
    "line": "line", "player": "player", "guesses": "guesses", "solved": "solved",
    "consistent": "consistent", "regret": "regret", "luck": "luck",
}  # fmt: skip
"""Columns that are shown, with their titles."""


def write_verdict(verdict: Verdict, title: str, folder: str | Path) -> None:
    """Write a verdict's tables and its page into a folder."""
    folder = Path(folder)
    for name in ("moves", "games", "players", "turns"):
        write_frame(getattr(verdict, name), folder / f"{name}.csv")
    skipped = [(fault.line, fault.reason) for fault in verdict.skipped]
    schema = {"line": pl.Int64, "reason": pl.String}
    write_frame(pl.DataFrame(skipped, schema, orient="row"), folder / "skipped.csv")
    write_text(folder / "score.json", json.dumps(as_json(verdict, title), ensure_ascii=False))
    write_text(folder / "score.md", to_markdown(verdict, title))
    write_text(folder / "index.html", to_page(verdict, title))


def as_json(verdict: Verdict, title: str) -> dict[str, object]:
    """Return a verdict's totals and its skipped lines, as in docs/transcripts.md."""
    return {
        "file": title,
        "games": len(verdict.games),
        "players": verdict.players.to_dicts(),
        "turns": verdict.turns.to_dicts(),
        "skipped": [vars(fault) for fault in verdict.skipped],
        "remarks": list(verdict.remarks),
    }


def headline(players: pl.DataFrame) -> str:
    """Return the game of some players, and what judges their moves."""
    game, judge, expected = players.select("game", "judged_by", "expected").row(0)
    by = "optimal play" if judge == "optimal" else f"policy {judge}"
    return f"{game}, judged by {by}, which takes {expected:.4f} guesses on average"


def shown(frame: pl.DataFrame, columns: dict[str, str]) -> list[list[str]]:
    """Return the titles of a table and its rows as text; means have their intervals."""
    rows = ([_cell(row, column) for column in columns] for row in frame.iter_rows(named=True))
    return [list(columns.values()), *rows]


def _cell(row: dict[str, object], column: str) -> str:
    value = row[column]
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if column == "consistent" and isinstance(value, float):
        return f"{value:.1%}".replace("%", " %")
    if not isinstance(value, float):
        return f"{value:,}" if isinstance(value, int) and column != "line" else str(value)
    text = signed(value) if column == "luck" else f"{value:.3f}".replace("-", "−")
    low, high = row.get(f"{column}_low"), row.get(f"{column}_high")
    if isinstance(low, float) and isinstance(high, float):
        text += f" ({low:.3f} to {high:.3f})".replace("-", "−")
    return text


def signed(value: float) -> str:
    """Return a number with its sign."""
    return f"{value:+.3f}".replace("-", "−")


def to_markdown(verdict: Verdict, title: str) -> str:
    """Return a verdict as a page of Markdown."""
    parts = [f"# Games of {_plain(title)}"]
    for players, turns, _ in _by_game(verdict):
        parts += [f"## {_plain(headline(players))}", _table(shown(players, PLAYERS))]
        parts += ["By turn:", _table(shown(turns, TURNS))]
    parts += [_plain(remark) for remark in verdict.remarks]
    if verdict.skipped:
        parts += [f"## Skipped: {len(verdict.skipped):,} lines"]
        parts += [_table([["line", "reason"], *_faults(verdict)])]
    return "\n\n".join(parts)


def _table(rows: Sequence[Sequence[str]]) -> str:
    cells = [[_plain(cell) for cell in row] for row in rows]
    cells.insert(1, ["---"] * len(cells[0]))
    return "\n".join("| " + " | ".join(row) + " |" for row in cells)


def _plain(text: str) -> str:
    """Return a text without meaning in Markdown."""
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>|#~" else letter for letter in text)


def _faults(verdict: Verdict) -> list[list[str]]:
    listed = [[str(fault.line), fault.reason] for fault in verdict.skipped[:MOST_LISTED]]
    more = len(verdict.skipped) - len(listed)
    return [*listed, ["…", f"and {more:,} more, in skipped.csv"]] if more else listed


def _by_game(verdict: Verdict) -> list[tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]]:
    """Return the tables of players, turns and games, one of each for each kind of game."""
    return [
        (
            players,
            verdict.turns.filter(pl.col("game") == game),
            verdict.games.filter(pl.col("game") == game),
        )
        for (game,), players in verdict.players.group_by("game", maintain_order=True)
    ]


def to_page(verdict: Verdict, title: str) -> str:
    """Return a verdict as an HTML page that needs no other file."""
    require("cli", "the page of scores")
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), undefined=jinja2.StrictUndefined, autoescape=True
    )
    sections = [
        {
            "headline": headline(players),
            "players": shown(players, PLAYERS),
            "chart": _chart(players),
            "turns": shown(turns, TURNS),
            "games": shown(games.head(MOST_LISTED), GAMES),
            "more": max(len(games) - MOST_LISTED, 0),
        }
        for players, turns, games in _by_game(verdict)
    ]
    return environment.get_template("score.html.j2").render(
        title=title,
        sections=sections,
        skipped=_faults(verdict),
        n_skipped=len(verdict.skipped),
        remarks=verdict.remarks,
    )


MOST_DRAWN = 30
LEFT, WIDTH, STEP = 190, 420, 26


def _chart(players: pl.DataFrame) -> dict[str, object]:
    """Return the positions of a chart of players: mean regret and luck with their intervals."""
    rows = players.head(MOST_DRAWN).to_dicts()
    ends = [
        row[column] if row[column] is not None else row[measure]
        for row in rows
        for measure in ("regret", "luck")
        for column in (f"{measure}_low", f"{measure}_high")
    ]
    low, high = min(0.0, *ends), max(0.1, *ends)

    def at(value: float) -> float:
        return round(float(LEFT + WIDTH * (value - low) / (high - low)), 1)

    marks = []
    for index, row in enumerate(rows):
        for offset, measure in ((-4, "regret"), (4, "luck")):
            own = row[measure]
            first = row[f"{measure}_low"] if row[f"{measure}_low"] is not None else own
            last = row[f"{measure}_high"] if row[f"{measure}_high"] is not None else own
            y = STEP * index + STEP // 2 + 24 + offset
            marks.append(
                {"kind": measure, "y": y, "x": at(own), "low": at(first), "high": at(last)}
            )
    step = next(one for one in (0.1, 0.2, 0.5, 1, 2, 5, 10, 50, 500) if (high - low) / one <= 9)
    ticks = [step * one for one in range(int(low / step), int(high / step) + 1)]
    return {
        "names": [
            {"text": row["player"][:26], "y": STEP * index + STEP // 2 + 28}
            for index, row in enumerate(rows)
        ],
        "marks": marks,
        "ticks": [{"x": at(tick), "text": f"{tick:g}".replace("-", "−")} for tick in ticks],
        "height": STEP * len(rows) + 54,
        "width": LEFT + WIDTH + 20,
        "bottom": STEP * len(rows) + 28,
    }
