"""Families of entropies: weights, orders, and both, at equal numbers of evaluations."""


localrules:
    compare_families,


rule families:
    input:
        (
            [
                *multiext("results/tables/entropy-families", ".csv", ".md"),
                *charts("entropy-families"),
            ]
            if COMPARED
            else []
        ),


rule compare_families:
    input:
        histories=runs_of(FAMILY_MODELS, ".history.parquet"),
        found=runs_of(FAMILY_MODELS, ".json"),
        code=code_of("compare_families.py"),
    output:
        tables=tabled("weights", "results/tables/entropy-families"),
        figures=drawn("weights", "entropy-families"),
    log:
        "logs/compare_families.log",
    conda:
        "../../envs/environment.yaml"
    params:
        models=[name for name, model in FAMILY_MODELS.items() for _ in model.seeds],
        genes=[model.genes for model in FAMILY_MODELS.values() for _ in model.seeds],
        populations=[
            STUDY.config.optimise.presets[model.preset].population
            for model in FAMILY_MODELS.values()
            for _ in model.seeds
        ],
        png_scale=STUDY.config.figures.png_scale,
    script:
        "../scripts/compare_families.py"
