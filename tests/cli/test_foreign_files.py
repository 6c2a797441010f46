"""Broken files of other programs are skipped; broken files of ours, and named ones, are not."""

import json
import re

from conftest import FIXTURES, file_at, needs_apps
from looping import loops_over

GOOD = FIXTURES / "good"
SUITE = (GOOD / "suite.json").read_text(encoding="utf-8")
RECORD = (GOOD / "record.json").read_text(encoding="utf-8")
LINES = (GOOD / "with_samples_samples.jsonl").read_text(encoding="utf-8")
EDITOR = '{"json.schemas": [{"schema": {"properties": {"items": {}, "predictions": {}}}}]}'

#: Name -> what is not ours and cannot be read, alone in its folder.
STRANGERS = {
    "settings.json": f"// for suites\n{EDITOR}",
    "tsconfig.json": '{\n  "compilerOptions": {"strict": true}, // always\n}',
    "launch.json": '{"version": "0.2.0", "configurations": [],}',
    "tasks.json": '{"version": "2.0.0", /* build */ "tasks": [{"label": "x", "type": "shell"}]}',
    "log.json": '{"step": 1, "loss": 0.5}\n{"step": 2, "loss": 0.4}\n',
    "metrics.json": '{"results": {"items": 1, "predictions": 2}, "perplexity": NaN}',
    "package.json": '{"name": "x", "description": "y", "version": "1.0',
    "twice.json": '{"openapi": "3", "paths": {"items": {}, "predictions": {}}, "openapi": "3"}',
    "shape.json": '{"type": "FeatureCollection", "features": [{"type": "Feature"',
    "page.json": "<!DOCTYPE html><html><body>Not found</body></html>",
    "empty.json": "",
    "python.json": "{'name': 'x', 'values': [None, True]}",
    "renovate.json": '{extends: ["config:base"]}',
    "notebook.json": '{"cells": [], "metadata": {"items": 0, "predictions": [',
    "utf16.json": '{"name": "x"}'.encode("utf-16"),
    "packed.json": b"\x1f\x8b\x08\x00\x00\x00",
    "compose.yaml": "services:\n  web: {items: 1, predictions: 2\n",
    "workflow.yml": "on: push\njobs:\n  items: !x [predictions]\n",
    "chart.yaml": "{{ if .Values.items }}\npredictions: {{ .Values.x }}\n{{ end }}\n",
    "events.jsonl": '{"step": 1, "loss": NaN}\n' * 30,
    "pretty.jsonl": '{\n  "step": 1\n}\n{\n  "step": 2\n}\n',
    "table.csv": "date,amount\n2026-01-01,3\n",
    "table.tsv": "date\tamount\n2026-01-01\t3\n",
    "notes.txt": "two lines\nof text\n",
}

#: Name -> what is ours and cannot be read, alone in its folder.
OURS = {
    "cut.json": SUITE[: len(SUITE) // 2],
    "cut_early.json": SUITE[: SUITE.index("predictions")],
    "cut_line.json": json.dumps(json.loads(SUITE))[:200],
    "cut_record.json": RECORD[: len(RECORD) // 2],
    "comment.json": f"// mine\n{SUITE}",
    "comment_record.json": RECORD.replace("{", "{ /* mine */", 1),
    "comma.json": SUITE.rstrip()[:-1] + ",}",
    "no_bracket.json": SUITE.replace("}", "", 1),
    "no_colon.json": SUITE.replace('"items":', '"items"'),
    "no_first_bracket.json": SUITE[1:],
    "python.json": str(json.loads(SUITE)),
    "lines.json": LINES,
    "nan.json": RECORD.replace('"score": ', '"score": NaN, "was": '),
    "twice.json": SUITE.replace("{", '{"meta": {}, ', 1),
    "utf16.json": SUITE.encode("utf-16"),
    "conflict.json": f"<<<<<<< HEAD\n{SUITE}=======\n{SUITE}>>>>>>> other\n",
    "pointer.json": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
    "suite.yaml": "meta: {name: x}\npredictions:\n  - {type: formula\nitems: []\n",
    "cut.yaml": 'meta: {name: x}\nregion_meta: {"1": "Sub',
    "pairs.jsonl": '{"sentence_good": "A", "sentence_bad": "B", }\n' * 30,
    "x_samples.jsonl": "{'a': 1}\n",
    "pairs.csv": "sentence_good,sentence_bad\nA,B\n".encode("utf-16"),
    "x.def.json": "{",
    "data/gsm8k/lab/model/x.json": "{",
}

CASES = [*((name, text, True) for name, text in STRANGERS.items()),
         *((name, text, False) for name, text in OURS.items())]  # fmt: skip


@loops_over("name,text,is_foreign", CASES)
def test_a_stranger_is_skipped_unless_it_is_named_and_ours_never(
    name, text, is_foreign, tmp_path, monkeypatch, run
):
    monkeypatch.chdir(tmp_path)
    path = file_at(tmp_path / name, text)
    (tmp_path / "list").write_text(name)
    named = run("evalmark", "check", "--format", "concise", name)
    assert (named.code, "error[F" in named.out) == (1, True), "what is named is answered"
    calls = {
        "hook": run("evalmark-hook", name),
        "fixing hook": run("evalmark-hook", "--fix", "--unsafe-fixes", name),
        "list": run("evalmark", "check", "--fix", "--unsafe-fixes", "--paths-from", "list"),
    }
    if path.suffix not in (".csv", ".tsv", ".txt"):  # a search of folders looks for none
        calls["walk"] = run("evalmark", "check", "--fix", "--unsafe-fixes", ".")
    if is_foreign:
        assert path.read_bytes() == (text if isinstance(text, bytes) else text.encode())
        for how, done in calls.items():
            # A folder without any of our files is a mistake of the call.
            assert (done.code, done.out) == (2 if how == "walk" else 0, ""), how
            *_, last = done.err.splitlines()
            assert last.startswith("Skipped 1 unrecognized file: "), how
            assert last.endswith(f"{name}."), how
        file_at(tmp_path / "ours/suite.json", SUITE)
        (tmp_path / "list").write_text(f"{name}\nours/suite.json\n")
        assert run("evalmark", "check", "--paths-from", "list").err == (
            f"Checked 1 file, skipped 1: no findings.\nSkipped 1 unrecognized file: {name}.\n"
        )
    else:
        file_at(tmp_path / name, text)
        assert "error[F" in calls["hook"].out
        for done in (run("evalmark", "check", "--paths-from", "list"), run("evalmark-hook", name)):
            assert (done.code, "error[F" in done.out) == (1, True)


def test_a_text_that_tells_nothing_is_ours_among_ours_alone(here, run):
    file_at(here / "a.json", SUITE)
    for name, found in (("b.json", "F010"), ("c.yaml", "F010"), ("d.jsonl", "F001")):
        file_at(here / name, "" if found == "F010" else "<html>")
        assert found in run("evalmark-hook", name).out, name
    file_at(here / "tsconfig.json", STRANGERS["tsconfig.json"])
    for name, why in (("tsconfig.json", "its keys say what it is"), ("b.json", "others are not")):
        skipped = f"Skipped 1 unrecognized file: {name}.\n"
        assert run("evalmark-hook", name) == (0, "", skipped), why


@needs_apps
def test_other_commands_skip_the_same_files(here, run):
    for name, text in ((n, t) for n, t in STRANGERS.items() if isinstance(t, str)):
        file_at(here / "in" / name, text)
    file_at(here / "in/suites" / "suite.json", SUITE)
    run("evalmark", "convert", "in", "--to", "suite", "-o", "out", code=0)
    file_at(here / "in/suites" / "cut.json", OURS["cut.json"])
    assert "cut.json" in run("evalmark", "convert", "in", "--to", "suite", "-o", "out2").err
    table = run("evalmark", "table", "in", "-o", "r.csv")
    assert (table.code, re.findall("(.*): not read", table.err)) == (2, ["in/suites/cut.json"])
    (here / "in/suites/cut.json").unlink()
    assert run("evalmark", "table", "in", "-o", "r.csv").code == 0
    named = run("evalmark", "table", "in/tsconfig.json", "-o", "r.csv")
    assert (named.code, "tsconfig.json: not read" in named.err) == (2, True)
