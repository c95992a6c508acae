"""Studies that are refused: a key of BASE that is changed, and the error's key and text."""

import pytest
from study_base import BASE

from codebreaker.errors import CodebreakerError
from codebreaker.study.load import load_study


def strategy(game, **settings):
    return {"strategies": {game: [settings]}}


def optimum(game, **settings):
    return {"exact": {"games": {game: [settings]}}}


def model(game, **settings):
    """Return an optimisation of a game's weights."""
    usual = {"turns": 6, "generations": 10, "seeds": [0]}
    return {"optimise": {"models": {game: {"m": usual | settings}}}}


def guided(game, name="g", **settings):
    return {"guided": {"models": {game: {name: settings}}}}


def contest(**settings):
    usual = {"game": "mm-4-6", "opening": "1123", "players": ["EvoRank"]}
    return {"players": {"contests": {"six": usual | settings}}}


def joint(**settings):
    """Return a search for the weights of two games."""
    usual = {"games": ["mm-3-3", "mm-3-4"], "opening": "112", "turns": 1, "generations": 1}
    return {"transfer": {"models": {"j": usual | settings}}}


def method(**player):
    """Return a comparison of methods with one player."""
    two = {"game": "mm-4-6", "opening": "1123", "players": [player]}
    return {"players": {"methods": {"two": two}}}


# A change, the key that the error names, and a part of its text.
REFUSED = [
    # strategie
    ({"strategie": {}}, "strategie", "did you mean 'strategies'?"),
    # strategies
    ({"strategies": {}}, "strategies", "config key strategies is empty"),
    (
        strategy("mm-4-6", policy="entropy", openin="1123"),
        "strategies.mm-4-6",
        "mm-4-6.0.openin: did you mean 'opening'?",
    ),
    (
        strategy("mm-4-6", policy="entropi"),
        "strategies.mm-4-6",
        "6.0: unknown policy 'entropi': did you mean",
    ),
    (
        strategy("mm-4-6", policy="entropy", opening="1123,4457"),
        "strategies.mm-4-6",
        "mm-4-6.0: code '4457' has the peg '7'",
    ),
    (
        strategy("mm-4-6", policy="entropy", opening="1123,4456", guess_pool="consistent"),
        "strategies.mm-4-6",
        "the guess pool consistent depends on it",
    ),
    (
        strategy("mm-4-6", policy="entropy", opening="1127"),
        "strategies.mm-4-6",
        "mm-4-6.0: code '1127' has the peg '7'",
    ),
    (
        strategy("mm-4-6", policy="entropy", tie_break="last"),
        "strategies.mm-4-6",
        "mm-4-6.0.tie_break: Input should be",
    ),
    (
        strategy("mm-4-6", policy="entropy", guess_pool="some"),
        "strategies.mm-4-6",
        "mm-4-6.0.guess_pool: Input should be",
    ),
    (
        strategy("mm-4-6", policy="entropy", exact_from=1),
        "strategies.mm-4-6",
        "mm-4-6.0.exact_from: Input should be greater",
    ),
    (
        strategy("mm-5-8", policy="most-parts-two-steps"),
        "strategies.mm-5-8",
        "no table: choose most-parts",
    ),
    (
        strategy("mm-5-8", policy="entropy-with-most-parts"),
        "strategies.mm-5-8",
        "no table: choose entropy",
    ),
    (
        strategy("matches-wrong", policy="entropy"),
        "strategies.matches-wrong",
        "line 1: 'abba' is not a secret and its integer weight",
    ),
    (
        strategy("matches-liked", policy="entropy-then-most-parts"),
        "strategies.matches-liked",
        "0: the secrets of",
    ),
    (
        strategy("mm-3-4-distinct", policy="first-consistent", opening="112"),
        "strategies.mm-3-4-distinct.0",
        "'112' can't be the secret of mm-3-4-distinct",
    ),
    (
        strategy("mm-5-8", policy="entropy", exact_from=3),
        "strategies.mm-5-8",
        "and game mm-5-8 has no table: use endgames",
    ),
    (
        strategy("mm-3-3", policy="stage-weighted"),
        "strategies.mm-3-3",
        "weights for 14 different answers",
    ),
    (
        {"strategies": {"mm-3-3": [{"policy": "entropy"}, {"policy": "entropy"}]}},
        "strategies.mm-3-3",
        "'entropy' is listed twice",
    ),
    (strategy("mm-9-9", policy="entropy"), "strategies.mm-9-9", "game 'mm-9-9' has 9 pegs"),
    (strategy("go", policy="entropy"), "strategies.go", "unknown game 'go'"),
    (
        strategy("marks-", policy="entropy"),
        "strategies.marks-",
        "game 'marks-' names no word list: write marks-LIST",
    ),
    (
        strategy("marks-w", policy="entropy", opening="abbb"),
        "strategies.marks-w",
        "marks-w.0: 'abbb' is not among the 10 words",
    ),
    (strategy("marks-v", policy="entropy"), "strategies.marks-v", "unknown word list 'v'"),
    (
        strategy("matches-mixed", policy="entropy"),
        "strategies.matches-mixed",
        "english.txt, line 401: 'abaci' has 5 letters, but 'abet'",
    ),
    (
        strategy("matches-gone", policy="entropy"),
        "strategies.matches-gone",
        "word list tests/words/none.txt can't be read (No such",
    ),
    # exact
    (
        optimum("matches-liked"),
        "exact.games.matches-liked",
        "matches-liked: the secrets of matches-liked are",
    ),
    (
        optimum("mm-3-4-distinct", guess_pool="consistent", opening="112"),
        "exact.games.mm-3-4-distinct",
        "'112' can't be the secret of mm-3-4-distinct",
    ),
    (
        {"exact": {"values": ["marks-liked"]}},
        "exact.values",
        "are not equally likely, which only the",
    ),
    (
        {"exact": {"time_limit_s": float("nan")}},
        "exact.time_limit_s",
        "time_limit_s: Input should be a finite number",
    ),
    (
        {"exact": {"games": {"mm-4-6": [{}, {}]}}},
        "exact.games.mm-4-6",
        "optimum 'optimal' is listed twice",
    ),
    (optimum("mm-5-9"), "exact.games.mm-5-9", "game 'mm-5-9' needs a feedback table"),
    (
        optimum("mm-4-6", objective="maximum", guess_limit=5),
        "exact.games.mm-4-6",
        "maximum finds guess_limit itself",
    ),
    (
        optimum("mm-4-6", objective="lexicographic", guess_limit=5),
        "exact.games.mm-4-6",
        "lexicographic finds guess_limit",
    ),
    (
        optimum("mm-4-6", objective="lexicographic", rounds=5),
        "exact.games.mm-4-6",
        "the key rounds belong together",
    ),
    (optimum("mm-4-6", objective="rounds"), "exact.games.mm-4-6", "the key rounds belong together"),
    (optimum("mm-4-6", rounds=3), "exact.games.mm-4-6", "the key rounds belong together"),
    (
        optimum("mm-4-6", objective="rounds", rounds=3, guess_limit=6),
        "exact.games.mm-4-6",
        "rounds is for all codes",
    ),
    ({"exact": {"rounds": ["mm-5-9"]}}, "exact.rounds", "game 'mm-5-9' needs a feedback table"),
    ({"exact": {"frontiers": ["mm-7-2"]}}, "exact.frontiers", "add mm-7-2 to exact.rounds too"),
    (
        optimum("mm-2-21", from_best_known=True),
        "exact.games.mm-2-21",
        "game mm-2-21 has no best known tree: leave out from_best_known",
    ),
    (
        optimum("mm-3-4", from_best_known=True, guess_limit=5),
        "exact.games.mm-3-4",
        "from_best_known is for the minimum total over all trees",
    ),
    # optimise
    (model("matches-liked"), "optimise.models.matches-liked", "are not equally likely"),
    (
        model("mm-4-6", genes="orders", orders={"high": 0}),
        "optimise.models.mm-4-6.m",
        "there is one order to choose from",
    ),
    (model("mm-4-6", orders={"high": 9}), "optimise.models.mm-4-6.m", "less than or equal to 8"),
    (
        model("mm-4-6", endgames=5),
        "optimise.models.mm-4-6.m",
        "m: endgames are for games without a table",
    ),
    (
        model("mm-5-8", genes="orders"),
        "optimise.models.mm-5-8.m",
        "only weights can be optimised there",
    ),
    (
        model("mm-4-6", preset="papers"),
        "optimise.models.mm-4-6.m",
        "unknown preset 'papers': did you mean",
    ),
    (model("mm-4-6", opening="9"), "optimise.models.mm-4-6.m", "code '9' has 1 peg"),
    (model("mm-4-6", seeds=[1, 1]), "optimise.models.mm-4-6.m", "a seed is listed twice"),
    (
        model("mm-4-6", orders={"step": 1e-300}),
        "optimise.models.mm-4-6.m",
        "orders.step: Input should be greater",
    ),
    (model("mm-4-6", seeds=[-1]), "optimise.models.mm-4-6.m", "m.seeds.0: Input should be gre"),
    (model("mm-4-6", seeds=[]), "optimise.models.mm-4-6.m", "m.seeds: List should have at least"),
    (
        {"optimise": {"presets": {"p": {"elite": 64}}}},
        "optimise.presets.p",
        "elite 64 must be below population",
    ),
    (
        {"optimise": {"presets": {"p": {"low": 0.9, "high": 0.5}}}},
        "optimise.presets.p",
        "low 0.9 must not be above",
    ),
    (
        {"optimise": {"presets": {"p": {"low": 1e-7}}}},
        "optimise.presets.p",
        "greater than or equal to 0.0001",
    ),
    # word_lists
    (
        {"word_lists": {"w": {"secrets": "a.txt", "guess": "b.txt"}}},
        "word_lists.w",
        "did you mean 'guesses'?",
    ),
    (
        {"word_lists": {"My words": {"secrets": "a.txt"}}},
        "word_lists.My words",
        "name consists of lower-case letters",
    ),
    (
        {"word_lists": {"w": {"secrets": "tests/{game}.txt"}}},
        "word_lists.w",
        "tests/{game}.txt has braces, Snakemake's sign of a wildcard: rename it",
    ),
    (
        {"word_lists": {"w": {"secrets": "tests/words/secrets.txt", "guesses": "{x}.txt"}}},
        "word_lists.w",
        "has braces",
    ),
    (
        {"word_lists": {"w": {"secrets": "tests/words/secrets.txt", "prior": "{x}/a.txt"}}},
        "word_lists.w",
        "has braces",
    ),
    # terminals
    ({"terminals": {"words": "words/{terminal}.txt"}}, "terminals.words", "has braces"),
    ({"terminals": {"lengths": [13]}}, "terminals", "has 0 words of 13 letters, fewer than"),
    # pareto
    ({"pareto": {"mm-4-6": {"openings": ["11"]}}}, "pareto.mm-4-6", "code '11' has 2 pegs"),
    (
        {"pareto": {"mm-4-6": {"openings": ["1123"], "orders": {"low": 5}}}},
        "pareto.mm-4-6",
        "low 5 must not be above",
    ),
    # limits
    (
        {"limits": {"table_mib": float("inf")}},
        "limits.table_mib",
        "limits.table_mib: Input should be a finite number",
    ),
    ({"limits": {"table_mb": 1}}, "limits.table_mb", "did you mean 'table_mib'?"),
    ({"limits": {"table_mib": 0}}, "limits.table_mib", "Input should be gr"),
    # players
    (
        contest(repetitions=1000000000000),
        "players.contests.six",
        "six.repetitions: Input should be less than",
    ),
    (
        contest(options={"EvoRank": {"population": 1}}),
        "players.contests.six",
        "option population is 1: choose a",
    ),
    (
        method(player="EvoRank", options={"reset": 0.5}),
        "players.methods.two",
        "option reset is 0.5: choose an integer from 1",
    ),
    (
        contest(players=["eGA-seed"]),
        "players.contests.six",
        "unknown player 'eGA-seed': did you mean 'eGA-seede",
    ),
    (
        contest(options={"EvoRank": {"populations": 3}}),
        "players.contests.six",
        "EvoRank 'populations': did",
    ),
    (
        contest(opening="1123,4456"),
        "players.contests.six",
        "a contest takes one opening guess, not '1123,4456'",
    ),
    (
        optimum("mm-3-4", opening="112,334"),
        "exact.games.mm-3-4",
        "a search of mm-3-4 takes one opening guess, not '112,334'",
    ),
    (
        contest(game="bc-4-10"),
        "players.contests.six",
        "these players play only Mastermind, not 'bc-4-10'",
    ),
    (
        contest(game="mm-9-9"),
        "players.contests.six",
        "'mm-9-9' has 9 pegs and 387,420,489 combinations",
    ),
    (contest(secrets=1297), "players.contests.six", "1,297 secrets are more than the 1,296 codes"),
    (contest(secrets=1), "players.contests.six", "Input should be greater than or equal to 2"),
    (contest(repetitions=0), "players.contests.six", "Input should be greater than or equal to 1"),
    (contest(games=1000), "players.contests.six", "six.games: did you mean 'game'?"),
    (
        {"players": {"margins": {"evaluations": 1}}},
        "players.margins",
        "Input should be less than 1",
    ),
    (contest(opening="1"), "players.contests.six", "code '1' has 1 peg"),
    (
        method(player="knuht"),
        "players.methods.two",
        "two.players.0.player: unknown player 'knuht': did you mean",
    ),
    (
        method(player="EvoRank", options={"size": 3}),
        "players.methods.two",
        "unknown option of EvoRank 'size'",
    ),
    (method(player="EvoRank", opening="1"), "players.methods.two", "code '1' has 1 peg"),
    (
        {"players": {"random_consistent": ["mm-4"]}},
        "players.random_consistent",
        "game 'mm-4' is not a size of Mastermind",
    ),
    # guided
    (guided("mm-4-6", opening="7777"), "guided.models.mm-4-6.g", "code '7777' has the peg '7'"),
    (guided("mm-4-6", opening="1123", by="peg"), "guided.models.mm-4-6.g", "g.by: Input should be"),
    (guided("mm-4-6"), "guided.models.mm-4-6.g", "g.opening: Field required"),
    (
        model("mm-4-6") | guided("mm-4-6", opening="1123", name="m"),
        "guided.models.mm-4-6.m",
        "optimise.models has a model of this name: choose another",
    ),
    (
        guided("mm-4-6", opening="1123", name="M"),
        "guided.models.mm-4-6.M",
        "a name consists of lower-case letters, digits and hyphens",
    ),
    # transfer
    (
        {"transfer": {"games": ["mm-4-5", "bc-4-6"], "openings": ["1234"]}},
        "transfer",
        "different feedback",
    ),
    (
        {"transfer": {"games": ["mm-4-3"], "openings": ["1234"]}},
        "transfer",
        "the colours of mm-4-3 are 1 to 3",
    ),
    (joint(games=["mm-3-3", "mm-4-6"]), "transfer.models.j", "have different feedback"),
    (joint(opening="114"), "transfer.models.j", "the colours of mm-3-3 are 1 to 3"),
    (joint(preset="papers"), "transfer.models.j", "unknown preset 'papers': did you mean"),
    # codemaker
    (
        contest() | {"codemaker": {"devious": {"contest": "sixth"}}},
        "codemaker.devious.contest",
        "unknown contest 'sixth': did you mean 'six'?",
    ),
    (
        contest(game="mm-5-8", opening="11223") | {"codemaker": {"devious": {"contest": "six"}}},
        "codemaker.devious.contest",
        "game 'mm-5-8' needs a feedback table",
    ),
    # scaling
    ({"scaling": {"games": ["marks-w"]}}, "scaling.games.0", "marks-w is not a game of codes"),
    # best_known
    (
        {"best_known": {"games": ["mm-3-4"]}},
        "best_known.games",
        "game mm-3-4 is not solved: add it to exact",
    ),
    (
        {"best_known": {"first_guesses": ["marks-w"]}},
        "best_known.first_guesses.0",
        "marks-w is not a game of codes",
    ),
    # agents
    ({"agents": {"logs": "nowhere"}}, "agents.logs", "nowhere has no logs: name a folder"),
    (
        {"agents": {"logs": "resources/agents", "game": "mm46"}},
        "agents.game",
        "did you mean 'mm-4-6'?",
    ),
]


def case_id(case):
    _, key, message = case
    return f"{key}: {message}"


@pytest.mark.parametrize(("change", "key", "message"), REFUSED, ids=map(case_id, REFUSED))
def test_errors_are_reported_in_one_line(change, key, message):
    with pytest.raises(CodebreakerError) as caught:
        load_study(BASE | change)
    assert f"config key {key}" in str(caught.value)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
