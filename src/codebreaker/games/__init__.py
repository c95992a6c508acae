"""Deduction games: their rules, tables, symmetries and notation."""
