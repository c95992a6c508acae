"""Optimisers of weights: fitness on several backends, and a genetic algorithm."""
