"""The verdict on a file of games: tables of moves, games, players and turns, and their files."""

import json
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from html import escape
from io import BytesIO
from pathlib import Path
from typing import IO, Any

import numpy as np
import polars as pl

from codebreaker.advice.cached import TotalsCache
from codebreaker.advice.markup import code_html, escaped, marked_html, rules_named, table_html
from codebreaker.advice.pools import breach_of, check_pool, pool_called
from codebreaker.advice.regret import OptimalValues, PolicyValues, Values
from codebreaker.advice.resolve import Settings, strategy_for
from codebreaker.advice.score import is_judged_exactly, reference_policy, score_games, values_of
from codebreaker.advice.transcripts import Lines, Reader, SkippedLine, Transcript
from codebreaker.constants import OPTIMAL
from codebreaker.errors import CodebreakerError, counted, require
from codebreaker.files import open_given, write_frame, write_text
from codebreaker.games.notation import Notation
from codebreaker.games.words import Marks
from codebreaker.policies.registry import policy_called
from codebreaker.policies.strategy import slug_in_words
from codebreaker.runtime.arguments import explained
from codebreaker.statistics import interval, resampled_means
from codebreaker.types import AnyPool, Move

LEVEL = 0.95
"""Level of the intervals of means."""

RESAMPLES = 1000
"""Bootstrap resamples for these intervals."""

MEASURES = ("regret", "luck")
OPTIMAL_PLAY = "optimal play"
GAME = {"line": pl.Int64, "player": pl.String, "game": pl.String, "judged_by": pl.String}
SMALLEST_SHOWN = 0.005
"""Regret or luck below this, in guesses, counts as none in a line on a move."""

MOST_BYTES_KEPT = 1 << 26
"""Maximum bytes of a file that is read again, if some of its words are in no list."""

SOON_LOOKUPS = 1 << 29
SOON_SECONDS = 20.0
"""Limits of exact search while a player waits: look-ups per set, and seconds."""

MOVES = GAME | {
    "turn": pl.Int64, "guess": pl.String, "feedback": pl.String, "candidates": pl.Int64,
    "consistent": pl.Boolean, "expected": pl.Float64, "expected_with_guess": pl.Float64,
    "candidates_after": pl.Int64, "expected_after": pl.Float64, "regret": pl.Float64,
    "luck": pl.Float64,
}  # fmt: skip

TEMPLATES = Path(__file__).parent / "templates"
MOST_LISTED = 200
"""Maximum number of games, and of skipped lines, on the page."""

MOST_SHOWN = 10
"""Maximum number of skipped lines in a notebook."""

PLAYERS = ("player", "games", "solved", "mean_guesses", "consistent", "regret", "luck")
TURNS = ("player", "turn", "moves", "mean_candidates", "consistent", "regret", "luck")
GAMES = ("line", "player", "guesses", "solved", "consistent", "regret", "luck")


@dataclass(frozen=True, eq=False)
class Verdict:
    """Tables of moves, games, players and turns, skipped lines, and remarks on the judging.

    Verdicts with the same tables, lines and remarks are equal.
    """

    moves: pl.DataFrame
    games: pl.DataFrame
    players: pl.DataFrame
    turns: pl.DataFrame
    skipped: tuple[SkippedLine, ...]
    remarks: tuple[str, ...]

    def __eq__(self, other: object) -> bool:
        """Return whether another verdict has the same tables, skipped lines and remarks."""
        if not isinstance(other, Verdict):
            return NotImplemented
        texts = (self.skipped, self.remarks) == (other.skipped, other.remarks)
        tables = ("moves", "games", "players", "turns")
        return texts and all(getattr(self, name).equals(getattr(other, name)) for name in tables)

    def __hash__(self) -> int:
        return hash((len(self.moves), len(self.games), self.skipped, self.remarks))

    def to_pandas(self) -> Any:  # noqa: ANN401 (pandas is an extra)
        """Return the moves as a pandas.DataFrame; raise `CodebreakerError` without the extra."""
        require("pandas", "Verdict.to_pandas")
        return self.moves.to_pandas()

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON has it: tables, and the skipped lines, are lists of objects."""
        return {
            "moves": self.moves.to_dicts(),
            "games": self.games.to_dicts(),
            "players": self.players.to_dicts(),
            "turns": self.turns.to_dicts(),
            "skipped": [{"line": line.line, "reason": line.reason} for line in self.skipped],
            "remarks": [*self.remarks],
        }

    @explained
    def write(self, folder: str | Path, title: str = "games") -> None:
        """Write the tables as CSV, with codes in quotes, and the page, into a folder.

        Raises `CodebreakerError` without the extra `cli`, which makes the page.
        """
        write_verdict(self, title, folder)

    def __repr__(self) -> str:
        """Return the numbers of games and moves, and the mean regret and luck, on one line."""
        parts = [counted(len(self.games), "game")]
        if len(self.games):
            regret, luck = self.games.select(MEASURES).mean().row(0)
            parts.append(counted(len(self.moves), "move"))
            parts.append(f"regret {regret:.3f} and luck {luck:+.3f} per game")
        if self.skipped:
            parts.append(f"{len(self.skipped):,} skipped")
        if self.skipped and not len(self.games):
            fault = self.skipped[0]
            parts.append(f"line {fault.line}: {fault.reason}")
        return f"Verdict({', '.join(parts)})"

    def _repr_html_(self) -> str:
        """Return one game move by move, or else the players of each game, for notebooks."""
        html = list[str]()
        if len(self.games) == 1:
            head, lines, whole = review_in_words(self.moves)
            name = self.games["game"][0]
            rules = rules_named(name)
            moves = self.moves.select("turn", "guess", "feedback").iter_rows()
            rows = list[list[str]]()
            for (turn, guess, feedback), line in zip(moves, lines, strict=True):
                is_marked = name.startswith(f"{Marks.family}-")
                shown = marked_html(guess, feedback) if is_marked else code_html(rules, guess)
                rows.append([str(turn), shown, escape(feedback), escape(line)])
            texts = ["guess", "feedback", "judgement"]
            table = table_html(["turn", *texts], rows, left=texts)
            html += [f"<p>{escape(head)}</p>", table, f"<p>{escape(whole)}</p>"]
        else:
            for _, players in self.players.group_by("game", maintain_order=True):
                titles, *rows = table_as_text(players, PLAYERS)
                table = table_html(titles, escaped(rows), left=["player"])
                html += [f"<p>{escape(headline(players))}</p>", table]
        html += [f"<p>{escape(remark)}</p>" for remark in self.remarks]
        if self.skipped:
            faults = [[str(fault.line), fault.reason] for fault in self.skipped[:MOST_SHOWN]]
            html += [
                f"<p>{counted(len(self.skipped), 'line')} skipped</p>",
                table_html(["line", "reason"], escaped(faults), left=["reason"]),
            ]
        return "".join(html) or "<p>no games</p>"


def judge(
    file: IO[bytes] | Path,
    reader: Reader,
    policy: str | None = None,
    exact: bool | None = None,
    guess_pool: AnyPool | None = None,
) -> Verdict:
    """Judge a file's games, by a policy if optimal play takes too long and `exact` is not set.

    With a `guess_pool` the judge plays with it, and games that break it are skipped; without one,
    games whose titles say Wordle's hard mode are judged in it. Words may be guessed whether or not
    a list has them, if games of a file of up to MOST_BYTES_KEPT can't be read without: marks need
    letters alone. If no secret of a list fits, its rarer words may be secrets. Raises
    `CodebreakerError` if the file can't be read, for an unknown policy or pool, and for a judge
    that doesn't fit the reader's game or one that a line names, also if no game is judged.
    """
    if guess_pool is not None:
        pool_called(guess_pool)
    if policy is not None:
        policy_called(policy)
    try:
        with open_given(file) if isinstance(file, Path) else nullcontext(file) as lines:
            kept = _Kept(lines)
            verdict = _judged(kept, reader, policy, exact, guess_pool)
    except OSError as error:
        raise CodebreakerError(f"- can't be read: {error.strerror or error}") from None
    if reader.unread and kept.content is not None:
        wider = reader.with_typed(" ".join(reader.unread))
        again = _judged(BytesIO(kept.content), wider, policy, exact, guess_pool)
        if wider.others and again.skipped != verdict.skipped:
            return again
    return verdict


class _Kept:
    """A file that keeps what is read of it, to be read again; larger ones are not kept."""

    def __init__(self, file: Lines) -> None:
        """Prepare to read a file."""
        self._file = file
        self._parts: list[bytes] = []
        self._left = MOST_BYTES_KEPT

    @property
    def content(self) -> bytes | None:
        """What was read so far, None if it is more than MOST_BYTES_KEPT."""
        return b"".join(self._parts) if self._left >= 0 else None

    def readline(self, size: int, /) -> bytes:
        """Return the next line, or its first `size` bytes."""
        return self._keep(self._file.readline(size))

    def read(self, size: int, /) -> bytes:
        """Return the next `size` bytes."""
        return self._keep(self._file.read(size))

    def _keep(self, part: bytes) -> bytes:
        """Keep a part, unless there is too much."""
        self._left -= len(part)
        if self._left >= 0:
            self._parts.append(part)
        else:
            self._parts.clear()
        return part


def _judged(
    lines: Lines,
    reader: Reader,
    policy: str | None,
    exact: bool | None,
    guess_pool: AnyPool | None,
) -> Verdict:
    """Return the verdict of `judge` on the games as the reader reads them."""
    judges = dict[str, Values]()

    def choose_judges() -> None:
        """Choose a judge for each game that the reader has met so far."""
        for name, notation in reader.notations.items():
            if name not in judges:
                judges[name] = _judge_of(notation, policy, exact, guess_pool)

    choose_judges()
    by_game: dict[tuple[str, AnyPool | None], list[Transcript]] = {}
    for transcript in reader.read(lines):
        pool = guess_pool or ("hard" if transcript.is_hard else None)
        by_game.setdefault((transcript.game, pool), []).append(transcript)
    choose_judges()
    frames = [pl.DataFrame(schema=MOVES)]
    faults = list(reader.faults)
    remarks = [f"line {line}: {taken}" for line, taken in reader.readings]
    remarks += [
        f"line {line}: {move} is left out, as it is marked uncertain"
        for line, move in reader.left_out
    ]
    others = _guessed(reader, by_game) & reader.others if reader.others else set()
    remarks += [f"{word!r} is not in the word list: taken as a guess" for word in sorted(others)]
    for (name, pool), played in by_game.items():
        notation = reader.notations[name]
        is_usual = pool == guess_pool
        values = judges.pop(name) if is_usual else _judge_of(notation, policy, exact, pool)
        played, broken = _obedient(notation, played, pool or "all")
        faults += broken
        if not played:
            continue
        values, scored, lost, remark = _scored(notation, played, values, exact, pool)
        remarks += [remark] if remark else []
        frames.append(_moves(notation, played, values.name, scored))
        faults += [_fault(notation, played[game], move) for game, move in lost.items()]
    moves = pl.concat(frames).sort("line", "turn")
    games = _games(moves)
    faults.sort(key=lambda fault: fault.line)
    return Verdict(moves, games, _players(games), _turns(moves), tuple(faults), tuple(remarks))


def _guessed(
    reader: Reader, by_game: Mapping[tuple[str, AnyPool | None], Sequence[Transcript]]
) -> set[str]:
    """Return all guesses of games."""
    return {
        reader.notations[name].game.guesses[guess]
        for (name, _), played in by_game.items()
        for transcript in played
        for guess, _ in transcript.moves
    }


def review_of(
    notation: Notation, moves: Sequence[Move], guess_pool: AnyPool = "all"
) -> pl.DataFrame:
    """Return one game's moves, judged within seconds, a large game by its default policy.

    Judges play with the `guess_pool`, as the game did.
    """
    game = notation.game
    played = [Transcript(1, "you", notation.game.name, tuple(moves))]
    own_pool = None if guess_pool == "all" else guess_pool
    values: Values = PolicyValues(game, strategy_for(notation, None, Settings(guess_pool=own_pool)))
    if is_judged_exactly(game):
        cache = TotalsCache(game.with_table(), guess_pool)
        exact = OptimalValues(game, SOON_LOOKUPS, SOON_SECONDS, cache=cache, guess_pool=guess_pool)
        with suppress(CodebreakerError):  # it takes too long
            scored, _ = score_games(exact, [moves])
            exact.save()
            return _moves(notation, played, exact.name, scored)
    scored, _ = score_games(values, [moves])
    return _moves(notation, played, values.name, scored)


def review_in_words(review: pl.DataFrame) -> tuple[str, list[str], str]:
    """Return what judges a game's moves, a line on each move, and their sum."""
    game, judge, start = review.select("game", "judged_by", "expected").row(0)
    regret, luck = review.select(MEASURES).sum().row(0)
    after = review["candidates_after"][-1]
    best, pool = _judge_in_words(judge)
    head = f"compared with {best} of {game}{pool}, which needs {start:.2f} guesses on average:"
    lines = [_in_words(row, best) for row in review.to_dicts()]
    skill = f"your guesses {'cost' if regret >= 0 else 'saved'} {abs(regret):.2f} (skill)"
    answers = f"the answers {'saved' if luck >= 0 else 'cost'} {abs(luck):.2f} (luck)"
    if after:
        return head, lines, f"{skill}, {answers}"
    whole = (
        f"{start:.2f} {_signed(regret)} {_signed(-luck)} = {counted(len(review), 'guess', 'es')}"
    )
    return head, lines, f"{skill}, {answers}: {whole}"


def _judge_in_words(judge: str) -> tuple[str, str]:
    """Return what judges, optimal play or a policy, and its settings in words, if any."""
    if judge == f"{OPTIMAL}_pool-hard":
        return OPTIMAL_PLAY, " in hard mode"
    if judge == f"{OPTIMAL}_pool-consistent":
        return OPTIMAL_PLAY, " with candidates only"
    if judge == OPTIMAL:
        return OPTIMAL_PLAY, ""
    policy, settings = slug_in_words(judge)
    return policy, f" ({settings})" if settings else ""


def _signed(value: float) -> str:
    """Return a number with its sign apart, as in a sum."""
    return f"{'+' if value >= 0 else '−'} {abs(value):.2f}"


def _in_words(row: dict[str, Any], best: str) -> str:
    """Return a line on a move: what it left, its regret against `best`, and its luck."""
    regret = row["regret"]
    luck = row["luck"]
    left = row["candidates_after"]
    parts = [f"{left:,} of {row['candidates']:,} left" if left else "solved"]
    if abs(regret) < SMALLEST_SHOWN:
        parts.append("no better guess" if best == OPTIMAL_PLAY else f"as good as {best}")
    else:
        parts.append(f"{abs(regret):.2f} guesses {'worse' if regret > 0 else 'better'} than {best}")
    if abs(luck) >= SMALLEST_SHOWN:
        parts.append(f"{'lucky' if luck > 0 else 'unlucky'} by {abs(luck):.2f}")
    return ", ".join(parts)


def _obedient(
    notation: Notation, played: Sequence[Transcript], pool: AnyPool
) -> tuple[list[Transcript], list[SkippedLine]]:
    """Return the games that obey a pool, and the faults of the others."""
    obedient = list[Transcript]()
    faults = list[SkippedLine]()
    for transcript in played:
        breach = breach_of(notation.game, pool, transcript.moves)
        if breach is None:
            obedient.append(transcript)
        else:
            faults.append(SkippedLine(transcript.line, breach))
    return obedient, faults


def _judge_of(
    notation: Notation, policy: str | None, exact: bool | None, guess_pool: AnyPool | None
) -> Values:
    """Return what judges a game's moves; raise `CodebreakerError` if it doesn't fit the game."""
    check_pool(notation.game, guess_pool or "all")
    return values_of(notation, policy, exact, guess_pool)


def _scored(
    notation: Notation,
    played: Sequence[Transcript],
    values: Values,
    exact: bool | None,
    guess_pool: AnyPool | None,
) -> tuple[Values, pl.DataFrame, dict[int, int], str]:
    """Return the judge, its scores, the faulty moves by game, and a remark on the judge, if any.

    If exact search takes too long, and was not asked for, the best policy known judges instead.
    """
    games = [transcript.moves for transcript in played]
    remark = ""
    try:
        scored, lost = score_games(values, games)
    except CodebreakerError as error:
        if exact or not values.is_exact:
            raise
        values = PolicyValues(notation.game, reference_policy(notation, None, guess_pool))
        scored, lost = score_games(values, games)
        best, settings = _judge_in_words(values.name)
        remark = f"{error}; judged by {best}{settings} instead"
    if isinstance(values, OptimalValues):
        values.save()
    return values, scored, lost, remark


def _moves(
    notation: Notation, played: Sequence[Transcript], judge: str, scored: pl.DataFrame
) -> pl.DataFrame:
    """Return the rows of scored games with the columns of MOVES; totals become means."""
    short = [notation.short(feedback) for feedback in range(notation.game.n_feedback)]
    rows = [
        (
            game,
            turn,
            transcript.line,
            transcript.player,
            notation.game.guesses[guess],
            short[answer],
        )
        for game, transcript in enumerate(played)
        for turn, (guess, answer) in enumerate(transcript.moves, start=1)
    ]
    names = ("game", "turn", "line", "player", "guess", "feedback")
    as_played = pl.DataFrame(rows, schema=names, orient="row")
    frame = as_played.join(scored, on=["game", "turn"], maintain_order="left").with_columns(
        game=pl.lit(notation.game.name),
        judged_by=pl.lit(judge),
        expected=pl.col("minimum") / pl.col("candidates"),
        expected_with_guess=pl.col("with_guess") / pl.col("candidates"),
        expected_after=pl.when(pl.col("candidates_after") > 0)
        .then(pl.col("minimum_after") / pl.col("candidates_after"))
        .otherwise(0.0),
        regret=(pl.col("with_guess") - pl.col("minimum")) / pl.col("candidates"),
    )
    luck = pl.col("expected_with_guess") - 1 - pl.col("expected_after")
    return frame.with_columns(luck=luck).select(list(MOVES))


def _fault(notation: Notation, played: Transcript, move: int) -> SkippedLine:
    """Return the line of a game whose feedback to a move is impossible, and why it is skipped."""
    text = notation.text(played.moves[move])
    before = " and the moves before it: one of them is wrong" if move else ""
    return SkippedLine(played.line, f"move {move + 1}, {text}: no secret fits this{before}")


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
    """Return one row per game and player, the lowest regret first."""
    totals = _totals(
        games,
        ["game", "judged_by", "player"],
        games=pl.len(),
        solved=pl.col("solved").sum(),
        guesses=pl.col("guesses").sum(),
        mean_guesses=pl.col("guesses").filter("solved").mean(),
        expected=pl.col("expected").first(),
        consistent=pl.col("consistent").sum() / pl.col("guesses").sum(),
    )
    return totals.sort("game", "regret", maintain_order=True)


def _turns(moves: pl.DataFrame) -> pl.DataFrame:
    """Return one row per game, player and turn."""
    by = ["game", "judged_by", "player", "turn"]
    return _totals(
        moves,
        by,
        moves=pl.len(),
        mean_candidates=pl.col("candidates").mean(),
        consistent=pl.col("consistent").mean(),
    ).sort(by)


def _totals(frame: pl.DataFrame, by: list[str], **columns: pl.Expr) -> pl.DataFrame:
    """Return each group's columns, mean regret and luck with 95 % intervals, null for one row."""
    # The rows of figures stand beside those of `agg`: both are in the order in which the groups
    # first appear, which `maintain_order` promises.
    groups = frame.group_by(by, maintain_order=True)
    rows = []
    for _, group in groups:
        values = group.select(MEASURES).to_numpy()
        low = high = np.full(len(MEASURES), np.nan)
        if len(values) > 1:
            means = resampled_means(np.ascontiguousarray(values), RESAMPLES, seed=0)
            low, high = interval(means, LEVEL)
        rows.append(np.column_stack([values.mean(axis=0), low, high]).ravel())
    names = [f"{measure}{end}" for measure in MEASURES for end in ("", "_low", "_high")]
    figures = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.Float64), orient="row")
    return groups.agg(**columns).hstack(figures.fill_nan(None))


def write_verdict(verdict: Verdict, title: str, folder: str | Path) -> list[str]:
    """Write a verdict's page and tables, and return the names of the files."""
    folder = Path(folder)
    skipped = [(fault.line, fault.reason) for fault in verdict.skipped]
    schema = {"line": pl.Int64, "reason": pl.String}
    tables = {
        "moves.csv": verdict.moves,
        "games.csv": verdict.games,
        "players.csv": verdict.players,
        "turns.csv": verdict.turns,
        "skipped.csv": pl.DataFrame(skipped, schema, orient="row"),
    }
    texts = {
        "index.html": to_page(verdict, title),
        "score.json": json.dumps(as_json(verdict, title), ensure_ascii=False),
    }
    for name, table in tables.items():
        write_frame(_typed(table), folder / name)
    for name, text in texts.items():
        write_text(folder / name, text)
    return [*texts, *tables]


def _typed(frame: pl.DataFrame) -> pl.DataFrame:
    """Put an apostrophe before texts that a spreadsheet would take for formulas."""
    return frame.with_columns(pl.col(pl.String).str.replace(r"^[=+\-@\t\r]", "'$0"))


def as_json(verdict: Verdict, title: str) -> dict[str, object]:
    """Return a verdict's totals and its skipped lines, as in docs/transcripts.md."""
    return {
        "file": title,
        "games": len(verdict.games),
        "players": verdict.players.to_dicts(),
        "turns": verdict.turns.to_dicts(),
        **({"moves": verdict.moves.to_dicts()} if len(verdict.games) == 1 else {}),
        "skipped": [vars(fault) for fault in verdict.skipped],
        "remarks": list(verdict.remarks),
    }


def headline(players: pl.DataFrame) -> str:
    """Return a game, and what judges its moves."""
    game, judge, expected = players.select("game", "judged_by", "expected").row(0)
    best, pool = _judge_in_words(judge)
    by = best if best == OPTIMAL_PLAY else f"policy {best}"
    return f"{game}, judged by {by}{pool}, which takes {expected:.4f} guesses on average"


def table_as_text(frame: pl.DataFrame, columns: Sequence[str]) -> list[list[str]]:
    """Return a table as text, with its titles."""
    titles = [column.removeprefix("mean_") for column in columns]
    return [
        titles,
        *([_cell(row, column) for column in columns] for row in frame.iter_rows(named=True)),
    ]


def _cell(row: dict[str, object], column: str) -> str:
    """Return a cell of a table as text, with the interval of a mean if the row has one."""
    value = row[column]
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if column == "consistent" and isinstance(value, float):
        return f"{value:.1%}".replace("%", " %")
    if not isinstance(value, float):
        return f"{value:,}" if isinstance(value, int) and column != "line" else str(value)
    text = f"{value:+.3f}" if column == "luck" else f"{value:.3f}"
    low = row.get(f"{column}_low")
    high = row.get(f"{column}_high")
    if isinstance(low, float) and isinstance(high, float):
        text += f" ({low:.3f} to {high:.3f})"
    return text.replace("-", "−")


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
            "players": table_as_text(players, PLAYERS),
            "turns": table_as_text(verdict.turns.filter(game=game), TURNS),
            "games": table_as_text(
                (games := verdict.games.filter(game=game)).head(MOST_LISTED), GAMES
            ),
            "more": max(len(games) - MOST_LISTED, 0),
        }
        for (game,), players in verdict.players.group_by("game", maintain_order=True)
    ]
    listed = [[str(fault.line), fault.reason] for fault in verdict.skipped[:MOST_LISTED]]
    if more := len(verdict.skipped) - len(listed):
        listed.append(["…", f"and {more:,} more, in skipped.csv"])
    return environment.get_template("score.html.j2").render(
        title=title,
        sections=sections,
        skipped=listed,
        n_skipped=len(verdict.skipped),
        remarks=verdict.remarks,
    )
