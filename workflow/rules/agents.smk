JOBS |= {
    "judge_agent": by("agent", AGENTS),
    "rank_agents": once(AGENTS),
}


rule judge_agent:
    "Judge the games of an agent's log move by move."
    input:
        log=log_of,
        compiled=compiled("search"),
    output:
        games="results/agents/{agent}.parquet",
        page="results/agents/{agent}.html",
        effort=effort("judge_agent/{agent}"),
    log:
        "logs/judge_agent/{agent}.log",
    group:
        "exact"
    resources:
        mem_mb=by_try(SEARCH_MB),
        runtime=by_try(60),
    params:
        *code("judge_agent"),
        **settings(
            game=STUDY.config.agents.game,
            contents=lambda wildcards: contents_of(log_of(wildcards)),
            template=contents_of(ROOT / "report" / "templates" / "agent.html.j2"),
        ),
    script:
        "../scripts/judge_agent.py"


rule rank_agents:
    "Tabulate and draw what the guesses of agents cost, and test their differences."
    input:
        games=expand("results/agents/{agent}.parquet", agent=AGENTS),
    output:
        board=tabled("players", "agents"),
        pairs=tabled("players", "agents-pairs"),
        figures=drawn("players", "agents"),
        effort=effort("rank_agents"),
    log:
        "logs/rank_agents.log",
    localrule: True
    params:
        *code("rank_agents"),
        **settings(png_scale=PNG_SCALE),
    script:
        "../scripts/rank_agents.py"


rule agents:
    "Agents: their logs judged, ranked and drawn."
    input:
        made("judge_agent", "rank_agents"),
