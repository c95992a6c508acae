"""Choose data/words from the dictionaries american-english-small, -english and -english-large."""

import re
import sys
import unicodedata
from pathlib import Path

from codebreaker.files import write_text

FOLDER = Path(__file__).parent.parent / "src" / "codebreaker" / "data" / "words"
ENDINGS = {"s": ("",), "es": ("",), "ies": ("y",), "ed": ("", "e"), "ied": ("y",), "ly": ("",)}
ENDINGS["ing"] = ("", "e")
EACH = 400
ROMAN = re.compile(r"m{0,3}(cm|cd|d?c{0,3})(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})")
"""Roman numerals, such as xviii, which the dictionaries list; it doesn't match vivid or civil."""


def _is_inflected(word: str, known: set[str]) -> bool:
    for ending, others in ENDINGS.items():
        stem = word.removesuffix(ending)
        if stem != word and any(stem + other in known for other in others):
            return True
        if stem != word and ending in ("ed", "ing") and stem[-1] == stem[-2:-1]:
            return stem[:-1] in known
    return False


def _spread(words: list[str], size: int) -> list[str]:
    size = min(size, len(words))
    return [words[i * len(words) // size] for i in range(size)]


def _read(path: str, pattern: str) -> list[str]:
    words = Path(path).read_text(encoding="utf-8").split()
    return sorted(word for word in words if re.fullmatch(pattern, word))


def _without_accents(path: str) -> list[str]:
    """Return a dictionary's words of five letters, those with accents as Wordle has them."""
    text = unicodedata.normalize("NFD", Path(path).read_text(encoding="utf-8"))
    words = re.sub(
        "[\N{COMBINING GRAVE ACCENT}-\N{COMBINING LATIN SMALL LETTER X}]", "", text
    ).split()
    return sorted({word for word in words if re.fullmatch("[a-z]{5}", word)})


if __name__ == "__main__":
    words = _read(sys.argv[1], "[a-z]{4,12}")
    guesses = _read(sys.argv[2], "[a-z]{5}")
    plain = [word for word in words if not _is_inflected(word, set(words))]
    chosen = {n: _spread([word for word in plain if len(word) == n], EACH) for n in range(4, 13)}
    secrets = [word for word in plain if len(word) == 5]
    # Only the lists that people play are cleaned: figures were computed with the others.
    common_secrets = [word for word in secrets if not ROMAN.fullmatch(word)]
    common_guesses = [word for word in sorted({*guesses, *secrets}) if not ROMAN.fullmatch(word)]
    further_guesses = [
        word
        for word in _without_accents(sys.argv[3])
        if not ROMAN.fullmatch(word) and word not in common_guesses
    ]
    for name, listed in {
        "english": [word for part in chosen.values() for word in part],
        "five-secrets": chosen[5],
        "five-guesses": _spread([word for word in words if len(word) == 5], 3 * EACH),
        "common-secrets": common_secrets,
        "common-guesses": common_guesses,
        "further-guesses": further_guesses,
    }.items():
        write_text(FOLDER / f"{name}.txt", "\n".join(listed))
