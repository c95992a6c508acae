"""Policies: what guess to play at a candidate set and turn."""
