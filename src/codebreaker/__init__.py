"""Strategies for Mastermind and other deduction games, recomputed from their definitions."""

__version__ = "0.1.0"
