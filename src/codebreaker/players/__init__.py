"""Stochastic players, their games and their expected results."""
