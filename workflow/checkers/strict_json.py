"""Read untrusted files for the checkers: values of a known shape, or an error.

A shape is `None`, a truth value or a text (that value), a range (an integer in it), a pattern (a
text that it matches), a function (values that it accepts), a tuple (any of its shapes), a list (a
list of its one shape, or of as many items as it has) or a dictionary (of exactly these keys or, if
its key isn't a text, of keys and values of one shape each).
"""

import argparse
import csv
import gzip
import json
import re
import sys
import zlib
from fractions import Fraction
from itertools import repeat
from pathlib import Path

LARGEST_FILE = 1 << 26
"""Maximum size of a file in bytes."""

DECIMAL = re.compile(r"-?\d{1,20}(\.\d{1,20})?([eE][-+]?\d{1,2})?", re.ASCII)
QUOTIENT = re.compile(r"(0|[1-9]\d{0,99})(/[1-9]\d{0,99})?", re.ASCII)
NAME = re.compile(r"[a-z][a-z0-9]*([-.][a-z0-9]+)*", re.ASCII)
VERSION = re.compile(r"\d[0-9a-z.+]{0,30}", re.ASCII)
COUNT = range(10**15)

MOST_ITEMS = 2 * 10**6
"""Maximum number of commas in a file: each separates two values, which take memory and time."""

FAULTS = (ValueError, LookupError, TypeError, EOFError, ArithmeticError, RecursionError,
          gzip.BadGzipFile, zlib.error)  # fmt: skip
"""Errors that a malformed file raises."""

OLDEST_NUMPY = 2
"""The first version of NumPy with all that the programs use."""


def is_word(value):
    """Return whether a value is a text that can be printed, such as a code or its feedback."""
    return type(value) is str and 0 < len(value) <= 100 and value.isprintable()


def is_fraction(value):
    """Return whether a value is a text such as 73/27, in lowest terms."""
    return fits(value, QUOTIENT) and str(Fraction(value)) == value


def is_tree(value):
    """Return whether a value is a tree."""
    after = {"after": {is_word: is_tree}} if type(value) is dict and len(value) > 1 else {}
    return fits(value, {"guess": is_word} | after)


def fits(value, shape):
    """Return whether a value has a shape."""
    match shape:
        case tuple():
            return any(fits(value, alternative) for alternative in shape)
        case list():
            if type(value) is not list or len(value) != len(shape) > 1:
                return False
            return all(map(fits, value, shape if len(shape) > 1 else repeat(shape[0])))
        case dict():
            if type(value) is not dict:
                return False
            if all(type(key) is str for key in shape):
                return value.keys() == shape.keys() and all(fits(value[k], shape[k]) for k in shape)
            [(of_key, of_value)] = shape.items()
            return all(fits(k, of_key) and fits(v, of_value) for k, v in value.items())
        case range():
            return type(value) is int and value in shape
        case re.Pattern():
            return type(value) is str and len(value) <= 300 and bool(shape.fullmatch(value))
        case _ if callable(shape):
            return shape(value)
    return type(value) is type(shape) and value == shape


def require(holds, message):
    """Raise ValueError unless something holds."""
    if not holds:
        raise ValueError(message)


def shaped(value, shape):
    """Return a value of a shape; raise ValueError with the first key that does not fit."""
    same_keys = type(value) is dict and value.keys() == shape.keys()
    require(same_keys, f"its keys are not {', '.join(shape)}")
    for key in shape:
        of_shape = fits(value[key], shape[key])
        require(of_shape, f"its {key!r} has another form or size than it should")
    return value


def read(path):
    """Return the content of a JSON file, each decimal as an exact fraction."""
    if Path(path).exists():  # a pipe could keep the program waiting
        require(Path(path).is_file(), "it is not a regular file")
    with (gzip.open if Path(path).suffix == ".gz" else open)(path, "rb") as file:
        content = file.read(LARGEST_FILE + 1)
    require(len(content) <= LARGEST_FILE, f"it is larger than {LARGEST_FILE:,} bytes")
    require(content.count(b",") <= MOST_ITEMS, f"it has more than {MOST_ITEMS:,} items")
    readers = {"parse_int": _decimal, "parse_float": _decimal, "parse_constant": _decimal}
    return json.loads(content.decode(), object_pairs_hook=once, **readers)


def once(pairs):
    """Return a JSON object; raise ValueError if a key is given twice."""
    require(len(dict(pairs)) == len(pairs), "a key is given twice")
    return dict(pairs)


def _decimal(text):
    require(DECIMAL.fullmatch(text), "a number is NaN, infinite or too long")
    return int(text) if text.lstrip("-").isdigit() else Fraction(text)


def main(description, shown, *flags, given=lambda options: None):
    """Run a program: print what each file shows, until one shows nothing, and write the table.

    `shown` returns a sentence and a row, from a file and what is `given` by the options.
    """
    parser = argparse.ArgumentParser(description=description.partition("\n")[0])
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--table", metavar="CSV", help="write what is shown as a table, too")
    for flag, meaning in flags:
        parser.add_argument(flag, metavar="...", action="append", default=[], help=meaning)
    options = parser.parse_args()
    _check_numpy()
    rows = []
    path = "what is given"
    try:
        given = given(options)
        for path in options.files:
            sentence, row = shown(path, given)
            print(sentence, flush=True)
            rows.append(row)
        if path := options.table:
            with Path(path).open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, rows[0], lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
    except MemoryError:
        _stop(f"this machine has too little memory to check {path}: that says nothing about it")
    except FAULTS as why:
        known = type(why) is ValueError
        reason = why if known else f"it is malformed, {type(why).__name__} {why}"
        _stop(f"{path} shows nothing: {reason}")
    except OSError as why:
        _stop(f"{path} can't be read or written: {why.strerror or why}")


def _check_numpy():
    """End a program that uses NumPy if it is too old."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and int(numpy.__version__.split(".")[0]) < OLDEST_NUMPY:
        _stop(f"this program needs NumPy {OLDEST_NUMPY} or newer, and here is {numpy.__version__}")


def _stop(message):
    """End the program with one printable line."""
    line = f"error: {message}"[:1000]
    sys.exit("".join(c if c.isprintable() else ascii(c)[1:-1] for c in line))
