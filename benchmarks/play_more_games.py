"""Play the contests of Cotta et al. 2010, Table 1, with more games than the study.

The means go to `resources/paper-scale/more-games.csv`, for the claims of the sources: with fewer
games a gap between a mean and the published one hides in our standard error.
"""

from pathlib import Path
from typing import Any

import polars as pl
import yaml

from codebreaker.files import write_frame
from codebreaker.players.board import code_index, make_board, mastermind_rules
from codebreaker.players.comparisons import contest_summary, setting_of
from codebreaker.players.contest import Series, draw_secrets, play_batch
from codebreaker.players.logs import log_frame
from codebreaker.players.registry import player_spec

ROOT = Path(__file__).parents[1]
MEANS = ROOT / "resources" / "paper-scale" / "more-games.csv"
SEED = 2
"""Not the study's seed: no game is one of the study's."""

REPETITIONS = {"four-six": 40, "four-six-keeping": 40, "four-eight": 12, "four-eight-keeping": 12}
"""How often each secret is played in a contest of `config/config.yaml`."""


def play(name: str, contest: dict[str, Any], players: list[str]) -> pl.DataFrame:
    """Return the games of a contest's players against every secret."""
    game = contest["game"]
    board = make_board(game)
    opening = code_index(game, contest["opening"])
    secrets = draw_secrets(len(board.codes), REPETITIONS[name], SEED)
    logs = []
    for player in players:
        options = contest.get("options", {}).get(player, {})
        series = Series(player_spec(player), board, opening, SEED, options)
        games = play_batch(series, secrets, 0)
        logs.append(log_frame(name, game, player, games, mastermind_rules(game).labels()))
    return pl.concat(logs)


def main() -> None:
    """Record the means."""
    config = yaml.safe_load((ROOT / "config" / "config.yaml").read_text(encoding="utf-8"))
    contests = config["players"]["contests"]
    players = contests["four-six-keeping"]["players"]  # those of Table 1
    means = []
    for name in REPETITIONS:
        log = play(name, contests[name], players)
        game = contests[name]["game"]
        means.append(contest_summary(log, {game: setting_of(game, players)}))
        print(name)
    write_frame(pl.concat(means), MEANS)


if __name__ == "__main__":
    main()
