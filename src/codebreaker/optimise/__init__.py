"""Optimisers of weights: fitness, and algorithms that ask and tell."""
