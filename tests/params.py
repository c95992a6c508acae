"""Parameters of the genetic algorithm that several tests use."""

from codebreaker.optimise.genetic import Params

PAPER = Params(
    population=64,
    elite=10,
    selection="tournament",
    tournament_size=2,
    crossover="uniform",
    mutation_rate=0.03,
    mutation_step=0.1,
    reset_rate=0.1,
    row_share=0.5,
    low=0.1,
    high=1.0,
    restart_after=250,
    restart_redraw=0.5,
    restart_slack=4,
    scratch_every=3,
)
