"""The script that compares two installations sees every kind of difference, and no others."""

from __future__ import annotations

import sys

import pytest

from benchmarks.equality.__main__ import main
from benchmarks.equality.differences import Side, compared

#: A Python whose evalmark prints one word more, ends with another exit code, and adds a line to
#: each file of text that it writes.
PLANTED = """
import os, sys
from importlib import import_module, util
from pathlib import Path

arguments = sys.argv[1:]
if arguments[1] in ("-c", "-m"):
    os.execv(sys.executable, [sys.executable, *arguments])

def planted(command):
    def changed(words):
        code = command(words)
        for word in words:
            place = Path(word.rpartition("=")[2])
            if place.parts[:1] == ("out",):
                for path in [place, *place.rglob("*")]:
                    if path.suffix in (".json", ".jsonl", ".html", ".yaml"):
                        with path.open("a") as file:
                            file.write("\\\\n")
        print("a word")
        print("a word", file=sys.stderr)
        return code + 1
    return changed

for name in ("main", "hook"):
    module = import_module(f"evalmark.cli.{name}")
    module.main = planted(module.main)
spec = util.spec_from_file_location("worker", arguments[1])
worker = util.module_from_spec(spec)
spec.loader.exec_module(worker)
worker.main(arguments[2])
""".replace("\\\\n", "\\n")
STREAMS = {"exit code", "stderr", "stdout"}
#: Groups of calls that write files.
WRITING = {"check", "fix", "convert", "score", "converse", "report", "publish", "init"}


@pytest.fixture(autouse=True)
def _own_data_only(monkeypatch):
    monkeypatch.delenv("EVALMARK_SHARED", raising=False)


def compare(capsys, *words):
    """Exit code, and what is printed: group -> (calls, those that differ); group -> products."""
    code = main([*map(str, words), "--sample", "600", "--first", "1", "--limit", "10000"])
    lines = capsys.readouterr().out.splitlines()
    table = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")][1:]
    counts = {group: (int(calls), int(differing)) for group, calls, differing, _ in table}
    products = {}
    for line in lines:
        group, _, rest = line.partition(": ")
        if group in counts and ": " in rest:
            products.setdefault(group, set()).add(rest.rpartition(": ")[2])
    return code, counts, products


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a Python that is a shell script")
def test_a_difference_of_each_kind_is_reported_for_every_call(tmp_path, capsys):
    script, python = tmp_path / "planted.py", tmp_path / "python"
    script.write_text(PLANTED)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{script}" "$@"\n')
    python.chmod(0o755)
    code, counts, products = compare(capsys, sys.executable, python)
    assert code == 1
    for group, (calls, differing) in counts.items():
        assert calls == differing > 0, group
    for group in counts.keys() - {"all"}:
        assert products[group] >= STREAMS, group
    for group in counts.keys() - {"all"}:
        wrote = group.split(" --to")[0] in WRITING
        assert bool(products[group] - STREAMS) == wrote, (group, products[group])


@pytest.mark.slow
def test_an_installation_is_equal_to_itself(capsys):
    only = ("check", "convert --to", "store")
    code, counts, products = compare(capsys, sys.executable, sys.executable, "--only", *only)
    assert (code, products) == (0, {})
    assert counts["all"][0] >= 4


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
