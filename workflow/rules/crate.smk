rule crate:
    """The run as an RO-Crate: what it read and wrote, with which software, and by whom."""
    input:
        "results/ro-crate-metadata.json",


rule describe_run:
    "Describe the run as an RO-Crate."
    input:
        results=[getattr(rules, phase).input for phase in PHASES],
        machine="results/tables/machine.csv",
        settings=local_all(workflow.configfiles),
        citation=local_all([WORKFLOW.parent / "CITATION.cff"])[0],
    output:
        crate="results/ro-crate-metadata.json",
    log:
        "logs/describe_run.log",
    params:
        code=code.describe_run,
    script:
        "../scripts/describe_run.py"
