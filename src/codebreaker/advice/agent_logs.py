"""Logs of agents as other programs write them, judged move by move.

A log is a file with one agent's games. Lines of verifiers and of lm-eval are turned into this
project's form, and everything else is read as `score` reads it.
"""

import ast
import json
import re
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from codebreaker.advice.transcripts import SOMEBODY, Reader
from codebreaker.advice.verdict import Verdict, judge
from codebreaker.errors import CodebreakerError
from codebreaker.files import in_utf8

COLOURS_OF_EVAL = re.compile(r"following colors are possible: ([^.\n]+)\.")
GUESS_OF_EVAL = re.compile(r"Guess: (\[[^\]\n]*\])")
"""The parts of MastermindEval's questions in lm-eval that say the game and the guesses so far."""

INVALID_IN_TEXTARENA = "You attempted an invalid move."
"""How TextArena begins its message about an answer that is not a move."""

MOST_BYTES = 1 << 28
"""Maximum bytes of a log."""


class Line(NamedTuple):
    """The facts of a line besides its moves: secret, illegal answers, number of given moves."""

    secret: str | None
    illegal: int
    given: int


PLAIN = Line(None, 0, 0)


class AgentLog(NamedTuple):
    """An agent's games as judged, and what each line says besides, by its number."""

    agent: str
    verdict: Verdict
    lines: dict[int, Line]

    @property
    def moves(self) -> pl.DataFrame:
        """The judged moves of the agent, without the given ones."""
        given = pl.DataFrame(
            {"line": [*self.lines], "given": [line.given for line in self.lines.values()]},
            schema={"line": pl.Int64, "given": pl.Int64},
        )
        joined = self.verdict.moves.join(given, on="line", how="left", maintain_order="left")
        return joined.filter(pl.col("turn") > pl.col("given").fill_null(0)).drop("given")

    @property
    def games(self) -> pl.DataFrame:
        """A row per game: guesses, whether it is solved, regret, luck, and what it still takes.

        `kind` is `answers` where the agent was given all moves but the last, otherwise `games`. An
        illegal answer costs one guess: it is part of the regret. `length` is the game's length as
        the values have it: the guesses, illegal answers, and further guesses of optimal play in a
        game that was given up.
        """
        if self.moves.is_empty():
            return pl.DataFrame(schema=GAMES)
        summed = self.moves.group_by("line", "game", "judged_by", maintain_order=True).agg(
            guesses=pl.len(),
            last=pl.col("guess").last(),
            solved=pl.col("candidates_after").last() == 0,
            contradictions=(~pl.col("consistent")).sum(),
            regret=pl.col("regret").sum(),
            luck=pl.col("luck").sum(),
            still_expected=pl.col("expected_after").last(),
        )
        lines = [self.lines.get(line, PLAIN) for line in summed["line"]]
        # A solved game shows its secret; of others nothing may be known but the line.
        secrets = [
            last if solved else line.secret or f"line {number} of {self.agent}"
            for last, solved, line, number in zip(
                summed["last"], summed["solved"], lines, summed["line"], strict=True
            )
        ]
        illegal = pl.Series([line.illegal for line in lines], dtype=pl.Int64)
        kinds = ["answers" if line.given else "games" for line in lines]
        return summed.with_columns(
            agent=pl.lit(self.agent),
            kind=pl.Series(kinds, dtype=pl.String),
            secret=pl.Series(secrets, dtype=pl.String),
            illegal=illegal,
            regret=pl.col("regret") + illegal,
            length=pl.col("guesses") + illegal + pl.col("still_expected"),
        ).select(pl.col(name).cast(kind) for name, kind in GAMES.items())


GAMES = {
    "agent": pl.String, "game": pl.String, "kind": pl.String, "judged_by": pl.String,
    "line": pl.Int64, "secret": pl.String, "guesses": pl.Int64, "solved": pl.Boolean,
    "illegal": pl.Int64, "contradictions": pl.Int64, "regret": pl.Float64, "luck": pl.Float64,
    "length": pl.Float64,
}  # fmt: skip
"""The columns of an agent's games."""


def read_agent_log(path: Path, game: str | None = None) -> AgentLog:
    """Read and judge the games of a log, whose agent has the file's name.

    `game` is that of lines that name none. Raises `CodebreakerError` if the file can't be read.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise CodebreakerError(f"{path} can't be read: {error.strerror or error}") from None
    if len(content) > MOST_BYTES:
        raise CodebreakerError(f"{path} is larger than {MOST_BYTES >> 20} MiB: split it")
    text = in_utf8(content).decode("utf-8", "replace")
    lines = dict[int, Line]()
    if text.lstrip("\ufeff \n")[:1] == "{":
        rewritten = []
        for number, line in enumerate(text.splitlines(), start=1):
            parsed = _object(line)
            if parsed is not None:
                parsed, lines[number] = _in_own_form(parsed)
                line = json.dumps(parsed)
            rewritten.append(line)
        text = "\n".join(rewritten)
    verdict = judge(BytesIO(text.encode()), Reader(game, SOMEBODY))
    return AgentLog(path.stem, verdict, lines)


def _object(line: str) -> dict[str, Any] | None:
    """Return the object of a JSON line, None if it isn't one: the reader says why."""
    with suppress(ValueError, RecursionError):
        parsed = json.loads(line)
        return parsed if isinstance(parsed, dict) else None
    return None


def _in_own_form(line: dict[str, Any]) -> tuple[dict[str, Any], Line]:
    """Return a line as `score` reads it, and what it says besides."""
    if isinstance(line.get("traces"), list):
        line = _of_verifiers(line)
    if isinstance(line.get("doc"), dict):
        return _of_lm_eval(line)
    state = line.get("game_state")
    merged = line | state if isinstance(state, dict) else line
    game = merged.get("game")
    secret = merged.get("secret", merged.get("secret_code"))
    if isinstance(game, dict):  # MastermindEval's games
        secret = game.get("secret_code")
    if isinstance(secret, list):
        secret = "".join(map(str, secret))
    return line, Line(secret if isinstance(secret, str) else None, _illegal_in(merged), 0)


def _illegal_in(line: dict[str, Any]) -> int:
    """Return how many answers had no legal guess: as the line says, or by TextArena's log."""
    illegal = line.get("illegal")
    if type(illegal) is int and illegal >= 0:
        return illegal
    log = line.get("logs")
    said = [entry[1] for entry in log if isinstance(entry, list)] if isinstance(log, list) else []
    return sum(str(text).startswith(INVALID_IN_TEXTARENA) for text in said)


def _of_verifiers(line: dict[str, Any]) -> dict[str, Any]:
    """Return the game that our environment for verifiers kept in an episode's trace."""
    for trace in line["traces"]:
        info = trace.get("info") if isinstance(trace, dict) else None
        if isinstance(info, dict) and "moves" in info:
            return info
    return line  # the reader says that no game is there


def _of_lm_eval(line: dict[str, Any]) -> tuple[dict[str, Any], Line]:
    """Return a sample of MastermindEval in lm-eval: the moves that it gives, and the answer.

    The question has guesses whose feedback leaves one secret. The answer is the choice with the
    highest likelihood. Feedback follows from the secret, so the question's words aren't needed.
    """
    doc = line["doc"]
    options = doc.get("options")
    question = doc.get("instruction")
    colours = COLOURS_OF_EVAL.search(question) if isinstance(question, str) else None
    try:
        names = [name.strip() for name in colours[1].split(",")] if colours else []
        choices = [[name.strip() for name in text.split(",")] for text in options["text"]]
        likelihoods = [float(response[0]) for response in line["filtered_resps"]]
        answer = choices[likelihoods.index(max(likelihoods))]
        secret = choices[options["label"].index(doc["answerKey"])]
        guesses = [ast.literal_eval(guess) for guess in GUESS_OF_EVAL.findall(question)]
        code = {name: str(number) for number, name in enumerate(names, start=1)}
        moves = ["".join(code[name] for name in guess) for guess in [*guesses, answer]]
        typed = "".join(code[name] for name in secret)
    except (KeyError, IndexError, TypeError, ValueError, SyntaxError):
        return line, PLAIN  # the reader says that no game is there
    game = f"mm-{len(secret)}-{len(names)}"
    return {"game": game, "secret": typed, "moves": moves}, Line(typed, 0, len(guesses))
