"""Choose the words of src/codebreaker/data/words from dictionaries with one word per line.

Run as: python tools/choose_words.py SMALL LARGE, with /usr/share/dict/american-english-small and
/usr/share/dict/american-english
"""

import re
import sys
from pathlib import Path

from codebreaker.files import write_text

FOLDER = Path(__file__).parent.parent / "src" / "codebreaker" / "data" / "words"
ENDINGS = {"s": ("",), "es": ("",), "ies": ("y",), "ed": ("", "e"), "ied": ("y",), "ly": ("",)}
ENDINGS["ing"] = ("", "e")
EACH = 400
"""The largest number of words of each length."""


def is_inflected(word: str, known: set[str]) -> bool:
    """Return whether a word is a known one with an ending, possibly with its consonant doubled."""
    for ending, others in ENDINGS.items():
        stem = word.removesuffix(ending)
        if stem == word:
            continue
        if any(stem + other in known for other in others):
            return True
        if ending in ("ed", "ing") and len(stem) > 2 and stem[-1] == stem[-2]:
            return stem[:-1] in known
    return False


def spread(words: list[str], size: int) -> list[str]:
    """Return at most `size` words, evenly spaced in the list."""
    size = min(size, len(words))
    return [words[i * len(words) // size] for i in range(size)]


if __name__ == "__main__":
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").split()
    words = sorted(word for word in lines if re.fullmatch("[a-z]{4,12}", word))
    plain = [word for word in words if not is_inflected(word, set(words))]
    chosen = {n: spread([word for word in plain if len(word) == n], EACH) for n in range(4, 13)}
    fives = spread([word for word in words if len(word) == 5], 3 * EACH)
    write_text(FOLDER / "english.txt", "\n".join(word for part in chosen.values() for word in part))
    write_text(FOLDER / "five-secrets.txt", "\n".join(chosen[5]))
    write_text(FOLDER / "five-guesses.txt", "\n".join(fives))
    secrets = [word for word in plain if len(word) == 5]
    larger = Path(sys.argv[2]).read_text(encoding="utf-8").split()
    guesses = sorted({word for word in larger if re.fullmatch("[a-z]{5}", word)} | set(secrets))
    write_text(FOLDER / "common-secrets.txt", "\n".join(secrets))
    write_text(FOLDER / "common-guesses.txt", "\n".join(guesses))
