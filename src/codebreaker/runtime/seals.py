"""Digests of files, by which a change of any byte is noticed before a file is read.

A sealed file holds its own digest, behind MARK, where its format leaves room for it: in the
metadata of a parquet file, in the comment of a `.npz` archive, at the end of a file of a cache. The
digest is that of the file with zeros in its place. Files of other formats, such as CSV and JSON,
have no such place: jobs record the digests of all their outputs beside them (`study/jobs.py`).
These records cover a study's sealed files, too; a seal also goes along with a file that is copied,
or read outside a study.

A digest detects accidents, but not somebody who changes the digest too.
"""

import hashlib
import os
from mmap import ACCESS_READ, mmap
from pathlib import Path

MARK = b"sha256-of-the-file-with-zeros-here:"

ZEROS = b"0" * 64
"""Stand for a SHA-256 in hexadecimal."""

UNSEALED = MARK + ZEROS
"""What a file has in the place of its seal before it is sealed."""

METADATA = {"digest": UNSEALED.decode()}
"""The place of the seal in a parquet file's metadata."""

CHANGED = "its content has changed"


def seal(content: bytes) -> bytes:
    """Return content that has UNSEALED in it with the digest in place of the zeros."""
    span = _span_of_digest(content)
    return content[: span.start] + _digest_without(content, span) + content[span.stop :]


def seal_end(path: Path) -> None:
    """Fill in the digest of a file that ends with UNSEALED, without reading it into memory."""
    digest = digest_of_file(path).encode()
    with path.open("r+b") as file:
        file.seek(-len(ZEROS), os.SEEK_END)
        file.write(digest)


def check_seal(content: bytes | mmap) -> None:
    """Raise `ValueError` if sealed content has changed, or has no seal."""
    span = _span_of_digest(content)
    if content[span] != _digest_without(content, span):
        raise ValueError(CHANGED)


def check_seal_of_file(path: Path) -> None:
    """Raise `ValueError` if a sealed file has changed, without reading it into memory."""
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        check_seal(content)


def digest_of_file(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _span_of_digest(content: bytes | mmap) -> slice:
    """Return where the digest is, or raise `ValueError`.

    The last mark counts: whatever a file holds comes before its seal.
    """
    mark = content.rfind(MARK)
    if mark < 0:
        raise ValueError(CHANGED)
    start = mark + len(MARK)
    return slice(start, start + len(ZEROS))


def _digest_without(content: bytes | mmap, span: slice) -> bytes:
    """Return the digest, in hexadecimal, of content with zeros in the place of its digest."""
    with memoryview(content) as view:
        digest = hashlib.sha256(view[: span.start])
        digest.update(ZEROS)
        digest.update(view[span.stop :])
    return digest.hexdigest().encode()
