"""Files around the code, and slow imports."""

import ast
import json
import re
import runpy
import subprocess
import tomllib
from importlib.metadata import packages_distributions

import polars as pl
import pytest
from conftest import ROOT, ci_only, python, read_yaml

from codebreaker.errors import MODULES
from codebreaker.files import DATA
from codebreaker.players.registry import PLAYERS
from codebreaker.policies.criteria import CRITERIA
from codebreaker.report.chapters.strategies import STRATEGY_CHARTS
from codebreaker.report.claims import ABSENT, read_claims
from codebreaker.report.guide import guide

READABLE = {".json", ".md", ".py", ".smk", ".toml", ".yaml"}

RUN = ("cli", "report", "workflow")
CONDA_NAMES = {"snakemake-minimal": "snakemake"}


LICENCES = ("LICENSE", "src/codebreaker/data/words/LICENSE.txt")


def pins_of(lock):
    return re.split(r"\n(?=[a-z])", (ROOT / "envs" / lock).read_text(encoding="utf-8"))


def locked(lock="lock.txt"):
    pins = map(re.compile(r"([a-z0-9_.-]+)==([^ ;]+)").match, pins_of(lock))
    return dict(pin.groups() for pin in pins if pin)


SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = SETTINGS["project"]
CITATION = read_yaml("CITATION.cff")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def required(name="run"):
    extras = PROJECT["optional-dependencies"] | SETTINGS["dependency-groups"]
    extras["run"] = sum((extras[extra] for extra in RUN), PROJECT["dependencies"])
    return {re.split(r"[<>=~ []", entry)[0].lower() for entry in extras[name]}


def tracked(folder):
    command = ["git", "ls-files", "-co", "--exclude-standard", folder]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in done.stdout.split() if (ROOT / name).exists()]


def test_every_licence_is_declared():
    names = [name for name in tracked(".") if re.search(r"(?i)licen[cs]e|copying|notice", name)]
    assert sorted(names) == sorted(LICENCES) == sorted(PROJECT["license-files"])


@pytest.mark.parametrize("name", ["run", "build", "test", "docs", "record", "cuda", "slurm"])
def test_locks_pin_all_that_is_required_with_hashes_and_agree(name):
    lock = "lock.txt" if name == "run" else f"lock-{name}.txt"
    pins = locked(lock)
    common = locked()
    assert required(name) <= set(pins)
    assert [name for name in pins if pins[name] != common.get(name, pins[name])] == []
    assert all("--hash=sha256:" in pin for pin in pins_of(lock))


def test_a_run_installs_no_tools_of_tests():
    assert not required("test") & (set(locked()) | set(locked("lock-build.txt")))


def test_every_extra_but_pandas_is_locked_and_its_modules_are_known():
    extras = {*RUN, "agents", "cuda", "pandas", "slurm"}
    assert set(PROJECT["optional-dependencies"]) == set(MODULES) == extras
    recipe = MAKEFILE.split("\nlock:")[1]
    assert tuple(re.findall(r"--extra (\w+)", recipe)) == RUN
    assert required("agents") <= required("test"), "the lock of the tests has the extra, too"
    for extra in RUN:
        owners = packages_distributions()
        names = {owners[module][0].lower() for module in MODULES[extra]}
        assert names == required(extra)


def test_the_slurm_profile_names_every_group_of_rules():
    profile = read_yaml("profiles/slurm/profile.yaml")
    paths = (ROOT / "workflow/rules").glob("*.smk")
    rules = "".join(path.read_text(encoding="utf-8") for path in paths)
    groups = {entry.split("=")[0] for entry in profile["group-components"]}
    named = re.findall(r"group:\n +(.*)", rules)
    assert groups == {name for line in named for name in re.findall('"([a-z]+)"', line)}


def test_the_conda_environment_has_the_locked_versions():
    data = read_yaml("envs/environment.yaml")
    pinned = [entry for entry in data["dependencies"] if re.search(r"[a-z0-9]=\d", entry)]
    pins = dict(entry.split("=", 1) for entry in pinned)
    by_name = {CONDA_NAMES.get(name, name): version for name, version in pins.items()}
    versions = {name: re.sub(r"\.post\d+$", "", version) for name, version in locked().items()}
    assert by_name == {name: versions[name] for name in required()}
    assert {"pip", *required("build")} <= set(data["dependencies"])


def test_no_file_names_a_registry_or_a_path_of_a_machine():
    words = re.compile(r"py[p]i\.org|python[h]osted|ana[c]onda\.(org|com)|/h[o]me/|/r[o]ot/")
    for name in tracked("."):
        path = ROOT / name
        if path.is_file() and path.suffix not in {".npz", ".png", ".parquet", ".gz"}:
            assert not words.search(path.read_text(encoding="utf-8")), name


def test_the_site_has_every_page_of_the_repository():
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").split("\nnav:")[1]
    shown = {path for entry in re.findall(r"\S+\.md", nav) for path in ROOT.glob(entry)}
    pages = [path for folder in (".", "config") for path in (ROOT / folder).glob("*.md")]
    for folder in ("benchmarks", "cuda-interpreter", "records", "resources", "src", "tools"):
        pages += (ROOT / folder).rglob("*.md")
    assert [str(path) for path in pages if path not in shown] == []


def test_nothing_that_is_run_names_a_path_into_the_source_folder():
    read = [ROOT / "Snakefile"]
    for folder in ("config", "profiles", "src", "workflow"):
        read += [path for path in (ROOT / folder).rglob("*") if path.suffix in READABLE]
    assert [str(path) for path in read if "src/" in path.read_text(encoding="utf-8")] == []


def test_the_workflow_draws_every_figure_of_the_chapter():
    rules = (ROOT / "workflow" / "rules" / "tables.smk").read_text(encoding="utf-8")
    drawn = rules.split("rule draw_figures:")[1].split("    log:")[0]
    assert set(STRATEGY_CHARTS) <= set(re.findall(r'"([a-z-]+)"', drawn))


def test_the_citation_has_the_version_and_the_keywords_of_the_package():
    assert (CITATION["version"], CITATION["license"]) == (PROJECT["version"], PROJECT["license"])
    deposit = read_yaml(".zenodo.json")
    assert CITATION["keywords"] == PROJECT["keywords"] == deposit["keywords"]
    assert (CITATION["title"], PROJECT["version"]) == (deposit["title"], deposit["version"])
    assert [{"name": author["name"]} for author in CITATION["authors"]] == deposit["creators"]


def test_the_addresses_of_a_published_version_are_those_of_its_citation():
    """Before a version is published neither file has any."""
    addresses = PROJECT.get("urls", {})
    assert CITATION.get("repository-code") == addresses.get("Repository")
    assert CITATION.get("url") == addresses.get("Homepage")
    assert ("repository-code" in CITATION) == ("date-released" in CITATION)


def test_every_figure_of_the_readme_has_its_file_and_the_command_that_makes_it():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    captions = re.findall(r"^!\[[^]]*\]\(([^)]*)\)\n\n(.*)", readme, re.M)
    assert len(captions) == readme.count("![")
    for image, caption in captions:
        assert (ROOT / image).exists()
        assert re.search(r"`[^`]+`.*`[^`]+`", caption), image


def test_every_source_is_among_the_references():
    known = ["codebreaker", *(work["abbreviation"] for work in CITATION["references"])]
    cited = [claim.source for claim in read_claims()]
    texts = [path.read_text(encoding="utf-8") for path in (DATA / "weights").glob("*.json")]
    cited += [json.loads(text)["source"] for text in texts]
    for entry in (*CRITERIA.values(), *PLAYERS.values()):
        cited += entry.citation.split(";")
    unknown = [source for source in cited if not any(name in source for name in known)]
    assert unknown == [], "name a reference of CITATION.cff, or codebreaker"
    for path in (DATA / "published").glob("*-*.csv"):
        author, year = path.stem.split("-")[:2]
        names = [name.lower().replace("ü", "u") for name in known]
        assert any(name.startswith(author) and name.endswith(year) for name in names), path.name


@ci_only
def test_the_pictures_show_all_rules_and_their_phases():
    tool = runpy.run_path(str(ROOT / "tools" / "draw_rules.py"))
    arrows = tool["arrows_between_rules"]()
    assert words_of_picture("rulegraph.svg") == {name for arrow in arrows for name in arrow}
    phases = set(tool["phases_of_rules"]().values())
    assert phases == set(tool["PHASES"])
    assert phases <= words_of_picture("phases.svg")


def words_of_picture(name):
    drawn = (ROOT / "images" / name).read_text(encoding="utf-8")
    return {word.strip() for word in re.findall(r"<text[^>]*>([^<]+)</text>", drawn)}


def test_ci_runs_targets_that_exist_on_all_supported_pythons():
    jobs = read_yaml(".github/workflows/ci.yaml")["jobs"]["make"]["strategy"]["matrix"]["include"]
    assert {job["target"] for job in jobs} == {"check", "test", "smoke", "site-docs"}
    assert all(f"\n{job['target']}:" in MAKEFILE for job in jobs)
    assert f">={min(job['python'] for job in jobs)}" == PROJECT["requires-python"]


def test_ci_audits_every_lock_and_pins_every_action():
    text = (ROOT / ".github/workflows/ci.yaml").read_text(encoding="utf-8")
    for line in re.findall(r"uses: (.*)", text):
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+", line), line
    steps = read_yaml(".github/workflows/ci.yaml")["jobs"]["audit"]["steps"]
    [audited] = [step["with"]["inputs"].split() for step in steps if "audit" in step["uses"]]
    assert sorted(audited) == sorted(f"envs/{path.name}" for path in ROOT.glob("envs/lock*.txt"))


README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_table_is_the_recorded_one(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "tools")
    tool = runpy.run_path(str(ROOT / "tools" / "update_docs.py"))
    written = tool["best_table_of"](pl.read_csv(ROOT / "resources/best-known/best-known.csv"))
    assert len(written.splitlines()) == 8
    assert written in (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")


def test_the_readme_can_be_read_at_once():
    assert len(README.split()) <= 1000


def test_the_guide_to_the_results_is_the_computed_one(table, evidence):
    claims = pl.read_csv(evidence / "discrepancies.csv", infer_schema=False)
    text = guide(table, claims)
    committed = (ROOT / "results" / "README.md").read_text(encoding="utf-8")
    assert sum(text.count(f"\n| {game} |") for game in set(table["game"])) == table.height
    assert ABSENT not in committed, "the default study decides all claims"
    for line in text.splitlines():
        is_known = line in committed or "statements of the sources" in line or ABSENT in line
        assert is_known, f"make docs writes results/README.md, which lacks: {line}"


def test_linked_files_exist():
    for link in README.split("](")[1:]:
        target = link.split(")")[0].split("#")[0]
        if not target.startswith("http"):
            assert (ROOT / target).exists(), target


def test_commands_name_make_targets_and_rules_that_exist():
    for line in README.splitlines():
        if line.startswith("$ make"):
            target = line.split("#")[0].split()[1:][1:] or ["all"]
            assert f"\n{target[0]}:" in MAKEFILE


SLOW = ("altair", "highspy", "jinja2", "pydantic", "polars", "rich", "snakemake", "typer")

STEPS = {
    "the package": ("import codebreaker as cb", (*SLOW, "numba", "numpy")),
    "advice": ("import codebreaker.advice.assistant", (*SLOW, "numba")),
    "a tree": ('cb.grow(cb.game("mm-3-4"), "entropy")', SLOW),
    "an optimum": ('cb.solve(cb.game("mm-2-4"))', SLOW),
}


@pytest.mark.slow
def test_what_is_slow_to_import_is_imported_when_it_is_needed():
    lines = ["import sys"]
    for name, (code, slow) in STEPS.items():
        lines += [code, f"print({name!r}, *(one for one in {slow} if one in sys.modules))"]
    assert python("-c", "\n".join(lines), check=True).stdout.splitlines() == [*STEPS]


COMPUTING = {
    "analyse_weights", "bound_one_row", "bound_openings", "compare_first_guesses", "compare_kooi",
    "compare_methods", "compile_kernels", "compute_quantities", "compute_regrets", "count_rounds",
    "find_value", "grow_tree", "guide_weights", "join_games", "judge_agent", "measure_scaling",
    "optimise_weights", "play_deviously", "play_games", "play_random_consistent",
    "play_terminals", "solve_exactly", "sweep_policies",
}  # fmt: skip
"""Steps of the workflow that search, play or grow trees, for which they import compiled code."""

DRAWING = {
    "cite_best_known", "cite_larger_games", "compare_moves", "compare_players", "draw_figures",
    "draw_frontier", "draw_scaling",
}  # fmt: skip
"""Steps that import what draws charts at once; others that may draw import it when they do."""


def imports_of(steps):
    """Return the import statements at the top of the scripts of some steps."""
    lines = []
    for step in sorted(steps):
        code = ast.parse((ROOT / f"workflow/scripts/{step}.py").read_text(encoding="utf-8"))
        lines += [
            ast.unparse(node) for node in code.body if isinstance(node, ast.Import | ast.ImportFrom)
        ]
    return lines


@pytest.mark.slow
def test_steps_import_compiled_code_and_charts_only_if_they_need_them():
    steps = {path.stem for path in (ROOT / "workflow/scripts").glob("*.py")}
    assert steps >= COMPUTING | DRAWING
    for slow, users in (("numba", COMPUTING), ("altair", DRAWING)):
        # All that need none of it in one process, where the first would be found to load it.
        code = ["import sys", *imports_of(steps - users), f"print({slow!r} in sys.modules)"]
        assert python("-c", "\n".join(code), check=True).stdout == "False\n", slow


def test_the_numbers_of_the_changelog_are_those_of_the_files():
    changes = " ".join((ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split())
    known = pl.read_csv(ROOT / "resources/best-known/best-known.csv")
    solved = known.filter(pl.col("total") == pl.col("bound"))
    evidence = dict(solved["evidence"].value_counts().iter_rows())
    assert set(evidence) == {"proof", "two programs"}
    assert f"Best known strategies of {known.height} games" in changes
    proven = (
        f"The minimum is proven for {solved.height} of them: for {evidence['proof']} by a written"
    )
    assert proven in changes
    assert f"for {evidence['two programs']} by two programs" in changes
    rows = pl.read_csv(ROOT / "resources/proofs/second-solver.csv", infer_schema=False)
    maxima = rows.filter(quantity="lowest maximum", result="confirmed")
    assert f"Lowest maxima of {maxima['game'].n_unique()} games" in changes
    assert f"judges {len(read_claims())} of their statements" in changes


def test_the_paper_cites_what_its_bibliography_has_and_stays_short():
    paper = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8")
    head, text = paper.removeprefix("---\n").split("\n---\n")
    works = (ROOT / "paper" / "paper.bib").read_text(encoding="utf-8")
    assert set(re.findall(r"@(\w+)\]", text)) == set(re.findall(r"^@\w+\{(\w+),", works, re.M))
    assert f"title: '{CITATION['title']}'" in head
    known = {work["doi"] for work in CITATION["references"] if "doi" in work}
    assert "10.1007/978-3-642-15871-1_43" in known & set(re.findall(r"doi = \{(.*)\}", works))
    sections = re.findall("^# (.*)$", text, re.M)
    assert sections[:3] == ["Summary", "Statement of need", "State of the field"]
    assert 750 <= len(text.split()) <= 1750  # the journal's limits
