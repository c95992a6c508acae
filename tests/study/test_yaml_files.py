"""Configuration files that no reader of YAML should take."""

import pytest
from conftest import ROOT

from codebreaker.errors import CodebreakerError
from codebreaker.study.yaml_files import check_yaml

REFUSED = {
    "twice": ("a: {b: 1}\na: {c: 2}\n", "line 1: the key 'a' occurs twice: join the two"),
    "below": ("a:\n  b: 1\n  c: 1\n  b: 2\n", "line 2: the key 'b' occurs twice"),
    "within itself": ("a: &a\n  b: *a\n", "nested too deeply, or within itself"),
    "deep": ("[" * 200 + "]" * 200, "nested too deeply"),
    "very deep": ("[" * 10**5, "is not YAML"),
    "large": ("a: 1\n" + "#" * 2**21, "is larger than 1 MiB"),
    "broken": ("a: [1, 2", "is not YAML: while parsing"),
    "unknown tag": ("a: {!generations: 10}\n", "is not YAML: could not determine a constructor"),
    "no date": ("a: 2001-13-01\n", "is not YAML: month must be in 1..12"),
    "bytes": (b"\xff\xfea", "is not YAML: 'utf-8' codec"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_reader_would_take_in_silence_is_refused(tmp_path, name):
    content, message = REFUSED[name]
    path = tmp_path / "study.yaml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(CodebreakerError, match=message) as caught:
        check_yaml(path)
    assert "\n" not in str(caught.value)


def test_what_can_be_read_is_taken(tmp_path):
    for path in (ROOT / "config").glob("*.yaml"):
        check_yaml(path)
    (tmp_path / "empty.yaml").touch()
    check_yaml(tmp_path / "empty.yaml")
    shared = "base: &base {a: 1}\none: {<<: *base, b: 2}\ntwo: {<<: *base, b: 3}\n"
    (tmp_path / "shared.yaml").write_text(shared)
    check_yaml(tmp_path / "shared.yaml")
    with pytest.raises(CodebreakerError, match="can't be read: No such file"):
        check_yaml(tmp_path / "none.yaml")
