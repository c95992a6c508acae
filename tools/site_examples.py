"""An extension of the documentation site: examples in docstrings are shown as code."""

import re
from typing import Any

import griffe

EXAMPLES = re.compile(r"^>>> .*\n(?:.+\n?)*", re.M)
"""Lines from a prompt to the next blank line."""


class Examples(griffe.Extension):
    """Puts fences around examples, which Markdown would otherwise read as quotations."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:  # noqa: ANN401
        """Change the docstrings of a package and of all that it defines."""
        pending: list[griffe.Object | griffe.Alias] = [pkg]
        while pending:
            item = pending.pop()
            if item.is_alias:
                continue
            if item.docstring:
                item.docstring.value = fenced(item.docstring.value)
            pending += item.members.values()


def fenced(text: str) -> str:
    """Return a docstring whose examples are blocks of code."""
    return EXAMPLES.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text + "\n").rstrip()
