"""The workflow on a small study."""

import hashlib
import json
import os
import re
import runpy
import shutil
from collections import defaultdict
from contextlib import contextmanager
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from textwrap import dedent

import nbformat
import polars as pl
import pytest
import yaml
from board import BROWSERS, violations, watched
from conftest import ON_CI, ROOT, ci_only, full_only, python, read_yaml
from nbclient import NotebookClient
from prose import facts_of, fits, numerals_of_facts, unexplained
from small_study import (
    BODY,
    GPU,
    OPENED,
    RULES,
    TARGETS,
    StudyFolder,
    copy_of,
    jobs_of,
    names_of,
    rule_bodies,
    run_snakemake,
)

from codebreaker.errors import CodebreakerError
from codebreaker.games.model import read_game
from codebreaker.report.chapters import kooi
from codebreaker.report.chapters.gur import gur_tables
from codebreaker.report.guide import TEXTS, pattern_of
from codebreaker.report.needs import (
    GUR_NEEDS,
    KOOI_NEEDS,
    KOOI_STRATEGIES,
    PAGE_CHARTS,
    PAPER_NEEDS,
)
from codebreaker.study.contract import SPEAKING
from codebreaker.study.load import load_study
from codebreaker.trees.metrics import read_strategies


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    folder = os.environ.get("CODEBREAKER_STUDY") or tmp_path_factory.mktemp("study")
    study = StudyFolder(Path(folder))
    run = study.snakemake(*GPU, opened=study.folder / OPENED)
    assert run.returncode == 0, run.stderr
    return study


SPOKEN = """
import sys
from snakemake import cli
from snakemake.persistence import UNREPRESENTABLE, PersistenceBase

serialise = PersistenceBase._serialize_param_builtin

def told(self, value):
    text = serialise(self, value)
    if text is UNREPRESENTABLE:
        print(f"NOT RECORDED: {value!r}", flush=True)
    return text

PersistenceBase._serialize_param_builtin = told
cli.main(sys.argv[1:])
"""
"""Snakemake, which says each parameter of whose value it records nothing."""


@pytest.fixture(scope="module")
def planned_anew(done):
    """A plan of all jobs by `SPOKEN`."""
    options = ("--cores", "2", "--directory", done.folder, "--configfile", done.config, *GPU)
    paths = {"PYTHONPATH": str(ROOT / "src")}
    return python("-c", SPOKEN, *options, "--dry-run", "--forceall", cwd=ROOT, environment=paths)


@pytest.fixture(scope="module")
def jobs(planned_anew):
    return jobs_of(planned_anew)


def test_every_job_logs(done, jobs):
    assert jobs
    for name, text in jobs:
        log = done.folder / re.search("^ *log: (.*?)( \\(check log.*)?$", text, re.MULTILINE)[1]
        assert log.read_text(encoding="utf-8"), name
    solved = (done.folder / "logs/solve_exactly/mm-4-6/optimal.log").read_text(encoding="utf-8")
    assert "mm-4-6: 5625 guesses, bound 5625" in solved
    strategies = read_strategies(done.results("metrics/strategies.parquet"))
    grown = strategies.filter(tree="stage-weighted_pool-consistent", game="mm-4-6")
    assert grown["total_guesses"].to_list() == [5682]


def test_jobs_of_a_cluster_say_what_they_need_and_others_are_local(jobs):
    bodies = rule_bodies()
    for name, text in jobs:
        resources = re.search("^ *resources: (.*)$", text, re.MULTILINE)[1]
        needs = {entry.split("=")[0] for entry in resources.split(", ")}
        is_local = "\n    localrule: True\n" in bodies[name]
        expected = set() if is_local else {"mem_mb", "runtime"}
        assert needs & {"mem_mb", "runtime"} == expected, name
        assert ("gpu" in needs) == (name == "optimise_islands"), name


def test_every_rule_can_be_named_and_searches_on_a_gpu_share_one_job_for_each_model(done, jobs):
    rules = sorted({name for name, _ in jobs} | {"optimise_islands", "take_seed"})
    assert len(rules) > 30
    settings = [f"{name}:runtime=77" for name in rules]
    threads = [f"{name}=1" for name in rules]
    run = done.snakemake(
        *("--dry-run", "--forcerun", *rules, "--allowed-rules", *rules, *TARGETS),
        *("--set-resources", *settings, "--set-threads", *threads, *GPU),
        overlay={"optimise": {"backend": "cuda"}},
    )
    assert names_of(run) == {*rules} - {"optimise_weights"}
    for name, text in jobs_of(run):
        assert "runtime=77" in text, name
    searches = [text for name, text in jobs_of(run) if name == "optimise_islands"]
    assert len(searches) == 4
    assert all("gpu=1" in text for text in searches)


def test_islands_write_what_single_searches_write_with_any_memory(done, tmp_path):
    names = [f"weights/mm-4-6/fixed/seed-{seed}.json" for seed in (0, 1)]
    islands = StudyFolder(tmp_path / "islands")
    # Without a device seeds are jobs of their own, unless these may not run.
    allowed = ("--allowed-rules", "tabulate_game", "optimise_islands", "take_seed")
    memory = ("--set-resources", "optimise_islands:mem_mb=64")
    run = islands.snakemake(*GPU, *memory, *allowed, "--", *(f"results/{name}" for name in names))
    assert names_of(run) == {"tabulate_game", "optimise_islands", "take_seed"}
    assert [islands.text(name) for name in names] == [done.text(name) for name in names]
    assert not islands.results("weights/mm-4-6/fixed/islands").exists()
    assert "memo of 16 MiB" in islands.text("../logs/optimise_islands/mm-4-6/fixed.log")


def test_numba_cuda_without_a_device_plans_nothing(done, tmp_path):
    (tmp_path / "numba_cuda").mkdir()
    (tmp_path / "numba_cuda" / "__init__.py").touch()
    both = os.pathsep.join((str(ROOT / "src"), str(tmp_path)))
    study = StudyFolder(done.folder, both)
    assert jobs_of(study.snakemake("--dry-run", *GPU)) == []


def test_a_profile_with_more_memory_reruns_nothing_by_itself(done):
    profile = ("--profile", ROOT / "profiles" / "large", "--dry-run", *GPU)
    assert names_of(done.snakemake(*profile)) == set()
    again = jobs_of(done.snakemake(*profile, "--forcerun", "solve_exactly"))
    assert "mem_mb=16384" in dict(again)["solve_exactly"]


def test_another_workflow_can_use_the_rules_as_a_module(done, tmp_path):
    """A tree of a game of its own words, and a chapter's table, below a folder of its own."""
    config = {"strategies": {"matches-mine": [{"policy": "entropy"}]}}
    config["word_lists"] = {"mine": {"secrets": "words.txt"}}
    config["exact"] = {"games": {"mm-4-6": [{}]}}
    config["best_known"] = {"games": ["mm-4-6"]}
    (tmp_path / "words.txt").write_text("bat\ncat\ncot\n", encoding="utf-8")
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    module = (Path(__file__).parent / "module.smk").read_text(encoding="utf-8")
    (tmp_path / "Snakefile").write_text(module.format(ROOT=ROOT), encoding="utf-8")
    results = "mastermind/results"
    tree = "trees/matches-mine/entropy.txt"
    table = "tables/best-known.csv"
    run = run_snakemake(f"{results}/{tree}", f"{results}/{table}", cwd=tmp_path)
    assert names_of(run) >= {"codebreaker_tabulate_game", "codebreaker_grow_tree"}
    assert (tmp_path / results / tree).read_text(encoding="utf-8")
    assert (tmp_path / results / table).read_bytes() == done.results(table).read_bytes()
    written = {path.name for path in tmp_path.iterdir()} - {".snakemake"}
    assert written == {"mine.yaml", "words.txt", "Snakefile", "mastermind"}


@ci_only
def test_the_study_among_the_examples_can_be_copied_and_passes_its_tests(tmp_path):
    example = ROOT / "examples" / "study"
    study = shutil.copytree(example, tmp_path / "animals")
    config = read_yaml(example / "config.yaml") | {"checkout": str(ROOT)}
    (study / "config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    run = run_snakemake(cwd=study)
    assert "compare" in names_of(run)
    assert "codebreaker_all" not in names_of(run)
    told = (study / "README.md").read_text(encoding="utf-8")
    assert told.endswith("\n\n" + (study / "animals.md").read_text(encoding="utf-8"))
    own = python("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", cwd=study)
    assert own.returncode == 0, own.stdout


def test_the_report_says_what_the_results_say(done):
    text = done.text("report.md")
    facts = facts_of(done.results("facts.csv"))
    assert unexplained(text, numerals_of_facts(facts)) == []
    assert [fact for fact in facts if not fits(fact, done.results())] == []
    assert "## Players that search" in text
    checked = pl.read_csv(done.results("exact/checked.csv"))
    assert {*checked["verdict"]} == {"tree verified"}
    assert "An independent program replayed each of their trees" in text
    page = done.text("report.html")
    for heading in re.findall("^## (.*)$", text, re.MULTILINE):
        assert f">{heading}</h2>" in page
    assert len(re.sub("<style.*?</style>|<[^>]*>", " ", page, flags=re.DOTALL).split()) <= 12_000
    for picture in re.findall(r"!\[.*?\]\((.*?)\)", text):
        assert done.results(picture).exists()


def test_one_rule_run_again_writes_the_same_bytes(done):
    paths = [done.results(name) for name in ("report.md", "report.html", "facts.csv")]
    before = [path.read_bytes() for path in paths]
    again = done.snakemake("--forcerun", "write_report", "--", "results/report.md", full=False)
    assert again.returncode == 0, again.stderr
    lines = [line for line in again.stderr.splitlines() if line.startswith("[")]
    assert len(lines) == 1
    assert re.fullmatch(r"\[1/1\] write_report  \d+\.\d s", lines[0])
    assert "rule write_report:" not in again.stderr
    assert [path.read_bytes() for path in paths] == before


def test_the_site_has_all_charts_and_games_of_the_study(done):
    text = done.text("index.html")
    drawn = {path.stem for path in done.results("figures").glob("*.json")}
    assert len(drawn) == 18
    assert re.findall('data-chart="(.*?)"', text) == [name for name in PAGE_CHARTS if name in drawn]
    for game in ("mm-4-6", "mm-5-5", "matches-example"):
        assert f'id="game-{game}"' in text
    links = re.findall('href="([^#:"]+)"', text)
    assert len(links) > 50
    assert ("/src/codebreaker" in text) == done.folder.resolve().is_relative_to(ROOT)
    assert [link for link in links if not done.results(link).exists()] == []


def test_the_site_draws_its_charts_and_axe_has_no_complaint(done, browser):
    from playwright.sync_api import expect

    with watched(browser, done.results("index.html")) as page:
        page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        figures = page.locator("figure.chart")
        for number in range(figures.count()):
            figures.nth(number).scroll_into_view_if_needed()
            expect(figures.nth(number)).to_have_attribute("data-state", "drawn")
            box = figures.nth(number).locator("svg").bounding_box()
            assert box["width"] > 200
            assert box["height"] > 100
        # Each theme, and each width; CI looks at all four.
        for width in (1180, 390):
            page.set_viewport_size({"width": width, "height": 844})
            assert violations(page) == []
            page.locator("#theme").click()
            if ON_CI:
                assert violations(page) == []


FIGURES = """() => [...document.querySelectorAll("main img")].map((image) => {
    const { left, right, height } = image.getBoundingClientRect();
    return [image.currentSrc.split("/").pop(), left >= 0 && right <= innerWidth && height > 120];
})"""


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_reports_figures_fit_the_screen_and_phones_have_their_own(done, browser, width):
    page = browser.new_page(viewport={"width": width, "height": 844})
    page.goto(done.results("report.html").as_uri())
    page.wait_for_function("[...document.images].every((image) => image.complete)")
    figures = page.evaluate(FIGURES)
    assert len(figures) == 18
    assert all(fits for _, fits in figures)
    assert {name.endswith("-narrow.svg") for name, _ in figures} == {width < 480}
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.close()


@ci_only
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_has_no_complaint_about_the_report(done, browser, width, scheme):
    page = browser.new_page(viewport={"width": width, "height": 844}, color_scheme=scheme)
    page.goto(done.results("report.html").as_uri())
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.close()


@ci_only
def test_snakemakes_own_report_has_captions_and_categories(done):
    run = done.snakemake("--report", "report.html")
    assert run.returncode == 0, run.stderr
    text = (done.folder / "report.html").read_text(encoding="utf-8")
    for words in ("Charts", "Tables", "Site", "Strategies played against every secret of a game"):
        assert words in text


@pytest.mark.slow
def test_a_bad_config_is_explained_in_one_line_and_nothing_is_run(tmp_path):
    run = StudyFolder(tmp_path).snakemake(overlay={"limit": {}})
    assert run.returncode != 0
    output = run.stdout + run.stderr
    assert output.count("error: unknown config key limit: did you mean 'limits'?") == 1
    assert "Traceback" not in output
    assert not (tmp_path / "results").exists()


CRATES = "https://w3id.org/ro/crate"
"""Where versions of RO-Crate have their names."""


def test_the_run_is_described_as_a_crate(done):
    text = done.results("ro-crate-metadata.json").read_text(encoding="utf-8")
    entities = {entity["@id"]: entity for entity in json.loads(text)["@graph"]}
    run = entities["#run"]
    root = entities["./"]
    written = [entity["@id"] for entity in run["result"]]
    assert written == [entity["@id"] for entity in root["hasPart"]]
    assert {"index.html", "report.html", "README.md", "metrics/strategies.csv"} <= {*written}
    for name in written:
        digest = hashlib.sha256(done.results(name).read_bytes()).hexdigest()
        assert entities[name]["sha256"] == digest, name
    assert run["startTime"] < run["endTime"]
    assert run.get("agent", {"@id": "#agent"}) == {"@id": "#agent"}
    if (ROOT / ".git").exists():
        assert re.fullmatch("[0-9a-f]{40}(-dirty)?", entities["#workflow"]["version"])
    # The profile extends RO-Crate 1.1, and its validators refuse keys and types of later versions.
    assert entities["ro-crate-metadata.json"]["conformsTo"] == {"@id": f"{CRATES}/1.1"}
    assert "Profile" in entities[root["conformsTo"]["@id"]]["@type"]
    programs = [entities[entity["@id"]] for entity in run["instrument"]]
    assert {"CPython", "snakemake", "numba"} <= {program["name"] for program in programs}
    for program in programs:
        assert program["@type"] == "SoftwareApplication"
        assert re.match(r"\d", program["softwareVersion"]), program
        assert program["@id"] in (program.get("url"), f"#{program['name']}")
    assert entities[root["author"]["@id"]]["name"] == "The codebreaker developers"
    assert entities[root["license"]["@id"]]["name"] == "MIT"


@ci_only
def test_the_picture_of_the_page_shows_the_page_as_it_is(done, tmp_path):
    if not any(map(shutil.which, BROWSERS)):
        assert "CODEBREAKER_BROWSER" not in os.environ, "Chromium is asked for and not installed"
        pytest.skip("no Chromium is installed: the picture of the page was not drawn")
    drawn = tmp_path / "page.png"
    python(ROOT / "tools" / "draw_page.py", done.results("index.html"), drawn, check=True)
    pictured = (ROOT / "docs" / "images" / "page.txt").read_text(encoding="utf-8")
    assert drawn.with_suffix(".txt").read_text(encoding="utf-8") == pictured
    assert drawn.read_bytes().startswith(b"\x89PNG")


PROGRAMS = re.findall(
    r"prints\s+`([^`]+)`.*?```python\n(.*?)```",
    (ROOT / "docs" / "verify.md").read_text(encoding="utf-8"),
    re.DOTALL,
)
"""What programs of docs/verify.md print, and the programs."""


@pytest.mark.parametrize(
    ("printed", "program"),
    [
        pytest.param(*pair, marks=full_only if "log2" in pair[1] else (), id=f"program-{number}")
        for number, pair in enumerate(PROGRAMS)
    ],
)
def test_programs_for_sceptics_print_what_their_page_says(done, printed, program):
    run = python("-I", "-S", "-c", program, cwd=done.folder, check=True)
    assert run.stdout.strip() == printed
    assert len(PROGRAMS) == 3


@ci_only
def test_the_readme_has_the_size_of_the_environment():
    mebibytes = int((ROOT / "build" / "environment.mib").read_text(encoding="utf-8"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    [told] = re.findall(r"about (\d+) MB of hash-pinned packages", readme)
    assert int(told) == pytest.approx(mebibytes * 2**20 / 10**6, rel=0.1)


@ci_only
@pytest.mark.parametrize("name", ["tree", pytest.param("strategies", marks=full_only), "results"])
def test_a_notebook_says_what_happens(done, name):
    book = nbformat.read(ROOT / "docs" / "notebooks" / f"{name}.ipynb", 4)

    def printed():
        """What each cell prints: the kernel may send one line in several pieces."""
        return [
            "".join(output["text"] for output in cell.get("outputs", []) if "text" in output)
            for cell in book.cells
        ]

    shown = printed()
    NotebookClient(book, timeout=300, resources={"metadata": {"path": str(done.folder)}}).execute()
    assert name == "results" or printed() == shown


@pytest.mark.slow
def test_an_optimum_that_the_study_lacks_is_named(tmp_path):
    run = StudyFolder(tmp_path).snakemake("--dry-run", "results/exact/mm-4-6/optimall.txt")
    assert run.returncode != 0
    output = run.stdout + run.stderr
    assert "error: unknown optimum 'optimall': did you mean 'optimal'?" in output


@pytest.mark.slow
def test_files_that_changed_under_an_old_time_are_read_again(tmp_path):
    """Of four games, each with its own lists, one file of three is changed."""
    files = {"secrets": "crane\nslate\n", "guesses": "trace\n", "prior": "crane 1\nslate 1\n"}
    names = [*files, "none"]
    (tmp_path / "results").mkdir()
    study = StudyFolder(tmp_path, config=tmp_path / "own.yaml")
    config = {
        "strategies": {f"marks-{name}": [{"policy": "entropy"}] for name in names},
        "word_lists": {name: {file: f"{name}-{file}.txt" for file in files} for name in names},
    }
    study.config.write_text(yaml.safe_dump(config), encoding="utf-8")

    def run(*options, added=""):
        for name in names:
            for file, text in files.items():
                path = tmp_path / f"{name}-{file}.txt"
                path.write_text(text + added * (name == file), encoding="utf-8")
                os.utime(path, ns=(10**18, 10**18))
        targets = [f"results/games/marks-{name}/game.npz" for name in names]
        jobs = jobs_of(study.snakemake(*options, *GPU, "--", *targets))
        assert {rule for rule, _ in jobs} <= {"tabulate_game"}
        return {re.search("game=marks-(\\w+)", text)[1] for _, text in jobs}

    assert run() == {*names}
    assert run("--dry-run", added="# changed\n") == {*files}


@pytest.mark.slow
def test_a_study_of_one_strategy_leaves_out_what_needs_others(tmp_path):
    config = tmp_path / "one.yaml"
    config.write_text("strategies: {mm-4-6: [{policy: entropy}]}\n", encoding="utf-8")
    run = StudyFolder(tmp_path / "one", config=config).snakemake("--dry-run")
    planned = names_of(run)
    assert {"grow_tree", "summarise_strategies", "draw_figures", "build_site"} <= planned
    assert planned.isdisjoint({"compare_kooi", "write_report", "tabulate_optima", "check_bounds"})
    left = re.findall("^left out: (.*?),", run.stdout + run.stderr, re.MULTILINE)
    assert left == ["Kooi's tables", "Gür's tables", "quantities of the sources", "report.md"]


def test_comparisons_need_the_strategies_that_they_name_and_no_others(done):
    strategies = read_strategies(done.results("metrics/strategies.parquet"))
    game = read_game(done.results("games/mm-4-6/game.npz"))
    products = {
        KOOI_NEEDS: lambda s: (kooi.table_7(game, s), kooi.table_8(s), kooi.table_10(game, s)),
        GUR_NEEDS: gur_tables,
        tuple(KOOI_STRATEGIES.values()): lambda table: kooi.quantities(game, table),
    }
    for needed, compare in products.items():
        compared = strategies.filter(pl.col("game") == "mm-4-6", pl.col("tree").is_in(needed))
        assert set(compared["tree"]) == set(needed)
        compare(compared)
        for policy in {name.split("_")[0].split("-lowest")[0] for name in needed}:
            with pytest.raises(CodebreakerError, match="no tree was grown"):
                compare(compared.filter(pl.col("policy") != policy))
        assert set(needed) <= {*PAPER_NEEDS}


def test_a_study_of_ones_own_has_a_folder_beside_the_default_one(done, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    script = ROOT / "workflow" / "choose_study.py"
    options = runpy.run_path(str(script))["options"]
    (tmp_path / "my.yaml").write_text("strategies: {}\n", encoding="utf-8")
    assert python(script, "my.yaml").stdout == "--directory results/my --configfile my.yaml\n"
    (tmp_path / "list.yaml").write_text("- 1\n", encoding="utf-8")
    words = read_yaml("tests/workflow/refused_names.yaml")
    for name in (path.name for path in done.results().iterdir() if path.is_dir()):
        words[f"{name}.yaml"] = f"results can't go to results/{name}: rename {name}.yaml"
    for name, message in words.items():
        with pytest.raises(CodebreakerError, match=re.escape(message)) as refused:
            options(name)
        assert len(str(refused.value).splitlines()) == 1
    refused = python(script, "my.txt")
    assert refused.returncode != 0
    assert refused.stderr.startswith("error: my.txt is not a YAML file")


@pytest.mark.parametrize(
    ("damaged", "target"),
    [
        ("results/metrics/mm-4-6.parquet", "results/tables/gur-2025-table-4.md"),
        ("results/games/mm-4-6/game.npz", "results/trees/mm-4-6/entropy.parquet"),
    ],
)
@full_only
def test_a_damaged_cache_is_named_and_leaves_nothing_behind(done, damaged, target):
    path = done.folder / damaged
    before = path.read_bytes()
    stat = path.stat()
    path.write_bytes(before[: len(before) // 2] + os.urandom(8))  # other content at each run
    try:
        run = done.snakemake("--", target, full=False)
    finally:
        path.write_bytes(before)
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert run.returncode != 0
    errors = [line for line in run.stderr.splitlines() if "error: results" in line]
    assert f"{damaged} is damaged" in errors[0]
    assert "delete it" in errors[0]
    assert re.search(r"log: logs/\S+ \(check log file", run.stderr)
    assert not (done.folder / target).exists()
    assert done.snakemake(*GPU).returncode == 0
    assert (done.folder / target).exists()


# What Snakemake runs again: all that a change concerns, and nothing else.

PACKAGE = "src/codebreaker"


@pytest.fixture(scope="module")
def copy(done, tmp_path_factory):
    """A copy of the project and the small study, which has nothing to do."""
    # Jobs that other tests ran again took another time, of which the study's tables tell.
    assert done.snakemake(*GPU).returncode == 0
    study = copy_of(done, tmp_path_factory.mktemp("copy"))
    for script in (study.root / "workflow" / "scripts").iterdir():
        script.touch()
    assert "Nothing to be done" in study.snakemake(*GPU).stderr
    return study


@contextmanager
def edited(copy, edits):
    """Edit files by functions of their texts, and restore them."""
    before = {copy.root / name: (copy.root / name).read_text(encoding="utf-8") for name in edits}
    try:
        for (path, text), edit in zip(before.items(), edits.values(), strict=True):
            after = edit(text)
            assert after != text
            path.write_text(after, encoding="utf-8")
        yield
    finally:
        for path, text in before.items():
            path.write_text(text, encoding="utf-8")


def plan_after(copy, edits):
    """Return Snakemake's plan after some edits."""
    with edited(copy, edits):
        return copy.snakemake("--dry-run", *GPU)


def changed_after(copy, edits):
    """Return the rules by the status that their own outputs have after edits."""
    with edited(copy, edits):
        run = copy.snakemake("--summary", *GPU)
    assert run.returncode == 0, run.stderr
    rules = defaultdict(set)
    for row in (line.split("\t") for line in run.stdout.splitlines()):
        if len(row) > 4:
            rules[row[4]].add(row[2])
    return rules


def rules_with(keyword, jobs):
    """Return the rules of the small study with a keyword, and the files that have such rules."""
    planned = {name for name, _ in jobs}
    bodies = rule_bodies().items()
    rules = {name for name, body in bodies if f"\n    {keyword}:\n" in body} & planned
    texts = {path.name: path.read_text(encoding="utf-8") for path in RULES.glob("*.smk")}
    files = [
        f"workflow/rules/{name}"
        for name, text in texts.items()
        if rules.intersection(rule for rule, _ in BODY.findall(text))
    ]
    return rules, files


def test_rules_with_another_parameter_run_again(copy, jobs):
    rules, files = rules_with("params", jobs)
    assert len(files) > 5

    def edit(text):
        return text.replace("    params:\n", "    params:\n        7,\n")

    changed = changed_after(copy, dict.fromkeys(files, edit))
    assert rules - changed["params changed"] == set()


DATA = {
    "trees/verify.csv": "draw_figures",
    "report/names.toml": "draw_scaling",
    "report/rendering.conf": "draw_scaling",
    "report/chapters/effort.txt": "describe_machine",
    "report/templates/report/weights.md.j2": "write_report",
    "data/published/claims.toml": "check_sources",
    "data/published/kooi-2005-table-05.csv": "compare_kooi",
    "data/published/gur-2025-table-4.csv": "compare_gur",
    "data/published/records.csv": "draw_figures",
    "data/weights/gur-2025-stage.json": "grow_tree",
    "data/words/no-strategy-is-best.txt": "compute_quantities",
    "data/weights/stage-5630.json": "write_report",
    "players/registry.py": "play_games",
}


# No rule reads two of these. Each file is edited alone by `make faults`.
TOGETHER = (
    "report/names.toml",
    "report/chapters/effort.txt",
    "data/published/kooi-2005-table-05.csv",
    "data/weights/gur-2025-stage.json",
)


def more(name):
    """Return a function that adds to the text of a file."""
    added = "\nEDITED = 1\n" if name.endswith(".py") else "\n"
    return lambda text: text + added


def test_rules_run_again_if_their_command_or_data_that_they_read_changes(copy, jobs):
    """No rule with a command reads the data."""
    rules, files = rules_with("shell", jobs)
    assert {"check_values", "check_bounds", "check_certificates", "check_claims"} <= rules
    reading = {DATA[name] for name in TOGETHER}
    assert rules.isdisjoint(reading)

    def edit(text):
        return text.replace("shell:\n", 'shell:\n        "true;"\n')

    edits = {f"{PACKAGE}/{name}": more(name) for name in TOGETHER}
    changed = changed_after(copy, edits | dict.fromkeys(files, edit))
    assert changed["rule implementation changed"] == rules
    assert reading <= changed["params changed"] | changed["updated input files"]


@full_only
@pytest.mark.parametrize("name", DATA)
def test_a_rule_runs_again_if_data_or_code_that_it_reads_changes(copy, name):
    assert DATA[name] in names_of(plan_after(copy, {f"{PACKAGE}/{name}": more(name)}))


def test_jobs_declare_each_packaged_file_that_they_open(done):
    # Snakemake's own record of each job says what would make it run again.
    declared = defaultdict(set)
    for path in done.folder.glob(".snakemake/metadata/**/*"):
        if path.is_file():
            record = json.loads(path.read_text(encoding="utf-8"))
            script = Path(record["code"].strip().strip('"')).name
            for value in record["params"]:  # a file's is its name and digest; some are empty
                declared[script].update(value.strip("'").split()[:1])
            declared[script].update(map(os.path.basename, record["input"]))
    rows = {
        tuple(line.split("\t")) for line in done.folder.joinpath(OPENED).read_text().splitlines()
    }
    # The mark of compiled loops has no digest, as no result depends on it.
    scripts = {
        (script, name)
        for script, name in rows
        if script in declared and script != "compile_kernels.py"
    }
    assert len(scripts) > 50
    missing = {
        (script, name) for script, name in scripts if not {name, Path(name).name} & declared[script]
    }
    spoken = {(script, name) for script, name in missing if name in SPEAKING}
    assert missing - spoken == set()
    assert {name for _, name in spoken} <= SPEAKING
    assert {name for _, name in scripts} >= {"trees/grow.py", "report/names.toml"}


def test_snakemake_records_each_parameter_of_each_job(planned_anew, jobs):
    assert len(jobs) > 100
    assert "NOT RECORDED" not in planned_anew.stdout


def results_of(study):
    """Return the names of a study's results, without what only jobs read."""
    files = (path for path in study.results().rglob("*") if path.is_file())
    names = (path.relative_to(study.results()).as_posix() for path in files)
    return {name for name in names if not name.startswith(".jobs/")}


def test_every_result_is_described_and_listed(done):
    names = results_of(done)
    crate = json.loads(done.text("ro-crate-metadata.json"))
    described = {entity["@id"] for entity in crate["@graph"]}
    assert names - described == set()
    guide = done.text("README.md")
    patterns = [pattern_of(name) for row in TEXTS["files"] for name in row["files"]]
    assert {name for name in names if not any(map(partial(fnmatch, name), patterns))} == {
        "README.md"
    }
    shown = [row for row in TEXTS["files"] if f"| `{row['files'][0]}" in guide]
    for row in shown:
        assert any(fnmatch(name, pattern_of(row["files"][0])) for name in names), row


def test_every_result_that_is_gone_is_made_again(done, jobs, tmp_path):
    """One file of each rule is moved away and planned; some are made, with the same bytes."""
    crate = json.loads(done.text("ro-crate-metadata.json"))
    names = {entity["@id"] for entity in crate["@graph"]} & results_of(done)
    maker_of = {file: name for name, text in jobs for file in files_of(text, "output")}
    gone = {maker_of[f"results/{name}"]: name for name in sorted(names)}
    assert len(gone) > 45
    for name in gone.values():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        done.results(name).rename(tmp_path / name)
    made = {rule: gone[rule] for rule in ("solve_exactly", "optimise_weights", "certify_tree")}
    try:
        planned = names_of(done.snakemake("--dry-run", *GPU))
        again = done.snakemake(*GPU, "--", *(f"results/{name}" for name in made.values()))
        bytes_again = {name: done.results(name).read_bytes() for name in made.values()}
    finally:
        for name in gone.values():
            (tmp_path / name).replace(done.results(name))
    assert set(gone) - planned == set()
    assert again.returncode == 0, again.stderr
    for name, content in bytes_again.items():
        assert content == done.results(name).read_bytes(), name


# Keys of the configuration that change no plan, and why.
CHANGES_NOTHING = {
    "time_limit_s": "an optimum that is proven stays so",
    "backend": "every backend finds the same",
    "table_mib": "counts only where a game has a table with one limit and none with the other",
}


def numbers_of(value, path=()):
    """Yield the path and value of each number in a configuration."""
    if isinstance(value, dict | list):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in parts:
            yield from numbers_of(part, (*path, key))
    elif isinstance(value, int | float):
        yield path, value


def changed_at(config, path, value):
    """Return a copy of a configuration with another value at a path."""
    changed = json.loads(json.dumps(config))
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return changed


def different(value):
    """Return the values to try in place of a number; a configuration may refuse some."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, max(value - 1, 0), value + 2]
    return [value * 0.9, value / 2, value + 0.1]


def keys_to_change():
    """Return one path for each key of the small study that has a number, with its value."""
    given = read_yaml("config/smoke.yaml")
    config = {**given, **json.loads(load_study(given, ROOT).config.model_dump_json())}
    keys = {}
    for path, value in numbers_of(config):
        keys.setdefault((path[0], [key for key in path if isinstance(key, str)][-1]), (path, value))
    return config, list(keys.values())


CONFIG_OF_ALL, KEYS = keys_to_change()
IN_CI = 6
"""Keys that CI tries; `make faults` tries all."""


@pytest.mark.parametrize(
    ("path", "value"),
    [
        pytest.param(path, value, marks=[] if number % (len(KEYS) // IN_CI) == 0 else full_only)
        for number, (path, value) in enumerate(KEYS)
    ],
    ids=lambda value: ".".join(map(str, value)) if isinstance(value, tuple) else "",
)
def test_each_key_changes_the_plan_or_is_exempt(copy, path, value):
    for other in different(value):
        changed = changed_at(CONFIG_OF_ALL, path, other)
        try:
            load_study(changed, ROOT)
        except CodebreakerError:
            continue
        planned = names_of(copy.snakemake("--dry-run", *GPU, overlay=changed))
        assert bool(planned) != (path[-1] in CHANGES_NOTHING), other
        return
    pytest.skip(f"{path} has no other value that this study allows")


def test_claims_concern_nothing_but_verdicts_and_pages_and_a_remark_nothing(copy):
    edits = {
        f"{PACKAGE}/data/published/claims.toml": lambda text: text + "\n",
        f"{PACKAGE}/trees/grow.py": lambda text: text + "\n# A remark.\n",
    }
    pages = {
        "describe_results",
        "write_report",
        "build_site",
        "summarise_resources",
        "describe_run",
    }
    planned = names_of(plan_after(copy, edits))
    assert planned == {"check_sources", "check_claims", *pages}


def test_the_reason_names_the_module(copy):
    modules = ("trees/grow.py", "players/registry.py")
    plan = plan_after(copy, {f"{PACKAGE}/{name}": more(name) for name in modules})
    jobs = jobs_of(plan)
    (grown,) = [text for _, text in jobs if "wildcards: game=mm-4-6, policy=entropy\n" in text]
    assert re.search(r"now: .*'trees/grow\.py [0-9a-f]{16}'", grown)
    # What plays doesn't read how trees are grown.
    played = dict(jobs)["play_games"]
    assert re.search(r"now: .*'players/registry\.py [0-9a-f]{16}'", played)
    assert "trees/grow.py" not in played


@pytest.fixture(scope="module")
def planned(copy):
    """The jobs after two additions to the study: a strategy, and an optimum of another game."""
    config = yaml.safe_load(copy.config.read_text(encoding="utf-8"))
    strategies = config["strategies"]["mm-4-6"]
    more = [*strategies, {"policy": "worst-case", "opening": "1234"}]
    overlay = {
        "strategies": {"mm-4-6": more},
        "exact": {"games": {"mm-3-4": [{"from_best_known": True}]}},
    }
    return jobs_of(copy.snakemake("--dry-run", *GPU, overlay=overlay))


def test_a_strategy_more_concerns_its_game_alone(planned):
    grown = [text for name, text in planned if name == "grow_tree"]
    assert len(grown) == 1
    assert "policy=worst-case_from-1234" in grown[0]
    for name in ("compute_regrets", "summarise_game"):
        games = [re.search(r"game=([-\w]+)", text)[1] for rule, text in planned if rule == name]
        assert games == ["mm-4-6"], name


def test_a_recorded_tree_that_a_search_starts_from_is_its_input(planned):
    (solved,) = [text for name, text in planned if name == "solve_exactly"]
    assert "game=mm-3-4" in solved
    assert [file for file in files_of(solved, "input") if "data/trees/mm-3-4.parquet" in file]


def test_the_table_that_contributing_adds_is_made(copy):
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = re.search("^## A new table$(.*?)^## ", text, re.MULTILINE | re.DOTALL)[1]
    blocks = re.findall(r"   ```python\n(.*?)   ```", section, re.DOTALL)
    function, script, rule = (dedent(block) for block in blocks)
    chapter = copy.source / "codebreaker" / "report" / "chapters" / "strategies.py"
    rules = copy.root / "workflow" / "rules" / "tables.smk"
    before = {path: path.read_text(encoding="utf-8") for path in (chapter, rules)}
    chapter.write_text(f"{before[chapter]}\n\n{function}", encoding="utf-8")
    rules.write_text(before[rules].replace("rule tables:", f"{rule}\n\nrule tables:"))
    added = copy.root / "workflow" / "scripts" / "tabulate_openings.py"
    added.write_text(script, encoding="utf-8")
    run = copy.snakemake("--", "results/tables/strategy-openings.md")
    added.unlink()
    for path, content in before.items():
        path.write_text(content, encoding="utf-8")
    assert names_of(run) == {"tabulate_openings"}
    assert "| 1123 |" in copy.text("tables/strategy-openings.md")


def test_a_forced_tree_is_grown_and_measured_again(copy):
    tree = copy.results("trees/mm-4-6/entropy.parquet")
    measured = copy.results(".jobs/effort/grow_tree/mm-4-6/entropy.json")
    before = (tree.read_bytes(), tree.stat().st_mtime_ns, measured.stat().st_mtime_ns)
    run = copy.snakemake("--forcerun", "grow_tree", "--", "results/trees/mm-4-6/entropy.parquet")
    assert names_of(run) == {"grow_tree"}
    assert tree.read_bytes() == before[0]
    assert tree.stat().st_mtime_ns > before[1]
    assert measured.stat().st_mtime_ns > before[2]


def files_of(text, field):
    """Return the files that a job's description has as `input` or `output`."""
    listed = re.search(f"^ *{field}: (.*)$", text, re.MULTILINE)
    return listed[1].split(", ") if listed else []


def rules_for(target, jobs):
    """Return the rules of the jobs that a file needs, directly or indirectly."""
    maker_of = {file: job for job in jobs for file in files_of(job[1], "output")}
    rules = set()
    seen = set()
    pending = [target]
    assert target in maker_of
    while pending:
        file = pending.pop()
        if file in seen or file not in maker_of:
            continue
        seen.add(file)
        name, text = maker_of[file]
        rules.add(name)
        pending += files_of(text, "input")
    return rules


def test_single_files_need_no_more_than_they_read(jobs):
    needed = {
        "results/trees/mm-4-6/entropy.parquet": {"tabulate_game", "compile_kernels", "grow_tree"},
        "results/exact/mm-4-6/optimal.json": {"tabulate_game", "compile_kernels", "solve_exactly"},
        "results/tables/scaling.csv": {"measure_scaling", "draw_scaling"},
    }
    for target, rules in needed.items():
        assert rules_for(target, jobs) == rules, target


def test_a_module_from_a_git_path_is_refused_in_one_line(tmp_path):
    """Its rules read files beside them, which Snakemake doesn't fetch."""
    module = f"""
module codebreaker:
    snakefile: gitfile("{ROOT}", path="Snakefile", commit="HEAD")
    config: {{"strategies": {{"mm-2-2": [{{"policy": "entropy"}}]}}}}

use rule * from codebreaker
"""
    (tmp_path / "Snakefile").write_text(module, encoding="utf-8")
    run = run_snakemake("--dry-run", cwd=tmp_path)
    assert run.returncode != 0
    assert "error: use the workflow from a clone" in run.stdout + run.stderr


MODULE = """
configfile: "{ROOT}/config/smoke.yaml"

module codebreaker:
    snakefile: "{ROOT}/Snakefile"
    config: config
    prefix: "mastermind"

use rule * from codebreaker as codebreaker_*
"""


@full_only
def test_the_whole_small_study_is_planned_as_a_prefixed_module(done, tmp_path):
    (tmp_path / "Snakefile").write_text(MODULE.format(ROOT=ROOT), encoding="utf-8")
    options = ("--dry-run", *GPU, "--logger-lines-full")
    plan = run_snakemake(*options, cwd=tmp_path)
    alone = run_snakemake(*options, "--directory", tmp_path / "alone", "--configfile", done.config)
    planned = {name.removeprefix("codebreaker_") for name in names_of(plan)}
    assert planned - TARGETS == names_of(alone)
