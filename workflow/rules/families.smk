rule families:
    "Families of entropies: weights, orders, and both, at equal numbers of evaluations."
    input:
        tables(*TABLES["families"]),


rule compare_families:
    "Compare weights, orders of entropies, and both, at equal numbers of evaluations."
    input:
        histories=seed_files(PAPERS_GAME, FAMILY_MODELS, ".history.parquet"),
        found=seed_files(PAPERS_GAME, FAMILY_MODELS, ".json"),
    output:
        tables=tabled("weights", "entropy-families"),
    log:
        "logs/compare_families.log",
    params:
        code=code.compare_families,
        models=[name for name, model in FAMILY_MODELS.items() for _ in model.seeds],
        genes=[model.genes for model in FAMILY_MODELS.values() for _ in model.seeds],
        populations=[
            STUDY.config.optimise.presets[model.preset].population
            for model in FAMILY_MODELS.values()
            for _ in model.seeds
        ],
    script:
        "../scripts/render_report.py"
