"""Check certificates by playing every secret, deliberately without the package."""

import csv
import json
from itertools import permutations, product
from pathlib import Path

SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyz"


def in_place(guess, secret):
    """Return how many positions agree."""
    return sum(one == other for one, other in zip(guess, secret, strict=True))


def pegs_of(guess, secret):
    """Return Mastermind's feedback as a label: black pegs, then white pegs."""
    black = in_place(guess, secret)
    common = sum(min(guess.count(colour), secret.count(colour)) for colour in set(guess))
    return f"{black}B-{common - black}C"


def marks_of(guess, secret):
    """Return Wordle's marks: green in place; yellow as often as the secret has the letter left."""
    pairs = list(zip(guess, secret, strict=True))
    left = [other for one, other in pairs if one != other]
    marks = ""
    for one, other in pairs:
        marks += "g" if one == other else "y" if one in left else "b"
        if marks[-1] == "y":
            left.remove(one)
    return marks


FEEDBACK = {
    "mm": pegs_of,
    "bc": pegs_of,
    "black": lambda guess, secret: f"{in_place(guess, secret)}B",
    "matches": lambda guess, secret: str(in_place(guess, secret)),
    "marks": marks_of,
}


def rules_of(certificate):
    """Return a game's feedback function and its secrets."""
    family, *size = certificate["game"].split("-")
    if certificate["words"] is not None:
        return FEEDBACK[family], certificate["words"]
    pegs, colours = map(int, size[:2])
    if family == "bc":
        return pegs_of, ["".join(code) for code in permutations(SYMBOLS[:colours], pegs)]
    every = ["".join(code) for code in product(SYMBOLS[1 : colours + 1], repeat=pegs)]
    if size[2:] == ["distinct"]:
        every = [code for code in every if len(set(code)) == pegs]
    return FEEDBACK[family], every


def moves_of(tree, secret, feedback_of, moves):
    """Return a tree's moves against a secret, down to the secret itself."""
    moves.append((tree["guess"], feedback_of(tree["guess"], secret)))
    if tree["guess"] != secret:
        moves_of(tree["after"][moves[-1][1]], secret, feedback_of, moves)
    return moves


def check(certificate):
    """Return an error in a certificate's tree, or an empty string; bounds are not checked."""
    feedback_of, secrets = rules_of(certificate)
    games = [moves_of(certificate["tree"], secret, feedback_of, []) for secret in secrets]
    lengths = [len(moves) for moves in games]
    if len(secrets) != certificate["secrets"] or sum(lengths) != certificate["total_guesses"]:
        return f"{sum(lengths)} guesses over {len(secrets)} secrets"
    if certificate["opening"] not in (None, certificate["tree"]["guess"]):
        return f"{certificate['tree']['guess']} is the opening"
    limit = certificate["guess_limit"] or max(lengths)
    if max(lengths) != certificate["max_guesses"] or max(lengths) > limit:
        return f"{max(lengths)} guesses for one secret"
    cost, rounds = sum(lengths), certificate["rounds"]
    if rounds is not None:
        won = sum(length <= rounds for length in lengths)
        if won != certificate["won"]:
            return f"{won} secrets within {rounds} guesses"
        cost += certificate["late_charge"] * (len(secrets) - won)
    if cost != certificate["cost"]:
        return f"a cost of {cost}"
    if certificate["proven"] != (certificate["bound"] == cost):
        return "'proven' contradicts the bound"
    if certificate["guess_pool"] == "consistent":
        for moves in games:
            for turn, (guess, _) in enumerate(moves):
                if any(feedback_of(old, guess) != seen for old, seen in moves[:turn]):
                    return f"{guess} contradicts earlier feedback"
    return ""


if __name__ == "__main__":
    paths = [Path(path) for path in snakemake.input.certificates]
    rows = []
    for path in paths:
        certificate = json.loads(path.read_text(encoding="utf-8"))
        mistake = check(certificate)
        if mistake:
            raise SystemExit(f"error: the tree of certificate {path} is wrong: {mistake}")
        figures = (certificate[name] for name in ("total_guesses", "max_guesses"))
        rows.append([certificate["game"], path.stem, *figures, "tree verified"])
    with Path(snakemake.output.checked).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(
            [["game", "tree", "total_guesses", "max_guesses", "verdict"], *rows]
        )
    Path(snakemake.log[0]).write_text(f"{len(rows)} trees verified\n", encoding="utf-8")
