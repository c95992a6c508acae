"""Draw configurations from the schema and load them: `draw_studies.py NUMBER SEED [FOLDER]`.

Prints the outcomes as JSON. With a folder, the accepted configurations are written there.
"""

import json
import resource
import sys
import time
from pathlib import Path

import yaml
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from outcomes import ROOT, Outcomes

from codebreaker.players.registry import PLAYERS
from codebreaker.policies.registry import policy_names
from codebreaker.study.config import schema
from codebreaker.study.load import load_study

SECONDS, MIB = 1.0, 500
GAMES = ["mm-4-6", "mm-3-4", "mm-2-3", "bc-3-5", "black-3-4", "mm-5-8", "mm-3-4-distinct"]
GAMES += ["marks-five", "matches-mine", "mm-0-0", "mm-99-99", "mm-2-300", "mm-4-9999999999", "xx"]
CODES = ["1123", "112", "12", "11", "012", "9999", "", "1", "1.2", "¹¹²³"]
WORDS = ["five-secrets", "english", "tests/words/short.txt", "/dev/null", "/dev/zero", "none.txt"]
NAMES = ["m", "paper", "", "a/b", "../x", "é", "x" * 300, "{game}", "A", "wild card", "optimal"]
POLICIES = [*policy_names(), "renyi-0.5", "tsallis-1e9", "mix-entropy-most-parts-0.4", "nothing"]
OPTIONS = sorted({name for player in PLAYERS.values() for name in player.options})
TEXTS = [*GAMES, *CODES, *WORDS, *NAMES, *POLICIES, *PLAYERS]
HINTS = {
    "policy": POLICIES, "policies": POLICIES, "players": list(PLAYERS), "player": list(PLAYERS),
    "game": GAMES, "games": GAMES, "strategies": GAMES, "pareto": GAMES, "exact": GAMES,
    "models": [*GAMES, *NAMES], "bounds": GAMES, "random_consistent": GAMES, "rounds": GAMES,
    "frontiers": GAMES, "values": GAMES, "opening": CODES, "openings": CODES,
    "options": [*PLAYERS, *OPTIONS],
    "word_lists": ["mine", "five", *NAMES], "secrets": WORDS, "guesses": WORDS, "words": WORDS,
    "prior": WORDS,
    "preset": ["paper", *NAMES], "presets": ["paper", *NAMES],
}  # fmt: skip

numbers = st.one_of(
    st.integers(0, 12),
    st.floats(0, 1),
    st.sampled_from([0, -1, 2**31, 2**63, 10**400, 1e-300, 1e308, float("inf"), float("nan")]),
)
anything = st.one_of(
    st.none(), st.booleans(), numbers, st.sampled_from(TEXTS), st.text(max_size=5),
    st.lists(st.integers(0, 3), max_size=2),
    st.dictionaries(st.sampled_from(NAMES), st.none(), max_size=1),
)  # fmt: skip


def values(node, known, key=""):
    """What a part of the schema allows, and rarely something else."""
    right = _right(node, known, key)
    return st.integers(0, 60).flatmap(lambda luck: anything if luck == 7 else right)


def _right(node, known, key):
    if "$ref" in node:
        return st.deferred(lambda: _right(known[node["$ref"].rpartition("/")[2]], known, key))
    if "const" in node:
        return st.just(node["const"])
    if "enum" in node:
        return st.sampled_from(node["enum"])
    if "anyOf" in node:
        return st.one_of(*(_right(one, known, key) for one in node["anyOf"]))
    kind = node.get("type")
    if kind == "object":
        return _objects(node, known, key)
    if kind == "array":
        return st.lists(
            values(node["items"], known, key), min_size=node.get("minItems", 0), max_size=2
        )
    if kind in ("integer", "number"):
        low = node.get("minimum", node.get("exclusiveMinimum", 0))
        high = min(node.get("maximum", 1000), low + 1000)
        inside = st.integers(int(low), int(high)) if high - low >= 1 else st.floats(low, high)
        return st.one_of(inside, inside, inside, numbers)
    if kind == "boolean":
        return st.booleans()
    if kind == "null":
        return st.none()
    return st.sampled_from(HINTS.get(key, TEXTS))


def _objects(node, known, key):
    if "properties" in node:
        needed = node.get("required", [])
        parts = {name: values(one, known, name) for name, one in node["properties"].items()}
        return st.fixed_dictionaries(
            {name: part for name, part in parts.items() if name in needed},
            optional={name: part for name, part in parts.items() if name not in needed},
        )
    below = node.get("additionalProperties", {})
    return st.dictionaries(
        st.sampled_from(HINTS.get(key, NAMES)), values(below, known, key), max_size=2
    )


def sections():
    """Studies with strategies and one or two other sections."""
    root = schema()
    parts = {name: values(one, root["$defs"], name) for name, one in root["properties"].items()}
    strategies = parts.pop("strategies")
    usual = st.just({"mm-3-4": [{"policy": "entropy"}]})
    return st.sets(st.sampled_from(sorted(parts)), min_size=1, max_size=2).flatmap(
        lambda chosen: st.fixed_dictionaries(
            {
                "strategies": st.one_of(usual, strategies),
                **{name: parts[name] for name in sorted(chosen)},
            }
        )
    )


def main(number, chosen_seed, folder=None):
    """Load studies, and print what came out."""
    outcomes, accepted = Outcomes(), []

    def used():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

    load_study({"strategies": {"mm-4-6": [{"policy": "entropy"}]}}, ROOT)
    before = used()

    @seed(int(chosen_seed))
    @settings(
        max_examples=int(number),
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(sections())
    def load(data):
        started = time.process_time()

        def planned():
            load_study(data, ROOT)
            accepted.append(data)
            return True

        outcomes.read(planned, True, repr(data)[:1000], "planned")
        seconds = time.process_time() - started
        if seconds > SECONDS:
            outcomes.add("too slow", True, f"{seconds:.1f} s", repr(data)[:1000])

    load()
    if used() - before > MIB:
        outcomes.add("too large", True, f"{used()} MiB")
    for place, data in enumerate(accepted if folder else []):
        Path(folder, f"{place:03}.yaml").write_text(yaml.safe_dump(data), encoding="utf-8")
    print(json.dumps({"outcomes": outcomes, "details": outcomes.details[:20], "mib": used()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
