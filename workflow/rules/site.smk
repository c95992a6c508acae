"""The site: findings, charts, an explorer of all trees and an assistant, in one page."""


localrules:
    build_site,


rule site:
    input:
        "results/index.html",


rule build_site:
    input:
        games=expand("results/games/{game}/game.npz", game=GAMES),
        trees=trees_of(GAMES, optimal=True),
        weights=[
            weights_of(game, model)
            for game, models in FOUND.items()
            for model in models
        ],
        prices=expand("results/exact/{game}/moves.parquet", game=PRICED),
        strategies="results/metrics/strategies.parquet",
        discrepancies="results/discrepancies.csv",
        charts=[f"results/figures/{name}.json" for name in sorted(CHARTS)],
        page=local_all(sorted((ROOT / "report" / "site" / "page").iterdir())),
    output:
        page=report("results/index.html", caption="../report/site.rst", category="Site"),
    log:
        "logs/build_site.log",
    params:
        code=code_of("build_site.py"),
        policies={
            (game, slug): policy
            for game, policies in STUDY.policies.items()
            for slug, policy in policies.items()
        },
    script:
        "../scripts/build_site.py"
