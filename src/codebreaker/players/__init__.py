"""Players that draw their guesses at random."""
