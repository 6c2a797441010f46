"""A folder that somebody else has written: a hostile file is one line, the others are listed."""

import json
import os
import shutil
from itertools import pairwise

import pytest
from conftest import FIXTURES, data_at, file_at, needs_links
from standin_runs import write_pairs_run, write_run
from suites import suite_of

pytest.importorskip("starlette")

from evalmark.workbench import server
from evalmark.workbench.routes import Workbench
from evalmark.workbench.server import app_of
from run_data import edited_record
from starlette.testclient import TestClient

SUITE = suite_of([{"a": ["x", "y"], "b": ["z", "w"]}], ["(1;%a%) > (1;%b%)"])


@pytest.fixture
def place(tmp_path):
    folder = tmp_path / "served"
    folder.mkdir()
    return folder


@pytest.fixture
def client(place):
    app = app_of(Workbench.of(str(place)), "t", 8765)
    return TestClient(app, base_url="http://127.0.0.1:8765", headers={server.TOKEN: "t"})


def strictly(answer):
    """What a browser parses: no NaN, no Infinity, and numbers that do not become one."""

    def refused(text):
        raise AssertionError(f"{text} is not JSON")

    def finite(text):
        assert abs(float(text)) < float("inf"), text
        return float(text)

    assert answer.status_code == 200, answer.text
    answer.text.encode("utf-8")
    return json.loads(answer.text, parse_constant=refused, parse_float=finite)


def listed(client):
    """The whole list, once every file is checked."""
    found = strictly(client.get("/api/folder"))
    while found["pending"]:
        found = strictly(client.get("/api/folder"))
    return found


def problem(found, path):
    """The one line about a path."""
    (line,) = [one["message"] for one in found["problems"] if one["path"] == path]
    return line


# what one file can do


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data.pop("meta"), lambda data: data.update(meta=[]),
        lambda data: data.update(meta=None), lambda data: data.pop("items"),
        lambda data: data.update(items={"a": 1}), lambda data: data.update(region_meta=5),
        lambda data: data["meta"].update(metric={"a": []}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("source", ["good/suite.json", "bad/SG112_operand.json"])
def test_a_damaged_suite_does_not_hide_the_others(client, place, source, damage):
    data = data_at(source)
    damage(data)
    file_at(place / "a.json", data)
    file_at(place / "b.json", SUITE)
    found = listed(client)
    errors = {file["path"]: file["errors"] for file in found["files"]}
    assert errors.pop("b.json") == 0
    assert all(errors.values())
    assert strictly(client.get("/api/file", params={"path": "a.json"}))["text"]


@pytest.mark.parametrize("number", ["NaN", "inf", "1e999", "x", ""])
def test_runs_that_are_not_as_they_were_written_are_a_line(client, place, number):
    for name in ("bad", "good"):
        write_run(place / name, "us/one", suites=1, items=2)
    with edited_record(place / "bad") as record:
        details = record["evaluation_results"][0]["score_details"]["details"]
        details["chance_fraction"] = details["chance"] = number
    found = listed(client)
    assert [run["path"] for run in found["runs"]] == ["good"]
    assert "is not a run as evalmark writes it" in problem(found, "bad/run.json")
    assert str(place) not in json.dumps(found)


def test_no_number_that_json_lacks_leaves(client, monkeypatch):
    """Whatever a route answers."""
    value = [float("nan"), {"a": float("inf")}, (1.5, float("-inf"))]
    monkeypatch.setattr("evalmark.workbench.routes.known_models", lambda _: value)
    assert strictly(client.get("/api/models")) == [None, {"a": None}, [1.5, None]]


@pytest.mark.parametrize(
    "settings", ["join = 5", "[", b"\xff", "[[per-file-ignores]]\nfiles = 3", 'nonsense = "x"']
)
def test_settings_that_cannot_be_used_are_a_line(client, place, settings):
    file_at(place / "one.json", SUITE)
    file_at(place / "evalmark.toml", settings)
    found = listed(client)
    assert [file["path"] for file in found["files"]] == ["one.json"]
    assert "the settings do not count" in problem(found, "evalmark.toml")
    answer = client.post("/api/check", json={"data": SUITE})
    assert answer.status_code == 422
    assert answer.json()["error"].startswith("evalmark.toml: ")
    assert str(place) not in json.dumps(found) + answer.text


def test_settings_above_the_folder_are_named_from_it(client, place):
    file_at(place.parent / "evalmark.toml", "join = 5")
    assert problem(listed(client), "../evalmark.toml")


def test_a_bug_in_one_file_is_a_line(client, place, monkeypatch):
    file_at(place / "bad.json", SUITE)
    file_at(place / "good.json", SUITE)
    from evalmark.workbench import folder_listing

    described = folder_listing._describe

    def crashing(path, name):
        return described(path, name) if name == "good.json" else 1 / 0

    monkeypatch.setattr(folder_listing, "_describe", crashing)
    found = listed(client)
    assert [file["path"] for file in found["files"]] == ["good.json"]
    assert problem(found, "bad.json").startswith("F099 internal error: ZeroDivisionError")


# links


@needs_links
def test_nothing_is_read_or_written_through_a_link_called_results(client, place, tmp_path):
    outside = tmp_path / "outside"
    write_pairs_run(outside / "run", "us/one", seed=1, uids=1, pairs=4)
    run = {"model": "demo", "path": "suite.json", "join": "core"}
    (outside / "x.run.json").write_text(json.dumps(run))
    before = sorted(outside.rglob("*"))
    file_at(place / "suite.json", SUITE)
    (place / "results").symlink_to(outside, target_is_directory=True)
    found = listed(client)
    assert found["runs"] == []
    assert problem(found, "results").startswith("'results' leads out of the folder")
    answers = [
        client.get("/api/runs"),
        client.get("/api/runs/x"),
        client.post("/api/runs/x/resume", json={}),
        client.post("/api/runs", json={"path": "suite.json", "model": "demo", "join": "core"}),
        client.get("/api/result", params={"path": "results/run"}),
        client.get("/api/report", params={"a": "results/run", "b": "results/run"}),
    ]
    for answer in answers:
        assert answer.status_code == 400
        assert "leads out of the folder that is served" in answer.json()["error"]
    assert sorted(outside.rglob("*")) == before


@needs_links
@pytest.mark.parametrize("name", ["run.json", "unfinished.jsonl", "latest"])
def test_a_run_whose_files_lead_out_is_not_used(client, place, tmp_path, name):
    write_pairs_run(place / "results/one", "us/one", seed=1, uids=1, pairs=4)
    assert client.get("/api/result", params={"path": "results/one"}).status_code == 200
    link = place / "results/one" / name
    if link.exists():
        shutil.move(link, tmp_path / name)
    link.symlink_to(tmp_path / name)
    refused = client.get("/api/result", params={"path": "results/one"})
    assert refused.status_code == 400
    assert f"results/one/{name}' leads out" in refused.json()["error"]


@needs_links
def test_an_interrupted_run_does_not_write_through_links(client, place, tmp_path):
    file_at(place / "suite.json", SUITE)
    file_at(place / "results/x.run.json", {"model": "demo", "path": "suite.json", "join": "core"})
    (place / "results/x").mkdir()
    assert client.get("/api/runs/x").json()["state"] == "stopped"
    (place / "results/x/unfinished.jsonl").symlink_to(tmp_path / "outside")
    answer = client.post("/api/runs/x/resume", json={})
    assert answer.status_code == 400
    assert "unfinished.jsonl' leads out" in answer.json()["error"]
    assert not (tmp_path / "outside").exists()


# everything at once


def hostile(place, outside):
    """One file of every kind; the paths of the healthy ones between them."""
    record = (FIXTURES / "good/record.json").read_text(encoding="utf-8")
    file_at(place / "healthy.json", SUITE)
    file_at(place / "z/healthy.json", SUITE)
    file_at(place / "healthy.csv", "sentence_good,sentence_bad\na b,a c\n")
    file_at(place / "record.json", record)
    write_pairs_run(place / "results/healthy", "us/one", seed=1, uids=1, pairs=4)
    file_at(place / "not-json.json", "{")
    file_at(place / "nan.json", json.dumps({**SUITE, "extra": float("nan")}))
    file_at(place / "no-meta.json", {key: SUITE[key] for key in SUITE if key != "meta"})
    file_at(place / "meta-a-list.json", {**SUITE, "meta": []})
    file_at(place / "deep.json", "[" * 100_000)
    file_at(place / "deep.yaml", "[" * 300)
    file_at(place / "surrogates.json", json.dumps(SUITE).replace("x", "\\ud800"))
    file_at(place / "bytes.json", json.dumps(SUITE).replace("x", "\ud800"))
    file_at(place / "aliases.yaml", "a: &a [x, x]\n" + "".join(
        f"{b}: &{b} [*{a}, *{a}, *{a}, *{a}]\n" for a, b in pairwise("abcdefghijk")
    ))  # fmt: skip
    file_at(place / "huge.json", "1" * 100_000)
    file_at(place / "broken.csv", 'sentence_good,sentence_bad\n"a,b\n')
    file_at(place / "nul.jsonl", b'{"sentence_good": "\x00"}\n\xff\n')
    file_at(place / "log.eval", b"PK\x03\x04garbage")
    file_at(place / "evalmark.toml", "join = [")
    names = {"00000000-0000-4000-8000-000000000000.json": ""}
    file_at(place / "gone/run.json", {"files": names})
    file_at(place / "broken/run.json", {"files": names})
    file_at(place / f"broken/{next(iter(names))}", {"evaluation_results": 5})
    file_at(place / "deep/run.json", '{"files": ' + "[" * 100_000)
    file_at(place / "list/run.json", [])
    run = {"model": "demo", "path": "healthy.json", "join": "core"}
    file_at(place / "results/hostile.run.json", {**run, "loading": {"trust_remote_code": True}})
    file_at(place / "results/deep.run.json", "[" * 100_000)
    file_at(place / "results/run.json", {"files": {"../healthy.json": "x"}, "why": 3})
    file_at(place / "talks/results/model/run.json", {"version": [], "files": 7, "judging": "x"})
    file_at(place / "boards/garbage/results.parquet", b"PAR1garbagePAR1")
    if hasattr(os, "mkfifo"):
        for name in ("pipe.json", "results/pipe.run.json", "pipe/run.json"):
            (place / name).parent.mkdir(exist_ok=True)
            os.mkfifo(place / name)
    (outside / "results").mkdir(parents=True)
    for name, target in (
        ("loop.json", "loop.json"), ("a.json", "b.json"), ("b.json", "a.json"),
        ("gone.json", "nowhere.json"), ("out.json", outside / "secret.json"),
        ("loop", "loop"), ("up", ".."), ("results/link", outside / "results"),
        ("boards/link", outside), ("results/loop.run.json", "loop.run.json"),
    ):  # fmt: skip
        (place / name).symlink_to(target)


@needs_links
def test_a_folder_with_a_file_of_every_hostile_kind_lists_all_the_others(client, place, tmp_path):
    hostile(place, tmp_path / "outside")
    found = listed(client)
    healthy = {file["path"] for file in found["files"] if not file["errors"]}
    assert healthy == {"healthy.json", "z/healthy.json", "healthy.csv"}
    assert "record.json" in [record["path"] for record in found["records"]]
    assert [run["path"] for run in found["runs"]] == ["results/healthy"]
    refused = {line["path"] for line in found["problems"]}
    assert refused >= {
        "evalmark.toml", "gone/run.json", "deep/run.json", "broken/run.json",
        "list/run.json", "results/hostile.run.json", "results/deep.run.json",
        "results/loop.run.json",
    }  # fmt: skip
    if hasattr(os, "mkfifo"):
        assert "not a regular file" in problem(found, "results/pipe.run.json")
    assert not refused & healthy
    assert str(tmp_path) not in json.dumps(found)
    assert all("F099" not in line["message"] for line in found["problems"])
    # Every other answer about it is a sentence as well.
    for path in place.rglob("*"):
        answer = client.get("/api/file", params={"path": path.relative_to(place).as_posix()})
        assert answer.status_code in (200, 400, 403, 404, 413), answer.text
        assert str(tmp_path) not in answer.text
