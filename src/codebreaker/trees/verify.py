"""Verdicts on trees from files: replay, and comparison with known totals."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from codebreaker.errors import CodebreakerError, counted
from codebreaker.games.model import GameModel
from codebreaker.games.notation import Notation
from codebreaker.games.registry import is_as_named
from codebreaker.trees.formats.reading import Node, Outline
from codebreaker.trees.formats.registry import TreeFile
from codebreaker.trees.tree import GameTree
from codebreaker.types import Move

KNOWN = Path(__file__).with_suffix(".csv")
"""Known totals of games, with their sources."""

MOST_IMPLIED = 2
"""Candidates for which a file may omit the guess: any order is optimal."""


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


class _ReachedSet(NamedTuple):
    """A candidate set that the file's guesses lead to."""

    node: Node | None
    """The file's node; None if the file omits it."""

    parent: int
    """The row of the set before; −1 at the root."""

    feedback: int
    """The feedback id that leads here; −1 at the root."""


class _Row(NamedTuple):
    """A node of the replayed tree: the columns of `GameTree`; the guess is −1 if there is none."""

    parent: int
    turn: int
    feedback: int
    guess: int
    n_candidates: int


def replay(game: GameModel, outline: Outline) -> Replay:
    """Play every secret of a game against an outline's guesses."""
    rows = list[_Row]()
    faults = list[Fault]()
    miscounts = list[Miscount]()
    profile = list[int]()
    n_reached = 0

    def moves_to(row: int, feedback: int) -> list[Move]:
        """Return the moves that end with a feedback to a row's guess."""
        moves = list[Move]()
        while row >= 0:
            moves.append((rows[row].guess, feedback))
            feedback = rows[row].feedback
            row = rows[row].parent
        return moves[::-1]

    # All sets of a turn at once: set i has sizes[i] of `members`, in the order of `level`.
    level = [_ReachedSet(outline.nodes[0], -1, -1)]
    members = np.arange(game.n_secrets, dtype=np.int32)
    sizes = np.array([game.n_secrets])
    while level:
        # 1. Each set's guess. A file may omit it for few candidates: then it is the first of them.
        first_row = len(rows)
        firsts = members[np.cumsum(sizes) - sizes]
        implied = game.guesses_of(firsts)
        for reached, size, first, implied_guess in zip(
            level, sizes.tolist(), firsts.tolist(), implied.tolist(), strict=True
        ):
            node, parent, feedback = reached
            guess = None if node is None else node.guess
            if node is not None:
                n_reached += 1
                if node.claimed not in (None, size):
                    miscounts.append(Miscount(moves_to(parent, feedback), node.claimed, size))
            if guess is None and size <= MOST_IMPLIED:
                guess = implied_guess
            if guess is None:
                faults.append(Fault(first, moves_to(parent, feedback), size))
            played = -1 if guess is None else guess
            rows.append(_Row(parent, len(profile) + 1, feedback, played, size))
        # 2. The members' feedback, and the parts of each set with a guess. A part's key is its
        #    set's place in the level and the feedback id, so that parts are in their order.
        guesses = np.array([row.guess for row in rows[first_row:]], dtype=np.int32)
        goes_on = np.repeat(guesses >= 0, sizes)
        set_of_member = np.repeat(np.arange(len(level)), sizes)[goes_on]
        members = members[goes_on]
        part_of_member = set_of_member * game.n_feedback
        part_of_member += game.feedback(guesses[set_of_member], members)
        order = np.argsort(part_of_member, kind="stable")
        members = members[order]
        keys, starts, sizes = np.unique(
            part_of_member[order], return_index=True, return_counts=True
        )
        # 3. Solved parts end. Others must have a node in the file, unless the set's is implied.
        solved = 0
        below = list[_ReachedSet]()
        stays = np.zeros(len(keys), dtype=np.bool_)
        parts = zip(keys.tolist(), sizes.tolist(), members[starts].tolist(), strict=True)
        for part, (key, size, first) in enumerate(parts):
            index, feedback = divmod(key, game.n_feedback)
            node = level[index].node
            row = first_row + index
            child = None if node is None else node.children.get(feedback)
            if feedback == game.solved:
                solved += size
            elif child is None and node is not None and not node.implied:
                faults.append(Fault(first, moves_to(row, feedback), size))
            else:
                below.append(_ReachedSet(child, row, feedback))
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
        for name, (stated, replayed) in self.stated.items():
            what = name.replace("_", " ")
            yield f"the file states {stated:,} {what}, the replay finds {replayed:,}"
        for miscount in self.replay.miscounts[:1]:
            others = len(self.replay.miscounts) - 1
            more = f", and {others:,} more of its numbers are wrong" if others else ""
            claimed = counted(miscount.claimed, "candidate")
            yield (
                f"the file claims {claimed} {self.history(miscount.moves)}, where the replay has "
                f"{miscount.candidates:,}{more}"
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
    replayed = {
        "secrets": game.n_secrets,
        "n_secrets": game.n_secrets,
        "total_guesses": played.total_guesses,
        "max_guesses": len(played.profile),
    }
    stated = {
        name: (value, replayed[name])
        for name, value in outline.stated.items()
        if value != replayed[name]
    }
    totals = known_totals(game.name)
    known = tuple(
        total
        for total in (totals if totals and is_as_named(game) else ())
        if total.max_guesses is None or total.max_guesses >= len(played.profile)
    )
    return Verification(notation, played, known, stated)
