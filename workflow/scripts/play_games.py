"""Play a contest's games, in batches that survive a kill."""

import shutil
from pathlib import Path

import polars as pl

from codebreaker.players import contest as contests
from codebreaker.players.board import code_index, make_board, mastermind_rules
from codebreaker.players.contest import Series, draw_secrets
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
    known = contests.known_games(output)
    identities = {}
    logs = []
    for player in contest["players"]:
        options = contest["options"].get(player, {})
        series = Series(player_spec(player), board, opening, params.seed, options, params.code)
        own = identities[player] = contests.identity(series, secrets)
        if own not in known:
            played = contests.play_games(series, secrets, snakemake.threads, batches / player)
            known[own] = contests.log_frame(name, game, player, played, labels)
        logs.append(known[own])
        log.info("%s: %.3f guesses on average", player, logs[-1]["guesses"].mean())
    contests.write_log(pl.concat(logs), identities, output)
    shutil.rmtree(batches, ignore_errors=True)
