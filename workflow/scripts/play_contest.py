"""Play a contest: every player plays the same games, in batches that survive a kill."""

import shutil
from pathlib import Path

from codebreaker.files import write_frame
from codebreaker.players.board import code_index, make_board, mastermind_rules
from codebreaker.players.contest import Series, draw_secrets, play_games
from codebreaker.players.io import log_frame
from codebreaker.players.registry import player_spec
from codebreaker.study.jobs import job

with job(snakemake.log[0]) as log:
    contest = snakemake.params.contest
    game = contest["game"]
    board = make_board(game)
    labels, opening = mastermind_rules(game).labels(), code_index(game, contest["opening"])
    seed = snakemake.params.seed
    secrets = draw_secrets(len(board.codes), contest["games"], seed)
    folder = Path(snakemake.params.checkpoints)
    for name, path in zip(contest["players"], snakemake.output.logs, strict=True):
        series = Series(player_spec(name), board, opening, seed, contest["options"].get(name, {}))
        played = play_games(series, secrets, snakemake.threads, folder / name)
        write_frame(log_frame(snakemake.params.name, game, name, played, labels), path)
        log.info("%s: %.3f guesses on average", name, played.guesses.mean())
    shutil.rmtree(folder)
