"""Compiled loops of the optimisers."""
