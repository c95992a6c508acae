"""Play a contest's games, in batches that survive a kill."""

import shutil
from pathlib import Path

import polars as pl

from codebreaker.files import write_frame
from codebreaker.players.board import code_index, make_board, mastermind_rules
from codebreaker.players.contest import Series, draw_secrets, play_games
from codebreaker.players.logs import log_frame
from codebreaker.players.registry import player_spec
from codebreaker.study.jobs import job

with job(snakemake) as log:
    params = snakemake.params
    output = Path(snakemake.output.games)
    name = snakemake.wildcards.contest
    contest = params.contest
    batches = output.parent / "batches"
    game = contest["game"]
    board = make_board(game)
    labels = mastermind_rules(game).labels()
    opening = code_index(game, contest["opening"])
    codes = len(board.codes)
    repetitions = contest["repetitions"]
    secrets = draw_secrets(codes, repetitions, params.seed, contest["secrets"])
    logs = []
    for player in contest["players"]:
        options = contest["options"].get(player, {})
        series = Series(player_spec(player), board, opening, params.seed, options, params.version)
        played = play_games(series, secrets, snakemake.threads, batches / player)
        logs.append(log_frame(name, game, player, played, labels))
        log.info("%s: %.3f guesses on average", player, logs[-1]["guesses"].mean())
    write_frame(pl.concat(logs), output)
    shutil.rmtree(batches, ignore_errors=True)
