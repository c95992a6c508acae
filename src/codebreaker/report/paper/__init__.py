"""The study as a paper."""
