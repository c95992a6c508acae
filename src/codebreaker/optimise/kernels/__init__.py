"""Compiled loops of the genetic algorithm."""
