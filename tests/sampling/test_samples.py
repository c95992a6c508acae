"""The strategy `sampled`: candidates, first guesses, and games of any size."""

import re
import tracemalloc
from collections import Counter
from itertools import permutations, product

import numpy as np
import pytest
from conftest import game_called
from definitions import all_codes, far_from_uniform, grade, matches

import codebreaker as cb
from codebreaker.advice.sampled import SampledAssistant
from codebreaker.errors import CodebreakerError
from codebreaker.games.registry import rules_of
from codebreaker.games.unlisted import CodeLabels, UnlistedGame
from codebreaker.sampling import candidates as found
from codebreaker.sampling import choice, second_guess
from codebreaker.sampling.candidates import How, find_candidates, history_of, space_of
from codebreaker.sampling.entropy import TIES, Judge
from codebreaker.sampling.entropy import all_codes as all_guesses
from codebreaker.sampling.first_guess import first_guesses, part_sizes
from codebreaker.sampling.kernels import drawing, listing
from codebreaker.sampling.kernels.rollout import roll_out
from codebreaker.sampling.player import Sampled, pegs_between
from codebreaker.sampling.second_guess import second_guesses
from codebreaker.sampling.totals import feedback_table

GAMES = ("mm-3-4", "mm-4-5", "mm-4-6-distinct", "bc-3-6", "bc-3-5-any-guess", "black-4-3")


@pytest.fixture
def without_rollouts(monkeypatch):
    """Let entropy alone decide, but in endgames."""
    monkeypatch.setattr(choice, "ROLLED_OUT", 0)
    choice._second_guess.cache_clear()
    yield
    choice._second_guess.cache_clear()


def secrets_of(rules):
    """Return all secrets by definition, as tuples of colours from 0."""
    codes = [tuple(peg - 1 for peg in code) for code in all_codes(rules.pegs, rules.colours)]
    if rules.unique or rules.distinct:
        codes = [code for code in codes if len(set(code)) == rules.pegs]
    return codes


def guesses_of(rules):
    """Return all guesses by definition."""
    return (
        secrets_of(rules)
        if rules.unique
        else [tuple(peg - 1 for peg in code) for code in all_codes(rules.pegs, rules.colours)]
    )


def answer(rules, guess, secret):
    """Return black and white pegs by definition; the black-peg game has only black ones."""
    if rules.family == "black":
        return matches(guess, secret), 0
    return grade(tuple(guess), tuple(secret))


def some_moves(rules, n, rng):
    """Return n random moves of a game against a random secret."""
    secrets = secrets_of(rules)
    guesses = guesses_of(rules)
    secret = secrets[rng.integers(len(secrets))]
    chosen = [guesses[rng.integers(len(guesses))] for _ in range(n)]
    return [(guess, answer(rules, guess, secret)) for guess in chosen]


def consistent(rules, moves):
    """Return the secrets that agree with all moves, by definition."""
    return [
        secret
        for secret in secrets_of(rules)
        if all(answer(rules, guess, secret) == pegs for guess, pegs in moves)
    ]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("n_moves", [0, 1, 2, 4])
def test_listed_candidates_are_those_of_the_definition(name, n_moves):
    rules = rules_of(name)
    rng = np.random.default_rng(n_moves)
    for _ in range(8):
        moves = some_moves(rules, n_moves, rng)
        room = np.zeros((2000, rules.pegs), np.uint8)
        history = history_of(rules, moves)
        ended, n = listing.list_candidates(space_of(rules), history, room, 1 << 20)
        assert ended == listing.COMPLETE
        assert [tuple(code) for code in room[:n].tolist()] == consistent(rules, moves)


def test_a_listing_says_that_it_is_not_complete():
    rules = rules_of("mm-4-6")
    moves = [((0, 0, 1, 1), (1, 1))]
    history = history_of(rules, moves)
    n = len(consistent(rules, moves))
    for room, nodes, ended in (
        (n, 1 << 20, listing.COMPLETE),
        (n - 1, 1 << 20, listing.TOO_MANY),
        (n, 100, listing.TOO_LONG),
    ):
        codes = np.zeros((room, 4), np.uint8)
        assert listing.list_candidates(space_of(rules), history, codes, nodes)[0] == ended


@pytest.mark.parametrize("name", GAMES)
def test_drawn_candidates_are_uniform(name):
    rules = rules_of(name)
    moves = some_moves(rules, 1, np.random.default_rng(7))
    members = consistent(rules, moves)
    room = np.zeros((50 * len(members), rules.pegs), np.uint8)
    state = np.array([5], np.uint64)
    n, draws = drawing.draw_candidates(
        space_of(rules), history_of(rules, moves), room, 1 << 24, state
    )
    assert n == len(room)
    assert abs(far_from_uniform(map(tuple, room.tolist()), members)) < 4
    share = len(members) / len(secrets_of(rules))
    assert n / draws == pytest.approx(share, rel=0.1)


@pytest.mark.parametrize(
    ("name", "n_moves"), [("mm-4-5", 2), ("mm-5-4", 3), ("bc-4-7", 2), ("black-5-3", 2)]
)
@pytest.mark.slow
def test_walks_are_close_to_uniform_and_estimate_the_number(name, n_moves):
    # Groups are independent; one code of each is taken, so that the codes are, too.
    rules = rules_of(name)
    moves = some_moves(rules, n_moves, np.random.default_rng(3))
    members = consistent(rules, moves)
    history = history_of(rules, moves)
    codes = list[list[int]]()
    numbers = list[float]()
    state = np.array([1], np.uint64)
    for _ in range(10 * len(members)):
        group = np.zeros((64, rules.pegs), np.uint8)
        n, log_share = drawing.draw_by_levels(
            space_of(rules), history, group, found.STEPS_AT_LEVEL, state
        )
        assert n == 64
        codes.append(group[0].tolist())
        numbers.append(len(secrets_of(rules)) * np.exp(log_share))
    assert abs(far_from_uniform(map(tuple, codes), members)) < 5
    error = np.std(numbers) / np.sqrt(len(numbers))
    assert np.mean(numbers) == pytest.approx(len(members), abs=5 * error)


@pytest.mark.parametrize("name", [*GAMES, "mm-2-9", "bc-4-4"])
def test_parts_of_first_guesses_are_those_of_the_definition(name):
    rules = rules_of(name)
    secrets = secrets_of(rules)
    labels = rules.feedback_labels()
    classes = first_guesses(rules)
    for guess in classes:
        sizes = dict.fromkeys(labels, 0)
        for secret in secrets:
            black, white = answer(rules, guess.tolist(), secret)
            sizes[f"{black}B" if rules.family == "black" else f"{black}B-{white}C"] += 1
        assert part_sizes(rules, guess).tolist() == [*sizes.values()]
    if not rules.unique:
        kinds = {
            tuple(sorted((guess.count(colour) for colour in {*guess}), reverse=True))
            for guess in guesses_of(rules)
        }
        assert sorted(kinds) == sorted(
            tuple(np.unique(guess, return_counts=True)[1].tolist()) for guess in classes
        )


def test_parts_of_first_guesses_add_up_in_large_games():
    for name in ("mm-12-20", "mm-10-8", "bc-9-20", "mm-8-10-distinct"):
        rules = rules_of(name)
        _, secrets = rules.table_shape
        for guess in first_guesses(rules):
            assert part_sizes(rules, guess).sum() == pytest.approx(secrets, rel=1e-9)


@pytest.mark.parametrize("name", GAMES)
def test_labels_without_a_list_are_those_of_the_list(name):
    rules = rules_of(name)
    game = game_called(name)
    unlisted = UnlistedGame.of(rules)
    for labels, listed in ((unlisted.guesses, game.guesses), (unlisted.secrets, game.secrets)):
        assert isinstance(labels, CodeLabels)
        assert tuple(labels) == listed
        assert labels[-1] == listed[-1]
        assert labels[2:9:3] == listed[2:9:3]
        assert [labels.index(label) for label in listed] == [*range(len(listed))]
        assert "?" not in labels
        with pytest.raises(IndexError):
            labels[len(listed)]
    every = np.arange(game.n_secrets, dtype=np.int32)
    for guess in range(0, game.n_guesses, 7):
        assert unlisted.feedback(guess, every).tolist() == game.feedback(guess, every).tolist()
    assert unlisted.guesses_of(every).tolist() == game.guesses_of(every).tolist()


@pytest.mark.parametrize("name", ["mm-4-6", "bc-3-6", "mm-4-6-distinct", "black-4-3"])
@pytest.mark.slow
def test_all_games_end_and_each_guess_splits(name):
    rules = rules_of(name)
    strategy = Sampled(rules, samples=64)
    for secret in secrets_of(rules)[::37]:
        moves = []
        while not moves or moves[-1][1][0] < rules.pegs:
            chosen = strategy.guess(moves)
            guess = chosen.guess.tolist()
            assert tuple(guess) in guesses_of(rules)
            left = consistent(rules, moves)
            assert chosen.is_candidate == (tuple(guess) in left)
            if len(left) > 1:
                assert len({answer(rules, guess, other) for other in left}) > 1
            if chosen.candidates.how is How.LISTED:
                assert chosen.candidates.number == (len(left),) * 3
            moves.append((guess, answer(rules, guess, secret)))


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("mm-3-4", (0, 0, 0)),
        ("mm-4-4", (2, 2, 0, 0)),
        ("mm-4-4", (1, 3, 1, 0)),
        ("mm-4-5", (0, 0, 1, 2)),
        ("mm-4-5", (0, 1, 2, 3)),
        ("bc-3-5", (0, 1, 2)),
        ("black-4-3", (0, 0, 1, 1)),
    ],
)
def test_second_guesses_are_one_of_each_class_by_definition(name, first):
    rules = rules_of(name)
    codes = guesses_of(rules)
    # Exchanges of pegs and colours that leave the first guess as it is.
    exchanges = [
        (pegs, colours)
        for pegs in permutations(range(rules.pegs))
        for colours in permutations(range(rules.colours))
        if all(colours[first[peg]] == first[i] for i, peg in enumerate(pegs))
    ]
    classes = set()
    for code in codes:
        same = {tuple(colours[code[peg]] for peg in pegs) for pegs, colours in exchanges}
        classes.add(frozenset(same))
    chosen = second_guesses(np.array(first, np.uint8), np.array(codes, np.uint8), rules.colours)
    chosen_codes = [tuple(code) for code in chosen.tolist()]
    assert len(chosen_codes) == len(classes)
    for members in classes:
        assert sum(code in members for code in chosen_codes) == 1


def test_second_guesses_have_all_classes_if_blocks_are_not_exchanged(monkeypatch):
    codes = np.array(guesses_of(rules_of("mm-4-5")), np.uint8)
    first = np.array((0, 1, 2, 3), np.uint8)
    classes = second_guesses(first, codes, 5)
    monkeypatch.setattr(second_guess, "MOST_EXCHANGES", 23)
    more = second_guesses(first, codes, 5)
    assert len(more) > len(classes)
    assert {tuple(code) for code in classes.tolist()} <= {tuple(code) for code in more.tolist()}


@pytest.mark.parametrize("name", ["mm-5-8", "mm-6-7", "bc-5-8"])
@pytest.mark.slow
def test_second_guesses_are_compared_over_all_candidates(name, without_rollouts):
    rules = rules_of(name)
    chosen = Sampled(rules, samples=16).guess([(range(rules.pegs), (1, 1))])
    assert chosen.n_members == chosen.candidates.number.value > choice.ENDGAME
    assert chosen.left.is_exact
    # No code of a random sample splits all candidates better.
    rng = np.random.default_rng(3)
    codes = all_guesses(rules)
    judge = Judge(rules, chosen.candidates.codes)
    scored = judge.score(codes[rng.choice(len(codes), 500)])
    assert scored.entropies.max() <= chosen.entropy + TIES


@pytest.mark.parametrize("name", ["bc-4-6", "bc-3-3", "bc-1-4", "bc-2-12"])
def test_codes_without_repeats_are_all_permutations_in_order(name):
    rules = rules_of(name)
    expected = permutations(range(rules.colours), rules.pegs)
    assert [tuple(code) for code in rules.codes().tolist()] == [*expected]


@pytest.mark.slow
def test_no_guess_takes_more_memory_than_is_promised():
    # After seven different colours no exchange leaves a class with a second code: MM(7,8) has
    # 2,097,152 classes, and telling them apart took 800 MiB.
    rules = rules_of("mm-7-8")
    choice.all_codes.cache_clear()
    tracemalloc.start()
    try:
        chosen = Sampled(rules).guess([(range(7), (4, 0))])
        codes = rules_of("bc-8-10").codes()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert chosen.candidates.how is How.LISTED
    assert len(codes) == 1_814_400
    assert peak < 300 * 2**20


@pytest.mark.slow
def test_guesses_have_the_highest_entropy_of_all_codes(without_rollouts):
    rules = rules_of("mm-4-6")
    game = game_called("mm-4-6")
    rng = np.random.default_rng(2)
    compared = 0
    for _ in range(4):
        moves = some_moves(rules, 1, rng)
        members = [game.secrets.index(rules.label_of(code)) for code in consistent(rules, moves)]
        if len(members) <= choice.ENDGAME:
            continue
        sizes_of_guesses = [np.bincount(row) for row in game.table[:, members]]
        best = max(entropy(sizes[sizes > 0]) for sizes in sizes_of_guesses)
        chosen = Sampled(rules).guess(moves)
        assert chosen.entropy == pytest.approx(best, abs=1e-9)
        assert chosen.left.is_exact
        compared += 1
    assert compared > 0


def entropy(sizes):
    shares = np.array(sizes) / sum(sizes)
    return -(shares @ np.log2(shares))


def test_endgames_are_at_least_as_good_as_entropy():
    # Over all secrets, the strategy needs fewer guesses than the tree by entropy.
    sampled = cb.evaluate("mm-3-6", "sampled")
    assert sampled.mean <= cb.grow("mm-3-6", "entropy").mean


@pytest.mark.slow
def test_the_expected_number_of_candidates_left_is_within_its_interval(monkeypatch):
    monkeypatch.setattr(found, "LISTED_NODES", 1)
    rules = rules_of("mm-5-7")
    moves = [((0, 0, 1, 1, 2), (1, 1))]
    members = consistent(rules, moves)
    inside = 0
    for seed in range(30):
        chosen = Sampled(rules, samples=800, seed=seed).guess(moves)
        assert chosen.candidates.how is How.DRAWN
        guess = chosen.guess.tolist()
        sizes = np.unique(
            [10 * black + white for black, white in (grade(tuple(guess), m) for m in members)],
            return_counts=True,
        )[1]
        left = (sizes**2).sum() / len(members)
        inside += chosen.left.low <= left <= chosen.left.high
    # A 95% interval misses 1.5 of 30 on average, and 7 once in 5,000 times.
    assert inside > 23


@pytest.mark.parametrize("samples", [16, 1024])
@pytest.mark.parametrize("way", [How.DRAWN, How.WALKED])
@pytest.mark.slow
def test_small_samples_have_intervals_that_hold_and_call_nothing_exact(way, samples, monkeypatch):
    monkeypatch.setattr(found, "LISTED_NODES", 1)
    monkeypatch.setattr(choice, "_second_guess", lambda *_: None)
    if way is How.WALKED:
        monkeypatch.setattr(found, "DRAWS_PER_SAMPLE", 0)
    rules = rules_of("mm-3-5")
    held = []
    for seed in range(24):
        moves = some_moves(rules, 1 + seed % 3, np.random.default_rng(seed))
        members = consistent(rules, moves)
        chosen = Sampled(rules, samples, seed).guess(moves)
        guess = chosen.guess.tolist()
        parts = Counter(answer(rules, guess, member) for member in members)
        left = sum(size**2 for size in parts.values()) / len(members)
        number = chosen.candidates.number
        assert chosen.candidates.how is way
        assert chosen.n_members <= samples
        assert number.high > number.low
        assert chosen.left.high >= chosen.left.value >= chosen.left.low >= 1
        assert not chosen.left.is_exact
        held.append(number.low <= len(members) <= number.high)
        held.append(chosen.left.low <= left <= chosen.left.high)
    # A 95% interval misses 2.4 of 48 on average, and 9 once in 2,500 times.
    assert sum(held) > 39


def test_the_same_seed_gives_the_same_guesses():
    rules = rules_of("mm-8-10")
    secret = [7, 1, 1, 4, 9, 0, 2, 2]

    def played(seed):
        strategy = Sampled(rules, samples=256, seed=seed)
        return strategy.play(lambda guess: pegs_between(rules, guess, secret), 64)

    first = played(1)
    assert first == played(1)
    assert first[-1] == secret
    assert first != played(2)


def test_a_contradiction_is_found():
    rules = rules_of("mm-8-10")
    zeros = [([colour] * 8, (0, 0)) for colour in range(10)]
    with pytest.raises(CodebreakerError, match="no secret agrees with these moves"):
        Sampled(rules).guess(zeros)


def misread(pegs, said, n):
    """Return the fewest pegs that differ between two answers, by all ways to lay them down."""
    first, *others = [
        set(permutations([*"b" * black, *"w" * white, *"-" * (n - black - white)]))
        for black, white in (pegs, said)
    ]
    pairs = product(list(first)[:1], *others)
    return min(sum(a != b for a, b in zip(one, other, strict=True)) for one, other in pairs)


@pytest.mark.parametrize("name", ["mm-3-4", "bc-3-5"])
def test_a_contradiction_names_its_move_and_single_answers_that_resolve_it(name):
    rules = rules_of(name)
    symbols = "0123456789" if rules.family == "bc" else "123456789"
    notation = cb.game(name)._notation
    assistant = SampledAssistant(notation)
    rng = np.random.default_rng(4)
    n_contradictions = 0
    for _ in range(10):
        moves = some_moves(rules, 4, rng)
        lies = some_moves(rules, 4, rng)
        moves = [moves[0], *[(guess, lies[i][1]) for i, (guess, _) in enumerate(moves) if i]]
        moves = [move for move in moves if move[1] != (rules.pegs, 0)]
        first = next((n for n in range(1, 5) if not consistent(rules, moves[:n])), None)
        if first is None:
            continue
        n_contradictions += 1
        texts = ["".join(symbols[peg] for peg in guess) for guess, _ in moves]
        typed = [f"{text}:{b},{w}" for text, (_, (b, w)) in zip(texts, moves, strict=True)]
        with pytest.raises(CodebreakerError) as refused:
            assistant.suggest([notation.move(move) for move in typed])
        message = str(refused.value)
        assert message.startswith(f"move {first}, {typed[first - 1]}: no secret fits this")
        counts = {}
        for number in range(first):
            left = consistent(rules, [*moves[:number], *moves[number + 1 : first]])
            guess, said = moves[number]
            for pegs, size in Counter(answer(rules, guess, code) for code in left).items():
                if pegs != said and (rules.pegs, 0) not in (pegs, said):
                    move = f"{texts[number]}:{pegs[0]},{pegs[1]}"
                    counts[number + 1, move] = misread(pegs, said, rules.pegs), -size
        named = re.findall(r"move (\d+) to (\S+) \((\d+) secrets? left\)", message)
        assert len(named) == min(3, len(counts))
        ranks = [counts[int(number), move] for number, move, _ in named]
        assert ranks == sorted(counts.values())[:3]
        assert [-size for _, size in ranks] == [int(size) for _, _, size in named]
    assert n_contradictions > 1


def test_what_is_out_of_reach_is_called_undecided(monkeypatch):
    monkeypatch.setattr(found, "LISTED_NODES", 1)
    rules = rules_of("mm-8-10")
    zeros = [([colour] * 8, (0, 0)) for colour in range(10)]
    with pytest.raises(CodebreakerError, match="is undecided"):
        find_candidates(rules, history_of(rules, zeros), 64, np.ones(1, np.uint64))


@pytest.mark.parametrize(
    ("rules", "settings", "why"),
    [
        ("mm-4-6", {"samples": 3}, "choose from 16 to"),
        ("mm-4-6", {"seed": -1}, "choose 0 or more"),
        ("mm-2-300", {}, "samples have at most 256"),
    ],
)
def test_settings_out_of_range_are_refused(rules, settings, why):
    with pytest.raises(CodebreakerError, match=why):
        Sampled(rules_of(rules), **settings)


def test_games_too_large_even_for_samples_are_refused():
    with pytest.raises(CodebreakerError, match="codes are possible"):
        UnlistedGame.of(rules_of("mm-21-200"))


def test_a_state_without_a_list_of_candidates_says_what_it_can():
    state = cb.State("mm-12-20", ["112233445567:1,2"])
    assert repr(state) == "State('mm-12-20', ['112233445567:1,2'], candidates not listed)"
    assert state.turn == 2
    assert not state.is_consistent("112233445567")
    assert state.is_consistent("128888888888") is False
    assert state.is_consistent("188828388888")
    assert cb.State("mm-12-20", ["112233445567:1,2"]) == state
    state.pop()
    assert state.turn == 1
    for call in (
        lambda: state.candidates,
        lambda: state.sizes(),
        lambda: cb.regret(state, "112233445567"),
        lambda: cb.grow("mm-12-20", "entropy"),
        lambda: cb.evaluate("mm-12-20", lambda state: state.candidates[0]),
    ):
        with pytest.raises(CodebreakerError, match="too many to list them"):
            call()


def test_suggestions_by_samples_have_intervals():
    first = cb.suggest("mm-8-10")
    assert first.source == "samples"
    assert first.candidates == (1e8, 1e8, 1e8)
    assert first.guess == "11223344"
    state = cb.State("mm-8-10", ["11223344:0,2"])
    later = cb.suggest(state, samples=512, seed=3)
    assert later.source == "samples"
    number, low, high = later.candidates
    # The exact number follows from the parts of the first guess.
    exact = part_sizes(rules_of("mm-8-10"), np.array([0, 0, 1, 1, 2, 2, 3, 3], np.uint8))
    assert low < exact[rules_of("mm-8-10").feedback_labels().index("0B-2C")] < high
    assert low < number < high
    assert later.left[1] < later.left[0] < later.left[2] < number
    assert later == cb.suggest(state, samples=512, seed=3)
    with pytest.raises(CodebreakerError, match="samples estimate candidates"):
        later.expected  # noqa: B018 (a property)
    with pytest.raises(CodebreakerError, match="samples estimate candidates"):
        later.most  # noqa: B018
    assert cb.suggest("mm-5-8").policy == "best-known"


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: cb.suggest("mm-4-6", "entropy", samples=100), "samples are for policy 'sampled'"),
        (lambda: cb.suggest("mm-4-6", "sampled", "1122"), "leave out the rest"),
        (lambda: cb.suggest("mm-8-10", exact=True), "leave out exact"),
        (lambda: cb.suggest("marks-five", "sampled"), "plays only games of codes"),
        (lambda: cb.suggest("mm-8-10", "entropy"), "too many to list them"),
        (lambda: cb.evaluate("mm-8-10", "sampled"), "n_secrets=200"),
        (
            lambda: cb.evaluate("mm-3-4", "sampled", opening="112"),
            "has its own opening",
        ),
        (lambda: cb.evaluate("mm-3-4", "sampled", n_secrets=65), "choose from 1 to 64"),
        (lambda: cb.evaluate("mm-3-4", "entropy", samples=65), "samples are for"),
    ],
)
def test_what_samples_can_not_do_is_refused(call, why):
    with pytest.raises(CodebreakerError, match=why):
        call()


@pytest.mark.slow
def test_some_secrets_are_drawn_without_repeats():
    drawn = cb.evaluate("mm-10-8", "sampled", n_secrets=3, samples=64)
    assert drawn.log["secret"].n_unique() == 3
    assert drawn.error is not None
    entropy_tree = cb.evaluate("mm-4-6", "entropy", n_secrets=100)
    assert entropy_tree.log["secret"].n_unique() == 100
    assert not entropy_tree.is_exact
    whole = cb.evaluate("mm-4-6", "entropy", n_secrets=1296)
    assert whole.is_exact
    assert whole.mean == cb.evaluate("mm-4-6", "entropy").mean


def play_on(rules, members):
    """Return the total over members if entropy plays with them alone, by definition."""
    if len(members) == 1:
        return 1
    best = None
    for guess in members:
        parts = {}
        for secret in members:
            parts.setdefault(answer(rules, guess, secret), []).append(secret)
        score = entropy([len(part) for part in parts.values()])
        if best is None or score > best[0] + 1e-9:
            best = score, guess, parts
    _, guess, parts = best
    solved = answer(rules, guess, guess)
    others = [part for feedback, part in parts.items() if feedback != solved]
    return len(members) + sum(play_on(rules, part) for part in others)


@pytest.mark.parametrize("name", ["mm-3-4", "mm-4-4", "bc-3-6", "black-4-3"])
def test_rollouts_have_the_totals_of_literal_play(name):
    rules = rules_of(name)
    rng = np.random.default_rng(4)
    members = consistent(rules, some_moves(rules, 1, rng))
    codes = np.array(members, np.uint8)
    guesses = guesses_of(rules)
    chosen = [guesses[i] for i in rng.choice(len(guesses), 12, replace=False)]
    sizes = np.arange(len(members) + 1)
    logs = sizes * np.log2(np.maximum(sizes, 1))
    solved = len(rules.feedback_labels()) - 1
    totals = np.zeros(len(chosen), np.int64)
    rows = feedback_table(rules, np.array(chosen, np.uint8), codes)
    roll_out(rows, feedback_table(rules, codes, codes), solved, logs, totals)
    expected = []
    for guess in chosen:
        parts = {}
        for secret in members:
            parts.setdefault(answer(rules, guess, secret), []).append(secret)
        parts.pop(answer(rules, guess, guess), None)
        expected.append(len(members) + sum(play_on(rules, part) for part in parts.values()))
    lowest = np.minimum.accumulate(expected)
    for total, literal, low in zip(totals, expected, lowest, strict=True):
        # A guess that is given up has a bound above the lowest total so far.
        assert total == literal or (literal > low and low < total <= literal)


def test_rollouts_choose_the_lowest_total_among_the_best_guesses(monkeypatch):
    rules = rules_of("mm-4-6")
    moves = [((0, 0, 1, 2), (1, 1))]
    members = consistent(rules, moves)
    assert choice.ENDGAME < len(members) <= choice.ROLLED_OUT
    totals = {}
    for most in (0, choice.ROLLED_OUT):
        monkeypatch.setattr(choice, "ROLLED_OUT", most)
        choice._second_guess.cache_clear()
        guess = tuple(Sampled(rules).guess(moves).guess.tolist())
        parts = {}
        for secret in members:
            parts.setdefault(answer(rules, guess, secret), []).append(secret)
        parts.pop(answer(rules, guess, guess), None)
        totals[most] = len(members) + sum(play_on(rules, part) for part in parts.values())
    choice._second_guess.cache_clear()
    assert totals[2000] <= totals[0]
