"""Charts have the same bytes, whichever fonts are installed."""

import sys

import pytest
from made_fonts import font_of_boxes
from outcomes import SILENT, command, times, tried

PROJECT = """
import json, sys
from hashlib import sha256
from pathlib import Path
import altair as alt
import polars as pl
from codebreaker.report.drawings import draw_chart
from codebreaker.report.style import save, styled
rows = pl.DataFrame({"name": ["a long name", "WWWWiiii"], "n": [1, 3]})
chart = styled(alt.Chart(rows).mark_bar().encode(x="n", y="name"), "Guesses ≥ 1 − ½", "Mastermind")
path = Path(sys.argv[1])
save(chart, path, 2)
page, _, _ = draw_chart(json.loads(path.with_suffix(".json").read_text()), 350)
for content in (path.with_suffix(".svg").read_bytes(), path.read_bytes(), page.encode()):
    print(sha256(content).hexdigest())
"""
RENDERER = """
import sys
from hashlib import sha256
from pathlib import Path
import vl_convert
svg = Path(sys.argv[1]).with_suffix(".svg").read_text()
spec = Path(sys.argv[1]).with_suffix(".json").read_text()
drawn = vl_convert.vegalite_to_svg(spec)
for content in (drawn.encode(), vl_convert.svg_to_png(svg)):
    print(sha256(content).hexdigest())
"""
FAMILIES = ("Inter", "Arial", "Liberation Sans", "DejaVu Sans")
NO_CONFIG = {"XDG_CONFIG_HOME": "/dev/null", "XDG_DATA_HOME": "/dev/null"}


def config_of(folder):
    return f'<?xml version="1.0"?><fontconfig><dir>{folder}</dir></fontconfig>'


@pytest.fixture(scope="module")
def environments(tmp_path_factory):
    """Environments by the fonts that they have: each family in a folder, and in a home."""
    by_name = {}
    for family in FAMILIES:
        folder = tmp_path_factory.mktemp("fonts")
        fonts = folder / ".fonts"
        fonts.mkdir()
        (fonts / "boxes.ttf").write_bytes(font_of_boxes(family, 1200))
        (folder / "fonts.conf").write_text(config_of(fonts), encoding="utf-8")
        by_name[f"{family}, configured"] = {"FONTCONFIG_FILE": str(folder / "fonts.conf")}
        by_name[f"{family}, at home"] = {"HOME": str(folder)} | NO_CONFIG
    return by_name


def digests(code, chart, environment):
    run = command(code, chart, program=(sys.executable, "-c"), environment=environment)
    assert run.returncode == 0, run.stderr
    return run.stdout.split()


def test_charts_are_drawn_with_the_fonts_of_the_renderer_alone(environments, tmp_path):
    chart = tmp_path / "chart.png"
    with tried("the same bytes", "fonts") as outcomes:
        expected = digests(PROJECT, chart, {})
        assert len({*expected}) == 3
        for name, environment in list(environments.items())[:: times(1, 3)]:
            drawn = digests(PROJECT, chart, environment)
            outcomes.add("same bytes", drawn == expected, name, drawn, expected, wrong=SILENT)


def test_the_fonts_of_this_test_change_what_the_renderer_alone_draws(environments, tmp_path):
    chart = tmp_path / "chart.png"
    digests(PROJECT, chart, {})
    usual = digests(RENDERER, chart, {"FONTCONFIG_FILE": "/dev/null"})
    for name in ("Inter, configured", "Liberation Sans, configured", "Inter, at home"):
        assert not {*usual} & {*digests(RENDERER, chart, environments[name])}, name
