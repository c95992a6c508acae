"""Games whose guesses exclude themselves alone: trees of up to 300 turns, all functions."""

import pytest

import codebreaker as cb

TURNS = 300
LABELS = [f"g{number:03d}" for number in range(TURNS)]
PRIORS = {
    "equal": dict.fromkeys(LABELS, 1),
    "rising": {label: number for number, label in enumerate(LABELS, start=1)},
    "up to 2^47": {
        label: number + 1 if number % 7 else 2**47 for number, label in enumerate(LABELS)
    },
}


@pytest.fixture(params=PRIORS)
def chain(request):
    """Return a game with a prior, its weights, and its minimum total: the heaviest come first."""
    weights = PRIORS[request.param]
    table = [[int(guess == secret) for secret in LABELS] for guess in LABELS]
    game = cb.Game.from_table(table, LABELS, LABELS, ["wrong", "right"], "right")
    heaviest = sorted(weights.values(), reverse=True)
    total = sum(turn * weight for turn, weight in enumerate(heaviest, start=1))
    return game.weighted(weights), weights, total


@pytest.mark.slow
def test_trees_of_many_turns(chain, tmp_path):
    game, weights, total = chain
    whole = sum(weights.values())
    solved = cb.solve(game)
    grown = cb.grow(game, "worst-case", opening=LABELS[0])
    assert solved.is_proven
    assert solved.tree.total == total
    assert solved.bound == total
    for tree in (solved.tree, grown):
        guesses = {secret: len(tree.play(secret)) for secret in LABELS}
        assert sorted(guesses.values()) == list(range(1, TURNS + 1))
        assert tree.maximum == len(tree) == len(tree.draw().splitlines()) == TURNS
        assert tree.mean.exact * whole == sum(
            guesses[secret] * weights[secret] for secret in LABELS
        )
        tree.write(tmp_path / "tree.parquet")
        assert [*cb.read_tree(tmp_path / "tree.parquet", game)] == [*tree]
    for refused in (lambda: grown.write(tmp_path / "tree.json"), solved.certificate):
        with pytest.raises(cb.CodebreakerError):
            refused()


@pytest.mark.slow
def test_advice_in_games_of_many_turns(chain):
    game, weights, total = chain
    whole = sum(weights.values())
    assert cb.suggest(game, "worst-case").most == TURNS
    assert cb.suggest(game, "optimal").expected.exact * whole == total
    lightest = min(weights, key=weights.get)
    regret = cb.regret(game, lightest)
    assert regret.minimum.exact * whole == total
    assert regret.mean.exact * whole == sum(weights.values()) - TURNS * weights[lightest]
    state = cb.State(game, [(label, "wrong") for label in LABELS[: TURNS - 2]])
    assert state.candidates == tuple(LABELS[-2:])
    assert state.turn == TURNS - 1
    evaluation = cb.evaluate(game, "worst-case")
    assert evaluation.maximum == TURNS
    assert evaluation.tree.maximum == TURNS


@pytest.mark.slow
def test_strategies_of_many_turns_are_compared():
    game = cb.game(f"mm-1-{TURNS}")
    compared = cb.compare(game, ["worst-case", "entropy"])
    assert compared.means["max_guesses"].to_list() == [TURNS] * 2


def test_a_game_of_200_moves_is_scored():
    game = cb.game("mm-1-200")
    moves = [[label, game.feedback(label, game.secrets[-1])] for label in game.secrets]
    verdict = cb.score([{"game": game.name, "moves": moves}])
    assert verdict.moves.height == 200
    assert verdict.moves["regret"].abs().max() < 1e-9
