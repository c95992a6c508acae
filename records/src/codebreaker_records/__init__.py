"""The hunt for records: what found the best known strategies, on top of `codebreaker`."""

from pathlib import Path

from codebreaker.runtime.sources import follow

ROOT = Path(__file__).parent
"""The folder of this package."""

follow(ROOT)
