"""Settings of samples, which a study reads without Numba."""

SAMPLES = 4096
"""Default number of candidates in a sample."""

LEAST_SAMPLES = 16
MOST_SAMPLES = 1 << 20
"""Minimum and maximum number of candidates in a sample."""
