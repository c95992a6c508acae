JOBS |= {
    "compare_kooi": once(KOOI),
    "compute_quantities": once(QUANTITIES),
    "compare_gur": once(GUR),
    "compare_gur_search": once(GUR_MODEL in PAPER_MODELS),
    "draw_figures": once(TREES.get(PAPERS_GAME)),
    "describe_machine": once(True),
}


GUR_SEARCH = weights_of(PAPERS_GAME, GUR_MODEL)
KOOI_FIGURES = published("published/kooi-2005-*")
GUR_FIGURES = [
    *published("published/gur-2025-*"),
    *published("weights/gur-2025-*"),
]
STRATEGY_FIGURES = published("published/records.csv")
QUANTITY_SOURCES = [
    *published("words/no-strategy-is-best.txt"),
    *published("weights/gur-2025-fixed.json"),
    *published("weights/gur-2025-stage.json"),
]


rule compare_kooi:
    "Write Kooi's tables."
    input:
        two_pegs=f"results/games/{KOOIS_SMALL_GAME}/game.npz",
        game=f"results/games/{PAPERS_GAME}/game.npz",
        trees=papers_trees(KOOI_NEEDS),
        published=KOOI_FIGURES,
    output:
        tables=tabled(
            "sources",
            *(f"kooi-2005-table-{n:02}" for n in range(1, 13)),
            "kooi-2005-figures",
            "kooi-2005-footnote-4",
        ),
        effort=effort("compare_kooi"),
    log:
        "logs/compare_kooi.log",
    localrule: True
    params:
        *code("compare_kooi"),
        *contents_of(*KOOI_FIGURES),
    script:
        "../scripts/compare_kooi.py"


rule compute_quantities:
    "Compute the quantities that only the texts of the sources mention, not their tables."
    input:
        game=f"results/games/{PAPERS_GAME}/game.npz",
        trees=papers_trees(KOOI_STRATEGIES.values()),
        published=QUANTITY_SOURCES,
    output:
        tables=tabled("sources", "source-quantities"),
        effort=effort("compute_quantities"),
    log:
        "logs/compute_quantities.log",
    localrule: True
    params:
        *code("compute_quantities"),
        *contents_of(*QUANTITY_SOURCES),
    script:
        "../scripts/compute_quantities.py"


rule compare_gur:
    "Write Gür's tables."
    input:
        trees=papers_trees(GUR_NEEDS),
        published=GUR_FIGURES,
    output:
        tables=tabled("sources", *(f"gur-2025-table-{n}" for n in (1, 3, 4))),
        deviations=tabled("sources", "gur-2025-deviations"),
        effort=effort("compare_gur"),
    log:
        "logs/compare_gur.log",
    localrule: True
    params:
        *code("compare_gur"),
        *contents_of(*GUR_FIGURES),
    script:
        "../scripts/compare_gur.py"


rule compare_gur_search:
    "Write Gür's table of the search's settings."
    input:
        found=GUR_SEARCH,
        published=GUR_FIGURES,
    output:
        tables=tabled("sources", "gur-2025-table-2"),
        effort=effort("compare_gur_search"),
    log:
        "logs/compare_gur_search.log",
    localrule: True
    params:
        *code("compare_gur_search"),
        *contents_of(*GUR_FIGURES),
    script:
        "../scripts/compare_gur_search.py"


rule draw_figures:
    "Draw all charts of the table of strategies as SVG, PNG and Vega-Lite."
    input:
        strategies="results/metrics/strategies.parquet",
        published=STRATEGY_FIGURES,
    output:
        figures=drawn(
            "strategies",
            "profiles",
            "above-the-optimum",
            *when("mm-5-8" in GAMES, "records"),
        ),
        effort=effort("draw_figures"),
    log:
        "logs/draw_figures.log",
    localrule: True
    params:
        *code("draw_figures"),
        *contents_of(*STRATEGY_FIGURES),
        **settings(png_scale=PNG_SCALE),
    script:
        "../scripts/draw_figures.py"


rule describe_machine:
    "Record the machine and the versions of its software."
    input:
        pins=packaged(WORKFLOW.parent / "envs" / "lock.txt"),
    output:
        tables=tables("machine"),
        effort=effort("describe_machine"),
    log:
        "logs/describe_machine.log",
    localrule: True
    params:
        *code("describe_machine"),
        *contents_of(WORKFLOW.parent / "envs" / "lock.txt"),
    script:
        "../scripts/describe_machine.py"


rule tables:
    "The tables of the sources, recomputed, the charts of all strategies, and the machine."
    input:
        made(
            "compare_kooi",
            "compute_quantities",
            "compare_gur",
            "compare_gur_search",
            "draw_figures",
            "describe_machine",
        ),
