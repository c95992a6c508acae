"""Compiled loops that choose guesses and split candidate sets."""
