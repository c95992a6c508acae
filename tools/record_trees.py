"""Record what plays games without a best known tree from their start, for instant answers."""

import sys

from codebreaker.advice.cached import RECORDED, best_known_file, record_first_tree
from codebreaker.advice.resolve import resolve
from codebreaker.games.notation import Notation
from codebreaker.games.registry import build_game, rules_of, usual_games
from codebreaker.games.words import BUNDLED

for name in sys.argv[1:] or usual_games():
    rules = rules_of(name, BUNDLED)
    game = build_game(rules)
    if best_known_file(game):
        continue
    (RECORDED / f"{name}.npz").unlink(missing_ok=True)
    advice = resolve(Notation(rules, game)).suggest([])
    assert advice.outlook is not None, "usual games are listed"
    tree = advice.outlook.tree
    record_first_tree(game, tree, advice.basis)
    print(f"{name}: {tree.total_guesses:,} guesses, {advice.basis}")
