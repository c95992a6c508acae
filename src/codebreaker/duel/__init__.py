"""The codemaker as an opponent: the value of a game."""
