"""Play a contest's players against a devious codemaker."""

from codebreaker.files import write_frame
from codebreaker.games.registry import make_game
from codebreaker.players.board import code_index, make_board
from codebreaker.players.contest import Series
from codebreaker.players.devious import EXACT, DeviousCodemaker, play_deviously, sampling_rule_of
from codebreaker.players.longest_plays import players_frame
from codebreaker.players.registry import player_spec
from codebreaker.study.jobs import job

with job(snakemake) as log:
    params = snakemake.params
    contest = snakemake.params.contest
    game = make_game(contest["game"])
    board = make_board(contest["game"])
    usual = DeviousCodemaker(game, memo_mib=params.memo_mib)
    opening = code_index(game.name, contest["opening"])
    rows = []
    for name in contest["players"]:
        spec = player_spec(name)
        options = contest["options"].get(name, {})
        rule = sampling_rule_of(spec)
        codemaker = usual if rule is None else DeviousCodemaker(game, rule, opening)
        exact = None if rule is None and name != EXACT else codemaker.expected_guesses()
        series = Series(spec, board, opening, params.seed, options)
        rows.append((name, exact, game, list(play_deviously(series, codemaker, params.games))))
        log.info("%s in %s is expected to take %s guesses", name, game.name, exact)
    write_frame(players_frame(rows), snakemake.output.games)
