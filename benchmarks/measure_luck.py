"""Measure what luck does to comparisons of players in MM(4,6), and how rewards rank guesses."""

from math import sqrt

import numpy as np
from pages import publish

import codebreaker as cb
from codebreaker.sets.partition import entropy_of

GAME = "mm-4-6"
OPENINGS = {"entropy": "1123", "knuth": "1122", "first-consistent": "1122"}
"""Strategies that are compared with optimal play, and their openings."""

ERRORS = 2
"""Standard errors at which a difference counts as found."""

SIZES = (25, 50, 100, 500)
DRAWS = 20_000
"""Benchmarks that are drawn of each size."""

PAIRS = 800
"""Pairs of guesses with different regret."""

SEED = 1


def games_of(name: str, tree: cb.Tree) -> tuple[np.ndarray, np.ndarray]:
    """Return the guesses and the regret of a strategy's game against each secret."""
    games = [
        {"game": GAME, "moves": [list(move) for move in tree.play(secret)]}
        for secret in tree.game.secrets
    ]
    scored = cb.score(games, player=name).games
    return scored["guesses"].cast(float).to_numpy(), scored["regret"].to_numpy()


def games_needed(first: np.ndarray, other: np.ndarray) -> float:
    """Return how many games of each, against secrets of their own, show the difference of means."""
    difference = first.mean() - other.mean()
    return ERRORS**2 * (first.var() + other.var()) / difference**2


def paired_games_needed(first: np.ndarray, other: np.ndarray) -> float:
    """Return how many games show the difference of means if both play the same secrets."""
    differences = first - other
    return ERRORS**2 * differences.var() / differences.mean() ** 2


def shares_wrong(first: np.ndarray, other: np.ndarray, size: int) -> float:
    """Return how often the worse player, the first, has the lower mean; half of the ties count."""
    draw = np.random.default_rng(SEED)
    means = [
        each[draw.integers(len(each), size=(DRAWS, size))].mean(axis=1) for each in (first, other)
    ]
    return float((means[0] < means[1]).mean() + (means[0] == means[1]).mean() / 2)


def partial_credit(feedback: str) -> float:
    """Return a usual reward by hand: a black peg counts 1, a white one a half."""
    black, white = map(int, feedback.split(","))
    return black + white / 2


def measures_of(state: cb.State, guess: str) -> dict[str, float]:
    """Return what rewards other than regret say of a guess, on average over the candidates."""
    parts = state.partition(guess)
    sizes = np.array([len(part) for part in parts.values()])
    credits = np.array([partial_credit(feedback) for feedback in parts])
    return {
        "partial credit": float(credits @ sizes) / sizes.sum(),
        "consistency": float(state.is_consistent(guess)),
        "entropy": entropy_of(sizes),
    }


def drawn_positions(game: cb.Game, draw: np.random.Generator):
    """Yield positions of games in which candidates are drawn, with three candidates or more."""
    while True:
        state = cb.State(game)
        secret = str(draw.choice(game.secrets))
        while len(state.candidates) > 2:
            if state.moves:
                yield state
            guess = str(draw.choice(state.candidates))
            state.push(guess, game.feedback(guess, secret))


def ranked_pairs() -> dict[str, tuple[float, float]]:
    """Return by reward how often the better guess of a pair is first, and how often both are equal.

    Each guess is a candidate, or any guess, with the same probability.
    """
    draw = np.random.default_rng(SEED)
    game = cb.game(GAME)
    counted: dict[str, list[tuple[bool, bool]]] = {}
    for state in drawn_positions(game, draw):
        pair = [
            str(draw.choice(state.candidates if draw.random() < 0.5 else game.guesses))
            for _ in range(2)
        ]
        regrets = [cb.regret(state, guess).mean for guess in pair]
        if regrets[0] == regrets[1]:
            continue
        better, worse = pair if regrets[0] < regrets[1] else pair[::-1]
        high, low = measures_of(state, better), measures_of(state, worse)
        for name in high:
            near = abs(high[name] - low[name]) < 1e-9
            counted.setdefault(name, []).append((high[name] > low[name] and not near, near))
        if len(counted["entropy"]) == PAIRS:
            break
    return {
        name: (np.mean([right for right, _ in pairs]), np.mean([tie for _, tie in pairs]))
        for name, pairs in counted.items()
    }


def main() -> None:
    """Publish the measurements."""
    game = cb.game(GAME)
    best, no_regret = games_of("optimal", cb.solve(game).tree)
    rows = []
    for name, opening in OPENINGS.items():
        policy = "worst-case" if name == "knuth" else name
        tree = cb.grow(game, policy, opening=opening)
        guesses, regrets = games_of(name, tree)
        needed = [
            f"{games_needed(guesses, best):,.0f}",
            f"{paired_games_needed(guesses, best):,.0f}",
            f"{games_needed(regrets, no_regret):,.1f}",
        ]
        wrong = [f"{shares_wrong(guesses, best, size):.0%}" for size in SIZES]
        means = [f"{guesses.mean():.4f}", f"{regrets.mean():.4f}"]
        rows.append(f"| {name} from {opening} | {' | '.join([*means, *needed, *wrong])} |")
        print(rows[-1], flush=True)
    deviation = sqrt(best.var())
    shares = ranked_pairs()
    ranked = [
        "| reward | the better guess first | both equal | the better guess last | first, with half "
        "of the ties |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for name, (right, tie) in shares.items():
        shown = [right, tie, 1 - right - tie, right + tie / 2]
        ranked.append(f"| {name} | {' | '.join(f'{share:.0%}' for share in shown)} |")
    ranked.append("| regret | 100% | 0% | 0% | 100% |")
    sizes = " | ".join(f"wrong after {size} games" for size in SIZES)
    publish(
        "measure_luck.md",
        "What luck does to comparisons",
        "Each strategy is compared with optimal play in MM(4,6), whose games have a mean of "
        f"{best.mean():.4f} guesses and a standard deviation of {deviation:.2f}. A difference "
        "counts as found at two standard errors. Players have secrets of their own, except where "
        "the secrets are shared. *Wrong* is how often the strategy has the lower mean length in a "
        f"benchmark of that size, with half of the ties, in {DRAWS:,} draws.",
        "| strategy | mean guesses | mean regret | games needed by length | by length, shared "
        f"secrets | by regret | {sizes} |",
        rows,
        "## How rewards rank guesses\n\n"
        f"{PAIRS} pairs of guesses with different regret, in positions after guesses that are "
        "drawn from the candidates. Each guess of a pair is a candidate or any guess, with the "
        "same probability. Rewards are means over the candidates. Partial credit counts a black "
        "peg as 1 and a white one as a half.",
        "\n".join(ranked),
    )


if __name__ == "__main__":
    main()
