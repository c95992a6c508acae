"""Suggested guesses for a game in progress, and their cost against optimal play."""
