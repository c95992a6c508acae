"""Trees as files give them, and playing every secret against one by the rules of the game alone."""

from dataclasses import dataclass, field

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import Game, TableGame
from codebreaker.trees.tree import GameTree
from codebreaker.types import Indices, Move

OPEN = -1
"""A guess that the file leaves open, or a number of candidates that it doesn't give."""

MOST_TURNS = 100
"""The most turns that a tree in a file may have."""

MOST_IMPLIED = 2
"""The most candidates for which a guess may be left open: one order is as good as the other."""


@dataclass
class Outline:
    """A tree as a file gives it, guesses by history, of which nothing is checked; root is node 0.

    By node: `guess` is an index or `OPEN`; `children` are nodes by feedback id; `claimed` is the
    number of candidates that the file gives, or `OPEN`; `implied` says that missing children play
    their one or two candidates. `stated` are the file's own figures, by name.
    """

    guess: list[int] = field(default_factory=list)
    children: list[dict[int, int]] = field(default_factory=list)
    claimed: list[int] = field(default_factory=list)
    implied: list[bool] = field(default_factory=list)
    stated: dict[str, int] = field(default_factory=dict)

    def add(
        self,
        parent: int | None,
        feedback: int,
        guess: int = OPEN,
        claimed: int = OPEN,
        implied: bool = False,
    ) -> int:
        """Add a node and return it; raise `CodebreakerError` if the feedback has one already."""
        node = len(self.guess)
        if parent is not None and self.children[parent].setdefault(feedback, node) != node:
            raise CodebreakerError("this feedback has a guess already: remove one")
        self.guess.append(guess)
        self.children.append({})
        self.claimed.append(claimed)
        self.implied.append(implied)
        return node


def check_depth(turn: int) -> None:
    """Raise `CodebreakerError` if a turn is beyond the most that a tree may have."""
    if turn > MOST_TURNS:
        raise CodebreakerError(
            f"the tree goes beyond turn {MOST_TURNS}: trees of at most {MOST_TURNS} turns are read"
        )


NOWHERE = -1
"""The node of an outline that a file leaves out."""


@dataclass(frozen=True)
class Fault:
    """A history after which a tree gives no guess.

    `secret` is the first of the `candidates` secrets that have this history.
    """

    secret: int
    moves: list[Move]
    candidates: int


@dataclass(frozen=True)
class Miscount:
    """A history after which a file claims another number of candidates than there are."""

    moves: list[Move]
    claimed: int
    candidates: int


@dataclass(frozen=True)
class Replay:
    """What a tree does to every secret.

    `profile` is the number of secrets solved at each turn. `fault` is that of the first secret that
    isn't solved, and then `tree` is None. `miscount` is the first of `n_miscounts`. `unreached` is
    the number of the file's nodes that no secret reaches.
    """

    tree: GameTree | None
    profile: tuple[int, ...]
    fault: Fault | None
    miscount: Miscount | None
    n_miscounts: int
    unreached: int

    @property
    def solved(self) -> int:
        """Return the number of secrets solved."""
        return sum(self.profile)

    @property
    def total_guesses(self) -> int:
        """Return the guesses for all secrets that are solved."""
        return sum(turn * count for turn, count in enumerate(self.profile, start=1))


@dataclass(frozen=True)
class _Node:
    """A node to be played: its place in the outline, and the secrets that reach it."""

    place: int
    parent: int
    feedback: int
    members: Indices


class _Player:
    """Plays an outline turn by turn; `rows` are the nodes reached, as a game tree has them."""

    def __init__(self, game: Game, outline: Outline) -> None:
        self.game, self.outline = game, outline
        own = game.guess_of_secret if isinstance(game, TableGame) else np.arange(game.n_secrets)
        self.own = own.tolist()
        self.rows: list[tuple[int, int, int, int, int]] = []
        self.fault: Fault | None = None
        self.miscount: Miscount | None = None
        self.n_miscounts = 0
        self.reached = 0

    def play(self, node: _Node, turn: int) -> tuple[list[_Node], int]:
        """Return the nodes below a node, and the number of secrets that its guess solves."""
        place, members = node.place, node.members
        self._count(node)
        guess = OPEN if place == NOWHERE else self.outline.guess[place]
        if guess == OPEN and len(members) <= MOST_IMPLIED:
            guess = self.own[members[0]]
        elif guess == OPEN:
            self._blame(node)
            return [], 0
        row = len(self.rows)
        self.rows.append((node.parent, turn, node.feedback, guess, len(members)))
        if len(members) == 1 and guess == self.own[members[0]]:
            return [], 1
        below, solved = [], 0
        ids = self.game.feedback(guess, members)
        for feedback in np.unique(ids).tolist():
            cell = members[ids == feedback]
            if feedback == self.game.solved:
                solved = len(cell)
            else:
                below.append(_Node(self._below(place, feedback), row, feedback, cell))
        return [one for one in below if self._has_guess(place, one)], solved

    def _below(self, place: int, feedback: int) -> int:
        return NOWHERE if place == NOWHERE else self.outline.children[place].get(feedback, NOWHERE)

    def _has_guess(self, above: int, node: _Node) -> bool:
        """Return whether the file gives or implies a guess at a node; record a fault if not."""
        if node.place != NOWHERE or above == NOWHERE or self.outline.implied[above]:
            return True
        self._blame(node)
        return False

    def _count(self, node: _Node) -> None:
        if node.place == NOWHERE:
            return
        self.reached += 1
        claimed, candidates = self.outline.claimed[node.place], len(node.members)
        if claimed not in (OPEN, candidates):
            self.n_miscounts += 1
            if self.miscount is None:
                self.miscount = Miscount(self._history(node), claimed, candidates)

    def _blame(self, node: _Node) -> None:
        secret = int(node.members[0])
        if self.fault is None or secret < self.fault.secret:
            self.fault = Fault(secret, self._history(node), len(node.members))

    def _history(self, node: _Node) -> list[Move]:
        moves, row, feedback = [], node.parent, node.feedback
        while row >= 0:
            parent, _, earlier, guess, _ = self.rows[row]
            moves.append((guess, feedback))
            row, feedback = parent, earlier
        return moves[::-1]


def replay(game: Game, outline: Outline) -> Replay:
    """Play every secret of a game against the tree of a file.

    Only the outline's guesses are used; its figures are compared with what is found.
    """
    player = _Player(game, outline)
    level = [_Node(0, -1, -1, np.arange(game.n_secrets, dtype=np.int32))]
    profile: list[int] = []
    while level:
        played = [player.play(node, len(profile) + 1) for node in level]
        profile.append(sum(solved for _, solved in played))
        level = [node for below, _ in played for node in below]
    while profile and not profile[-1]:
        profile.pop()
    tree = None
    if player.fault is None:
        tree = GameTree(*np.array(player.rows, dtype=np.int32).T.copy())
    return Replay(
        tree=tree,
        profile=tuple(profile),
        fault=player.fault,
        miscount=player.miscount,
        n_miscounts=player.n_miscounts,
        unreached=len(outline.guess) - player.reached,
    )
