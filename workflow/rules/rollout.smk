rule rollout:
    "Rollout: policies improved by the totals that follow their best guesses."
    input:
        each("results/rollout/{game}/{name}.parquet", ROLLOUTS),
        each("results/rollout/{game}/{name}.txt", ROLLOUTS),
        each("results/certificates/{game}/{name}.json", ROLLOUTS),


rule roll_out:
    "Improve a policy by rollout, and write its tree as a table and as text."
    input:
        game="results/games/{game}/game.npz",
        published=lambda wildcards: weights_of_policy(rollout_of(wildcards).base),
    output:
        tree="results/rollout/{game}/{rollout}.parquet",
        text="results/rollout/{game}/{rollout}.txt",
    log:
        "logs/roll_out/{game}/{rollout}.log",
    benchmark:
        "results/resources/roll_out/{game}/{rollout}.tsv"
    priority: 50
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=by_try(60),
    params:
        code=lambda wildcards: code_of(
            "roll_out", criteria_of([rollout_of(wildcards).base])
        ),
        contents=lambda wildcards: contents(
            weights_of_policy(rollout_of(wildcards).base)
        ),
        rollout=rollout_of,
        memo_mib=memo_of,
    script:
        "../scripts/roll_out.py"
