"""Build the page of findings, charts, explorer and assistant."""

from pathlib import Path

import polars as pl

from codebreaker.files import read_frame, write_text
from codebreaker.games.model import read_game
from codebreaker.policies.strategy import Strategy, recorded_strategy
from codebreaker.policies.weights import read_weights
from codebreaker.proven import read_evidence
from codebreaker.report.explorer import Played, game_data
from codebreaker.report.site import page
from codebreaker.report.tables import read_table
from codebreaker.study.jobs import job
from codebreaker.trees.io import read_tree
from codebreaker.trees.metrics import read_strategies

with job(snakemake) as log:
    inputs = snakemake.input
    strategies_by_tree = {
        (game, slug): Strategy(**settings)
        for game, by_slug in snakemake.params.strategies.items()
        for slug, settings in by_slug.items()
    }
    for path in map(Path, inputs.weights):
        game, model = path.parts[-3:-1]
        strategy = recorded_strategy(model, read_weights(path))
        strategies_by_tree[game, strategy.policy] = strategy
    regrets = {Path(path).parts[-2]: read_frame(path) for path in inputs.regrets}
    trees = [read_tree(path) for path in inputs.trees]
    openings = read_table(inputs.openings[0]) if inputs.openings else None
    games = []
    for path in inputs.games:
        game = read_game(path)
        played = []
        for tree, strategy in trees:
            if strategy.game == game.name:
                name = strategy.tree
                moves = regrets[game.name].filter(tree=name) if game.name in regrets else None
                grown_by = strategies_by_tree.get((game.name, name))
                played.append(Played(tree, strategy, moves, grown_by))
        games.append(game_data(game, played, openings))
        log.info("%s: %d strategies", game.name, len(played))
    specs = {Path(path).stem: Path(path).read_text(encoding="utf-8") for path in inputs.charts}
    text = page(
        read_strategies(inputs.strategies),
        pl.read_csv(inputs.discrepancies, infer_schema=False),
        strategies_by_tree,
        specs,
        games,
        read_table(inputs.transfer[0]) if inputs.transfer else None,
        {Path(path).stem: read_table(path) for path in inputs.cells},
        snakemake.params.has_report,
        snakemake.params.source,
        read_evidence(inputs.lower_bounds, inputs.second_solver),
    )
    write_text(snakemake.output.page, text)
    log.info("%.1f MiB", len(text.encode("utf-8")) / 2**20)
