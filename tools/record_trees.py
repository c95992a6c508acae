"""Record default policies' trees of games without a best known tree, for instant answers."""

from codebreaker.advice.assistant import strategy_for
from codebreaker.advice.cached import best_known_file, record_tree
from codebreaker.games.notation import Notation
from codebreaker.games.registry import build_game, rules_of, usual_games
from codebreaker.games.words import BUNDLED
from codebreaker.trees.grow import grow

for name in usual_games():
    rules = rules_of(name, BUNDLED)
    game = build_game(rules)
    if best_known_file(game):
        continue
    strategy = strategy_for(Notation(rules, game))
    tree = grow(game, strategy)
    record_tree(game, strategy, tree)
    print(f"{name}: {strategy.slug}, {tree.total_guesses:,} guesses")
