"""Compiled loops of the search for weights."""
