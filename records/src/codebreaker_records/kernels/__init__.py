"""Compiled loops of rollouts, and of the search for the lowest maximum of black pegs."""
