"""Draw charts as SVG and PNG with the same bytes everywhere, whichever fonts are installed."""

import os
from functools import cache
from pathlib import Path
from typing import Any

import vl_convert

NO_FONTS = Path(__file__).with_suffix(".conf")

SMALLEST = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'


def to_svg(spec: dict[str, Any]) -> str:
    """Return a chart in Vega-Lite as SVG, whose layout depends on the widths of its texts."""
    from altair import SCHEMA_VERSION  # slow to import

    _load_fonts()
    version = ".".join(SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    return str(vl_convert.vegalite_to_svg(spec, vl_version=version))


def to_png(svg: str, scale: float) -> bytes:
    """Return an SVG as PNG, `scale` pixels to each unit of the SVG."""
    _load_fonts()
    return bytes(vl_convert.svg_to_png(svg, scale=scale, ppi=72))


@cache
def _load_fonts() -> None:
    """Let the renderer list its fonts, which it does once: those that it brings, and no others.

    In a process that has drawn something before, without this module, the list is made already.
    """
    before = os.environ.get("FONTCONFIG_FILE")
    os.environ["FONTCONFIG_FILE"] = str(NO_FONTS)
    try:
        vl_convert.svg_to_png(SMALLEST)
    finally:
        del os.environ["FONTCONFIG_FILE"]
        if before is not None:
            os.environ["FONTCONFIG_FILE"] = before
