"""Weights found by a genetic algorithm, or guided by the exact cost-to-go."""
