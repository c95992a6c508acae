"""Numbers and names that several layers share; no imports, so that the command line starts fast."""

PAPERS_GAME = "mm-4-6"
"""The game of Kooi 2005 and Gür 2025."""

LARGEST_ENDGAME = 62
"""The largest candidate set that can be played exactly in games without a table.

Its cells, and one more for the guessed secret, must fit the bits of a 64-bit word.
"""

LARGEST_GUESS_LIMIT = 14
"""The largest limit on the guesses for any secret."""

VERSION = "0.1.0"
"""The version of the package, which results name."""
