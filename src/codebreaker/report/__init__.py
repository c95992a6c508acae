"""Tables, figures and findings: what people look at."""

from typing import TYPE_CHECKING, Any

from codebreaker.errors import require

if TYPE_CHECKING:
    from jinja2 import Environment

require("report", "codebreaker.report")


def environment(folder: str = "templates", **options: Any) -> "Environment":  # noqa: ANN401
    """Return Jinja for a folder's templates; unknown names raise."""
    from jinja2 import Environment, PackageLoader, StrictUndefined  # slow to import

    return Environment(
        loader=PackageLoader("codebreaker.report", folder),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        **options,
    )
