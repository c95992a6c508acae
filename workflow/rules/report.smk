from codebreaker.report.needs import CLAIMS, PAGE_CHARTS, files_of_claims, page_cells

# What is computed before anything is written about it; of trees their metrics count.
COMPUTED = made(*(name for name in JOBS if name not in ("tabulate_game", "grow_tree")))
JOBS |= {
    "check_sources": once(True),
    "check_claims": once(True),
    "describe_results": once(True),
    "build_site": once(True),
}


# Of the files that claims quote, some are recorded: copies of what earlier runs wrote.
CITED = among(
    made("cite_paper_scale", "cite_best_known", "cite_larger_games"), files_of_claims()
)
# Of the others a study may compute only some.
CLAIMED = [path for path in among(COMPUTED, files_of_claims()) if path not in CITED]


rule check_sources:
    "Judge the sources' claims by the computed results, and write the verdicts."
    input:
        results=CLAIMED,
        recorded=CITED,
        claims=packaged(CLAIMS),
    output:
        discrepancies=shown("results/discrepancies.csv", "Tables", "sources"),
        readings=shown("results/readings.csv", "Tables", "sources"),
        effort=effort("check_sources"),
    log:
        "logs/check_sources.log",
    localrule: True
    params:
        *code("check_sources"),
        *contents_of(CLAIMS),
    script:
        "../scripts/check_sources.py"


rule check_claims:
    "Judge the sources' claims again, deliberately without the package."
    input:
        results=CLAIMED,
        recorded=CITED,
        claims="results/discrepancies.csv",
        readings="results/readings.csv",
    output:
        checked="results/discrepancies-checked.txt",
        effort=effort("check_claims"),
    log:
        "logs/check_claims.log",
    localrule: True
    params:
        *checker("check_claims", "report.smk"),
        program=measured("check_claims"),
    shell:
        "{params.program:q} {input.claims:q} > {output.checked} 2> {log}"
        " && cp {output.checked} {log}"


GUIDE = packaged(ROOT / "report" / "templates" / "guide.md.j2")


rule describe_results:
    "Write the guide to the results."
    input:
        strategies="results/metrics/strategies.parquet",
        discrepancies="results/discrepancies.csv",
        players=when(CONTESTS, "results/tables/players.csv"),
        template=GUIDE,
    output:
        guide="results/README.md",
        effort=effort("describe_results"),
    log:
        "logs/describe_results.log",
    localrule: True
    params:
        *code("describe_results"),
        *contents_of(*GUIDE),
        **settings(files=names_of_results),
    script:
        "../scripts/describe_results.py"


PAGE_FILES = (
    path for path in (ROOT / "report" / "page").rglob("*.*") if path.suffix != ".md"
)
PAGE = packaged(*sorted(PAGE_FILES))
PLAYED_OFFLINE = [*published("trees/*"), *published("words/*")]


rule build_site:
    "Build the page of findings, charts, explorer and assistant."
    input:
        **EVIDENCE,
        games=expand("results/games/{game}/game.npz", game=GAMES),
        trees=[tree for game in GAMES for tree in trees_of(game)],
        weights=[
            weights_of(game, model)
            for game, models in FOUND.items()
            for model in models
        ],
        regrets=expand("results/exact/{game}/moves.parquet", game=WITH_OPTIMA),
        openings=when(PAPERS_GAME in WITH_OPTIMA, "results/tables/openings.csv"),
        strategies="results/metrics/strategies.parquet",
        discrepancies="results/discrepancies.csv",
        transfer=when(TRANSFER.games, "results/tables/weight-transfer.csv"),
        cells=when(KOOI, *(f"results/tables/{name}.csv" for name in page_cells())),
        charts=among(COMPUTED, [f"figures/{name}.json" for name in PAGE_CHARTS]),
        page=PAGE,
        packaged=PLAYED_OFFLINE,
        published=published("weights/*.json"),
        claims=packaged(CLAIMS),
    output:
        page=report("results/index.html", caption="../report/site.rst", category="Site"),
        effort=effort("build_site"),
    log:
        "logs/build_site.log",
    localrule: True
    params:
        *code("build_site"),
        *contents_of(
            *PAGE,
            *PLAYED_OFFLINE,
            *published("weights/*.json"),
            *EVIDENCE.values(),
            CLAIMS,
        ),
        **settings(
            has_report=bool(PAPER),
            # A link from the page to the project, for results within its folder.
            source=(
                os.path.relpath(WORKFLOW.parent, "results")
                if Path.cwd().is_relative_to(WORKFLOW.parent)
                else ""
            ),
            strategies={
                game: {slug: strategy.settings for slug, strategy in by_slug.items()}
                for game, by_slug in STUDY.strategies.items()
            },
        ),
    script:
        "../scripts/build_site.py"


# The jobs of the table of efforts: those of later rules wait for this table.
MEASURED = list(JOBS)


rule summarise_resources:
    "Tabulate time and memory of each rule, and the speed of the searches for weights."
    input:
        efforts=efforts_of(*MEASURED),
        speeds=[
            path
            for game, models in MODELS.items()
            for path in seed_files(game, models, ".speed.parquet")
        ],
    output:
        tables=tabled("resources", "resources"),
        searches=tabled("resources", *when(any(MODELS.values()), "resources-searches")),
        effort=effort("summarise_resources"),
    log:
        "logs/summarise_resources.log",
    localrule: True
    params:
        *code("summarise_resources"),
    script:
        "../scripts/summarise_resources.py"


JOBS |= {
    "summarise_resources": once(True),
    "write_report": once(PAPER),
}


TEMPLATES = packaged(*sorted((ROOT / "report" / "templates").rglob("*.*")))


rule write_report:
    "Write the report as Markdown and HTML, and the facts that it quotes."
    input:
        results=[
            *COMPUTED,
            *made("check_sources", "describe_results", "summarise_resources"),
        ],
        templates=TEMPLATES,
        weights=published("weights/*.json"),
        claims=packaged(CLAIMS),
    output:
        report="results/report.md",
        page="results/report.html",
        facts="results/facts.csv",
        effort=effort("write_report"),
    log:
        "logs/write_report.log",
    localrule: True
    params:
        *code("write_report"),
        *contents_of(*TEMPLATES, *published("weights/*.json"), CLAIMS),
    script:
        "../scripts/write_report.py"


# All jobs but the last one, which describes what the others wrote.
DESCRIBED = list(JOBS)
JOBS |= {"describe_run": once(True)}


rule evaluate:
    "Evaluation: the strategies' metrics, and the sources' claims."
    input:
        made(
            "summarise_game",
            "summarise_strategies",
            "check_sources",
            "check_claims",
        ),


rule report:
    "The report: tables, time and memory, and the guide to the results."
    input:
        made(
            "describe_results",
            "summarise_resources",
            "write_report",
        ),


rule site:
    """The site: findings, charts, an explorer of all trees and an assistant, in one page."""
    input:
        made(
            "build_site",
        ),


rule describe_run:
    "Describe the run as an RO-Crate: what it read and wrote, with which software, and by whom."
    input:
        results=made(*DESCRIBED),
        efforts=efforts_of(*DESCRIBED),
        machine="results/tables/machine.csv",
        settings=packaged(*workflow.configfiles),
        citation=packaged(WORKFLOW.parent / "CITATION.cff")[0],
    output:
        crate="results/ro-crate-metadata.json",
    log:
        "logs/describe_run.log",
    localrule: True
    params:
        *code("describe_run"),
    script:
        "../scripts/describe_run.py"


rule crate:
    """The run as an RO-Crate: what it read and wrote, with which software, and by whom."""
    input:
        made(
            "describe_run",
        ),
