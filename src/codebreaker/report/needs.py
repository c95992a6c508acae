"""What the report's chapters need of a study: names of strategies, tables and charts."""

from codebreaker.report.chapters.gur import GUR_NEEDS
from codebreaker.report.chapters.kooi import KOOI_NEEDS, KOOI_STRATEGIES
from codebreaker.report.paper import NEEDED as PAPER_NEEDS
from codebreaker.report.site import CELLS as PAGE_CELLS
from codebreaker.report.site import CHARTS as PAGE_CHARTS

__all__ = ["GUR_NEEDS", "KOOI_NEEDS", "KOOI_STRATEGIES", "PAGE_CELLS", "PAGE_CHARTS", "PAPER_NEEDS"]
