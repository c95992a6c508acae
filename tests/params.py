"""Parameters of the genetic algorithm that several tests use."""

from codebreaker.optimise.genetic import Params
from codebreaker.study.config.searches import Preset

PAPER = Params(**Preset().model_dump())
