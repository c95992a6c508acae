"""Logs of agents from other programs, and the leaderboard."""

import json
from itertools import product
from math import sqrt
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from conftest import ROOT

import codebreaker as cb
from codebreaker.advice.agent_logs import read_agent_log
from codebreaker.errors import CodebreakerError
from codebreaker.report.chapters import agent_pages
from codebreaker.report.chapters import agents as chapter

LOGS = ROOT / "resources" / "agents"
NAMES = sorted(path.name for path in LOGS.glob("*") if path.suffix != ".md")


def written(folder, *lines, name="agent.jsonl"):
    """Return the path of a log with these lines."""
    path = folder / name
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("name", NAMES)
def test_every_log_of_the_study_can_be_read(name):
    log = read_agent_log(LOGS / name)
    assert log.verdict.skipped == ()
    assert len(log.games) > 1
    assert log.agent == Path(name).stem


def own_form_of(name):
    """Return the games of a foreign log in this project's form, by what its keys mean."""
    lines = [json.loads(line) for line in (LOGS / name).read_text(encoding="utf-8").splitlines()]
    if name.startswith("verifiers"):
        return [line["traces"][0]["info"] for line in lines]
    return [
        {
            "game": "bc-4-6",
            "moves": [
                ["".join(str(digit - 1) for digit in move["guess"]), [move["black"], move["white"]]]
                for move in line["game_state"]["history"]
            ],
        }
        for line in lines
    ]


@pytest.mark.parametrize("name", ["textarena-random.jsonl", "verifiers-first-code.jsonl"])
def test_logs_of_other_programs_are_judged_as_by_score(name):
    log = read_agent_log(LOGS / name)
    scored = cb.score(own_form_of(name)).games
    games = log.games
    assert games["luck"].to_list() == pytest.approx(scored["luck"].to_list())
    moves = games["regret"] - games["illegal"]
    assert moves.to_list() == pytest.approx(scored["regret"].to_list())
    assert games["guesses"].to_list() == scored["guesses"].to_list()
    # The script gave an illegal answer in every fourth game, or in each.
    once = 4 if name.startswith("textarena") else 1
    expected = [int(number % once == 0) for number in range(len(games))]
    assert games["illegal"].to_list() == expected


def test_answers_of_lm_eval_are_judged_by_their_last_move():
    log = read_agent_log(LOGS / "lm-eval-random.jsonl")
    lines = (LOGS / "lm-eval-random.jsonl").read_text(encoding="utf-8").splitlines()
    correct = [json.loads(line)["acc"] == 1 for line in lines]
    games = log.games
    assert set(games["kind"]) == {"answers"}
    assert games["solved"].to_list() == correct
    # One candidate is left: a wrong answer costs exactly one guess.
    assert games["regret"].to_list() == [0.0 if right else 1.0 for right in correct]
    assert set(log.moves["candidates"]) == {1}
    # The colours and the guesses of a question, read again without the package.
    first = json.loads(lines[0])["doc"]
    names = first["instruction"].split("possible: ")[1].split(".")[0].split(", ")
    given = first["instruction"].split("Guess: ")[1:]
    codes = [
        "".join(str(names.index(name) + 1) for name in guess.split("]")[0][2:-1].split("', '"))
        for guess in given
    ]
    shown = log.verdict.moves.filter(pl.col("line") == 1)["guess"].to_list()
    assert shown[:-1] == codes


def test_an_illegal_answer_costs_one_guess_and_a_given_up_game_what_it_still_takes(tmp_path):
    moves = [["1122", "1,0"], ["1344", "3,0"]]
    line = {"game": "mm-4-6", "secret": "1345", "moves": moves, "illegal": 2}
    log = read_agent_log(written(tmp_path, line))
    (game,) = log.games.to_dicts()
    scored = cb.score([line]).games.to_dicts()[0]
    assert not game["solved"]
    assert game["secret"] == "1345"
    assert game["regret"] == pytest.approx(scored["regret"] + 2)
    assert game["length"] == pytest.approx(2 + 2 + scored["still_expected"])
    value = 5625 / 1296
    assert game["length"] == pytest.approx(value + game["regret"] - game["luck"])


def test_lines_without_a_game_are_skipped_and_said(tmp_path):
    path = written(tmp_path, {"traces": [{}]}, {"doc": {"options": 3}}, "{", {"game": "mm-4-6"})
    log = read_agent_log(path)
    assert [fault.line for fault in log.verdict.skipped] == [1, 2, 3, 4]
    assert log.games.is_empty()
    page = agent_pages.agent_page(log)
    assert "No game of this log could be judged" in page
    assert "Lines that were skipped: 4" in page


def test_a_log_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(CodebreakerError, match="can't be read"):
        read_agent_log(tmp_path / "nothing.jsonl")


def test_errors_are_clustered_by_secret():
    values = np.array([1.0, 2.0, 4.0, 7.0, 1.0])
    secrets = ["a", "a", "b", "c", "c"]
    mean = chapter.clustered_mean(values, secrets)
    # By the definition: sums of deviations within secrets, squared.
    sums = [(1 - 3) + (2 - 3), 4 - 3, (7 - 3) + (1 - 3)]
    variance = 3 / 2 * sum(total**2 for total in sums) / 5**2
    assert mean == chapter.Mean(3.0, pytest.approx(sqrt(variance)), 2)
    # Without repetitions it is the usual standard error.
    alone = chapter.clustered_mean(values, list("abcde"))
    assert alone.error == pytest.approx(values.std(ddof=1) / sqrt(5))
    assert chapter.clustered_mean(values, ["a"] * 5).ends == (None, None)


def test_games_against_the_same_secret_are_paired():
    rng = np.random.default_rng(1)
    first = rng.normal(size=30)
    other = first + 0.1 * rng.normal(size=30)
    secrets = [str(number) for number in range(30)]
    paired = chapter.clustered_difference(first, secrets, other, secrets)
    differences = first - other
    assert paired.mean == pytest.approx(differences.mean())
    assert paired.error == pytest.approx(differences.std(ddof=1) / sqrt(30))
    assert paired.degrees == 29
    few = chapter.clustered_difference(first, secrets, other[:2], secrets[:2])
    assert few.degrees == 1
    one = chapter.clustered_difference(first, secrets, other[:1], secrets[:1])
    assert (one.error, one.ends) == (None, (None, None))
    apart = chapter.clustered_difference(first, secrets, other, [f"{one}'" for one in secrets])
    assert apart.error > 5 * paired.error


def games_of(agent, regrets, secrets):
    """Return games with these regrets."""
    n = len(regrets)
    columns = {
        "agent": [agent] * n, "game": ["mm-4-6"] * n, "kind": ["games"] * n,
        "judged_by": ["optimal"] * n, "line": range(n), "secret": secrets, "guesses": [4] * n,
        "solved": [True] * n, "illegal": [0] * n, "contradictions": [1] * n,
        "regret": regrets, "luck": [0.0] * n, "length": [4.0 + regret for regret in regrets],
    }  # fmt: skip
    return pl.DataFrame(columns)


def test_the_leaderboard_ranks_by_regret_and_corrects_all_pairs():
    secrets = [str(number) for number in range(8)]
    each = {"best": 0.1, "middle": 0.2, "worst": 0.9}
    games = pl.concat(
        games_of(name, [level + 0.05 * (number % 3) for number in range(8)], secrets)
        for name, level in reversed(each.items())
    )
    noisy = games.with_columns(regret=pl.col("regret") + 0.01 * (pl.col("line") * 7 % 5))
    board = chapter.leaderboard(noisy)
    assert board["agent"].to_list() == list(each)
    assert board["contradictions"].to_list() == [8, 8, 8]
    pairs = chapter.pairs_of(noisy)
    assert pairs.height == 3 * 2
    mixed = noisy.with_columns(
        regret=pl.when(pl.col("agent") == "best")
        .then(pl.col("regret") + 0.03 * (pl.col("line") % 2))
        .otherwise("regret")
    )
    rows = chapter.pairs_of(mixed).filter(measure="regret").to_dicts()
    tested = [row for row in rows if row["p"] is not None]
    assert all(row["p_holm"] >= row["p"] for row in tested)
    (row,) = [row for row in rows if {row["agent"], row["other"]} == {"best", "middle"}]
    difference = chapter.clustered_difference(
        *(
            part
            for name in (row["agent"], row["other"])
            for part in (
                mixed.filter(agent=name)["regret"].to_numpy(),
                secrets,
            )
        )
    )
    needed = 8 * (2 * difference.error / difference.mean) ** 2
    assert row["games_needed"] == max(int(np.ceil(needed)), 1)


def test_the_study_ranks_its_logs(tmp_path):
    games = []
    for name in ("optimal", "knuth", "lm-eval-random"):
        output = SimpleNamespace(games=tmp_path / f"{name}.parquet", page=tmp_path / f"{name}.html")
        said = agent_pages.judge_agent(str(LOGS / f"{name}.jsonl"), None, output)
        assert said == f"{20 if name.startswith('lm') else 200} games"
        games.append(output.games)
    page = (tmp_path / "knuth.html").read_text(encoding="utf-8")
    assert page.count('<div class="board">') == agent_pages.SHOWN_MOVES
    assert "better" in page
    assert 'title="1 (blue)"' in page
    assert "No guess cost anything" in (tmp_path / "optimal.html").read_text(encoding="utf-8")
    ends = product(("board", "pairs"), (".csv", ".md"))
    files = {name + end: tmp_path / f"{name}{end}" for name, end in ends}
    output = SimpleNamespace(
        board=[files["board.csv"], files["board.md"]],
        pairs=[files["pairs.csv"], files["pairs.md"]],
        figures=[tmp_path / "agents.svg"],
    )
    params = SimpleNamespace(png_scale=1.0)
    said = chapter.rank_agents(SimpleNamespace(games=games), output, params)
    assert said == "3 agents, 2 comparisons"
    board = pl.read_csv(files["board.csv"])
    optimal = board.filter(agent="optimal")
    assert optimal["regret"][0] == pytest.approx(0, abs=1e-12)
    knuth = board.filter(agent="knuth")
    lines = (LOGS / "knuth.jsonl").read_text(encoding="utf-8").splitlines()
    scored = cb.score([json.loads(line) for line in lines]).players
    assert knuth["regret"][0] == pytest.approx(scored["regret"][0])
    assert (tmp_path / "agents.svg").exists()
