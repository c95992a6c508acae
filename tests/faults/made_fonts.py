"""Write a font whose characters are boxes of one width."""

import struct

GLYPHS = 2
UNITS = 1000
FIRST = 0x20
LAST = 0x2FFF


def font_of_boxes(family, width):
    """Return a TrueType font; its first glyph stands for missing ones, and all have one shape."""
    box = _box(width)
    return _file(
        {
            "OS/2": _metrics(width),
            "cmap": _characters(),
            "glyf": box,
            "head": _head(width),
            "hhea": struct.pack(">I3hH11hH", 1 << 16, 800, -200, 0, width, *[0] * 11, GLYPHS),
            "hmtx": struct.pack(">HhHh", width, 100, width, 100),
            "loca": struct.pack(">3H", 0, 0, len(box) // 2),
            "maxp": struct.pack(">I14H", 1 << 16, GLYPHS, 4, 1, 0, 0, 1, *[0] * 8),
            "name": _names(family),
            "post": struct.pack(">IIhh5I", 3 << 16, 0, -100, 50, *[0] * 5),
        }
    )


def _file(tables):
    directory = struct.pack(">I4H", 1 << 16, len(tables), 128, 3, 16 * len(tables) - 128)
    start = len(directory) + 16 * len(tables)
    body = b""
    for tag, content in sorted(tables.items()):
        directory += tag.encode() + struct.pack(">3I", 0, start + len(body), len(content))
        body += content + bytes(-len(content) % 4)
    return directory + body


def _box(width):
    bounds = struct.pack(">5h", 1, 100, 0, width - 100, 700)
    outline = struct.pack(">2H4B", 3, 0, 1, 1, 1, 1)
    steps = struct.pack(">8h", 100, 0, width - 200, 0, 0, 700, 0, -700)
    content = bounds + outline + steps
    return content + bytes(-len(content) % 4)


def _characters():
    table = struct.pack(">4HI", 0, 1, 0, 4, 12)  # the only one, of Unicode
    return table + struct.pack(">2H6I", 13, 0, 28, 0, 1, FIRST, LAST, 1)


def _head(width):
    versions = struct.pack(">4I2H", 1 << 16, 1 << 16, 0, 0x5F0F3CF5, 0, UNITS)
    return versions + struct.pack(">2q4h2H3h", 0, 0, 100, 0, width - 100, 700, 0, 8, 2, 0, 0)


def _metrics(width):
    widths = struct.pack(">Hh3H11h", 4, width, 400, 5, 0, *[100] * 11)
    coverage = struct.pack(">10s4I4s3H", bytes(10), 1, 0, 0, 0, b"TEST", 64, FIRST, LAST)
    heights = struct.pack(">3h2H2I2h3H", 800, -200, 0, 800, 200, 1, 0, 500, 700, 0, FIRST, 2)
    return widths + coverage + heights


def _names(family):
    texts = {1: family, 2: "Regular", 4: family, 6: family.replace(" ", "")}
    records = b""
    stored = b""
    for number, text in texts.items():
        encoded = text.encode("utf-16-be")
        records += struct.pack(">6H", 3, 1, 0x409, number, len(encoded), len(stored))
        stored += encoded
    return struct.pack(">3H", 0, len(texts), 6 + len(records)) + records + stored
