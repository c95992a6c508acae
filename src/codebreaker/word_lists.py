"""The word lists that come with the package."""

from pathlib import Path

from codebreaker.games.word_lists import WordFiles

_WORDS = Path(__file__).parent / "data" / "words"

BUNDLED = {
    "five": WordFiles(str(_WORDS / "five-secrets.txt"), str(_WORDS / "five-guesses.txt")),
    "example": WordFiles(str(_WORDS / "no-strategy-is-best.txt")),
}
"""Word lists by name, as the default study calls them."""
