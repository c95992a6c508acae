"""Deduction games: their rules, feedback, symmetries and notation."""
