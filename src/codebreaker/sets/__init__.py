"""Arithmetic shared by all backends, and the CPU compiler with its cache."""
