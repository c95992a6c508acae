"""Prove a bound on one row of weights."""

from codebreaker.games.model import read_game
from codebreaker.policies.families import criterion
from codebreaker.proofs.one_row import OneRowSearch, bound_facts
from codebreaker.proofs.patterns import ChoiceTable
from codebreaker.proofs.proof import write_proof
from codebreaker.search.cost_to_go import CostToGo
from codebreaker.study.jobs import job

with job(snakemake) as log:
    game = read_game(snakemake.input.game)
    settings = snakemake.params.bound
    cost = CostToGo(game, memo_mib=snakemake.params.memo_mib)
    choices = ChoiceTable(cost, criterion("entropy"), settings["budget"])
    search = OneRowSearch(choices, settings["low"], settings["high"])
    facts, proof = bound_facts(search, settings["opening"], settings["budget"])
    facts = {"model": snakemake.wildcards.model} | facts
    write_proof(game, facts, proof, snakemake.output.bound, one_row=True)
    log.info("%d nodes; no row takes fewer than %d", search.effort.nodes, facts["bound"])
