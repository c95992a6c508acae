"""Compiled loops that choose the guesses of a frontier and split its candidate sets."""
