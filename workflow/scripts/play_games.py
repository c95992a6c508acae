"""Play a player's games of a contest, in batches that survive a kill."""

import shutil
from pathlib import Path

from codebreaker.files import write_frame
from codebreaker.players.board import code_index, make_board, mastermind_rules
from codebreaker.players.contest import Series, draw_secrets, log_frame, play_games
from codebreaker.players.registry import player_spec
from codebreaker.study.jobs import job

with job(snakemake) as log:
    params, output = snakemake.params, Path(snakemake.output.games)
    contest, player = snakemake.wildcards.contest, snakemake.wildcards.player
    game = params.contest["game"]
    board, labels = make_board(game), mastermind_rules(game).labels()
    opening = code_index(game, params.contest["opening"])
    series = Series(player_spec(player), board, opening, params.seed, params.options, params.code)
    rounds, sample = params.contest["rounds"], params.contest["secrets"]
    secrets = draw_secrets(len(board.codes), rounds, params.seed, sample)
    batches = output.with_suffix(".batches")
    played = play_games(series, secrets, snakemake.threads, batches)
    write_frame(log_frame(contest, game, player, played, labels), output)
    shutil.rmtree(batches, ignore_errors=True)
    log.info("%.3f guesses on average", played.guesses.mean())
