"""Compiled loops of rollout."""
