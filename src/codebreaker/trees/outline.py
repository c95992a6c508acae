"""Trees as files give them: guesses by history, of which nothing is checked yet."""

from dataclasses import dataclass, field

from codebreaker.errors import CodebreakerError

OPEN = -1
"""A guess that the file leaves open, or a number of candidates that it doesn't give."""

MOST_TURNS = 100
"""The most turns that a tree in a file may have."""

MOST_IMPLIED = 2
"""The most candidates for which a guess may be left open: one order is as good as the other."""


@dataclass
class Outline:
    """A tree in a file; node 0 is the root.

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
