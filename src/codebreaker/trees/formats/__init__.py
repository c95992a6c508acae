"""Game trees in the project's own formats and in those of others."""
