"""Costs of candidate sets: what several loops and plain NumPy share; imports no compiled code."""

INFEASIBLE = 1 << 28
"""The cost of a set that can't be solved in the guesses left."""
