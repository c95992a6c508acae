"""Candidate sets: the arithmetic of all backends, partitions, transposition tables."""
