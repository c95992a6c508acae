"""The site: findings, charts, an explorer of all trees and an assistant, in one page."""


localrules:
    build_site,


rule site:
    input:
        "results/index.html",


rule build_site:
    input:
        games=[f"results/games/{game}/game.npz" for game in GAMES],
        trees=[priced_trees(game) for game in GAMES],
        weights=[path for files in FOUND.values() for path in files.values()],
        prices=[f"results/exact/{game}/moves.parquet" for game in PRICED],
        strategies="results/metrics/strategies.parquet",
        discrepancies="results/discrepancies.csv",
        charts=chart_specs(),
        code=code_of("build_site.py"),
        page=page_files(),
    output:
        page=report("results/index.html", caption="../report/site.rst", category="Site"),
    log:
        "logs/build_site.log",
    conda:
        "../../envs/environment.yaml"
    params:
        policies={
            (game, slug): policy
            for game, policies in STUDY.policies.items()
            for slug, policy in policies.items()
        },
    script:
        "../scripts/build_site.py"
