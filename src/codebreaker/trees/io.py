"""Game trees as parquet tables and as text."""

from dataclasses import asdict, dataclass, fields
from pathlib import Path

import polars as pl
from polars.exceptions import PolarsError

from codebreaker.errors import DamagedFileError
from codebreaker.files import atomic_write, write_text
from codebreaker.games.model import Game
from codebreaker.policies.policy import Policy
from codebreaker.trees.grow import transcripts
from codebreaker.trees.text import move_text, tree_lines
from codebreaker.trees.tree import GameTree

COLUMNS = tuple(field.name for field in fields(GameTree))


@dataclass(frozen=True)
class TreeLabels:
    """What a tree is of: the game, and the policy's name and settings as tables show them.

    `opening` is the first guess played; 'forced' stands before it where a criterion would have
    been asked but was not. First-consistent has its opening as a parameter, so never 'forced'.
    """

    game: str
    policy: str
    opening: str
    guess_pool: str
    tie_break: str
    tree: str


def labels_of(game: Game, policy: Policy, tree: GameTree) -> TreeLabels:
    """Return the labels of a policy's tree."""
    opening = game.guesses[tree.guess[0]]
    forced = policy.opening is not None and policy.name != "first-consistent"
    return TreeLabels(
        game=game.name,
        policy=policy.name,
        opening=f"forced {opening}" if forced else opening,
        guess_pool=policy.guess_pool,
        tie_break=policy.tie_break,
        tree=policy.slug,
    )


def write_tree(tree: GameTree, labels: TreeLabels, path: str | Path) -> None:
    """Write a tree as parquet: a row a node, int32 columns, the labels as the file's metadata."""
    frame = pl.DataFrame({name: getattr(tree, name) for name in COLUMNS})
    with atomic_write(path) as draft:
        frame.write_parquet(draft, metadata=asdict(labels))


def read_tree(path: str | Path) -> tuple[GameTree, TreeLabels]:
    """Read a tree and its labels; raise `DamagedFileError` where the file is not a whole one."""
    try:
        metadata = pl.read_parquet_metadata(path)
        frame = pl.read_parquet(path)
        labels = TreeLabels(**{field.name: metadata[field.name] for field in fields(TreeLabels)})
        return GameTree(**{name: frame[name].to_numpy() for name in COLUMNS}), labels
    except (PolarsError, KeyError, OSError) as why:
        raise DamagedFileError(path, why) from why


def write_tree_text(game: Game, tree: GameTree, labels: TreeLabels, path: str | Path) -> None:
    """Write a tree and every secret's transcript for people to read."""
    lines = [
        f"# {labels.game}, {labels.policy}, opening {labels.opening}",
        f"# guesses from {labels.guess_pool} codes; ties: {labels.tie_break}",
        f"# {tree.total_guesses} guesses over {game.n_secrets} secrets, at most {tree.turn.max()}",
        "",
        "# The tree: feedback, then the next guess, then how many candidates are left",
        *tree_lines(game, tree),
        "",
        "# The transcripts: each secret, then its guesses with their feedback",
        *(
            f"{secret}: " + " ".join(move_text(game, move) for move in moves)
            for secret, moves in zip(game.secrets, transcripts(game, tree), strict=True)
        ),
    ]
    write_text(path, "\n".join(lines))
