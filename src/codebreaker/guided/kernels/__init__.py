"""Compiled loops of the guided search."""
