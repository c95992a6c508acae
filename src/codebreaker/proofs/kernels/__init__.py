"""Compiled loops of the search for guided weights."""
