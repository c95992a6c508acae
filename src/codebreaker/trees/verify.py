"""Verdicts on trees from files: what they do to every secret, and what the best known ones do."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass

from codebreaker.errors import CodebreakerError
from codebreaker.files import DATA
from codebreaker.games.notation import Notation
from codebreaker.trees.formats.registry import TreeFile
from codebreaker.trees.replay import Replay, replay
from codebreaker.types import Move

KNOWN = DATA / "known_totals.csv"


@dataclass(frozen=True)
class KnownTotal:
    """The least total guesses that is known of a game, for trees of at most `max_guesses`.

    `max_guesses` is None for trees without a limit; `kind` is *proven* or *best known*.
    """

    total: int
    max_guesses: int | None
    kind: str
    source: str


@dataclass(frozen=True)
class Verification:
    """A tree's replay, and the totals known of its game that it may be compared with.

    `stated` are figures of the file that the replay contradicts: the file's and the replay's.
    """

    notation: Notation
    replay: Replay
    known: tuple[KnownTotal, ...]
    stated: dict[str, tuple[int, int]]

    @property
    def valid(self) -> bool:
        """Return whether the tree solves every secret."""
        return self.replay.fault is None

    def notes(self) -> Iterator[str]:
        """Yield a line for each way in which the file contradicts itself."""
        for name, (stated, found) in self.stated.items():
            yield f"the file states {stated:,} {name.replace('_', ' ')}, the replay finds {found:,}"
        miscount, others = self.replay.miscount, self.replay.n_miscounts - 1
        if miscount is not None:
            more = f", and {others:,} more of its numbers are wrong" if others else ""
            yield (
                f"the file claims {miscount.claimed:,} candidates {self.history(miscount.moves)}, "
                f"but {miscount.candidates:,} are left{more}"
            )
        if self.replay.unreached:
            yield f"guesses of the file that no secret leads to: {self.replay.unreached:,}"

    def history(self, moves: list[Move]) -> str:
        """Return a history in words."""
        if not moves:
            return "before the first guess"
        return "after " + " ".join(map(self.notation.text, moves))

    def fault(self) -> str | None:
        """Return the first fault as a line, or None."""
        fault = self.replay.fault
        if fault is None:
            return None
        secret = self.notation.game.secrets[fault.secret]
        left = f"{fault.candidates:,} secrets are left, the first of them {secret}"
        if fault.candidates == 1:
            left = f"the secret {secret} is left"
        return f"{self.history(fault.moves)} the tree gives no guess, but {left}"

    def comparisons(self) -> Iterator[str]:
        """Yield a line for each known total."""
        if not self.valid:
            return
        for known in self.known:
            limit = "" if known.max_guesses is None else f" with at most {known.max_guesses}"
            excess = self.replay.total_guesses - known.total
            reached = "this tree takes as many"
            if excess:
                reached = f"this tree takes {abs(excess):,} {'more' if excess > 0 else 'fewer'}"
            yield f"{known.total:,}{limit} ({known.kind}; {known.source}): {reached}"


def known_totals(game: str) -> list[KnownTotal]:
    """Return the least totals that are known of a game, without a limit first."""
    with KNOWN.open(encoding="utf-8", newline="") as file:
        return [
            KnownTotal(
                int(row["total"]),
                int(row["max_guesses"]) if row["max_guesses"] else None,
                row["kind"],
                row["source"],
            )
            for row in csv.DictReader(file)
            if row["game"] == game
        ]


def verify(file: TreeFile, notation: Notation) -> Verification:
    """Play every secret against a file's tree.

    Raises `CodebreakerError` if the file is malformed or says that it is of another game.
    """
    game = notation.game
    named = file.game()
    if named is not None and named != game.name:
        raise CodebreakerError(
            f"{file.path} is a tree of {named}, not of {game.name}: use --game {named}"
        )
    outline = file.outline(notation)
    played = replay(game, outline)
    found = {
        "secrets": game.n_secrets,
        "n_secrets": game.n_secrets,
        "total_guesses": played.total_guesses,
        "max_guesses": len(played.profile),
    }
    stated = {
        name: (value, found[name]) for name, value in outline.stated.items() if value != found[name]
    }
    known = tuple(
        total
        for total in known_totals(game.name)
        if total.max_guesses is None or total.max_guesses >= len(played.profile)
    )
    return Verification(notation, played, known, stated)
