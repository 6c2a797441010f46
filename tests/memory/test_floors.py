"""Runs of memory tests as gates: floors of datasets and of types, and runs that are compared."""

import json
from pathlib import Path

import pytest
from test_set_commands import LOCOMO, LONGMEMEVAL, SEARCH
from test_users_classes import GOOD, HEAD


def floors(*texts):
    return [part for text in texts for part in ("--at-least", text)]


@pytest.fixture
def says(here):
    """A script that says one thing."""

    def write(text, name="say"):
        (here / f"{name}.json").write_text(json.dumps({"default": text}), encoding="utf-8")
        return f"{name}.json"

    return write


def missed(outcome):
    return [line for line in outcome.err.splitlines() if line.startswith("below the floor")]


def test_types_of_questions_are_held_to_floors(run, says):
    command = ("evalmark", "memory", "run", LOCOMO, "--agent", says("Porto"), "--out", "r")
    met = run(*command, *floors("single-hop=0.6", "4=0.6", "temporal=0", "all=0.1"))
    assert (met.code, missed(met)) == (0, [])
    done = run(*command, *floors("single-hop=0.7", "temporal=0.3", "all=0.2"), code=1)
    assert [line.split(", at least")[0] for line in missed(done)] == [
        "below the floor: LoCoMo: LoCoMo F1 of category 4 (single-hop) 0.667",
        "below the floor: LoCoMo: LoCoMo F1 of category 2 (temporal) 0.000",
        "below the floor: LoCoMo: LoCoMo F1 of answerable (categories 1, 2, 3, 4) 0.167 "
        "(95 % interval 0.000 to 0.697)",
    ]


def test_unknown_names_are_refused_before_an_agent_is_made(run, here):
    command = ("evalmark", "memory", "run", "--agent", "nowhere.py:None", "--out", "r")
    for target, wrong, meant in (
        (LOCOMO, "temporel", "temporal"),
        ("colours", "colour", "colours"),
    ):
        unknown = run(*command, target, *floors(f"{wrong}=0.3"))
        assert unknown.code == 2
        assert f"unknown score '{wrong}'; did you mean '{meant}'?" in unknown.err


def test_a_judge_decides_where_there_is_one_and_all_is_the_total(run, says):
    command = ("evalmark", "memory", "run", LONGMEMEVAL, "--agent", says("x"), "--out", "r")
    judge = ("--judge", says('{"correct": "yes"}', "judge"))
    done = run(*command, *judge, *floors("temporal-reasoning=0.5", "all=0.1"))
    assert missed(done) == []
    assert done.code == 0, done.err
    done = run(*command[:-1], "s", *floors("all=0.5"))
    assert (done.code, len(missed(done))) == (1, 1)
    assert "LongMemEval: word F1 of answerable 0.000" in missed(done)[0]


def test_datasets_are_held_to_floors(run, says):
    command = ("evalmark", "memory", "run", "kv", "colours", "--agent", says("x"), "--out", "r")
    assert run(*command, *floors("kv=0", "all=0")).code == 0
    done = run(*command, *floors("colours=0.1", "KV=0.5", "all=0.1"), "--format", "json", code=1)
    assert missed(done) == [
        "below the floor: Colours 0.000, at least 0.1 is required",
        "below the floor: KV 0.000, at least 0.5 is required",
        "below the floor: mean over 2 datasets 0.000, at least 0.1 is required",
    ]
    assert run(*command, *floors("x")).code == 2


def test_a_floor_of_no_dataset_of_a_class_is_said_once_the_class_has_run(run, says):
    Path("mine.py").write_text(HEAD + GOOD, encoding="utf-8")
    command = ("evalmark", "memory", "run", "mine.py:Good", "--agent", says("yes"), "--out")
    assert run(*command, "met", *floors("Good=1", "all=1")).code == 0
    done = run(*command, "unknown", *floors("Good=1", "Goood=0.1"))
    assert (done.code, Path("unknown").is_dir()) == (2, True), "the run itself is kept"
    assert "unknown score 'Goood'; did you mean 'Good'? expected one of: all, Good" in done.err


def test_exact_matches_and_recall_are_compared_question_by_question(run, here):
    (here / "search.py").write_text(SEARCH, encoding="utf-8")
    (here / "last.py").write_text(SEARCH.replace("-len(", "len("), encoding="utf-8")
    for name in ("search", "last"):
        agent = ("--agent", f"{name}.py:Search")
        assert run("evalmark", "memory", "run", LOCOMO, *agent, "--out", name).code == 0
    done = run("evalmark", "compare", "search", "last", "--fail-if-worse", "--format", "json")
    assert done.code == 0, "a few questions show nothing"
    assert "no samples" not in done.err
    compared = json.loads(done.out)
    rows = {row["suite"]: row for row in compared["comparisons"]}
    assert rows["LoCoMo: exact match/category 4 (single-hop)"]["items"] == 1
    recall = rows["LoCoMo: recall@3 of turns"]
    assert recall["first"] > recall["second"] == 0
    assert (recall["items"], recall["only_first"]) == (4, 3)
    assert "recall" not in compared["pooled"]["prediction"], "it is no answer"
    assert compared["pooled"]["items"] == 4
