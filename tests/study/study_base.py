"""A small study that tests change."""

BASE = {
    "strategies": {"mm-4-6": [{"policy": "entropy"}]},
    "word_lists": {
        "w": {"secrets": "tests/words/short.txt"},
        "gone": {"secrets": "tests/words/none.txt"},
        "mixed": {"secrets": "english"},
        "liked": {"secrets": "tests/words/short.txt", "prior": "tests/words/liked.txt"},
        "wrong": {"secrets": "tests/words/short.txt", "prior": "tests/words/short.txt"},
    },
}
