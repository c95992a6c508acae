"""Register the best weights found (`make record`); MM(5,8) needs a run in `build/large`."""

from dataclasses import replace

from recording import RECORDED, ROOT

from codebreaker.constants import PAPERS_GAME
from codebreaker.policies.weights import FOLDER, published, read_weights, write_weights

if __name__ == "__main__":
    opening = published("gur-2025-stage").at(1)
    for name, model in RECORDED["weights"].items():
        best = read_weights(ROOT / "results" / "weights" / PAPERS_GAME / model / "guided.json")
        values = best.values.copy()
        values[0] = opening
        source = "codebreaker, by the exact cost-to-go; turn 1 from Gür 2025, Table 3"
        record = replace(best, name=name, source=source, values=values)
        write_weights(record, FOLDER / f"{name}.json")
    for name, model in RECORDED["large_weights"].items():
        path = ROOT / "build" / "large" / "results" / "weights" / "mm-5-8" / model / "best.json"
        if path.exists():
            source = "codebreaker, by the genetic algorithm, for MM(5,8) from 11223"
            record = replace(read_weights(path), name=name, source=source)
            write_weights(record, FOLDER / f"{name}.json")
