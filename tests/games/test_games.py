"""Games against the literal rules."""

from collections import Counter
from dataclasses import replace
from itertools import permutations, product
from pathlib import Path
from string import ascii_lowercase

import numpy as np
import pytest
from conftest import GAMES, ROOT, WORD_LISTS, WORDS, defined, game_called
from definitions import feedback_order, grade, label, marks

from codebreaker.errors import CodebreakerError
from codebreaker.games import feedback, registry
from codebreaker.games.model import CodeGame, TableGame
from codebreaker.games.registry import build_game, is_as_named, make_game, rules_of
from codebreaker.games.symmetry import class_representatives, representatives_of_guesses
from codebreaker.games.tables import restricted, weighted
from codebreaker.games.words import BUNDLED, WordFiles, find_words, packaged_lists, read_words


@pytest.mark.parametrize("name", GAMES)
def test_guesses_secrets_and_feedback_are_those_of_the_definition(name):
    game = game_called(name)
    definition = defined(name)
    labels = np.array(game.feedback_labels)
    grade = definition.grade
    for guess, row in zip(definition.guesses, labels[game.table].tolist(), strict=True):
        assert row == [grade(guess, secret) for secret in definition.secrets]
    assert game.guesses == tuple("".join(map(str, code)) for code in definition.guesses)
    assert game.secrets == tuple("".join(map(str, code)) for code in definition.secrets)
    assert [game.guesses[guess] for guess in game.guess_of_secret] == list(game.secrets)


@pytest.mark.parametrize("name", [name for name in GAMES if name.split("-")[0] in registry.CODES])
def test_feedback_without_a_table_is_that_of_the_definition(name):
    definition = defined(name)
    rules = rules_of(name)
    if rules.table_shape[0] != rules.table_shape[1]:
        with pytest.raises(CodebreakerError, match="needs a feedback table"):
            rules.on_demand()
        return
    game = rules.on_demand()
    every = np.arange(game.n_secrets)
    for guess, code in enumerate(definition.guesses):
        labels = [game.feedback_labels[answer] for answer in game.feedback(guess, every)]
        assert labels == [definition.grade(code, secret) for secret in definition.secrets]


@pytest.mark.parametrize("pegs", range(1, 8))
def test_feedback_labels_are_in_the_papers_order(pegs):
    labels = rules_of(f"mm-{pegs}-2").feedback_labels()
    assert labels == tuple(f"{black}B-{white}C" for black, white in feedback_order(pegs))
    assert len(labels) == pegs * (pegs + 3) // 2


@pytest.mark.parametrize("size", ["1-1", "1-2", "2-2", "2-3", "3-3", "3-4", "3-5", "4-4", "4-6"])
def test_bulls_and_cows_has_the_answers_that_can_occur_in_the_papers_order(size):
    game = game_called(f"bc-{size}")
    assert set(np.unique(game.table)) == set(range(game.n_feedback))
    order = [label(answer) for answer in feedback_order(int(size[0]))]
    assert list(game.feedback_labels) == [label for label in order if label in game.feedback_labels]


def listed(folder, content, **options):
    path = folder / "words.txt"
    path.write_text(content, encoding="utf-8")
    return {"w": WordFiles(str(path), **options)}


@pytest.mark.parametrize("letters", range(1, 6))
@pytest.mark.slow
def test_marks_have_the_answers_that_can_occur(letters, tmp_path):
    labels = rules_of("marks-w", listed(tmp_path, "abcde"[:letters])).feedback_labels()
    seen = {
        marks("".join(guess), "".join(secret))
        for guess in product("abcde"[:letters], repeat=letters)
        for secret in product("abcdef"[: letters + 1], repeat=letters)
        if letters < 4
    }
    assert len(labels) == 3**letters - letters  # all but a lone letter elsewhere
    assert letters > 3 or set(labels) == seen
    assert labels[-1] == "g" * letters


REPEATED = "speed abide bbyby", "speed erase ybyyb", "speed steal gbgbb", "allee lapel yyygb"


@pytest.mark.parametrize(("guess", "secret", "expected"), [*map(str.split, REPEATED)])
def test_marks_of_repeated_letters(guess, secret, expected, tmp_path):
    game = make_game("marks-w", word_lists=listed(tmp_path, f"{secret}\n{guess}\n"))
    answer = game.table[game.guesses.index(guess), game.secrets.index(secret)]
    assert game.feedback_labels[answer] == expected


@pytest.mark.parametrize("size", ["3-4", "4-6"])
def test_packaged_lists_of_codes_hold_all_codes(size):
    codes = [code.text for code in read_words(f"codes-{size}", "123456"[: int(size[-1])])]
    assert tuple(codes) == game_called(f"mm-{size}").guesses


def test_every_family_has_examples():
    assert {name.split("-")[0] for name in registry.EXAMPLES} == set(registry.CODES)
    assert {name.split("-")[0] for name in GAMES} == set(registry.FAMILIES)


def images_of(game):
    """Yield all symmetries of a game of codes, each as the images of its guesses by index."""
    family, pegs, colours = game.name.split("-")
    codes = [tuple(code) for code in game.guesses]
    places = range(int(pegs))
    symbols = sorted({symbol for code in codes for symbol in code})
    renamings = [dict(zip(symbols, image, strict=True)) for image in permutations(symbols)]
    if family == "black":
        every = product(renamings, repeat=len(places))
    else:
        every = zip(*[renamings] * len(places), strict=True)
    assert len(symbols) == int(colours)
    for renamed, order in product(every, permutations(places)):
        images = [tuple(renamed[i][code[p]] for i, p in enumerate(order)) for code in codes]
        yield list(map(codes.index, images))


@pytest.mark.parametrize("name", ["mm-3-3", "mm-2-4", "bc-3-4", "bc-2-4", "black-3-3", "black-2-4"])
@pytest.mark.parametrize("history", [[], [5], [5, 8], [11, 2]])
def test_orbits_are_those_of_all_symmetries_one_by_one(name, history):
    game = game_called(name)
    images = np.array(
        [image for image in images_of(game) if [image[i] for i in history] == history]
    )
    for image in images[:: len(images) // 7 + 1]:
        assert (game.table[np.ix_(image, image)] == game.table).all()
    for same in (game, rules_of(name).on_demand()):
        assert representatives_of_guesses(same, history).tolist() == images.min(axis=0).tolist()


@pytest.mark.parametrize("name", ["mm-3-3", "mm-2-4", "bc-3-4", "black-3-3"])
def test_a_game_answers_alike_with_and_without_its_table(name):
    with_table = game_called(name)
    on_demand = rules_of(name).on_demand()
    every = np.arange(on_demand.n_secrets, dtype=np.int32)
    assert (with_table.guesses_of(every) == on_demand.guesses_of(every)).all()
    assert (with_table.feedback(every[::-1], every) == on_demand.feedback(every[::-1], every)).all()
    alphabets = (game.symmetry.alphabets.tolist() for game in (with_table, on_demand))
    assert next(alphabets) == next(alphabets)
    assert with_table.with_table() is with_table
    assert on_demand.on_demand() is on_demand
    with pytest.raises(CodebreakerError, match=f"game {name} has a table"):
        with_table.on_demand()
    with pytest.raises(CodebreakerError, match=f"game {name} has no table"):
        on_demand.with_table()


def test_words_have_no_symmetries():
    game = game_called("matches-wide")
    assert representatives_of_guesses(game, [1]).tolist() == list(range(game.n_guesses))


PLAYED = ["11112222", "11221122"]


@pytest.mark.parametrize(
    ("history", "kinds"),
    [([], 5), (["11111222"], 6 * 4), (PLAYED[:1], (25 + 5) // 2), (PLAYED, (3**4 + 9) // 2)],
)
def test_orbits_of_long_codes_are_counted(history, kinds):
    game = game_called("mm-8-2")
    played = [game.guesses.index(label) for label in history]
    representatives = representatives_of_guesses(game, played)
    assert len(np.unique(representatives)) == kinds
    assert (representatives <= np.arange(game.n_guesses)).all()
    assert (representatives[representatives] == representatives).all()


def test_first_guesses_of_long_codes_differ_in_how_often_they_have_colours():
    game = rules_of("mm-9-3").on_demand()
    labels = [game.guesses[guess] for guess in class_representatives(game)]
    counts = {tuple(sorted(Counter(label).values(), reverse=True)) for label in labels}
    assert len(labels) == len(counts) == 12


def test_a_symmetric_table_is_its_own_transpose_and_others_are_transposed(game):
    symmetric = game.table.shape[0] == game.table.shape[1] and (game.table == game.table.T).all()
    assert (game.by_secret is game.table) == symmetric
    assert game.by_secret.flags.c_contiguous
    assert np.array_equal(game.by_secret, game.table.T)


@pytest.mark.parametrize("cell", [(0, 1), (1, 0), (2, 400), (400, 2), (399, 400)])
def test_one_cell_makes_a_large_table_asymmetric(cell):
    game = game_called("mm-2-21")
    assert game.by_secret is game.table
    table = game.table.copy()
    table[cell] += 1
    assert np.array_equal(replace(game, table=table, symmetry=None).by_secret, table.T)


LARGE = ["mm-4-6", "mm-12-2", "mm-1-600", "mm-2-64", "mm-6-4", "mm-21-1", "mm-4-8"]


@pytest.mark.parametrize("name", [*LARGE, "bc-2-50", "bc-4-9"])
@pytest.mark.slow
def test_large_and_odd_sizes_have_the_right_feedback(name):
    game = make_game(name)
    rules = rules_of(name)
    symbols = rules.symbols()

    def colours(label):
        return tuple(symbols.index(s) for s in (label.split(".") if rules.separator else label))

    order = feedback_order(rules.pegs)
    draw = np.random.default_rng(1).integers(game.n_secrets, size=(200, 2))
    for guess, secret in draw.tolist():
        answer = grade(colours(game.guesses[guess]), colours(game.secrets[secret]))
        assert answer in order
        assert game.feedback_labels[game.table[guess, secret]] == label(answer)


@pytest.mark.parametrize("entries_at_once", [1, 100, 1 << 16])
@pytest.mark.parametrize("name", ["mm-1-4", "mm-2-5", "mm-4-3", "mm-5-2", "mm-3-4-distinct"])
@pytest.mark.parametrize("order_of_ids", ["papers", "black pegs alone", "one without an id"])
def test_the_fast_table_is_that_of_the_ids_of_pegs_in_place_and_common(
    name, entries_at_once, order_of_ids, monkeypatch
):
    monkeypatch.setattr(feedback, "ENTRIES_AT_ONCE", entries_at_once)
    rules = rules_of(name)
    n = rules.pegs
    order = feedback_order(n)
    if order_of_ids == "one without an id":
        order.remove((0, 0))
    ids = np.zeros((n + 1, n + 1), np.uint8)
    for i, (black, white) in enumerate(order):
        ids[black, black + white] = black if order_of_ids == "black pegs alone" else i
    codes = list(map(tuple, rules.codes().tolist()))
    secrets = [i for i, label in enumerate(rules.labels()) if rules.is_secret(label)]
    table = feedback.feedback_table(rules.codes(), np.array(secrets, np.int32), rules.colours, ids)
    for guess, row in zip(codes, table.tolist(), strict=True):
        answers = [grade(guess, codes[secret]) for secret in secrets]
        assert row == [ids[black, black + white] for black, white in answers]


def test_a_game_has_a_table_within_the_limit_and_is_refused_before_it_is_built():
    assert isinstance(make_game("mm-3-4"), TableGame)
    assert isinstance(make_game("mm-3-4", table_limit_mib=0.003), CodeGame)
    too_large = r"mm-5-8.* 1,024\.0 MiB.*limit of 64 MiB"
    with pytest.raises(CodebreakerError, match=too_large) as refused:
        registry.check_table(rules_of("mm-5-8"), 64)
    assert refused.value.setting == "table_mib"
    with pytest.raises(CodebreakerError, match=r"marks-wide.* limit of 1e-06 MiB") as refused:
        build_game(rules_of("marks-wide", WORD_LISTS), 1e-06)
    assert refused.value.setting == "table_mib"
    with pytest.raises(CodebreakerError, match=r"mm-6-9.* 531,441 secrets: .*at most 65,535"):
        registry.check_table(rules_of("mm-6-9"), 10**9)
    for check in (build_game, registry.check_size):
        with pytest.raises(CodebreakerError, match=r"mm-9-9.* without a table at most 16,777,216"):
            check(rules_of("mm-9-9"), 64)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mm-4", "write mm-PEGS-COLOURS"),
        ("mm-0-6", "write mm-PEGS-COLOURS"),
        ("mm-22-2", "at most 21"),
        ("bc-4-3", "fewer symbols than pegs.* at least bc-4-4"),
        (
            "bc-4",
            r"not a size of Bulls and Cows: write bc-PEGS-SYMBOLS\[-any-guess\], as in",
        ),
        ("black-4-x", "not a size of the black-peg game: write black-PEGS-COLOURS"),
        ("chess", "unknown game 'chess': .* mm, bc, black, matches, marks, pegs"),
        ("matches-", "'matches-' names no word list: write matches-LIST"),
        ("matches-Short", "names no word list"),
        ("marks-shirt", "unknown word list 'shirt': did you mean 'short'"),
    ],
)
def test_bad_names_are_refused(name, message):
    with pytest.raises(CodebreakerError, match=message):
        make_game(name, word_lists=WORD_LISTS)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(
            b"crane\nplanes\n",
            r"words.txt, line 2: 'planes' has 6 letters, but '.*line 1\) has 5",
            id="two lengths",
        ),
        pytest.param(
            b"crane\n\nraven\n CRANE \n",
            "words.txt, line 4: 'crane' is already in line 1: remove",
            id="a word twice",
        ),
        pytest.param(b"", "words.txt has no words: write one per line", id="empty"),
        pytest.param(b"# crane\n\n", "words.txt has no words", id="a remark alone"),
        pytest.param(
            "crane\ncafés\n".encode("latin-1"),
            "words.txt, line 2: not UTF-8 text: save the file as UTF-8",
            id="Latin-1",
        ),
        pytest.param(
            "crane\n# é\ncafés\n".encode(),
            "words.txt, line 3: the letter 'é' of 'cafés' is not in",
            id="a letter outside the alphabet",
        ),
        pytest.param(
            b"crane raven\n",
            "words.txt, line 1: 'crane raven' is not one word: write each word in a line of",
            id="two words in a line",
        ),
        pytest.param(
            "\ufeffcrane\n".encode("utf-16-le")[:-1],
            "words.txt, line 1: not UTF-8",
            id="UTF-16 that is cut off",
        ),
        pytest.param(
            b"incomprehensible\n",
            "words.txt, line 1: 'incomprehensible' has 16 letters: marks games have at most 15",
            id="too long for marks",
        ),
    ],
)
@pytest.mark.parametrize("role", ["secrets", "guesses"])
def test_bad_word_lists_are_reported_by_line(tmp_path, content, message, role):
    (tmp_path / "words.txt").write_bytes(content)
    (tmp_path / "good.txt").write_text("grate", encoding="utf-8")
    paths = {"secrets": str(tmp_path / "good.txt")} | {role: str(tmp_path / "words.txt")}
    if role == "guesses" and "marks games" in message:
        message = "words.txt, line 1: 'incomprehensible' has 16 letters, but 'grate' .*good.txt"
    with pytest.raises(CodebreakerError, match=message) as caught:
        rules_of("marks-w", {"w": WordFiles(**paths)})
    assert "\n" not in str(caught.value)


def test_packaged_word_lists_are_found_by_name_from_any_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert {"english", "five-secrets", "five-guesses", "codes-4-6"} <= set(packaged_lists())
    for name in packaged_lists():
        shipped = ROOT / "src" / "codebreaker" / "data" / "words" / f"{name}.txt"
        assert Path(find_words(name)).samefile(shipped)
        alphabet = "123456" if name.startswith("codes") else ascii_lowercase
        lines = shipped.read_text(encoding="utf-8").splitlines()
        listed = [line for line in lines if not line.startswith("#")]
        assert [word.text for word in read_words(name, alphabet)] == listed


def test_a_path_is_never_taken_for_a_packaged_word_list(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("english").write_text("mine\n", encoding="utf-8")
    assert [word.text for word in read_words("./english")] == ["mine"]
    assert find_words("words/english.txt", "there") == str(Path("there/words/english.txt"))
    assert find_words("../words/english") == "../words/english"


def test_a_word_list_that_is_not_there_is_named_and_so_are_packaged_ones(tmp_path):
    message = r"list .*none\.txt can't be read \(No such file .*\): name a file, or .*english"
    with pytest.raises(CodebreakerError, match=message):
        rules_of("matches-w", {"w": WordFiles(str(tmp_path / "none.txt"))})


def test_bad_alphabets_are_refused():
    messages = {"abA": "'A': use lower-case", "aba": "'a' twice", "ab ": "' ': use lower-case"}
    messages["ab:"] = "':', which separates a guess and its feedback"
    for alphabet, message in messages.items():
        files = WordFiles(str(WORDS / "short.txt"), alphabet=alphabet)
        with pytest.raises(CodebreakerError, match=message):
            rules_of("matches-w", {"w": files})


def test_words_are_folded_and_sorted_and_alphabets_may_have_other_letters(tmp_path):
    words = "\ufeffÉté\r\n  Äre\n#x\n\nare\nE\u0301te\u0302\n"
    game = make_game("matches-w", word_lists=listed(tmp_path, words, alphabet="aeértäê"))
    assert game.secrets == ("are", "äre", "été", "étê")
    assert game.feedback_labels[game.table[2, 3]] == "2"


def test_games_differ_in_their_digests_wherever_their_parts_are_divided():
    """Labels may hold any text where a program makes the game: no text ends one of them."""
    game = game_called("mm-2-2")
    divided = {}
    for guesses in (("a\nb", "c"), ("a", "b\nc"), ("a", "b", "c"), ("a,b", "c"), ('a", "b', "c")):
        for secrets in (guesses, guesses[:1], ()):
            for labels in (("x", "y"), ("x\ny",), ("", "x", "y")):
                made = replace(game, guesses=guesses, secrets=secrets, feedback_labels=labels)
                divided[guesses, secrets, labels] = made.digest
    assert len(set(divided.values())) == len(divided)
    tables = [np.zeros(shape, kind) for shape in ((2, 4), (4, 2)) for kind in (np.uint8, np.int8)]
    assert len({replace(game, table=table).digest for table in tables}) == len(tables)


@pytest.mark.parametrize("name", ["mm-3-3", "bc-3-3", "black-3-3", "mm-4-6-distinct", "marks-five"])
def test_only_the_game_that_its_name_stands_for_is_as_named(name):
    game = build_game(rules_of(name, BUNDLED))
    assert is_as_named(game)
    table = game.table.copy()
    table[0, 1] = (table[0, 1] + 1) % game.n_feedback
    first = game.secrets[:-1]
    for other in (
        replace(game, name="mm-3-4"),
        replace(game, name="table"),
        replace(game, table=table),
        replace(game, feedback_labels=game.feedback_labels[::-1]),
        replace(restricted(game, first), name=name),
        weighted(game, {secret: position + 1 for position, secret in enumerate(game.secrets)}),
    ):
        assert not is_as_named(other)
    rules = rules_of(name, BUNDLED)
    if isinstance(rules, registry.CodeRules) and not rules.distinct:
        assert is_as_named(rules.on_demand())
        assert not is_as_named(replace(rules.on_demand(), name="mm-3-4"))
