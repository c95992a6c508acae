"""Files that the workflow writes."""

import os
import stat
from contextlib import suppress
from itertools import product
from threading import Timer

import numpy as np
import polars as pl
import pytest
from conftest import GAMES, game_called, grown, same

from codebreaker.advice.transcripts import Reader
from codebreaker.advice.verdict import judge
from codebreaker.errors import CodebreakerError
from codebreaker.files import atomic_write, read_given, write_text
from codebreaker.games.model import read_game, write_game
from codebreaker.games.registry import rules_of
from codebreaker.games.words import WordFiles
from codebreaker.policies.strategy import TIE_BREAKS, Strategy
from codebreaker.trees.io import COLUMNS, read_tree, transcripts, write_tree, write_tree_text
from codebreaker.trees.metrics import read_strategies, row_of_strategy, strategies, write_strategies
from codebreaker.trees.tree import GameTree


def test_a_tree_with_nodes_left_out_is_refused():
    tree, _ = grown(game_called("mm-3-4"), Strategy("entropy"))
    tree.check()
    for left_out in np.flatnonzero(tree.n_candidates > 1):
        kept = np.delete(np.arange(len(tree.parent)), left_out)
        moved = np.searchsorted(kept, tree.parent[kept]).astype(np.int32)
        parent = np.where(tree.parent[kept] < 0, np.int32(-1), moved)
        other = GameTree(parent, *(getattr(tree, name)[kept] for name in COLUMNS[1:]))
        with pytest.raises(ValueError, match=r"node|candidates|range"):
            other.check()


@pytest.mark.parametrize("name", [*GAMES, None])
def test_a_game_comes_back_as_it_was(tmp_path, name):
    game = game_called(name) if name else rules_of("mm-3-5").on_demand()
    for path in (tmp_path / "game.npz", tmp_path / "again.npz"):
        write_game(game, path)
    read = read_game(tmp_path / "game.npz")
    assert (tmp_path / "game.npz").read_bytes() == path.read_bytes()
    arrays = ("table", "guess_of_secret") if name else ("codes",)
    for field in ("name", "guesses", "secrets", "feedback_labels", "solved", *arrays):
        assert np.array_equal(getattr(read, field), getattr(game, field)), field


@pytest.fixture
def strategy_of_small():
    return grown(game_called("mm-3-4"), Strategy("entropy"))


def test_a_tree_comes_back_as_it_was_and_reads_as_text(tmp_path):
    game = game_called("mm-2-3")
    tree, strategy = grown(game, Strategy("most-parts"))
    write_tree(tree, strategy, tmp_path / "tree.parquet")
    tree_read, strategy_read = read_tree(tmp_path / "tree.parquet")
    assert same(tree_read, tree)
    assert strategy_read == strategy
    write_tree_text(game, tree, strategy, tmp_path / "tree.txt")
    text = (tmp_path / "tree.txt").read_text(encoding="utf-8").splitlines()
    assert text[0] == "# mm-2-3, most-parts, opening 12"
    assert text[2] == f"# {tree.total_guesses} guesses over 9 secrets, at most {tree.turn.max()}"
    nodes = [line for line in text if line.endswith(")") and not line.startswith("#")]
    assert len(nodes) == len(tree.parent)
    for secret, moves in zip(game.secrets, transcripts(game, tree), strict=True):
        moves_text = " ".join(f"{game.guesses[g]} {game.feedback_labels[f]}" for g, f in moves)
        assert f"{secret}: {moves_text}" in text


def test_a_file_is_whole_or_not_there(tmp_path):
    path = tmp_path / "deep" / "file.txt"
    with suppress(RuntimeError), atomic_write(path) as temporary:
        temporary.write_text("half", encoding="utf-8")
        raise RuntimeError
    assert list(path.parent.iterdir()) == []
    write_text(path, "all\n\n")
    assert path.read_text(encoding="utf-8") == "all\n"


@pytest.mark.parametrize("umask", [0o022, 0o027])
def test_a_file_may_be_read_by_whom_the_umask_says(tmp_path, umask):
    before = os.umask(umask)
    try:
        write_text(tmp_path / "some.txt", "text")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "some.txt").stat().st_mode) == 0o666 & ~umask


def test_strategies_come_back_and_are_exact(tmp_path, strategy_of_small):
    tree = strategy_of_small[0]
    table = strategies([strategy_of_small])
    write_strategies(table, tmp_path / "strategies.parquet", tmp_path / "strategies.csv")
    table_read = read_strategies(tmp_path / "strategies.parquet")
    assert pl.read_csv(tmp_path / "strategies.csv", schema=table.schema).equals(table)
    assert table_read.equals(table)
    row = row_of_strategy(table_read, "entropy", game="mm-3-4")
    turns = np.repeat(np.arange(1, len(tree.profile) + 1), tree.profile)
    assert row["total_guesses"] == turns.sum() == tree.total_guesses
    assert row["mean_guesses"] == pytest.approx(turns.mean(), abs=1e-6)
    assert row["std_guesses"] == pytest.approx(turns.std(), abs=1e-6)
    assert (row["secrets"], row["max_guesses"]) == (64, turns.max())


def test_a_strategy_that_was_not_grown_is_named(strategy_of_small):
    table = strategies([strategy_of_small])
    with pytest.raises(CodebreakerError, match=r"no tree was grown .* policy worst-case") as caught:
        row_of_strategy(table, "worst-case", game="mm-3-4")
    assert caught.value.setting == "strategies"
    with pytest.raises(CodebreakerError, match=r"no tree was grown .* forced True.*opening 112"):
        row_of_strategy(table, "entropy", "112", game="mm-3-4")


def test_a_strategy_is_found_by_its_columns():
    game = game_called("mm-3-4")
    settings = product((None, "112"), ("consistent", "all"), TIE_BREAKS[::-1])
    policies = [Strategy("entropy", *some) for some in settings]
    table = strategies(grown(game, strategy) for strategy in policies)
    for strategy in policies:
        columns = {name: getattr(strategy, name) for name in ("guess_pool", "tie_break")}
        row = row_of_strategy(table, "entropy", strategy.opening, game=game.name, **columns)
        assert row["tree"] == strategy.slug
    chosen = row_of_strategy(table, "entropy", game=game.name)
    assert (chosen["tree"], chosen["opening"]) == ("entropy", "123")
    assert row_of_strategy(table, "entropy", "112", game=game.name)["tree"] == "entropy_from-112"


def test_a_pipe_is_read_to_its_end_and_one_without_a_writer_is_refused(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(CodebreakerError, match="is a pipe, and nothing writes to it: name a file"):
        read_given(pipe, 1)
    with pytest.raises(CodebreakerError, match=r"word list .* nothing writes to it"):
        rules_of("marks-w", {"w": WordFiles(str(pipe))})
    with pytest.raises(CodebreakerError, match="nothing writes to it"):
        judge(pipe, Reader("mm-4-6"))
    reading, writing = os.pipe()
    later = Timer(0.2, lambda: (os.write(writing, b"crane\n"), os.close(writing)))
    later.start()
    assert read_given(f"/dev/fd/{reading}", 1) == b"crane\n"
    later.join()
    os.close(reading)
