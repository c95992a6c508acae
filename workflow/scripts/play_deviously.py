"""Play a contest's players against a codemaker who answers so as to delay them."""

from codebreaker.analysis.devious import players_frame
from codebreaker.files import write_frame
from codebreaker.games.registry import make_game
from codebreaker.players.board import code_index, make_board
from codebreaker.players.contest import Series
from codebreaker.players.devious import EXACT, DeviousCodemaker, play_deviously
from codebreaker.players.registry import player_spec
from codebreaker.study.jobs import job

with job(snakemake) as log:
    params, contest = snakemake.params, snakemake.params.contest
    game, board = make_game(contest["game"]), make_board(contest["game"])
    codemaker, opening = (
        DeviousCodemaker(game, params.memo_mib),
        code_index(game.name, contest["opening"]),
    )
    expected, rows = codemaker.expected_guesses(), []
    for name in contest["players"]:
        options = contest["options"].get(name, {})
        series = Series(player_spec(name), board, opening, params.seed, options)
        played = list(play_deviously(series, codemaker, params.games))
        rows.append((name, expected if name == EXACT else None, game, played))
    table = players_frame(rows)
    write_frame(table, snakemake.output.games)
    log.info("%s: random consistent play is expected to take %.6f guesses", game.name, expected)
