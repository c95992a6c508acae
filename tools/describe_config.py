"""Write config/schema.json and the keys in config/README.md; run by `make schema`."""

import json
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from codebreaker.files import write_text
from codebreaker.study.config import schema

CONFIG = Path(__file__).parent.parent / "config"
START = "<!-- keys: written by `make schema` from codebreaker.study.config -->"
END = "<!-- end of keys -->"
WIDTH = 92
TEXT = 128
LARGEST = 10**5
"""Larger limits are left to the schema."""

Schema = dict[str, Any]


def described(readme: str) -> str:
    """Return the text of config/README.md with the current keys between its markers."""
    before, rest = readme.split(START)
    chapters = _Keys(schema()).chapters()
    return before + "\n\n".join((START, *chapters, END)) + rest.split(END)[1]


class _Keys:
    """All keys as YAML: their defaults, and comments with the values allowed and the meaning."""

    def __init__(self, root: Schema) -> None:
        self.root = root
        self.listed: list[list[str]] = []

    def chapters(self) -> Iterator[str]:
        for key, entry in self.root["properties"].items():
            yield f"### `{key}`"
            yield textwrap.fill(self.about(entry), TEXT)
            yield "\n".join(("```yaml", *self.lines(key, entry, commented=False), "```"))

    def about(self, entry: Schema) -> str:
        described = entry if "description" in entry else self.section(entry) or {}
        return " ".join(described.get("description", "").split())

    def section(self, entry: Schema) -> Schema | None:
        """Return the section in an entry, through maps and lists; None if its keys say it all."""
        if "$ref" in entry:
            section: Schema = self.root["$defs"][entry["$ref"].split("/")[-1]]
            keys = section["properties"].values()
            return (
                section if any("description" in key or self.section(key) for key in keys) else None
            )
        inner = entry.get("anyOf", [None])[0] or entry.get("additionalProperties")
        inner = inner or entry.get("items")
        return self.section(inner) if inner else None

    def lines(
        self, key: str, entry: Schema, *, commented: bool = True, required: bool = False
    ) -> Iterator[str]:
        nested = self.section(entry) is not None
        line = (
            f"{key}:"
            if nested
            else f"{key}: {'REQUIRED' if required else _plain(entry.get('default'))}"
        )
        about = " ".join(filter(None, (self.values(entry), self.about(entry))))
        if not about or not commented:
            yield line
        elif nested or len(line) + len(about) > WIDTH:
            yield from (f"# {part}" for part in textwrap.wrap(about, WIDTH, break_on_hyphens=False))
            yield line
        else:
            yield f"{line}  # {about}"
        if nested:
            yield from (f"  {inner}" for inner in self.inner(entry))

    def inner(self, entry: Schema) -> Iterator[str]:
        if "$ref" in entry:
            section = self.section(entry) or {}
            for key, value in section["properties"].items():
                yield from self.lines(key, value, required=key in section.get("required", ()))
        elif "anyOf" in entry:
            yield from self.inner(entry["anyOf"][0])
        elif "items" in entry:
            first, *rest = self.inner(entry["items"])
            yield from (f"- {first}", *(f"  {line}" for line in rest))
        else:
            name = entry["propertyNames"]["description"].upper()
            yield from self.lines(name, entry["additionalProperties"], commented=False)

    def values(self, entry: Schema) -> str:
        if "anyOf" in entry or "items" in entry:
            return self.values(entry["anyOf"][0] if "anyOf" in entry else entry["items"])
        if names := entry.get("enum") or entry.get("examples"):
            if names in self.listed:
                return ""
            self.listed += [names] if "examples" in entry else []
            return f"[{', '.join(names)}]"
        signs = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}
        limits = {key: value for key in signs if (value := entry.get(key, LARGEST)) < LARGEST}
        if "minimum" in limits and "maximum" in limits:
            return "[{minimum:,} to {maximum:,}]".format(**limits)
        if limits.keys() <= {"minimum"}:
            return ""
        return f"[{', '.join(f'{signs[key]} {value:,}' for key, value in limits.items())}]"


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_plain(item)}' for key, item in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_plain, value))}]"
    if isinstance(value, str) and not value[:1].isdigit():
        return value
    return json.dumps(int(value) if isinstance(value, float) and value.is_integer() else value)


if __name__ == "__main__":
    write_text(CONFIG / "schema.json", json.dumps(schema(), indent=2, ensure_ascii=False))
    write_text(CONFIG / "README.md", described((CONFIG / "README.md").read_text(encoding="utf-8")))
