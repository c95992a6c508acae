"""Play a contest: every player plays the same games, in batches that survive a kill."""

import shutil
from pathlib import Path

from codebreaker.players.board import code_of, labels_of, make_board
from codebreaker.players.contest import draw_instances, play_games
from codebreaker.players.io import log_frame, write_log
from codebreaker.players.registry import player
from codebreaker.study.jobs import job

with job(snakemake.log[0]) as log:
    asked = snakemake.params.contest
    game = asked["game"]
    board = make_board(game)
    labels, opening = labels_of(game, board), code_of(game, asked["opening"])
    secrets = draw_instances(len(board.codes), asked["games"], snakemake.params.seed)
    folder = Path(snakemake.params.checkpoints)
    for name, path in zip(asked["players"], snakemake.output.logs, strict=True):
        played = play_games(
            player(name),
            board,
            opening,
            secrets,
            snakemake.params.seed,
            snakemake.threads,
            folder / name,
            asked["options"].get(name, {}),
        )
        write_log(log_frame(snakemake.params.name, game, name, played, labels), path)
        log.info("%s: %.3f guesses on average", name, played.guesses.mean())
    shutil.rmtree(folder)
