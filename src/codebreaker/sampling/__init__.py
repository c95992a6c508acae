"""Good guesses in games of any size, from samples of the candidates."""
