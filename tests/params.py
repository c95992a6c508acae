"""Parameters of the genetic algorithm that several tests use."""

from codebreaker.study.config.searches import Preset
from codebreaker.weights.genetic import Params

PAPER = Params(**Preset().model_dump())
