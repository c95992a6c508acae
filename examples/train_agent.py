"""Train a small policy by the exact regret of its guesses, and write the games that it then plays.

`python examples/train_agent.py trained.jsonl` takes about a minute. It needs the extra `agents`.
"""

import json
import sys
from pathlib import Path

import gymnasium
import numpy as np

import codebreaker as cb
from codebreaker.agents import environment_id, secrets_of

GAME = "mm-4-6"
GAMES_AT_ONCE = 32
STEPS = 2000
RATE = 0.1
SEED = 1


def surprise(share):
    """Return how uncertain a yes or no is, in bits, by the share of yes."""
    kept = share.clip(1e-6, 1 - 1e-6)
    return -kept * np.log2(kept) - (1 - kept) * np.log2(1 - kept)


class Policy:
    """A linear score of each guess by its features, and of them a softmax over legal guesses.

    The features are how likely its pegs are right, how uncertain that is, how uncertain its colours
    are, and whether it has one colour, two, and so on; each once, and once times the bits left.
    """

    def __init__(self, game):
        codes = np.array([[int(peg) - 1 for peg in code] for code in game.guesses])
        self.pegs = codes.shape[1]
        self.colours = codes.max() + 1
        self.pegs_of = np.zeros((len(codes), self.pegs, self.colours))
        self.pegs_of[np.arange(len(codes))[:, None], np.arange(self.pegs), codes] = 1
        self.has = np.minimum(self.pegs_of.sum(axis=1), 1)
        n_different = self.has.sum(axis=1)
        self.different = (n_different[:, None] == np.arange(1, self.pegs + 1)).astype(float)
        self.weights = np.zeros(2 * (3 + self.pegs))

    def features(self, counts):
        """Return the features of each guess in each game, (n_games, n_guesses, n_features)."""
        shares = counts[:, :-2].reshape(-1, self.pegs, self.colours)
        bits = counts[:, -2, None, None]
        in_place = np.einsum("gpc,npc->ng", self.pegs_of, shares)
        uncertain = np.einsum("gpc,npc->ng", self.pegs_of, surprise(shares))
        colour = np.einsum("gc,nc->ng", self.has, surprise(shares.mean(axis=1)))
        different = np.broadcast_to(self.different, (len(counts), *self.different.shape))
        once = np.concatenate([np.stack([in_place, uncertain, colour], axis=2), different], axis=2)
        return np.concatenate([once, once * bits], axis=2)

    def chances(self, features, legal):
        """Return the probability of each guess in each game, (n_games, n_guesses)."""
        scores = np.where(legal, features @ self.weights, -np.inf)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)

    def best(self, counts, legal):
        """Return the likeliest legal guess of one game."""
        return int(np.where(legal, self.features(counts[None])[0] @ self.weights, -np.inf).argmax())


def train(policy, reward="regret", steps=STEPS, seed=SEED):
    """Improve a policy by the gradient of its reward, and return the mean reward in each tenth.

    Each guess is judged by its own reward, less the mean of the rewards at its turn: with `regret`
    that is all that it costs, as what it leaves has its value whatever is played there.
    """
    settings = {"observation": "counts", "reward": reward, "guess_pool": "consistent"}
    envs = gymnasium.make_vec(environment_id(GAME), num_envs=GAMES_AT_ONCE, **settings)
    draw = np.random.default_rng(seed)
    counts, infos = envs.reset(seed=seed)
    usual = np.zeros(envs.envs[0].turns + 1)
    are_over = np.zeros(GAMES_AT_ONCE, dtype=bool)
    means = []
    for step in range(steps):
        legal = infos["action_mask"].astype(bool)
        features = policy.features(counts)
        chances = policy.chances(features, legal)
        each = draw.random((GAMES_AT_ONCE, 1))
        actions = (chances.cumsum(axis=1) < each).sum(axis=1).clip(max=legal.shape[1] - 1)
        turns = np.rint(counts[:, -1] * envs.envs[0].turns).astype(int)
        counts, rewards, solved, truncated, infos = envs.step(actions)
        played = ~are_over  # where a game was over, this step has begun the next one
        are_over = solved | truncated
        gains = (rewards - usual[turns]) * played
        np.add.at(usual, turns, 0.01 * gains)
        rows = np.arange(GAMES_AT_ONCE)
        expected = np.einsum("ng,ngf->nf", chances, features)
        policy.weights += RATE * gains @ (features[rows, actions] - expected)
        if step % (steps // 10) == 0:
            means.append([])
        means[-1] += rewards[played].tolist()
    return [float(np.mean(part)) for part in means]


def play(policy, secrets, path):
    """Play against some secrets, and write the games as `codebreaker score` reads them."""
    env = gymnasium.make(
        environment_id(GAME), observation="counts", guess_pool="consistent", values=False
    )
    game = env.unwrapped.game
    lines = []
    for secret in secrets:
        counts, info = env.reset(options={"secret": secret})
        moves = []
        is_over = False
        while not is_over:
            action = policy.best(counts, info["action_mask"].astype(bool))
            guess = game.guesses[action]
            moves.append([guess, game.feedback(guess, secret)])
            counts, _, terminated, truncated, info = env.step(action)
            is_over = terminated or truncated
        lines.append(json.dumps({"game": GAME, "secret": secret, "moves": moves}) + "\n")
    Path(path).write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    game = cb.game(GAME)
    policy = Policy(game)
    for tenth, reward in enumerate(train(policy), start=1):
        print(f"after {tenth * STEPS // 10:,} steps: {-reward:.3f} guesses lost by each guess")
    print("weights", policy.weights.round(2).tolist())
    path = sys.argv[1] if len(sys.argv) > 1 else "trained.jsonl"
    play(policy, secrets_of(game, "test"), path)
    print(
        cb.score(path, player="trained").players.select("games", "mean_guesses", "regret", "luck")
    )
