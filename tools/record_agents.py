"""Record the games of our players for `config/agents.yaml`: against the secrets for tests.

The policy that learned is `examples/train_agent.py resources/agents/trained.jsonl`.
"""

import json

from recording import RESOURCES

import codebreaker as cb
from codebreaker.agents import secrets_of
from codebreaker.files import write_text

FOLDER = RESOURCES / "agents"
GAME = "mm-4-6"
STRATEGIES = {"entropy": None, "knuth": "1122", "optimal": None, "random-consistent": None}
"""Each strategy with its opening, if it isn't its own."""


def main() -> None:
    """Write a log for each strategy."""
    game = cb.game(GAME)
    test = secrets_of(game, "test")
    for name, opening in STRATEGIES.items():
        played = cb.evaluate(game, name, opening=opening, seed=1)
        moves_of = dict(played.log.select("secret", "moves").iter_rows())
        lines = []
        for secret in test:
            moves = [[guess, game.feedback(guess, secret)] for guess in moves_of[secret].split()]
            lines.append(json.dumps({"game": GAME, "secret": secret, "moves": moves}) + "\n")
        write_text(FOLDER / f"{name}.jsonl", "".join(lines))


if __name__ == "__main__":
    main()
