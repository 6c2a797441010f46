"""The script that compares two installations sees every kind of difference, and no others."""

from __future__ import annotations

import pytest

from benchmarks.equality.differences import Side, compared


def sides(tmp_path, before, after, name="record.json"):
    for folder, content in (("1", before), ("2", after)):
        (tmp_path / folder / "out").mkdir(parents=True)
        if content is not None:
            (tmp_path / folder / "out" / name).write_text(content)
    return Side(tmp_path / "1", "0.1.0"), Side(tmp_path / "2", "0.2.0")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"score": 0.5}', '{"score": 0.25}'),
        ('{"a": 1, "b": 2}', '{"b": 2, "a": 1}'),
        ("text", "text\n"),
        ("text", None),
        (None, "text"),
        ("evalmark 10.1.0", "evalmark 10.2.0"),
    ],
)
def test_what_users_see_is_a_difference(tmp_path, before, after):
    [difference] = compared(*sides(tmp_path, before, after), "out")
    assert difference.product == "record.json"
    assert difference.diff


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"version": "0.1.0"}', '{"version": "0.2.0"}'),
        ('{"latency_ms": 12.5, "duration": "0.5"}', '{"latency_ms": 7, "duration": "1e-05"}'),
        ("b2f0c1de-0000-4000-8000-000000000001", "00f0c1de-0000-4000-8000-00000000000a"),
    ],
)
def test_clocks_ids_and_versions_are_no_differences(tmp_path, before, after):
    assert list(compared(*sides(tmp_path, before, after), "out")) == []


def test_two_ids_that_become_one_are_a_difference(tmp_path):
    one, other = "b2f0c1de-0000-4000-8000-000000000001", "00f0c1de-0000-4000-8000-00000000000a"
    assert list(compared(*sides(tmp_path, f"{one} {other}", f"{one} {one}"), "out"))
