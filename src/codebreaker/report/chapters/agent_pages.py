"""The pages of agents: the games of a log judged, and its costliest guesses as boards."""

from html import escape
from pathlib import Path
from typing import Any

import polars as pl

from codebreaker.advice.agent_logs import AgentLog, read_agent_log
from codebreaker.advice.markup import code_html, marked_html, rules_named
from codebreaker.advice.regret import OptimalValues, regret_of
from codebreaker.advice.score import values_of
from codebreaker.errors import CodebreakerError
from codebreaker.files import write_frame, write_text
from codebreaker.games.notation import Notation
from codebreaker.games.registry import build_game, rules_of
from codebreaker.games.words import BUNDLED, Marks
from codebreaker.report import environment
from codebreaker.report.chapters import Files
from codebreaker.report.chapters.agents import leaderboard
from codebreaker.sets.partition import candidates_after

SHOWN_MOVES = 10
"""Maximum number of costly moves on an agent's page."""

LEAST_SHOWN = 0.005
"""Regret below this, in guesses, is not shown as costly."""


def judge_agent(log: str, game: str | None, output: Files) -> str:
    """Judge a log, write its games and its page, and return how many games it has."""
    judged = read_agent_log(Path(log), game)
    write_frame(judged.games, output.games)
    write_text(output.page, agent_page(judged))
    skipped = f", {len(judged.verdict.skipped)} lines skipped" if judged.verdict.skipped else ""
    return f"{len(judged.games)} games{skipped}"


def agent_page(log: AgentLog) -> str:
    """Return an agent's page: its figures, and its costliest moves as boards."""
    games = log.games
    figures = leaderboard(games) if len(games) else pl.DataFrame()
    return (
        environment()
        .get_template("agent.html.j2")
        .render(
            agent=log.agent,
            figures=figures.to_dicts(),
            moves=[_board_of(log, row) for row in _costliest(log.moves)],
            skipped=[{"line": one.line, "reason": one.reason} for one in log.verdict.skipped[:20]],
            n_skipped=len(log.verdict.skipped),
            remarks=log.verdict.remarks[:20],
        )
    )


def _costliest(moves: pl.DataFrame) -> list[dict[str, Any]]:
    """Return the moves with the highest regret: at most one of a game, and none twice."""
    costly = moves.filter(pl.col("regret") > LEAST_SHOWN).sort(
        "regret", "line", "turn", descending=[True, False, False]
    )
    once = costly.unique("line", keep="first", maintain_order=True)
    distinct = once.unique(
        ["game", "turn", "guess", "candidates", "regret"], keep="first", maintain_order=True
    )
    return distinct.head(SHOWN_MOVES).to_dicts()


def _board_of(log: AgentLog, row: dict[str, Any]) -> dict[str, Any]:
    """Return a move for the page: the board before it, the guess, and a better one."""
    before = log.verdict.moves.filter(
        (pl.col("line") == row["line"]) & (pl.col("turn") < row["turn"])
    )
    board = [
        {"turn": turn, "guess": _guess_html(row["game"], guess, feedback), "feedback": feedback}
        for turn, guess, feedback in before.select("turn", "guess", "feedback").iter_rows()
    ]
    moves = before.select("guess", "feedback").rows()
    return {
        "line": row["line"],
        "turn": row["turn"],
        "board": board,
        "guess": _guess_html(row["game"], row["guess"], row["feedback"]),
        "feedback": row["feedback"],
        "candidates": row["candidates"],
        "consistent": row["consistent"],
        "regret": row["regret"],
        "better": _better(row["game"], moves, row["guess"]),
    }


def _guess_html(game: str, guess: str, feedback: str | None) -> str:
    """Return a guess as pegs, or as letters with the colours of their marks."""
    if feedback is not None and game.startswith(f"{Marks.family}-"):
        return marked_html(guess, feedback)
    return code_html(rules_named(game), guess)


def _better(game: str, moves: list[tuple[str, str]], guess: str) -> str | None:
    """Return an optimal guess as HTML, None where optimal play is out of reach."""
    try:
        rules = rules_of(game, BUNDLED)
        notation = Notation(rules, build_game(rules))
        values = values_of(notation)
        if not isinstance(values, OptimalValues):
            return None
        played = [(notation.guess(code), notation.feedback(answer)) for code, answer in moves]
        members = candidates_after(notation.game, played)
        best = regret_of(values, played, members, notation.guess(guess)).best
    except CodebreakerError:
        return None
    label = notation.game.guesses[best]
    return escape(label) if game.startswith(Marks.family) else _guess_html(game, label, None)
