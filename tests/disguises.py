"""Moves under other names and in another order, by symmetries written down code by code."""

import numpy as np


def renamed(game, draw):
    """Return a code for each code: positions in another order, symbols under other names."""
    symbols = sorted(set("".join(game.guesses)))
    pegs = len(game.guesses[0])
    order = draw.sample(range(pegs), pegs)
    shared = dict(zip(symbols, draw.sample(symbols, len(symbols)), strict=True))
    names = [shared] * pegs
    if game.name.startswith("black"):  # white pegs don't tie a position's symbols to another's
        names = [dict(zip(symbols, draw.sample(symbols, len(symbols)), strict=True)) for _ in names]
    index = {label: number for number, label in enumerate(game.guesses)}
    return [
        index["".join(names[at][label[order[at]]] for at in range(pegs))] for label in game.guesses
    ]


def some_moves(game, draw, longest=4):
    secret = np.array([draw.randrange(game.n_secrets)], np.int32)
    guesses = [draw.randrange(game.n_guesses) for _ in range(draw.randint(0, longest))]
    return [(guess, int(game.feedback(guess, secret)[0])) for guess in guesses]


def disguised(game, moves, draw):
    """Return moves under other names and in another order."""
    other = renamed(game, draw)
    made = [(other[guess], feedback) for guess, feedback in moves]
    draw.shuffle(made)
    return made


def path_to(tree, node):
    """Return the moves from the root of a tree to a node."""
    moves = []
    while node > 0:
        above = int(tree.parent[node])
        moves.insert(0, (int(tree.guess[above]), int(tree.feedback[node])))
        node = above
    return moves
