"""Check trees from files: every secret is played by the rules, and the total compared."""

from pathlib import Path
from tempfile import TemporaryDirectory

import codebreaker as cb

samples = Path(__file__).parent.parent / "tests" / "samples"
game = cb.game("mm-3-4")

for path in sorted(samples.glob("mm-3-4*")):
    try:
        tree = cb.read_tree(path, game)
    except cb.CodebreakerError as error:
        print(str(error).replace(f"{samples}/", ""))
    else:
        print(f"{path.name}: {tree.total} guesses, at most {tree.maximum}")

best = cb.solve(game)
print(f"no tree takes fewer than {best.bound} guesses")

with TemporaryDirectory() as folder:
    path = Path(folder) / "best.contest"
    best.tree.write(path)
    print("written for others:", path.read_text(encoding="utf-8")[:60] + "...")
    print("and read again:", cb.read_tree(path, game))
