"""Readers and writers of game trees in several formats."""
