"""Cached files: they come back whole, or are named as damaged."""

import numpy as np
import polars as pl
import pytest
from conftest import game_called

from codebreaker.analysis.metrics import read_strategies, strategies, strategy, write_strategies
from codebreaker.errors import CodebreakerError, DamagedFileError
from codebreaker.files import atomic_write, write_text
from codebreaker.games.io import read_game, write_game
from codebreaker.policies.policy import TIE_BREAKS, make_policy
from codebreaker.trees.grow import grow, transcripts
from codebreaker.trees.io import key_of, read_tree, write_tree, write_tree_text


def test_a_game_comes_back_as_it_was(game, tmp_path):
    path = tmp_path / "game.npz"
    write_game(game, path)
    found = read_game(path)
    assert (found.table == game.table).all()
    assert (found.guess_of_secret == game.guess_of_secret).all()
    assert (found.name, found.guesses, found.secrets, found.feedback_labels, found.solved) == (
        game.name,
        game.guesses,
        game.secrets,
        game.feedback_labels,
        game.solved,
    )


def test_the_same_game_gives_the_same_bytes(tmp_path):
    for name in "ab":
        write_game(game_called("mm-2-3"), tmp_path / f"{name}.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def grown(name="mm-3-4", policy="entropy"):
    """A game, a tree and its key."""
    game, rule = game_called(name), make_policy(policy)
    tree = grow(game, rule)
    return game, tree, key_of(game, rule, tree, rule.slug)


def test_a_tree_comes_back_as_it_was(tmp_path):
    _, tree, key = grown()
    write_tree(tree, key, tmp_path / "tree.parquet")
    found, found_key = read_tree(tmp_path / "tree.parquet")
    assert found_key == key
    for column in vars(tree):
        assert (getattr(found, column) == getattr(tree, column)).all()


@pytest.mark.parametrize("keep", [0, 10, 0.5, 0.98])
def test_half_written_files_are_named_with_the_remedy(tmp_path, keep):
    game, tree, key = grown()
    write_game(game, tmp_path / "game.npz")
    write_tree(tree, key, tmp_path / "tree.parquet")
    for name, read in (("game.npz", read_game), ("tree.parquet", read_tree)):
        path = tmp_path / name
        whole_bytes = path.read_bytes()
        path.write_bytes(
            whole_bytes[: keep if keep > 1 or not keep else int(keep * len(whole_bytes))]
        )
        with pytest.raises(
            DamagedFileError, match=rf"{name} is damaged.*delete it and compute it again"
        ) as caught:
            read(path)
        assert "\n" not in str(caught.value)


def test_a_flipped_byte_in_a_table_is_noticed(tmp_path):
    path = tmp_path / "game.npz"
    write_game(game_called("mm-3-4"), path)
    data = bytearray(path.read_bytes())
    start = data.index(b"feedback.npy") + 200
    data[start] ^= 0xFF
    path.write_bytes(bytes(data))
    with pytest.raises(DamagedFileError):
        read_game(path)


def test_a_tree_reads_as_text(tmp_path):
    game, tree, key = grown("mm-2-3", "most-parts")
    write_tree_text(game, tree, key, tmp_path / "tree.txt")
    text = (tmp_path / "tree.txt").read_text(encoding="utf-8").splitlines()
    assert text[0] == "# mm-2-3, most-parts, opening 12"
    assert text[2] == f"# {tree.total_guesses} guesses over 9 secrets, at most {tree.turn.max()}"
    nodes = [line for line in text if line.endswith(")") and not line.startswith("#")]
    assert len(nodes) == len(tree.parent)
    for secret, moves in zip(game.secrets, transcripts(game, tree), strict=True):
        told = " ".join(f"{game.guesses[g]} {game.feedback_labels[f]}" for g, f in moves)
        assert f"{secret}: {told}" in text


def test_a_file_is_whole_or_not_there(tmp_path):
    path = tmp_path / "deep" / "file.txt"

    def fail_halfway():
        with atomic_write(path) as draft:
            draft.write_text("half", encoding="utf-8")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_halfway()
    assert list(path.parent.iterdir()) == []
    write_text(path, "all\n\n")
    assert path.read_text(encoding="utf-8") == "all\n"


def test_strategies_come_back_and_are_exact(tmp_path):
    _, tree, key = grown()
    table = strategies([(tree, key)])
    write_strategies(table, tmp_path / "strategies.parquet", tmp_path / "strategies.csv")
    found = read_strategies(tmp_path / "strategies.parquet")
    assert pl.read_csv(tmp_path / "strategies.csv", schema=table.schema).equals(table)
    assert found.equals(table)
    row = strategy(found, "entropy", game="mm-3-4")
    turns = np.repeat(np.arange(1, len(tree.profile) + 1), tree.profile)
    assert row["total_guesses"] == turns.sum() == tree.total_guesses
    assert row["mean_guesses"] == pytest.approx(turns.mean(), abs=1e-6)
    assert row["std_guesses"] == pytest.approx(turns.std(), abs=1e-6)
    assert (row["secrets"], row["max_guesses"]) == (64, turns.max())


def test_a_strategy_that_was_not_grown_is_named():
    _, tree, key = grown()
    table = strategies([(tree, key)])
    with pytest.raises(CodebreakerError, match=r"no tree was grown .* policy worst-case") as caught:
        strategy(table, "worst-case", game="mm-3-4")
    assert caught.value.setting == "strategies"
    with pytest.raises(CodebreakerError, match=r"no tree was grown .* forced True.*opening 112"):
        strategy(table, "entropy", "112", game="mm-3-4")


def test_a_key_says_which_opening_is_played_and_whether_it_was_forced():
    game = game_called("mm-3-4")
    for opening, played in ((None, "123"), ("112", "112")):
        policy = make_policy("entropy", opening)
        key = key_of(game, policy, grow(game, policy), policy.slug)
        assert (key.opening, key.forced) == (played, opening is not None)


def test_a_strategy_is_found_by_its_columns():
    """Without an opening it is the one that chooses its own; other columns have defaults."""
    game = game_called("mm-3-4")
    policies = [
        make_policy("entropy", opening, pool, tie_break)
        for opening in (None, "112")
        for pool in ("consistent", "all")
        for tie_break in TIE_BREAKS[::-1]
    ]
    trees = [grow(game, policy) for policy in policies]
    table = strategies(
        (tree, key_of(game, policy, tree, policy.slug))
        for tree, policy in zip(trees, policies, strict=True)
    )
    for policy in policies:
        found = strategy(
            table,
            policy.name,
            policy.opening,
            game=game.name,
            guess_pool=policy.guess_pool,
            tie_break=policy.tie_break,
        )
        assert found["tree"] == policy.slug
    assert strategy(table, "entropy", game=game.name)["tree"] == "entropy"
    assert strategy(table, "entropy", "112", game=game.name)["tree"] == "entropy_from-112"
