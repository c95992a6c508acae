"""An extension of the documentation site: examples in docstrings are shown as code."""

import re
from typing import Any

import griffe

EXAMPLES = re.compile(r"^>>> .*\n(?:.+\n?)*", re.M)
"""Lines from a prompt to the next blank line."""


class Examples(griffe.Extension):
    """Puts fences around examples, which Markdown would otherwise read as quotations."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:  # noqa: ANN401
        """Change the docstring of an object."""
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """Return a docstring whose examples are blocks of code."""
    return EXAMPLES.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text + "\n").rstrip()
