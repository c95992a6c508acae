"""Score finished games move by move: skill apart from luck."""

import codebreaker as cb

game = cb.game("mm-4-6")
played = [
    ("Ann", "1345", ["1122", "1344", "1345"]),
    ("Ann", "5162", ["1122", "1345", "5261", "5162"]),
    ("Bob", "2354", ["1111", "2222", "2345", "2456", "2354"]),
]
games = [
    {
        "player": player,
        "secret": secret,
        "moves": [[guess, game.feedback(guess, secret)] for guess in moves],
    }
    for player, secret, moves in played
]
games.append({"player": "Bob", "moves": [["1122", "9,9"]]})
verdict = cb.score(games, game="mm-4-6")

for row in verdict.moves.iter_rows(named=True):
    print(
        f"{row['player']} {row['turn']}: {row['guess']} with {row['candidates']:5,} candidates, "
        f"regret {row['regret']:.3f}, luck {row['luck']:+.3f}"
    )
for row in verdict.players.iter_rows(named=True):
    print(f"{row['player']}: {row['regret']:.3f} guesses lost and {row['luck']:+.3f} luck a game")
for fault in verdict.skipped:
    print(f"game {fault.line} was skipped: {fault.reason}")
