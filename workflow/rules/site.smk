from codebreaker.report.site import CELLS
from codebreaker.report.site import CHARTS as PAGE_CHARTS

# A link from the page to the project, for results within its folder.
SOURCE = (
    os.path.relpath(WORKFLOW.parent, "results")
    if Path.cwd().is_relative_to(WORKFLOW.parent)
    else ""
)


rule site:
    """The site: findings, charts, an explorer of all trees and an assistant, in one page."""
    input:
        "results/index.html",


rule build_site:
    "Build the page of findings, charts, explorer and assistant."
    input:
        games=expand("results/games/{game}/game.npz", game=GAMES),
        trees=trees_of(GAMES, optimal=True),
        weights=[
            weights_of(game, model)
            for game, models in FOUND.items()
            for model in models
        ],
        regrets=expand("results/exact/{game}/moves.parquet", game=WITH_OPTIMA),
        strategies="results/metrics/strategies.parquet",
        discrepancies="results/discrepancies.csv",
        transfer=["results/tables/weight-transfer.csv"] if TRANSFER.games else [],
        cells=[f"results/tables/{name}.csv" for name in CELLS] if KOOI else [],
        charts=[
            f"results/figures/{name}.json"
            for name in PAGE_CHARTS
            if name in ALL_CHARTS
        ],
        page=local_all(sorted((ROOT / "report" / "page").iterdir())),
        packaged=published_files("trees", "words"),
    output:
        page=report("results/index.html", caption="../report/site.rst", category="Site"),
    log:
        "logs/build_site.log",
    params:
        code=code.build_site,
        contents=contents(
            local_all(sorted((ROOT / "report" / "page").iterdir())),
            published_files("trees", "words"),
        ),
        has_report=bool(PAPER),
        source=SOURCE,
        policies={
            (game, slug): policy
            for game, policies in STUDY.policies.items()
            for slug, policy in policies.items()
        },
    script:
        "../scripts/build_site.py"
