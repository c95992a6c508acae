"""The workflow, run end to end in a copy of the repository."""

import os
import re
import shutil
import subprocess
import sys

import pytest
import yaml
from conftest import ROOT, watched
from playwright.sync_api import expect
from prose import facts_of, fits, numerals_of_facts, unexplained

SMOKE = ("--configfile", "config/config.yaml", "config/smoke.yaml")
RULES = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("workflow/rules/*.smk"))
TARGETS = {
    "all", "trees", "optimise", "evaluate", "weights", "report", "families", "pareto", "players",
    "scaling", "exact", "site",
}  # fmt: skip
MANY_LINES = re.MULTILINE | re.DOTALL
PARTS = ("Snakefile", "workflow", "src", "config", "profiles", "envs")


class Copy:
    """A copy of the repository in which files may be edited."""

    def __init__(self, folder):
        """Copy what the workflow needs."""
        self.folder = folder
        for part in PARTS:
            source, target = ROOT / part, folder / part
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, target)

    def snakemake(self, *arguments, overlays=()):
        """Run snakemake on the package of the copy, with overlays over the small study."""
        return subprocess.run(
            [sys.executable, "-m", "snakemake", *arguments, "--cores", "2", *SMOKE, *overlays],
            cwd=self.folder,
            env=os.environ | {"PYTHONPATH": str(self.folder / "src")},
            capture_output=True,
            text=True,
            check=False,
        )

    def pending(self):
        """Return the rules that a run would run."""
        dry = self.snakemake("--dry-run")
        assert dry.returncode == 0, dry.stderr
        told = dry.stdout + dry.stderr
        return set(re.findall(r"^ *(?:local)?rule (\w+):", told, re.MULTILINE)) - TARGETS

    def edit(self, name):
        """Append to a file what doesn't change its meaning."""
        with (self.folder / name).open("a", encoding="utf-8") as file:
            file.write("\n# edited\n" if name.endswith(".py") else "\n")

    def without_change(self, name):
        """Return what puts a file back as it is now."""
        path = self.folder / name
        before, stat = path.read_bytes(), path.stat()

        def restore():
            path.write_bytes(before)
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))

        return restore


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """A copy in which the default study has been run."""
    copy = Copy(tmp_path_factory.mktemp("workflow"))
    run = copy.snakemake("--resources", "gpu=1")
    assert run.returncode == 0, run.stderr
    return copy


@pytest.fixture
def undone(tmp_path):
    """A copy in which nothing has been run."""
    return Copy(tmp_path)


def config(copy, **settings):
    """Write an overlay, and return its name."""
    path = copy.folder / "overlay.yaml"
    path.write_text(yaml.safe_dump(settings), encoding="utf-8")
    return ("overlay.yaml",)


def test_a_second_run_has_nothing_to_do(done):
    assert "Nothing to be done" in done.snakemake("--resources", "gpu=1").stderr


def test_every_job_of_a_cluster_says_what_it_needs(undone):
    dry = undone.snakemake("--dry-run", "--resources", "gpu=1")
    assert dry.returncode == 0, dry.stderr
    jobs = re.findall(r"^ *rule (\w+):\n.*?^ *resources: (.*?)$", dry.stdout, MANY_LINES)
    asking = {name: told for name, told in jobs if "mem_mb=" in told}
    assert set(asking) == {
        *GROW, *GUIDED - {"check_bounds"}, *OPTIMISE, "sweep_policies_mm_4_6", "solve_exactly",
        "measure_scaling", "certify_trees_mm_5_8", "grow_trees_mm_5_8", "grow_found_trees_mm_5_8",
        *LARGE, "price_moves",
        "play_terminals", "play_random_consistent",
        *(f"play_contest_{name.replace('-', '_')}" for name in CONTESTS),
    }  # fmt: skip
    for name, told in asking.items():
        assert "runtime=" in told, name
        assert name not in OPTIMISE or "gpu=" in told, name
    local = re.findall(r"^localrules:\n((?:    \w+,\n)+)", RULES, re.MULTILINE)
    cheap = {name for name, _ in jobs} - set(asking) - TARGETS
    assert cheap == set(re.findall(r"\w+", "".join(local)))


def test_every_job_logs(done):
    logs = {path.stem for path in (done.folder / "logs").rglob("*.log")}
    games = {path.name for path in (done.folder / "results/games").iterdir()}
    assert {"mm-2-4", "mm-2-6", "mm-3-4", "mm-4-6", "mm-5-4"} < games
    assert logs == games | {
        "seed-0", "select_weights", "analyse_weights", "draw_weights", "compare_families",
        "summarise_strategies", "check_sources", "compare_kooi", "compare_gur", "draw_figures",
        "describe_results", "describe_machine", "write_report", *EXACT, "check_bounds", *TERMINALS,
        *CONTESTS, "compare_players", "check_trees", "draw_scaling", "price_moves", "compare_moves",
        "build_site",
    }  # fmt: skip
    grown = (done.folder / "logs/grow_trees/mm-4-6.log").read_text(encoding="utf-8")
    assert "30/30 stage-weighted_pool-consistent: 5682 guesses, at most 6" in grown


EXACT = {"solve_exactly", "check_certificates", "tabulate_optima"}
GUIDED = {"guide_weights_mm_4_6", "check_bounds"}
GROW = {"grow_trees_mm_2_6", "grow_trees_mm_3_4", "grow_trees_mm_4_6", "grow_found_trees_mm_4_6"}
GROW |= {"grow_trees_bc_3_5", "grow_trees_bc_4_10", "grow_trees_black_3_4", "grow_trees_black_4_6"}
GROW |= {"grow_trees_marks_five", "grow_trees_matches_example"}
CONTESTS = (
    "four-six-keeping", "four-eight-keeping",
    "four-six", "four-eight", "four-six-from-1122", "four-six-from-1234", "three-six", "five-six",
    "five-eight",
)  # fmt: skip
TERMINALS = {"play_terminals", "tabulate_terminals", "plot_terminals"}
MODELS = ("fixed", "stage", "tsallis-orders", "tsallis-stage", "renyi-stage")
LARGE = {"optimise_mm_5_8_stage_0", "optimise_mm_5_8_endgames_0"}
LARGE_TREES = {"grow_found_trees_mm_5_8", "certify_trees_mm_5_8", "check_trees"}
OPTIMISE = {f"optimise_mm_4_6_{model.replace('-', '_')}_0" for model in MODELS}
AFTER_STRATEGIES = {
    "check_sources", "compare_kooi", "compare_gur", "draw_figures", "describe_results",
    "draw_frontier", "price_moves", "compare_moves", "write_report", "build_site",
}  # fmt: skip


@pytest.mark.parametrize(
    ("edited", "rules"),
    [
        (
            "src/codebreaker/report/style.py",
            {
                "draw_figures",
                "draw_weights",
                "plot_terminals",
                "tabulate_terminals",
                "draw_frontier",
                "compare_players",
                "describe_results",
                "compare_families",
                "draw_scaling",
                "compare_moves",
                "write_report",
                "build_site",
            },
        ),
        (
            "src/codebreaker/report/discrepancies.py",
            {"check_sources", "describe_results", "write_report", "build_site"},
        ),
        ("src/codebreaker/report/site/page/explorer.js", {"build_site"}),
        (
            "src/codebreaker/exact/prices.py",
            {"price_moves", "compare_moves", "write_report", "build_site"},
        ),
        ("src/codebreaker/report/templates/report/limits.md.j2", {"write_report"}),
        ("src/codebreaker/config/searches.py", set()),
        (
            "src/codebreaker/kernels/cpu.py",
            {
                *GROW,
                *EXACT,
                *GUIDED,
                *TERMINALS,
                *OPTIMISE,
                *LARGE,
                *LARGE_TREES,
                "measure_scaling",
                "draw_scaling",
                "grow_trees_mm_5_8",
                "select_weights",
                "compare_families",
                "sweep_policies_mm_4_6",
                "analyse_weights",
                "draw_weights",
                "summarise_strategies",
                *AFTER_STRATEGIES,
            },
        ),
        ("src/codebreaker/data/words/english.txt", {*TERMINALS, "write_report", "build_site"}),
        (
            "src/codebreaker/data/words/five-guesses.txt",
            {
                "tabulate_game",
                "grow_trees_marks_five",
                *EXACT,
                "summarise_strategies",
                *AFTER_STRATEGIES,
            },
        ),
        (
            "src/codebreaker/report/weights.py",
            {"analyse_weights", "draw_weights", "write_report", "build_site"},
        ),
        (
            "src/codebreaker/optimise/genetic.py",
            {
                *OPTIMISE,
                *LARGE,
                *LARGE_TREES,
                "select_weights",
                "compare_families",
                "sweep_policies_mm_4_6",
                "grow_found_trees_mm_4_6",
                "analyse_weights",
                "draw_weights",
                "summarise_strategies",
                *AFTER_STRATEGIES,
            },
        ),
        (
            "src/codebreaker/data/weights/gur-2025-fixed.json",
            {
                *GROW - {"grow_found_trees_mm_4_6"},
                *LARGE_TREES - {"grow_found_trees_mm_5_8"},
                "grow_trees_mm_5_8",
                "analyse_weights",
                "draw_weights",
                "summarise_strategies",
                *AFTER_STRATEGIES,
            },
        ),
    ],
)
def test_an_edit_reruns_the_rules_that_use_the_file_alone(done, edited, rules):
    restore = done.without_change(edited)
    done.edit(edited)
    try:
        assert done.pending() == rules
    finally:
        restore()
    assert done.pending() == set()


def test_the_report_says_what_the_results_say(done):
    folder = done.folder / "results"
    text, facts = (folder / "report.md").read_text(encoding="utf-8"), facts_of(folder / "facts.csv")
    assert unexplained(text, numerals_of_facts(facts)) == []
    assert [fact for fact in facts if not fits(fact, folder)] == []
    assert "## Players that search" in text
    for heading in re.findall("^## (.*)$", text, re.MULTILINE):
        assert f">{heading}</h2>" in (folder / "report.html").read_text(encoding="utf-8")
    for picture in re.findall(r"!\[.*?\]\((.*?)\)", text):
        assert (folder / picture).exists()


def test_the_report_is_written_again_to_the_same_bytes(done):
    paths = [done.folder / "results" / name for name in ("report.md", "report.html", "facts.csv")]
    before = [path.read_bytes() for path in paths]
    run = done.snakemake("--forcerun", "write_report", "results/report.md")
    assert run.returncode == 0, run.stderr
    assert [path.read_bytes() for path in paths] == before


def test_the_site_has_all_charts_and_games_of_the_study(done):
    folder = done.folder / "results"
    text = (folder / "index.html").read_text(encoding="utf-8")
    drawn = {path.stem for path in (folder / "figures").glob("*.json")}
    assert set(re.findall('data-chart="chart-(.*?)"', text)) == drawn
    for game in (path.name for path in (folder / "trees").iterdir()):
        asked = len(list((folder / "trees" / game).glob("*.parquet"))) > 1
        assert (f'id="game-{game}"' in text) or not asked, game
    links = re.findall('href="([^#:"]+)"', text)
    assert len(links) > 100
    assert [link for link in links if not (folder / link).exists()] == []


def test_all_charts_of_the_site_are_drawn(done, browser):
    with watched(browser, done.folder / "results" / "index.html") as page:
        page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        figures = page.locator("figure.chart")
        for number in range(figures.count()):
            figures.nth(number).scroll_into_view_if_needed()
            expect(figures.nth(number)).to_have_attribute("data-state", "drawn")
            box = figures.nth(number).locator("canvas").bounding_box()
            assert box["width"] > 200
            assert box["height"] > 100


def test_snakemakes_own_report_has_captions_and_categories(done):
    run = done.snakemake("--report", "report.html")
    assert run.returncode == 0, run.stderr
    text = (done.folder / "report.html").read_text(encoding="utf-8")
    for words in ("Charts", "Tables", "Site", "Strategies played against every secret of a game"):
        assert words in text


def test_touching_a_file_reruns_nothing(done):
    (done.folder / "src/codebreaker/tree.py").touch()
    assert done.pending() == set()


def test_one_target_can_be_run_again(done):
    run = done.snakemake("--forcerun", "compare_gur", "results/tables/gur-2025-table-4.md")
    assert run.returncode == 0, run.stderr
    assert "compare_gur" in run.stderr
    assert "compare_kooi" not in run.stderr


@pytest.mark.parametrize(
    ("damaged", "target"),
    [
        ("results/metrics/strategies.parquet", "results/tables/gur-2025-table-4.md"),
        ("results/trees/mm-4-6/entropy.parquet", "results/metrics/strategies.parquet"),
        ("results/games/mm-4-6/game.npz", "results/trees/mm-4-6/entropy.parquet"),
    ],
)
def test_a_damaged_cache_is_named_and_leaves_nothing_behind(done, damaged, target):
    restore = done.without_change(damaged)
    path = done.folder / damaged
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2 + 1])
    try:
        run = done.snakemake(target)
    finally:
        restore()
    assert run.returncode != 0
    told = [line for line in run.stderr.splitlines() if "error: results" in line]
    assert f"{damaged} is damaged" in told[0]
    assert "delete it and run snakemake again" in told[0]
    assert not (done.folder / target).exists()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"limit": {}}, "error: unknown config key limit: did you mean 'limits'?"),
        (
            {"strategies": {"mm-4-6": [{"policy": "entropy", "opening": "1723"}]}},
            "error: config key strategies.mm-4-6.0: code '1723' has the peg '7' at position 2",
        ),
        (
            {"exact": {"games": {"mm-5-8": [{}]}}},
            "config key exact.games.mm-5-8: game 'mm-5-8' needs a feedback table of 1,024.0 MiB",
        ),
        ({"strategies": {"mm-9-9": []}}, "without a table at most 14 and 16,777,216 are possible"),
        (
            {"strategies": {"mm-4-6": [{"policy": "entropy", "endgames": 9}]}},
            "endgames are for games without a table: solve mm-4-6 itself, under exact.games",
        ),
        (
            {
                "word_lists": {"bad": {"secrets": "src/codebreaker/data/words/english.txt"}},
                "strategies": {"matches-bad": []},
            },
            "english.txt, line 401: 'abaci' has 5 letters, but 'abet'",
        ),
    ],
)
def test_a_bad_config_is_told_in_one_line_and_nothing_is_run(undone, settings, message):
    run = undone.snakemake(overlays=config(undone, **settings))
    assert run.returncode != 0
    told = (run.stdout + run.stderr).splitlines()
    assert len([line for line in told if message in line]) == 1
    assert not [line for line in told if "Traceback" in line]
    assert not (undone.folder / "results").exists()


def test_a_strategy_that_a_table_needs_is_named(undone):
    settings = config(undone, strategies={"mm-4-6": [{"policy": "entropy"}]})
    run = undone.snakemake("results/tables/gur-2025-table-4.md", overlays=settings)
    assert run.returncode != 0
    assert "'fixed-weighted' of mm-4-6 was not grown: list it in the config" in run.stderr
    assert not list((undone.folder / "results").glob("tables/*"))
