"""Runs of memory tests as gates: floors of datasets."""

import json
from pathlib import Path

import pytest
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


def test_unknown_names_are_refused_before_an_agent_is_made(run, here):
    command = ("evalmark", "memory", "--agent", "nowhere.py:None", "--out", "r")
    unknown = run(*command, "colours", *floors("colour=0.3"), code=2)
    assert "unknown score 'colour'; did you mean 'colours'?" in unknown.err
    assert run(*command, "colours", *floors("x")).code == 2


def test_datasets_are_held_to_floors(run, says):
    command = ("evalmark", "memory", "restaurant", "colours", "--agent", says("x"), "--out", "r")
    assert run(*command, *floors("restaurant=0", "all=0")).code == 0
    done = run(
        *command, *floors("colours=0.1", "Restaurant=0.5", "all=0.1"), "--format", "json", code=1
    )
    assert missed(done) == [
        "below the floor: Colours 0.000, at least 0.1 is required",
        "below the floor: Restaurant 0.000, at least 0.5 is required",
        "below the floor: mean over 2 datasets 0.000, at least 0.1 is required",
    ]


def test_a_floor_of_no_dataset_of_a_class_is_said_once_the_class_has_run(run, says):
    Path("mine.py").write_text(HEAD + GOOD, encoding="utf-8")
    command = ("evalmark", "memory", "mine.py:Good", "--agent")
    assert run(*command, says("yes"), "--out", "met", *floors("Good=1", "all=1")).code == 0
    done = run(*command, says("no"), "--out", "unknown", *floors("Goood=0.1", "Good=1"))
    assert (done.code, Path("unknown").is_dir()) == (2, True), "the run itself is kept"
    assert "unknown score 'Goood'; did you mean 'Good'? expected one of: all, Good" in done.err
    assert "below the floor: Good 0.000" in done.err, "an unknown name hides no other floor"
