"""Trees of the visitor's own, loaded from files in the explorer."""

import json
import re

import numpy as np
import pytest
from board import played, violations, visitors
from conftest import game_called, grown, notation_of
from playwright.sync_api import expect

from codebreaker.policies.strategy import Strategy
from codebreaker.trees.formats import nested_json

GAMES = ["bc-3-5", "mm-4-6", "marks-wide", "black-3-3"]


def file_of(name):
    """Return the file of a game's entropy tree, as the library writes it, and the tree."""
    tree, _ = grown(game_called(name), Strategy("entropy"))
    return nested_json.write(notation_of(name), tree), tree


def explore(shown, name):
    """Open a game in the explorer."""
    n = game_called(name).n_secrets
    shown.select_option("#explorer-game", name)
    expect(shown.locator("#explorer-count")).to_have_text(f"{n:,} candidates")


def load(shown, content):
    """Give the explorer a file."""
    file = {"name": "mine.json", "mimeType": "application/json", "buffer": content}
    shown.set_input_files("#tree-file", [file])


def figures(shown):
    """Return the totals, means and maxima that stand side by side."""
    rows = shown.locator("#tree-figures tr").all()
    cells = [row.locator("td").all_inner_texts() for row in rows]
    return [(int(n.replace(",", "")), float(mean), int(most)) for n, mean, most in cells]


def state(shown):
    """Return what the explorer shows, except what is said of a file."""
    parts = ["moves", "strategy", "line", "status", "facts", "count"]
    texts = {part: shown.inner_html(f"#explorer-{part}") for part in parts}
    texts["compared"] = shown.inner_html("#tree-figures")
    return texts, shown.call("grownTree"), shown.url


@pytest.mark.parametrize("name", GAMES)
def test_a_tree_of_the_library_has_its_figures_beside_the_best_ones(visit, name):
    content, tree = file_of(name)
    best = min((shown.tree for shown in played(name)[1]), key=lambda other: other.total_guesses)
    shown = visit()
    explore(shown, name)
    load(shown, content)
    expect(shown.locator("#tree-compared")).to_be_visible()
    n = len(game_called(name).secrets)
    expected = [
        (one.total_guesses, pytest.approx(one.total_guesses / n, abs=0.00005), one.max_guesses)
        for one in (tree, best)
    ]
    assert figures(shown) == expected
    more = tree.total_guesses - best.total_guesses
    compared = "as many guesses as" if more == 0 else f"{abs(more):,} guess"
    shown.tells("#explorer-line", compared, f"all {n:,} secrets")
    assert ("above" in shown.inner_text("#explorer-line")) == (more > 0)
    assert shown.call("grownTree") == {
        "guess": tree.guess.tolist(),
        "feedback": tree.feedback.tolist(),
        "parent": tree.parent.tolist(),
    }


def test_a_loaded_tree_is_walked_as_others_are(visit):
    content, tree = file_of("bc-3-5")
    game = game_called("bc-3-5")
    shown = visit()
    explore(shown, "bc-3-5")
    load(shown, content)
    expect(shown.locator("#explorer-strategy")).to_have_value("loaded")
    children = np.flatnonzero(tree.parent == 0)
    answers = [*tree.feedback[children], game.solved]  # the opening may be the secret
    labels = [game.feedback_labels[answer] for answer in answers]
    buttons = shown.locator("#explorer-pad button")
    assert buttons.evaluate_all("all => all.map((one) => one.dataset.feedback)") == labels
    buttons.nth(1).click()
    guess = game.guesses[tree.guess[children[1]]]
    shown.tells("#explorer-status", f"Guess 2: {guess}")
    expect(shown.locator("#tree-compared")).to_be_visible()
    shown.press("Start over")
    shown.tells("#explorer-status", "Guess 1")
    assert violations(shown) == []
    shown.select_option("#explorer-strategy", index=1)
    expect(shown.locator("#tree-compared")).to_be_hidden()
    expect(shown.locator("#explorer-strategy option[value=loaded]")).to_have_count(0)


def test_guesses_that_a_tree_wastes_at_a_single_secret_count(visit):
    content, tree = file_of("bc-3-5")
    data = json.loads(content)
    game = game_called("bc-3-5")
    node = data["tree"]
    while "after" in node:
        node = next(iter(node["after"].values()))
    last = node["guess"]
    wasted = next(guess for guess in game.guesses if guess != last)
    answer = game.feedback(game.guesses.index(wasted), np.array([game.secrets.index(last)]))
    label = game.feedback_labels[int(answer[0])]
    node.update(guess=wasted, after={label: {"guess": last}})
    shown = visit()
    explore(shown, "bc-3-5")
    load(shown, json.dumps(data).encode())
    expect(shown.locator("#tree-compared")).to_be_visible()
    assert figures(shown)[0][0] == tree.total_guesses + 1


def forged(change):
    """Return the bytes of a tree of BC(3,5) after a change of its data."""
    data = json.loads(file_of("bc-3-5")[0])
    changed = change(data)
    return json.dumps(data if changed is None else changed).encode()


def first_below(data):
    """Return the first branch of the opening, and what stands there."""
    return next(iter(data["tree"]["after"].items()))


def without_branch(data):
    label, _ = first_below(data)
    del data["tree"]["after"][label]


def without_guess(data):
    del first_below(data)[1]["guess"]


def ending_early(data):
    del first_below(data)[1]["after"]


def with_no_guess_of_the_game(data):
    first_below(data)[1]["guess"] = "999"


def with_a_number_as_guess(data):
    data["tree"]["guess"] = 12


def with_a_number_below(data):
    label, _ = first_below(data)
    data["tree"]["after"][label] = 7


def with_a_list_below(data):
    data["tree"]["after"] = [dict(data["tree"])]


def with_an_impossible_answer(data):
    data["tree"]["after"]["2B-1C"] = {"guess": "012"}


def with_the_winning_answer(data):
    data["tree"]["after"]["3B-0C"] = {"guess": "012"}


def with_an_unknown_answer(data):
    data["tree"]["after"]["<b>9</b>"] = {"guess": "012"}


def with_a_prototype_as_answer(data):
    data["tree"]["after"]["__proto__"] = {"guess": "012"}


def with_a_prototype_for_answers(data):
    data["tree"]["after"] = {"__proto__": data["tree"]["after"]}


def with_a_prototype_as_tree(data):
    return {"game": "bc-3-5", "__proto__": {"tree": data["tree"]}}


def with_a_prototype_as_guess(data):
    data["tree"]["guess"] = "constructor"


def of_another_game(data):
    data["game"] = "bc-4-10"


def of_no_game(data):
    del data["game"]


def with_guesses_that_end_nowhere(data):
    # The opening tells nothing the second time: all of its branches are one.
    node = first_below(data)[1]
    label, _ = first_below(data)
    for _ in range(120):
        node["guess"] = data["tree"]["guess"]
        node["after"] = {label: {}}
        node = node["after"][label]


FORGED = {
    without_branch: r"at the first guess, \d+ has no branch '.*', so the secret \d+ is not found",
    without_guess: "after 012 .*: there is no 'guess'",
    ending_early: "after 012 .* has no branch '.*', so the secret .* is not found",
    with_no_guess_of_the_game: "after 012 .*: '999' is not a guess",
    with_a_number_as_guess: "at the first guess, '12' is not a guess",
    with_a_number_below: "after 012 .*: there is no 'guess'",
    with_a_list_below: "'after' is not an object",
    with_an_impossible_answer: "has a branch '2B-1C', which no secret",
    with_the_winning_answer: "has a branch '3B-0C', which no secret",
    with_an_unknown_answer: "has a branch '<b>9</b>', which no secret",
    with_a_prototype_as_answer: "has a branch '__proto__', which no secret",
    with_a_prototype_for_answers: "has a branch '__proto__', which no secret",
    with_a_prototype_as_tree: "at the first guess, there is no 'guess'",
    with_a_prototype_as_guess: "'constructor' is not a guess",
    of_another_game: "of the game 'bc-4-10', and the explorer shows 'bc-3-5'",
    of_no_game: "no text 'game'",
    with_guesses_that_end_nowhere: "beyond 100 guesses",
}
"""Changes of a tree's file, and what is said of each."""

OTHER = {
    b"": "not JSON",
    b"{'game': 1}": "not JSON",
    b"\xff\xfe\x00": "not JSON",
    b"[" * 100_000: "not JSON",
    b"null": "no text 'game'",
    b'"bc-3-5"': "no text 'game'",
    b'{"game": "bc-3-5"}': "there is no 'guess'",
    b'{"game": "bc-3-5", "tree": null}': "there is no 'guess'",
    b" " * 16_000_001: "16,000,001 bytes, and this page reads at most 16,000,000",
}
"""Files without a tree, and what is said of each."""


@pytest.mark.parametrize("is_loaded", [False, True])
def test_a_forged_file_gets_one_line_and_changes_nothing(visit, is_loaded):
    shown = visit()
    explore(shown, "bc-3-5")
    if is_loaded:
        load(shown, file_of("bc-3-5")[0])
        expect(shown.locator("#tree-compared")).to_be_visible()
    shown.locator("#explorer-pad button").first.click()
    before = state(shown)
    refused = shown.locator("#tree-refused")
    begin = "^The tree of ‘mine.json’ can’t be loaded: "
    files = [(forged(change), told) for change, told in FORGED.items()]
    for content, told in [*files, *OTHER.items()]:
        load(shown, content)
        expect(refused).to_have_text(re.compile(f"{begin}.*{told}"))
        line = refused.inner_text()
        assert "\n" not in line
        assert len(line) < 250
        assert state(shown) == before
    shown.press("Step back", within="#explorer")
    expect(refused).to_have_text("")


def test_a_tree_may_stand_alone_and_a_wrong_figure_of_a_file_is_named(visit):
    content, tree = file_of("bc-3-5")
    data = json.loads(content)
    total = tree.total_guesses
    shown = visit()
    explore(shown, "bc-3-5")
    for changed, told in (
        (data["tree"], ""),
        (data, ""),
        (data | {"total_guesses": total - 7}, f"states {total - 7} guesses in total"),
        (data | {"total_guesses": "few", "max_guesses": 1}, "states few guesses in total"),
    ):
        load(shown, json.dumps(changed).encode())
        line = shown.locator("#explorer-line")
        expect(line).to_contain_text(told or "all 60 secrets")
        is_stated = "The file states" in line.inner_text()
        assert is_stated == bool(told)
        if told:
            expect(line).to_contain_text(f"but it needs {total}")
        assert figures(shown)[0][0] == total
        expect(shown.locator("#tree-figures th").first).to_have_text("My tree, ‘mine.json’")
    expect(shown.locator("#explorer-line")).to_contain_text("states 1 at most")


def test_a_loaded_tree_is_neither_stored_nor_linked_nor_a_strategy(browser, page_file):
    with visitors(browser, page_file) as visited:
        shown = visited()
        explore(shown, "bc-3-5")
        stored = "() => JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage })"
        before = shown.evaluate(stored)
        load(shown, file_of("bc-3-5")[0])
        expect(shown.locator("#tree-compared")).to_be_visible()
        shown.locator("#explorer-pad button").first.click()
        shown.tells("#explorer-status", "Guess 2")
        assert shown.evaluate(stored) == before
        assert "#game=" in shown.url
        assert "loaded" not in shown.url
        is_strategy = "explorer.game.strategies.includes(explorer.strategy)"
        assert shown.evaluate(is_strategy) is False
        shown.reload()
        expect(shown.locator("#explorer-strategy")).not_to_have_value("loaded")
        expect(shown.locator("#tree-compared")).to_be_hidden()
        link = page_file.as_uri() + "#tree=bc-3-5/loaded"
        visited(link).tells("#play-refused", "doesn't have its strategy")
