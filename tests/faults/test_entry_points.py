"""What users can call, over empty caches, those that other calls left, and damaged ones.

What runs must not depend on what happens to be cached. `ENTRY_PAIRS=all make faults` tries every
pair, which takes hours.
"""

import inspect
import os
import random
import shlex
import shutil
from enum import Enum
from inspect import isclass, isfunction, signature
from pathlib import Path
from typing import Annotated, Literal, get_args, get_origin

import entries
import pytest
import typer
from conftest import full_only
from entries import COMMANDS, quick_names, statements, trials
from outcomes import SAME, SILENT, times, tried
from typed_lines import EXIT_CODES, RANDOM

import codebreaker as cb
from codebreaker.games.registry import FAMILIES
from codebreaker.policies.catalogue import catalogue
from codebreaker.runtime.caches import cache_folder

ALL_PAIRS = os.environ.get("ENTRY_PAIRS") == "all"
SEED = 63
MOST_COPIED = 400
WARNINGS = ("is damaged or of another user: it is made again", "compiled code can't be cached")


def calls_in(line):
    """Return the calls of the program in a line for a shell: lists of arguments."""
    tokens = shlex.shlex(line, posix=True, punctuation_chars=True)
    tokens.whitespace_split = True
    calls = []
    is_called = False
    for token in tokens:
        if token == "codebreaker":
            is_called = True
            calls.append([])
        elif set(token) <= set("();<>|&"):
            is_called = False
        elif is_called:
            calls[-1].append(token)
    return calls


def used_in(lines, commands):
    """Return the parameters, and the values of each, that lines give to each command."""
    used = {}
    for line in lines:
        for name, *arguments in filter(None, calls_in(line)):
            if name in commands and "--help" not in arguments:
                context = commands[name].make_context(name, arguments, resilient_parsing=True)
                for parameter, value in context.params.items():
                    if context.get_parameter_source(parameter).name == "COMMANDLINE":
                        used.setdefault((name, parameter), set()).add(str(value))
    return used


def untried_options(lines, commands):
    """Return the commands' parameters, and values of enumerations, that no line gives."""
    used = used_in(lines, commands)
    missing = []
    for name, command in commands.items():
        for parameter in signature(command.callback).parameters.values():
            values = used.get((name, parameter.name), set())
            if not values:
                missing.append(f"{name}: {parameter.name}")
            for kind in get_args(parameter.annotation):
                if isclass(kind) and issubclass(kind, Enum):
                    missing += [
                        f"{name}: {parameter.name} {choice}"
                        for choice in kind
                        if str(choice) not in values
                    ]
    return missing


def choices_of(annotation):
    """Return the values that a type lists."""
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    return [value for part in get_args(annotation) for value in choices_of(part)]


def untried_arguments(name, function, calls):
    """Return a function's parameters, and values that their types list, that no call gives."""
    given = {}
    parameters = [
        parameter
        for parameter in signature(function).parameters.values()
        if parameter.name != "self"
    ]
    plain = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in parameters]
    for call in calls:
        named = {keyword.arg: keyword.value for keyword in call.keywords}
        bound = inspect.Signature(plain).bind(*call.args, **named)
        for argument, node in bound.arguments.items():
            given.setdefault(argument, set()).add(getattr(node, "value", None))
    missing = [
        f"{name}: {parameter.name}" for parameter in parameters if parameter.name not in given
    ]
    for parameter in parameters:
        used = given.get(parameter.name, ())
        unused = [value for value in choices_of(parameter.annotation) if value not in used]
        missing += [f"{name}: {parameter.name} {value}" for value in unused]
    return missing


def untried_members(name, kind, texts):
    """Return a class's public members, and their parameters, that no statement uses."""
    missing = []
    members = {**inspect.get_annotations(kind), **vars(kind)}
    for member, value in members.items():
        if member.startswith("_"):
            continue
        calls, is_named = entries.names_used(texts, member)
        function = getattr(value, "__func__", value)
        if not is_named:
            missing.append(f"{name}.{member}")
        elif isfunction(function):
            plain = function
            if isinstance(value, classmethod):
                plain = getattr(kind, member)
            missing += untried_arguments(f"{name}.{member}", plain, calls)
    return missing


def untried_names(namespace, tried_texts):
    """Return the public names, with their members and parameters, that no statement uses."""
    missing = []
    for name in namespace.__all__:
        offered = getattr(namespace, name)
        texts = tried_texts.get(name, [])
        calls, is_named = entries.names_used(texts, name)
        if isclass(offered):
            missing += untried_members(name, offered, texts) if texts else [name]
        elif not is_named:
            missing.append(name)
        else:
            missing += untried_arguments(name, offered, calls)
    return missing


LINES = [name for name, trial in trials().items() if trial.program[0] == "bash"]


def test_every_command_option_and_choice_is_tried():
    assert untried_options(LINES, COMMANDS) == []


def test_every_policy_and_family_of_games_is_tried():
    used = used_in(LINES, COMMANDS)
    policies = used["suggest", "policy"]
    games = {game.partition("-")[0] for game in used["suggest", "game"]}
    assert {entry.example for entry in catalogue()} - policies == set()
    assert set(FAMILIES) - games == set()


def test_every_function_member_and_argument_is_tried():
    cells, _ = statements()
    assert untried_names(cb, cells) == []


def test_what_has_no_trial_is_found():
    new = typer.Typer()

    @new.command()
    def suggest(
        known: bool = False, unknown: bool = False, shell: Annotated[str, typer.Option()] = ""
    ) -> None:
        """Do nothing."""

    @new.command()
    def other() -> None:
        """Do nothing."""

    commands = typer.main.get_command(new).commands
    lines = ["printf '1' | codebreaker suggest --known > file; codebreaker suggest --shell x"]
    assert untried_options(lines, commands) == ["suggest: unknown"]

    class Namespace:
        __all__ = ("grow", "solve", "State")

        @staticmethod
        def grow(game, pool: Literal["all", "hard"] = "all", *, other=None):
            """Do nothing."""

        solve = State = grow

    texts = {"grow": ['cb.grow("mm-2-2", "all")'], "solve": ["cb.grow(1)"]}
    missing = ["grow: other", "grow: pool hard", "solve", "State"]
    assert untried_names(Namespace, texts) == missing


def test_what_lists_name_exists():
    assert {*EXIT_CODES, *RANDOM, *quick_names()} - set(trials()) == set()


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Return the answer of a trial over an empty cache, and the cache that it leaves."""
    folder = tmp_path_factory.mktemp("entries")
    answers = {}

    def answered(name):
        if name not in answers:
            cache = folder / str(len(answers))
            answers[name] = entries.run(trials()[name], cache), cache
        return answers[name]

    return answered


def drawn():
    """Return names of trials: the quick ones; in `make faults` some others, or all."""
    quick = quick_names()
    others = [name for name in trials() if name not in quick]
    if not ALL_PAIRS:
        others = random.Random(SEED).sample(others, times(8, 0))
    return quick + others


FIRST = drawn()


@pytest.mark.slow
def test_entries_over_empty_caches(kept):
    with tried("the command line", "entry points over empty caches") as outcomes:
        for name in FIRST:
            answer, _ = kept(name)
            fault = entries.fault_of(trials()[name], answer)
            outcomes.add("answered", fault is None, name, fault)


def pairs_of(kept):
    """Return pairs of what was called before and what is called now.

    A trial reads only files that it would write itself, so of the pairs with the same such files
    one is enough.
    """
    left = {name: entries.left_in(kept(name)[1]) for name in FIRST}
    seen = {}
    for before in FIRST:
        for now in FIRST:
            part = entries.seen_of(left[before], left[now])
            seen.setdefault((now, part), (before, now))
    return [pair for (_, part), pair in seen.items() if part]


@pytest.mark.slow
def test_entries_over_what_others_left(kept, tmp_path):
    pairs = pairs_of(kept)
    if not ALL_PAIRS:
        pairs = random.Random(SEED).sample(pairs, min(len(pairs), times(20, 3)))
    with tried("the command line", "entry points over caches of others") as outcomes:
        for number, (before, now) in enumerate(pairs):
            cache = entries.copy_of(kept(before)[1], tmp_path / str(number))
            answer = entries.run(trials()[now], cache)
            shutil.rmtree(cache)
            fault = entries.difference(trials()[now], answer, kept(now)[0])
            outcomes.add(SAME, fault is None, f"{now} after {before}", fault, wrong=SILENT)


def half_of_what_tests_compiled(cache, draw):
    """Copy half of the newest machine code of the tests."""
    base = Path(os.environ.get("NUMBA_CACHE_DIR") or cache_folder() / "code")
    newest = sorted(base.rglob("*.nbc"), key=lambda path: path.stat().st_mtime)[-MOST_COPIED:]
    for file in draw.sample(newest, len(newest) // 2):
        folder = cache / "codebreaker" / "code" / file.parent.name
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        shutil.copy2(file, folder)


@full_only
@pytest.mark.slow
def test_entries_over_half_of_what_tests_compiled(kept, tmp_path):
    with tried("the command line", "entry points over half of all code") as outcomes:
        for name in quick_names():
            cache = tmp_path / "half"
            half_of_what_tests_compiled(cache, random.Random(name))
            answer = entries.run(trials()[name], cache)
            shutil.rmtree(cache)
            fault = entries.difference(trials()[name], answer, kept(name)[0])
            outcomes.add(SAME, fault is None, name, fault, wrong=SILENT)


def damage(cache, draw):
    """Damage a cache: files cut, changed, missing, exchanged, or a folder in their place."""
    files = sorted(path for path in cache.rglob("*") if path.is_file())
    kind = draw.choice(["cut", "changed", "missing", "exchanged", "empty", "folders"])
    for file in draw.sample(files, (len(files) + 1) // 2):
        content = file.read_bytes()
        if kind == "cut":
            file.write_bytes(content[: draw.randrange(len(content) + 1)])
        elif kind == "changed" and content:
            position = draw.randrange(len(content))
            changed = content[position] ^ 1 << draw.randrange(8)
            file.write_bytes(content[:position] + bytes([changed]) + content[position + 1 :])
        elif kind == "missing":
            file.unlink()
        elif kind == "exchanged":
            file.write_bytes(draw.choice(files).read_bytes())
        elif kind == "empty":
            file.write_bytes(b"")
        elif kind == "folders":
            file.unlink()
            file.mkdir()
    return kind


def without_warnings(answer):
    lines = answer.errors.splitlines(keepends=True)
    others = [line for line in lines if not any(text in line for text in WARNINGS)]
    return answer._replace(errors="".join(others))


@pytest.mark.parametrize("seed", range(times(12, 2)))
@pytest.mark.slow
def test_entries_over_damaged_caches(kept, tmp_path, seed):
    draw = random.Random(seed)
    name = draw.choice(FIRST)
    expected, left = kept(name)
    cache = entries.copy_of(left, tmp_path / "damaged")
    kind = damage(cache, draw)
    with tried("damaged files", f"caches, {seed}") as outcomes:
        answer = without_warnings(entries.run(trials()[name], cache))
        fault = entries.difference(trials()[name], answer, expected)
        outcomes.add("same content, or made again", fault is None, name, kind, fault, wrong=SILENT)
