"""Check certificates by playing every secret. Plain Python on purpose, without the package."""

import csv
import json
from itertools import product
from pathlib import Path

SYMBOLS = "123456789abcdefghijklmnopqrstuvwxyz"


def feedback_of(guess, secret):
    """Return Mastermind's feedback as a label: pegs in place, then colours out of place."""
    black = sum(one == other for one, other in zip(guess, secret, strict=True))
    common = sum(min(guess.count(colour), secret.count(colour)) for colour in set(guess))
    return f"{black}B-{common - black}C"


def guesses_of(tree, secret, moves):
    """Return the guesses that a tree plays against a secret, the last one being the secret."""
    moves.append((tree["guess"], feedback_of(tree["guess"], secret)))
    if tree["guess"] != secret:
        guesses_of(tree["after"][moves[-1][1]], secret, moves)
    return moves


def check(certificate):
    """Return what is wrong with a certificate, or an empty text."""
    pegs, colours = (int(part) for part in certificate["game"].split("-")[1:])
    secrets = ["".join(code) for code in product(SYMBOLS[:colours], repeat=pegs)]
    games = [guesses_of(certificate["tree"], secret, []) for secret in secrets]
    lengths = [len(moves) for moves in games]
    if len(secrets) != certificate["secrets"] or sum(lengths) != certificate["total_guesses"]:
        return f"{sum(lengths)} guesses over {len(secrets)} secrets"
    limit = certificate["max_guesses"] or max(lengths)
    if max(lengths) != certificate["maximum"] or max(lengths) > limit:
        return f"{max(lengths)} guesses for one secret"
    if certificate["proven"] != (certificate["bound"] == sum(lengths)):
        return "what is proven is not what the bound says"
    if certificate["guess_pool"] == "consistent":
        for moves in games:
            for turn, (guess, _) in enumerate(moves):
                if any(feedback_of(old, guess) != told for old, told in moves[:turn]):
                    return f"{guess} contradicts an answer"
    return ""


if __name__ == "__main__":
    paths = [Path(path) for path in snakemake.input.certificates]
    rows = []
    for path in paths:
        told = json.loads(path.read_text(encoding="utf-8"))
        wrong = check(told)
        if wrong:
            raise SystemExit(f"error: certificate {path} does not hold: {wrong}")
        rows.append([told["game"], path.stem, told["total_guesses"], told["maximum"], "holds"])
    with Path(snakemake.output.checked).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(
            [["game", "tree", "total_guesses", "maximum", "verdict"], *rows]
        )
    Path(snakemake.log[0]).write_text(f"{len(rows)} certificates hold\n", encoding="utf-8")
