"""Exact search: optimal game trees, with proofs that nothing is better."""
