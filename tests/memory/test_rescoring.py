"""Scores of finished runs again: several rules, reasons of differences, bad files, totals."""

import json
import shutil

import pytest
from conftest import FIXTURES, edited
from evalmark.memory.running.rescoring import rescore

AGENT = "results/Example agent"


@pytest.fixture
def home(tmp_path):
    """A run of the benchmark with one test, of colors."""
    return shutil.copytree(FIXTURES / "good/ltm", tmp_path / "Benchmark 3 - 1k")


def change(home, path=f"{AGENT}/Colours/0_0.json", **values):
    data = json.loads((home / path).read_text(encoding="utf-8"))
    (home / path).write_text(json.dumps({**data, **values}), encoding="utf-8")


def only(home, **rest):
    (entry,) = rescore(home / AGENT, **rest)
    return entry


def test_a_score_that_is_the_same_needs_no_reason(home):
    found = only(home)
    assert (found.again, found.differs, found.because, found.rules) == (1, False, "", "ltm-3")
    assert (found.run, found.agent) == ("Benchmark 3 - 1k", "Example agent")


@pytest.mark.parametrize(
    ("values", "rules", "because"),
    [
        ({"score": 0.5, "auto_score": 1}, None, "edited by hand, from 1 to 0.5"),
        ({"actual_responses": ["Bluebell."]}, "evalmark-1", "ltm-3 gives the stored score"),
        ({"score": 0}, None, "by none of the known rules"),
        ({"score": 0, "expected_responses": ["green"]}, None,
         "the definition has other expected responses than the result"),
        ({"score": 0, "auto_score": 0.5}, None,
         "by none of the known rules; edited by hand, from 0.5 to 0"),
    ],
)  # fmt: skip
def test_each_difference_has_its_reason(home, run, values, rules, because):
    change(home, **values)
    assert only(home, rules=rules).because == because
    done = run("evalmark", "memory", "rescore", home, *(["--rules", rules] if rules else []))
    assert done.code == 0
    assert because in done.out


def test_what_a_judge_decided_by_the_older_rules_is_said(home):
    shutil.move(home / AGENT / "Colours", home / AGENT / "SallyAnne")
    path = "definitions/SallyAnne/0.def.json"
    with edited(home / path) as definition:
        del definition["waits"]
        definition |= {"token_spacings": [0] * len(definition["script"]), "time_jumps": []}
    with edited(home / AGENT / "SallyAnne/0_0.json") as result:
        del result["needles"]
    assert only(home).reasons == ("a judge decides, and the log has no reply of one",)
    assert only(home, rules="ltm-3").because == "by ltm-1 a judge decides"


def test_rules_are_shown_side_by_side(home, run):
    change(home, actual_responses=["Bluebell."])
    done = run("evalmark", "memory", "rescore", home, "--rules", "ltm-3", "--rules", "evalmark-1")
    lines = [line.split() for line in done.out.splitlines() if line.startswith("Colours ")]
    assert [(line[1], line[-1]) for line in lines] == [("ltm-3", "1.000"), ("evalmark-1", "0.000")]
    data = run(
        "evalmark", "memory", "rescore", home, "--rules", "ltm-3", "--rules", "evalmark-1",
        "--format", "json",
    )  # fmt: skip
    tests = json.loads(data.out)["tests"]
    assert [(test["rules"], test["again"]) for test in tests] == [("ltm-3", 1), ("evalmark-1", 0)]


def test_headings_tell_runs_of_one_agent_apart_and_totals_sum_them_up(home, tmp_path, run):
    other = shutil.copytree(home, tmp_path / "Benchmark 3 - 32k")
    lines = run("evalmark", "memory", "rescore", home, other).out.splitlines()
    assert "Benchmark 3 - 1k / Example agent" in lines
    assert "Benchmark 3 - 32k / Example agent" in lines
    totals = [line.split() for line in lines[lines.index("all") :]]
    assert totals[-1] == ["all", "2", "2", "2"]


def test_a_bad_file_costs_its_own_result_only(home, tmp_path, run):
    other = shutil.copytree(home, tmp_path / "Benchmark 3 - 32k")
    bad = home / AGENT / "Colours/1_0.json"
    bad.write_text("{", encoding="utf-8")
    log = home / AGENT / "master_log.jsonl"
    log.write_text("none\n", encoding="utf-8")
    done = run(
        "evalmark", "memory", "rescore", home, other, "--rules", "ltm-3", "--rules", "evalmark-1"
    )
    assert done.code == 2
    assert done.err.count(str(bad)) == done.err.count(str(log)) == 1, "each is said once"
    assert done.out.splitlines()[-1].split() == ["all", "4", "4", "4"]


def test_an_agent_that_cannot_be_used_does_not_hide_the_others(home, run):
    for name in ("0 empty", "A damaged"):
        (home / "results" / name).mkdir()
    shutil.copytree(home / AGENT / "Colours", home / "results/A damaged/Colours")
    (home / "results/A damaged/run.json").write_text("{", encoding="utf-8")
    done = run("evalmark", "memory", "rescore", home, code=2)
    assert "0 empty is not a folder of results" in done.err
    assert "run.json cannot be read" in done.err
    assert done.out.splitlines()[-1].split()[:2] == ["all", "2"]
    page = run("evalmark", "report", home, "--out", home / "page.html", code=2)
    assert "run.json cannot be read" in page.err
    assert "Example agent" in (home / "page.html").read_text(encoding="utf-8")


def test_replies_of_models_in_a_published_log_are_used(home):
    menu = "Waiter: the menu:\n\nMains:\n1. Stew\n\nBeverages:\n2. Lemonade"
    shutil.move(home / AGENT / "Colours", home / AGENT / "Restaurant")
    path = f"{AGENT}/Restaurant/0_0.json"
    lines = [f"Test (2024-05-01 12:00:00.000000): {menu}", "Agent (2024-05-01 12:00:01.000000): no"]
    change(home, path, task_log=lines, score=0)
    with (home / AGENT / "master_log.jsonl").open("a", encoding="utf-8") as log:
        data = {"response": '{"follows_role": false}'}
        event = {"type": 8, "timestamp": 1714565000.0, "test_id": "Restaurant - 0", "data": data}
        log.write(json.dumps(event) + "\n")
    found = only(home)
    assert (found.again, found.way, found.because) == (0, "judge", "")
    assert found.reasons == ("the agent does not play its role",)
