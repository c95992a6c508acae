"""Suggestions for a game in progress, and what they cost."""
