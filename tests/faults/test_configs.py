"""Faulty configurations: planned or refused, quickly."""

import math
import resource
import time
from concurrent.futures import ProcessPoolExecutor
from copy import deepcopy
from functools import cache
from multiprocessing import get_context
from random import Random

import pytest
import yaml
from conftest import ROOT, full_only, read_yaml
from outcomes import REFUSED, Outcomes, change, command, places, times, tried

from codebreaker.players.registry import PLAYERS, RANGES
from codebreaker.policies.registry import policy_names
from codebreaker.study.config import read_config
from codebreaker.study.load import load_study

SECONDS = 1.0
MIB = 500

EXTREMES = [0, -1, 10**9, 10**400, 5e-324, 1e308, -1e308, math.inf, -math.inf, math.nan]

NUMBERS = [*EXTREMES, 2**31, 2**63, 1, 2, 3, 5, 12, 60, 0.05, 0.5, 1.0]
GAME_NAMES = ["mm-4-6", "mm-3-4", "bc-3-5", "black-3-4", "mm-5-8", "mm-3-4-distinct", "marks-five"]
BAD_GAMES = ["xx", "matches-mine", "mm-0-0", "mm-99-99", "mm-2-300", "mm-4-9999999999"]
CODES = ["1123", "112", "12", "11", "012", "9999", "", "1", "1.2", "¹¹²³"]
LISTS = ["five-secrets", "english", "tests/words/short.txt", "/dev/null", "/dev/zero", "none.txt"]
KEYS = ["m", "paper", "a/b", "../x", "é", "{game}", "A", "wild card", "x" * 300]
POLICIES = [*policy_names(), "optimal", "renyi-0.5", "tsallis-1e9", "mix-entropy-most-parts-0.4"]
OPTIONS = ["all", "consistent", "total", "maximum", "lexicographic", "cuda", "turn", "orders"]
CONSTANTS = [None, True, False]
COLLECTIONS = [[], [0, 3], ["1123"], ["mm-3-4"], {}, {"m": None}, {"a/b": {}}]
VALUES = [*NUMBERS, *GAME_NAMES, *BAD_GAMES, *CODES, *LISTS, *KEYS, *POLICIES, *PLAYERS]
VALUES += [*OPTIONS, *CONSTANTS, *COLLECTIONS]
"""Values that replace others in changed studies."""

AT_MOST_1 = ("crossover", "mutation", "keeps", "stops_by_tier", "cuts_at_ends")


@cache
def study():
    data = read_yaml("config/smoke.yaml")
    data["strategies"] |= {"mm-4-6": data["strategies"]["mm-4-6"][::9]}
    data["terminals"]["words"] = "five-secrets"
    data["guided"]["bounds"] = {"mm-4-6": {"b": {"opening": "1123", "budget": 1}}}
    data["players"]["contests"]["four-six"]["options"] = {
        name: {
            option: 1 if option in AT_MOST_1 else max(2, int(RANGES[option].lowest))
            for option in player.options
        }
        for name, player in PLAYERS.items()
    }
    methods = {"game": "mm-4-6", "opening": "1123", "players": [{"player": "EvoRank"}]}
    data["players"]["methods"] = {"t": methods}
    return read_config(data).model_dump(mode="json")


@pytest.mark.slow
def test_every_number_at_its_extremes():
    assert load_study(study(), ROOT)
    with tried("configurations", "numeric keys at extremes") as outcomes:
        data = deepcopy(study())
        for part, key in list(places(data)):
            before = part[key]
            if not isinstance(before, (dict, list, str)):
                for part[key] in EXTREMES:
                    outcomes.read(lambda: bool(load_study(data, ROOT)), True, key, "planned")
                part[key] = before
        assert outcomes.total() > 1000


def load_changed(number, seed):
    """Load changed studies; return outcomes, their details, and the studies that were accepted."""
    outcomes = Outcomes()
    accepted = []
    draw = Random(seed)

    def used():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

    def planned():
        load_study(data, ROOT)
        accepted.append(data)
        return True

    load_study(study(), ROOT)
    before = used()
    for _ in range(number):
        data = deepcopy(study())
        started = time.process_time()
        for _ in range(draw.choice([1, 1, 2, 4])):
            change(data, draw, VALUES)
        outcomes.read(planned, True, data, "planned")
        if time.process_time() - started > SECONDS:
            outcomes.add("too slow", True, data)
    if used() - before > MIB:
        outcomes.add("too large", True, f"{used()} MiB")
    return dict(outcomes), outcomes.details, accepted


@pytest.mark.slow
def test_changed_studies():
    with tried("configurations", "changed at random") as outcomes:
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            result = pool.submit(load_changed, times(20_000, 200), 0).result()
        outcomes.update(result[0])
        outcomes.details += result[1]


ALIASES = "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 11))
UNREADABLE = [
    *("a: &a [*a]", "strategies: {}\nstrategies: {}", "? {a: 1}\n: 2"),
    *("!!python/name:os.system x", f"a0: &a0 [x]\n{ALIASES}"),
]


@full_only
def test_studies_are_planned_by_snakemake(tmp_path):
    accepted = [yaml.safe_dump(data) for data in load_changed(400, 99)[2][:25]]
    cases = {"accepted ones, planned by Snakemake": accepted}
    cases |= {"recursion, repetition and tags in YAML": UNREADABLE}
    path = tmp_path / "study.yaml"
    options = ["--dry-run", "--quiet", "all", "--cores", "1", "--directory", tmp_path]
    for case, texts in cases.items():
        with tried("configurations", case) as outcomes:
            for text in texts:
                path.write_text(text, encoding="utf-8")
                run = command("snakemake", *options, "--configfile", path, cwd=ROOT)
                output = run.stdout + run.stderr
                errors = [line for line in output.splitlines() if line.startswith("error: ")]
                named = "error" in output.lower() if text in UNREADABLE else len(errors) == 1
                good = named if run.returncode else text not in UNREADABLE
                good &= "Traceback" not in output
                outcomes.add("planned" if run.returncode == 0 else REFUSED, good, output, text)
