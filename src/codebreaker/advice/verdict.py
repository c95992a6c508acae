"""The verdict on a file of games: tables of moves, games, players and turns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO

import numpy as np
import polars as pl

from codebreaker.advice.score import Contradiction, ScoredMove, score_games
from codebreaker.advice.transcripts import Board, Fault, Reader, Transcript
from codebreaker.advice.values import PolicyValues, Values, reference_policy, values_of
from codebreaker.errors import CodebreakerError
from codebreaker.statistics import interval, resampled_means

LEVEL = 0.95
RESAMPLES = 1000

GAME = {"line": pl.Int64, "player": pl.String, "game": pl.String, "judged_by": pl.String}
MOVES = GAME | {
    "turn": pl.Int64, "guess": pl.String, "feedback": pl.String, "candidates": pl.Int64,
    "consistent": pl.Boolean, "expected": pl.Float64, "expected_with_guess": pl.Float64,
    "candidates_after": pl.Int64, "expected_after": pl.Float64, "regret": pl.Float64,
    "luck": pl.Float64,
}  # fmt: skip
"""The columns of the table of moves; docs/transcripts.md explains them."""

INTEGERS = (
    GAME
    | {"turn": pl.Int64, "guess": pl.String, "feedback": pl.String}
    | dict.fromkeys(ScoredMove._fields, pl.Int64)
    | {"is_consistent": pl.Boolean}
)
"""The columns of moves before the divisions."""

MEASURES = ("regret", "luck")


@dataclass(frozen=True)
class Verdict:
    """The tables of a file's games, the lines that were skipped, and remarks on how it was judged.

    `moves` has a row for each move, `games` for each game, `players` for each player of a game such
    as mm-4-6, and `turns` for each turn of these. Means have intervals of 95 %, by resampled games.
    """

    moves: pl.DataFrame
    games: pl.DataFrame
    players: pl.DataFrame
    turns: pl.DataFrame
    skipped: tuple[Fault, ...]
    remarks: tuple[str, ...]


def judge(
    file: IO[bytes], reader: Reader, policy: str | None = None, exact: bool | None = None
) -> Verdict:
    """Judge the games of a file by optimal play or by a policy, as `values_of` chooses.

    Games that optimal play is chosen for, but whose sets it can't solve in time, are judged by the
    policy too, unless `exact` asks for it; a remark says so.
    """
    by_game: dict[str, list[Transcript]] = {}
    for transcript in reader.read(file):
        by_game.setdefault(transcript.game, []).append(transcript)
    frames, faults, remarks = list[pl.DataFrame](), list(reader.faults), list[str]()
    for name, played in by_game.items():
        board = reader.boards[name]
        values, scored, remark = _scored(board, played, policy, exact)
        remarks += [remark] if remark else []
        frame, lost = _moves_frame(board, played, values, scored)
        frames.append(frame)
        faults += lost
    moves = pl.concat(frames) if frames else pl.DataFrame(schema=MOVES)
    moves = moves.sort("line", "turn")
    games = _games(moves)
    return Verdict(
        moves,
        games,
        _players(games),
        _turns(moves),
        tuple(sorted(faults, key=lambda fault: fault.line)),
        tuple(remarks),
    )


def _scored(
    board: Board, played: Sequence[Transcript], policy: str | None, exact: bool | None
) -> tuple[Values, list[list[ScoredMove] | Contradiction], str]:
    """Return the values that judge games of one kind, their scores, and a remark or nothing."""
    games = [transcript.moves for transcript in played]
    values = values_of(board.notation, policy, exact)
    try:
        scored, remark = score_games(values, games), ""
    except CodebreakerError as error:
        if exact or not values.is_exact:
            raise
        values = PolicyValues(board.notation.game, reference_policy(board.notation))
        scored, remark = score_games(values, games), f"{error}; judged by {values.name} instead"
    values.save()
    return values, scored, remark


def _moves_frame(
    board: Board,
    played: Sequence[Transcript],
    values: Values,
    scored: Sequence[list[ScoredMove] | Contradiction],
) -> tuple[pl.DataFrame, list[Fault]]:
    """Return the table of moves of games of one kind, and the games that contradict themselves."""
    rows, faults, game = list[tuple[object, ...]](), list[Fault](), board.notation.game
    guesses, short = game.guesses, [board.notation.short(one) for one in range(game.n_feedback)]
    for transcript, moves in zip(played, scored, strict=True):
        if isinstance(moves, Contradiction):
            faults.append(_fault(board, transcript, moves))
            continue
        head = (transcript.line, transcript.player, transcript.game, values.name)
        for turn, (move, (guess, feedback)) in enumerate(
            zip(moves, transcript.moves, strict=True), start=1
        ):
            rows.append((*head, turn, guesses[guess], short[feedback], *move))
    frame = pl.DataFrame(rows, schema=INTEGERS, orient="row").with_columns(
        expected=pl.col("least") / pl.col("candidates"),
        expected_with_guess=pl.col("with_guess") / pl.col("candidates"),
        expected_after=pl.when(pl.col("left") > 0)
        .then(pl.col("least_after") / pl.col("left"))
        .otherwise(0.0),
        regret=(pl.col("with_guess") - pl.col("least")) / pl.col("candidates"),
    )
    luck = pl.col("expected_with_guess") - 1 - pl.col("expected_after")
    names = {"left": "candidates_after", "is_consistent": "consistent"}
    return frame.with_columns(luck=luck).rename(names).select(list(MOVES)), faults


def _fault(board: Board, transcript: Transcript, found: Contradiction) -> Fault:
    """Return what is wrong with a game whose feedback no secret gives."""
    move = board.notation.text(transcript.moves[found.move])
    before = " and the moves before it: one of them is wrong" if found.move else ""
    return Fault(transcript.line, f"move {found.move + 1}, {move}: no secret fits this{before}")


def _games(moves: pl.DataFrame) -> pl.DataFrame:
    """Return one row per game; `still_expected` are further guesses of a game that was given up."""
    return moves.group_by(list(GAME), maintain_order=True).agg(
        guesses=pl.len(),
        solved=pl.col("candidates_after").last() == 0,
        consistent=pl.col("consistent").sum(),
        expected=pl.col("expected").first(),
        regret=pl.col("regret").sum(),
        luck=pl.col("luck").sum(),
        still_expected=pl.col("expected_after").last(),
    )


def _players(games: pl.DataFrame) -> pl.DataFrame:
    """Return the totals of games by game and player, the least regret first."""
    by = ["game", "judged_by", "player"]
    totals = games.group_by(by, maintain_order=True).agg(
        games=pl.len(),
        solved=pl.col("solved").sum(),
        guesses=pl.col("guesses").sum(),
        mean_guesses=pl.col("guesses").filter("solved").mean(),
        expected=pl.col("expected").first(),
        consistent=pl.col("consistent").sum() / pl.col("guesses").sum(),
    )
    ordered = totals.join(_means(games, by), on=by, how="left", maintain_order="left")
    return ordered.sort("game", "regret", maintain_order=True)


def _turns(moves: pl.DataFrame) -> pl.DataFrame:
    """Return the totals of moves by game, player and turn."""
    by = ["game", "judged_by", "player", "turn"]
    totals = moves.group_by(by, maintain_order=True).agg(
        moves=pl.len(),
        mean_candidates=pl.col("candidates").mean(),
        consistent=pl.col("consistent").mean(),
    )
    means = _means(moves, by)
    return totals.join(means, on=by, how="left", maintain_order="left").sort(by)


def _means(frame: pl.DataFrame, by: list[str]) -> pl.DataFrame:
    """Return the mean regret and luck of each group with the ends of their 95 % intervals.

    The interval of a single game or move is unknown.
    """
    rows = []
    for key, group in frame.group_by(by, maintain_order=True):
        values = group.select(MEASURES).to_numpy()
        row: dict[str, object] = dict(zip(by, key, strict=True))
        lows = highs = [None] * len(MEASURES)
        if len(values) > 1:
            means = resampled_means(np.ascontiguousarray(values), RESAMPLES, seed=0)
            lows, highs = (ends.tolist() for ends in interval(means, LEVEL))
        for measure, mean, low, high in zip(
            MEASURES, values.mean(axis=0).tolist(), lows, highs, strict=True
        ):
            row |= {measure: mean, f"{measure}_low": low, f"{measure}_high": high}
        rows.append(row)
    kinds = {name: pl.Int64 if name == "turn" else pl.String for name in by}
    ends = (f"{measure}{end}" for measure in MEASURES for end in ("", "_low", "_high"))
    return pl.DataFrame(rows, schema=kinds | dict.fromkeys(ends, pl.Float64))
