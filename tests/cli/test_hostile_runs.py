"""One bad result does not stop `memory rescore` and `report`; names and settings do no harm."""

from __future__ import annotations

import json
import shutil

import pytest
from conftest import FIXTURES, needs_fifos
from evalmark.memory.agents import completers
from evalmark.validator.check import check_text

RUN = FIXTURES / "trees/run"
RECORD = json.loads((FIXTURES / "good/with_samples.json").read_text(encoding="utf-8"))


@pytest.fixture
def damaged_run(tmp_path):
    shutil.copytree(RUN, tmp_path / "run")
    agent = tmp_path / "run/results/Example agent"
    paths = sorted(agent.rglob("*_0.json"))
    paths[0].write_text('{"score": true, "max_score": [], "task_log": 3}')
    return tmp_path / "run", paths[0]


def test_one_bad_result_does_not_stop_rescoring(run, damaged_run):
    folder, bad = damaged_run
    done = run("evalmark", "memory", "rescore", folder, "--format", "json")
    assert done.code == 2
    assert done.err.startswith(f"evalmark: {bad} is not a result of a conversation")
    tests = json.loads(done.out)["tests"]
    assert "Restaurant/0" in {test["test"] for test in tests}


def test_one_bad_result_does_not_stop_a_report(run, damaged_run):
    pytest.importorskip("jinja2")
    folder, bad = damaged_run
    done = run("evalmark", "report", folder)
    assert done.code == 2
    assert f"evalmark: {bad} is not the result of a conversation" in done.err
    assert "Restaurant" in (folder / "report.html").read_text(encoding="utf-8")


def test_one_bad_run_does_not_stop_the_others(run, tmp_path):
    done = run("evalmark", "memory", "rescore", tmp_path / "nothing", RUN)
    assert done.code == 2
    assert "nothing is not a folder of results" in done.err
    assert "Restaurant" in done.out


@pytest.mark.parametrize("name", ["../../x", "a/b", "..", "", "x\n", "C:\\x"])
def test_the_name_of_a_first_suite_stays_in_its_folder(run, tmp_path, name):
    done = run("evalmark", "init", tmp_path / "new", "--name", name)
    assert done.code == 2
    assert "cannot be used as a file name" in done.err
    assert list(tmp_path.iterdir()) == []


def test_the_names_of_tests_are_looked_at_before_a_model_is_loaded(run, tmp_path, monkeypatch):
    def load(*_, **__):
        raise AssertionError

    monkeypatch.setattr(completers, "load_chat_model", load)
    done = run("evalmark", "memory", "run", "colors", "--model", "m", "--out", tmp_path / "run")
    assert done.code == 2
    assert "did you mean 'colours'" in done.err


def test_a_time_that_is_none_is_refused(run, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    (tmp_path / "agent.json").write_text("{}")
    done = run(
        "evalmark", "memory", "run", "colours", "--agent", tmp_path / "agent.json",
        "--out", tmp_path / "run",
    )  # fmt: skip
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "SOURCE_DATE_EPOCH is 'yesterday'" in done.err


@pytest.mark.parametrize("algorithm", ["evil", "shake_128", "", ["sha256"], {}, None, 3])
def test_an_unknown_hash_algorithm_is_a_finding_of_the_record(tmp_path, run, algorithm):
    record = json.loads(json.dumps(RECORD))
    record["detailed_evaluation_results"]["hash_algorithm"] = algorithm
    path = tmp_path / "with_samples.json"
    path.write_text(json.dumps(record))
    shutil.copy(FIXTURES / "good/with_samples_samples.jsonl", tmp_path)
    done = run("evalmark", "check", "--format", "json", path)
    codes = {finding["code"] for finding in json.loads(done.out)["findings"]}
    assert done.code == 1
    assert not codes & {"F099", "EE313"}
    for words in (["--to", "json"], ["--to", "record-0.3.0"]):
        converted = run("evalmark", "convert", *words, path, "-o", tmp_path / "out")
        assert "internal error" not in converted.err


def test_many_unknown_keys_take_a_time_that_grows_with_their_number():
    record = {**RECORD, **{f"key{number}": 1 for number in range(10_000)}}
    findings = check_text(json.dumps(record)).findings
    assert findings[-1].message == "8000 more unknown keys in this object" or any(
        finding.message == "8000 more unknown keys in this object" for finding in findings
    )
    assert len(findings) == 2001


@needs_fifos
def test_pipes_are_never_waited_for(run, tmp_path, monkeypatch):
    import os

    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    suite = str(FIXTURES / "good/suite.json")
    for words in (
        ["score", pipe, "--dry-run"],
        ["score", suite, "--surprisals", pipe],
        ["memory", "run", pipe, "--agent", pipe, "--out", tmp_path / "run"],
        ["convert", suite, "--predictions", pipe, "--check"],
        ["convert", FIXTURES / "good/record.json", "--defaults", pipe, "--check"],
    ):
        done = run("evalmark", *words)
        assert (done.code, words[0]) == (2, words[0])
        assert "not a regular file" in done.err
    settings = tmp_path / "settings"
    settings.mkdir()
    os.mkfifo(settings / "evalmark.toml")
    monkeypatch.chdir(settings)
    done = run("evalmark", "check", suite)
    assert done.code == 2
    assert "evalmark.toml: cannot be read: not a regular file" in done.err
