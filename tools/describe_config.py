"""Write config/schema.json and the keys' tables in config/README.md; run by `make schema`."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from codebreaker.files import write_text
from codebreaker.report.tables import markdown_table
from codebreaker.study.config import schema

CONFIG = Path(__file__).parent.parent / "config"
START = "<!-- keys: written by `make schema` from codebreaker.study.config -->"
END = "<!-- end of keys -->"
HEADER = ("key", "meaning", "values", "default")
Schema = dict[str, Any]


def main() -> None:
    """Write both files."""
    write_text(CONFIG / "schema.json", json.dumps(schema(), indent=2, ensure_ascii=False))
    write_text(CONFIG / "README.md", described((CONFIG / "README.md").read_text(encoding="utf-8")))


def described(readme: str) -> str:
    """Return the text of config/README.md with current tables between its markers."""
    before, rest = readme.split(START)
    return before + "\n\n".join((START, *tables(schema()), END)) + rest.split(END)[1]


def tables(root: Schema) -> Iterator[str]:
    """Yield a table of the top-level keys, then a heading, a text and a table per section."""
    sections = [("", root)]
    while sections:
        path, section = sections.pop(0)
        rows, inner = [], []
        for key, entry in section["properties"].items():
            place, target = section_at(key, entry, root)
            default = "required" if key in section.get("required", ()) else plain(entry["default"])
            shown = values(entry, root)
            if target and (place != key or not path):
                heading = f"{path}.{place}".lstrip(".")
                inner.append((heading, target))
                shown = f"[`{heading}`](#{re.sub(r'[^a-z_]', '', heading)})"
                default = default if place != key else ""
                place = key
            meaning = entry.get("description") or target["description"]
            rows.append((f"`{place.removesuffix('[]')}`", one_line(meaning), shown, default))
        if path:
            yield f"### `{path}`"
            yield one_line(section["description"])
        yield markdown_table(HEADER, rows)
        sections = inner + sections


def section_at(path: str, entry: Schema, root: Schema) -> tuple[str, Schema | None]:
    """Return the path of the section in a key, through maps and lists, and the section or None."""
    if "$ref" in entry:
        return path, root["$defs"][entry["$ref"].split("/")[-1]]
    if "additionalProperties" in entry:
        name = entry["propertyNames"]["description"]
        return section_at(f"{path}.{{{name}}}", entry["additionalProperties"], root)
    return section_at(f"{path}[]", entry["items"], root) if "items" in entry else (path, None)


def values(entry: Schema, root: Schema) -> str:
    """Return the values that a key may have."""
    if "$ref" in entry:
        properties = section_at("", entry, root)[1]["properties"]
        return ", ".join(f"`{key}`: {values(value, root)}" for key, value in properties.items())
    if "anyOf" in entry:
        return values(entry["anyOf"][0], root)
    if names := entry.get("enum") or entry.get("examples"):
        return ", ".join(f"`{name}`" for name in names)
    if entry["type"] == "array":
        item = values(entry["items"], root)
        return "list of " + (item if "`" in item else re.sub(r"^\w+", r"\g<0>s", item))
    if "additionalProperties" in entry:
        return values(entry["additionalProperties"], root)
    if "minimum" in entry and "maximum" in entry:
        return "{type} from {minimum:,} to {maximum:,}".format(**entry)
    signs = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}
    limits = [f"{sign} {entry[key]:,}" for key, sign in signs.items() if key in entry]
    return " ".join((entry["type"], ", ".join(limits))).rstrip()


def plain(value: object) -> str:
    """Return a default as people write it."""
    if value is None or value in ([], {}):
        return "none"
    if isinstance(value, dict):
        nested = any(isinstance(inner, dict) for inner in value.values())
        return ", ".join(f"`{k}`" if nested else f"`{k}`: {plain(v)}" for k, v in value.items())
    if isinstance(value, list):
        first, last = value[0], value[-1]
        run = len(value) > 2 and isinstance(first, int) and value == list(range(first, last + 1))
        return f"{first} to {last}" if run else ", ".join(map(plain, value))
    if isinstance(value, bool):
        return f"`{value}`".lower()
    return f"`{value}`" if isinstance(value, str) else f"{value:g}"


def one_line(text: str) -> str:
    """Return a description on one line."""
    return " ".join(text.split())


if __name__ == "__main__":
    main()
