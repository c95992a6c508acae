"""Weights guided by the exact cost-to-go, and proofs of what no weights can reach."""
