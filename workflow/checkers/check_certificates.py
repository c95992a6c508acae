"""Check certificates by playing every secret, deliberately without the package."""

import csv
import json
from itertools import permutations, product
from pathlib import Path
from unicodedata import normalize

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
    "pegs": pegs_of,
}


def rules_of(certificate, lists):
    """Return a game's feedback function, its secrets, and a test for the codes that may be guessed.

    `lists` has the secrets and the other words that may be guessed of each word list.
    """
    family, size = certificate["game"].split("-", 1)
    if family in ("matches", "marks", "pegs"):
        secrets, others = lists[size]
        words = {*secrets, *others}
        return FEEDBACK[family], sorted(secrets), words.__contains__
    pegs, colours = map(int, size.removesuffix("-distinct").split("-"))
    symbols = SYMBOLS if family == "bc" else SYMBOLS[1:]
    numbered = colours > len(symbols)  # then colours are numbers, and dots separate them
    symbols = [str(colour + 1) for colour in range(colours)] if numbered else symbols[:colours]
    distinct = family == "bc" or size.endswith("-distinct")
    every = permutations(symbols, pegs) if distinct else product(symbols, repeat=pegs)

    def pegs_in(code):
        return code.split(".") if numbered else code

    def feedback_of(guess, secret):
        return FEEDBACK[family](pegs_in(guess), pegs_in(secret))

    def is_code(guess):
        own = pegs_in(guess)
        repeats = family == "bc" and len(set(own)) < pegs
        return len(own) == pegs and set(own) <= set(symbols) and not repeats

    return feedback_of, [("." * numbered).join(code) for code in every], is_code


def moves_of(tree, secret, feedback_of, moves):
    """Return a tree's moves against a secret, down to the secret itself."""
    moves.append((tree["guess"], feedback_of(tree["guess"], secret)))
    if tree["guess"] != secret:
        moves_of(tree["after"][moves[-1][1]], secret, feedback_of, moves)
    return moves


def check(certificate, lists=None):
    """Return an error in a certificate's tree, or an empty string; bounds are not checked."""
    try:
        return _mistake(certificate, lists or {})
    except (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError) as why:
        return f"it is malformed or incomplete: {type(why).__name__} {why}"


def _mistake(certificate, lists):
    feedback_of, secrets, may_be_guessed = rules_of(certificate, lists)
    words = certificate["words"]
    if words is not None and sorted(words) != secrets:
        return "its words are not those of the list"
    games = [moves_of(certificate["tree"], secret, feedback_of, []) for secret in secrets]
    for guess in {guess for moves in games for guess, _ in moves}:
        if not may_be_guessed(guess):
            return f"{guess} may not be guessed"
    lengths = [len(moves) for moves in games]
    if len(secrets) != certificate["secrets"] or sum(lengths) != certificate["total_guesses"]:
        return f"{sum(lengths)} guesses over {len(secrets)} secrets"
    if certificate["opening"] not in (None, certificate["tree"]["guess"]):
        return f"{certificate['tree']['guess']} is the opening"
    limit, objective = certificate["guess_limit"], certificate["objective"]
    if max(lengths) != certificate["max_guesses"] or (limit is not None and max(lengths) > limit):
        return f"{max(lengths)} guesses for one secret"
    if objective in ("maximum", "lexicographic") and max(lengths) != limit:
        return "the least maximum is not the limit"
    return _cost_is_wrong(certificate, lengths) or _pool_is_wrong(certificate, games, feedback_of)


def _cost_is_wrong(certificate, lengths):
    objective, rounds = certificate["objective"], certificate["rounds"]
    guess, late = certificate["guess_charge"], certificate["late_charge"]
    won = None if rounds is None else sum(length <= rounds for length in lengths)
    if objective in ("total", "maximum"):
        agrees = rounds is None and (guess, late) == (1, 0)
    elif objective == "rounds":
        agrees = rounds is not None and guess == 1 and late > 0
    elif objective == "lexicographic":  # one guess costs more than all secrets at the maximum
        agrees = rounds == max(lengths) - 1 and guess > len(lengths) and late == 1
    else:
        return f"an unknown objective, {objective}"
    if not agrees:
        return "the objective contradicts its rounds or its charges"
    if won != certificate["won"]:
        return f"{won} secrets within {rounds} guesses"
    cost = guess * sum(lengths) + (0 if won is None else late * (len(lengths) - won))
    if cost != certificate["cost"]:
        return f"a cost of {cost}"
    bounds = [certificate["bound"], *certificate["openings"].values()]
    if (
        certificate["proven"] != (certificate["bound"] == cost)
        or min(bounds) < certificate["bound"]
    ):
        return "'proven' contradicts the bound, or the bound an opening"
    return "" if certificate["bound"] <= cost else "a bound above the cost"


def _pool_is_wrong(certificate, games, feedback_of):
    if certificate["guess_pool"] not in ("all", "consistent"):
        return f"an unknown guess pool, {certificate['guess_pool']}"
    if certificate["guess_pool"] == "consistent":
        for moves in games:
            for turn, (guess, _) in enumerate(moves):
                if any(feedback_of(old, guess) != seen for old, seen in moves[:turn]):
                    return f"{guess} contradicts earlier feedback"
    return ""


def words_in(path):
    """Return the words of a list, in lower case, without comments and blank lines."""
    lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    words = [normalize("NFC", line.strip().lower()) for line in lines]
    return [word for word in words if word and not word.startswith("#")]


if __name__ == "__main__":
    paths = [Path(path) for path in snakemake.input.certificates]
    files, lists = iter(snakemake.input.words), {}
    for name, count in snakemake.params.word_lists.items():
        secrets, *others = (words_in(next(files)) for _ in range(count))
        lists[name] = (secrets, [word for words in others for word in words])
    rows = []
    for path in paths:
        try:
            certificate = json.loads(path.read_text(encoding="utf-8"))
        except (ValueError, RecursionError) as why:
            raise SystemExit(f"error: certificate {path} is not JSON: {why}") from None
        mistake = check(certificate, lists)
        if mistake:
            raise SystemExit(f"error: the tree of certificate {path} does not hold: {mistake}")
        figures = (certificate[name] for name in ("total_guesses", "max_guesses"))
        rows.append([certificate["game"], path.stem, *figures, "tree verified"])
    with Path(snakemake.output.checked).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(
            [["game", "tree", "total_guesses", "max_guesses", "verdict"], *rows]
        )
    Path(snakemake.log[0]).write_text(f"{len(rows)} trees verified\n", encoding="utf-8")
