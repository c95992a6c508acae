"""The table of what rules took."""

from codebreaker.report.chapters.effort import rule_of, summarise

HEADER = "s\th:m:s\tmax_rss\tmax_vms\tmax_uss\tmax_pss\tio_in\tio_out\tmean_load\tcpu_time\n"


def write_benchmark(folder, name, seconds, memory, processor):
    """Write a file as Snakemake's `benchmark` does."""
    path = folder / "resources" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    row = f"{seconds}\t0:00:00\t{memory}\t1\t1\t1\t1\t1\t1\t{processor}\n"
    path.write_text(HEADER + row, encoding="utf-8")
    return path


def test_jobs_are_summed_by_rule(tmp_path):
    paths = [
        write_benchmark(tmp_path, "grow_tree/mm-4-6/entropy.tsv", "1.5", "200.4", "1.25"),
        write_benchmark(tmp_path, "grow_tree/mm-4-6/worst-case.tsv", "0.25", "NA", "NA"),
        write_benchmark(tmp_path, "play_terminals.tsv", "4.0", "150.0", "3.5"),
    ]
    assert [rule_of(path) for path in paths] == ["grow_tree", "grow_tree", "play_terminals"]
    assert summarise(paths).rows() == [
        ("play_terminals", 1, 4.0, 4.0, 3.5, 150),
        ("grow_tree", 2, 1.8, 1.5, 1.2, 200),
    ]
