"""Compiled loops of players."""
