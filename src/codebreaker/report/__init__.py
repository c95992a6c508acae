"""Tables, figures and findings: what people look at."""

from typing import Any

from codebreaker.errors import require

require("report", "codebreaker.report")

from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: E402


def environment(folder: str = "templates", **options: Any) -> Environment:  # noqa: ANN401
    """Return Jinja for a folder's templates; unknown names raise."""
    return Environment(
        loader=PackageLoader("codebreaker.report", folder),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        **options,
    )
