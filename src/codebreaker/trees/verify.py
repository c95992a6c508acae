"""Verdicts on trees from files: replay, and comparison with known totals."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.files import DATA
from codebreaker.games.model import GameModel, TableGame
from codebreaker.games.notation import Notation
from codebreaker.games.registry import is_as_named
from codebreaker.trees.formats.reading import Node, Outline
from codebreaker.trees.formats.registry import TreeFile
from codebreaker.trees.tree import GameTree
from codebreaker.types import Move

KNOWN = DATA / "known_totals.csv"
MOST_IMPLIED = 2  # candidates for which a file may omit the guess: any order is optimal


class Fault(NamedTuple):
    """A history without a guess for its `candidates`, and the first of them."""

    secret: int
    moves: list[Move]
    candidates: int


class Miscount(NamedTuple):
    """A history after which a file claims a wrong number of candidates."""

    moves: list[Move]
    claimed: int
    candidates: int


@dataclass(frozen=True)
class Replay:
    """The result of play against every secret; `tree` is None if there is a `fault`."""

    tree: GameTree | None
    profile: tuple[int, ...]
    fault: Fault | None
    miscounts: tuple[Miscount, ...]
    unreached: int  # nodes of the file that no secret leads to

    @property
    def solved(self) -> int:
        """Return the number of secrets solved."""
        return sum(self.profile)

    @property
    def total_guesses(self) -> int:
        """Return the guesses for the solved secrets."""
        return sum(turn * count for turn, count in enumerate(self.profile, start=1))


_Reached = tuple[Node | None, int, int]  # None if omitted; the row above; the feedback


def replay(game: GameModel, outline: Outline) -> Replay:
    """Play every secret of a game against an outline's guesses."""
    own = game.guess_of_secret if isinstance(game, TableGame) else np.arange(game.n_secrets)
    rows: list[tuple[int, int, int, int, int]] = []
    faults = list[Fault]()
    miscounts = list[Miscount]()
    profile = list[int]()
    n_reached = 0

    def moves_to(row: int, feedback: int) -> list[Move]:
        moves = list[Move]()
        while row >= 0:
            moves.append((rows[row][3], feedback))
            row, _, feedback, _, _ = rows[row]
        return moves[::-1]

    level: list[_Reached] = [(outline.nodes[0], -1, -1)]
    members = np.arange(game.n_secrets, dtype=np.int32)
    sizes = np.array([game.n_secrets])
    while level:
        first_row = len(rows)
        guesses = list[int]()
        solved = 0
        starts = np.cumsum(sizes) - sizes
        firsts = members[starts].tolist()
        owns = own[members[starts]].tolist()
        for (node, parent, feedback), size, first, implied in zip(
            level, sizes.tolist(), firsts, owns, strict=True
        ):
            guess = None if node is None else node.guess
            if node is not None:
                n_reached += 1
                if node.claimed not in (None, size):
                    miscounts.append(Miscount(moves_to(parent, feedback), node.claimed, size))
            if guess is None and size <= MOST_IMPLIED:
                guess = implied
            if guess is None:
                faults.append(Fault(first, moves_to(parent, feedback), size))
            guesses.append(-1 if guess is None else guess)
            rows.append((parent, len(profile) + 1, feedback, guesses[-1], size))
        played = np.array(guesses, dtype=np.int32)
        goes_on = np.repeat(played >= 0, sizes)
        nodes = np.repeat(np.arange(len(level)), sizes)[goes_on]
        members = members[goes_on]
        parts = nodes * game.n_feedback + game.feedback(played[nodes], members)
        order = np.argsort(parts, kind="stable")
        members = members[order]
        keys, starts, sizes = np.unique(parts[order], return_index=True, return_counts=True)
        firsts = members[starts].tolist()
        below = list[_Reached]()
        stays = np.zeros(len(keys), bool)
        for part, key in enumerate(keys.tolist()):
            index, feedback = divmod(key, game.n_feedback)
            node = level[index][0]
            row = first_row + index
            size = int(sizes[part])
            child = None if node is None else node.children.get(feedback)
            if feedback == game.solved:
                solved += size
            elif child is None and node is not None and not node.implied:
                faults.append(Fault(firsts[part], moves_to(row, feedback), size))
            else:
                below.append((child, row, feedback))
                stays[part] = True
        members = members[np.repeat(stays, sizes)]
        sizes = sizes[stays]
        profile.append(solved)
        level = below
    while profile and not profile[-1]:
        profile.pop()
    return Replay(
        tree=None if faults else GameTree(*np.array(rows, dtype=np.int32).T.copy()),
        profile=tuple(profile),
        fault=min(faults, default=None),
        miscounts=tuple(miscounts),
        unreached=len(outline.nodes) - n_reached,
    )


@dataclass(frozen=True)
class KnownTotal:
    """The lowest known total of a game, within `max_guesses` if given; `kind` says if proven."""

    total: int
    max_guesses: int | None
    kind: str
    source: str


@dataclass(frozen=True)
class Verification:
    """A tree's replay, known totals, and figures that the file `stated` wrongly."""

    notation: Notation
    replay: Replay
    known: tuple[KnownTotal, ...]
    stated: dict[str, tuple[int, int]]  # the file's figure and the replay's

    @property
    def valid(self) -> bool:
        """Return whether the tree solves every secret."""
        return self.replay.fault is None

    def notes(self) -> Iterator[str]:
        """Yield a line for each contradiction in the file."""
        for name, (stated, found) in self.stated.items():
            yield f"the file states {stated:,} {name.replace('_', ' ')}, the replay finds {found:,}"
        for miscount in self.replay.miscounts[:1]:
            others = len(self.replay.miscounts) - 1
            more = f", and {others:,} more of its numbers are wrong" if others else ""
            yield (
                f"the file claims {miscount.claimed:,} candidates {self.history(miscount.moves)}, "
                f"but {miscount.candidates:,} are left{more}"
            )
        if self.replay.unreached:
            yield f"guesses of the file that no secret leads to: {self.replay.unreached:,}"

    def history(self, moves: list[Move]) -> str:
        """Return a history in words."""
        shown = " ".join(map(self.notation.text, moves))
        return f"after {shown}" if moves else "before the first guess"

    def fault(self) -> str | None:
        """Return the first fault as a line, or None."""
        fault = self.replay.fault
        if fault is None:
            return None
        secret = self.notation.game.secrets[fault.secret]
        many = f"{fault.candidates:,} secrets are left, the first of them {secret}"
        left = f"the secret {secret} is left" if fault.candidates == 1 else many
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
    """Return a game's lowest known totals, the one without a limit first."""
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
    """Replay a file's tree, or raise `CodebreakerError` if it can't be read."""
    game = notation.game
    named = file.game()
    if named is not None and named != game.name:
        why = f"{file.path} is a tree of {named}, not of {game.name}: use --game {named}"
        raise CodebreakerError(why)
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
    totals = known_totals(game.name)
    known = tuple(
        total
        for total in (totals if totals and is_as_named(game) else ())
        if total.max_guesses is None or total.max_guesses >= len(played.profile)
    )
    return Verification(notation, played, known, stated)
