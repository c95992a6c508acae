"""Finished games, judged move by move."""

import json
from collections.abc import Iterable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from codebreaker.advice.transcripts import Reader
from codebreaker.advice.verdict import Verdict, judge
from codebreaker.errors import CodebreakerError

Transcripts = str | Path | Iterable[Mapping[str, Any]]
"""A file of JSON lines, or games as mappings with the keys of such a line."""


def score(
    games: Transcripts,
    game: str | None = None,
    *,
    player: str | None = None,
    policy: str | None = None,
    exact: bool | None = None,
) -> Verdict:
    """Score finished games move by move: what each guess lost, and what luck its feedback was.

    A line or mapping has the form of docs/transcripts.md; `game` and `player` are for those that do
    not say theirs. Optimal play judges where it can be computed, a policy elsewhere; `policy` names
    one, and `exact` insists on optimal play. What can't be read is in the verdict's `skipped`.
    Raises `CodebreakerError` if the file can't be read, or for an unknown game or policy.

    >>> import codebreaker as cb
    >>> moves = [["1122", "1,0"], ["1344", "3,0"], ["1345", "4,0"]]
    >>> verdict = cb.score([{"game": "mm-4-6", "player": "Ann", "moves": moves}])
    >>> verdict.moves.select("guess", "candidates", "candidates_after").rows()
    [('1122', 1296, 256), ('1344', 256, 9), ('1345', 9, 0)]
    """
    reader = Reader(game, player)
    if isinstance(games, str | Path):
        try:
            with Path(games).open("rb") as file:
                return judge(file, reader, policy, exact)
        except OSError as why:
            raise CodebreakerError(f"{games} can't be read: {why.strerror}") from None
    try:
        lines = [json.dumps(dict(one)).encode() for one in games]
    except (TypeError, ValueError) as why:
        raise CodebreakerError(f"a game can't be written as JSON: {why}") from None
    return judge(BytesIO(b"\n".join(lines)), reader, policy, exact)
