"""The judge: finished games of anybody, move by move against the best play."""
