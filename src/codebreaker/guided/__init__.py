"""Weights that are guided by the exact cost-to-go: turn by turn, by what a choice costs."""
