"""The routes, as the page uses them."""

import json

import pytest
from conftest import FIXTURES

pytest.importorskip("starlette")

from evalmark.workbench.routes import Workbench
from evalmark.workbench.server import TOKEN, app_of
from standin_runs import write_run
from starlette.testclient import TestClient


@pytest.fixture
def place(tmp_path):
    for name in ("good/suite.json", "legacy/brackets.old.json", "bad/SG302_leading_space.json"):
        path = FIXTURES / name
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


@pytest.fixture
def client(place):
    app = app_of(Workbench.of(str(place)), "t", 8765)
    return TestClient(app, base_url="http://127.0.0.1:8765", headers={TOKEN: "t"})


def test_a_suite_is_opened_checked_fixed_and_saved(client, place):
    listed = client.get("/api/folder").json()
    assert {file["path"] for file in listed["files"]} == {p.name for p in place.iterdir()}
    found = client.get("/api/file", params={"path": "SG302_leading_space.json"}).json()
    body = {"path": found["path"], "data": found["data"]}
    checked = client.post("/api/check", json=body).json()
    finding = next(f for f in checked["findings"] if f["code"] == "SG302")
    fixed = client.post("/api/fix", json={**body, "id": finding["fix"]["id"]}).json()
    assert fixed["applied"] == 1
    body |= {"data": fixed["data"], "digest": found["digest"]}
    saved = client.post("/api/save", json=body)
    assert saved.json()["written"]
    again = client.get("/api/file", params={"path": found["path"]}).json()
    assert again["data"] == fixed["data"]
    assert again["digest"] == saved.json()["digest"]
    body["data"]["meta"]["name"] = "other"
    refused = client.post("/api/save", json=body)
    assert refused.status_code == 409
    assert refused.json()["changed"]
    assert refused.json()["data"] == again["data"]
    assert '"other"' in refused.json()["difference"]
    assert client.post("/api/save", json={**body, "force": True}).status_code == 200


def test_an_old_suite_is_converted(client, place):
    old = (place / "brackets.old.json").read_bytes()
    found = client.get("/api/file", params={"path": "brackets.old.json"}).json()
    assert found["converted"]
    assert found["difference"]
    body = {"path": "brackets.old.json", "data": found["data"], "digest": found["digest"]}
    told = client.post("/api/save", json=body).json()
    assert not told["written"]
    assert told["notes"] == ["nothing was edited, so the file keeps its format"]
    assert (place / "brackets.old.json").read_bytes() == old
    assert client.post("/api/save", json={**body, "convert": True}).json()["written"]
    found = client.get("/api/file", params={"path": "brackets.old.json"}).json()
    assert not found["converted"]


def test_text_and_formulas(client):
    text = (FIXTURES / "good/suite.json").read_text(encoding="utf-8")
    assert client.post("/api/convert", json={"text": text}).json()["data"] == json.loads(text)
    body = {"formula": "(1;%a%) < (2;%b%)", "conditions": ["a", "b"], "regions": 2}
    told = client.post("/api/formula", json={**body, "names": {"2": "verb"}}).json()
    assert told["words"] == "region 1 of a is less surprising than region 2 (verb) of b"


def test_a_rule_is_explained_as_the_command_does(client, run):
    told = client.get("/api/explain", params={"rule": "SG204"}).json()
    printed = run("evalmark", "explain", "SG204").out
    assert printed == f"SG204 unknown-condition (error)\n\n{told['explanation']}\n"
    refused = client.get("/api/explain", params={"rule": "SG000"})
    assert (refused.status_code, refused.json()) == (404, {"error": "there is no rule 'SG000'"})


def test_a_run_that_is_not_there_is_a_sentence(client):
    for path in ("/api/result?path=none", "/api/report?a=none&b=other", "/api/runs/none"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert "no" in answer.json()["error"]
    assert client.get("/api/runs").json() == []
    assert isinstance(client.get("/api/models").json(), list)


def test_a_report_is_of_a_first_run(client):
    answer = client.get("/api/report?b=other")
    assert answer.status_code == 400
    assert "`a` is missing" in answer.json()["error"]


def test_runs_without_samples_have_the_page_that_the_command_writes(client, place):
    for name in ("one", "two"):
        write_run(place / name, f"us/{name}", suites=1, items=3)
    (samples,) = (place / "two").glob("*_samples.jsonl")
    samples.unlink()
    alone, both = (client.get(f"/api/report?a=two{more}") for more in ("", "&b=one"))
    assert alone.status_code == both.status_code == 200
    assert "us/two has no samples" in alone.json()
    assert "us/one" in both.json()


def test_a_settings_file_that_cannot_be_used_is_a_sentence(client, place):
    (place / "evalmark.toml").write_text("join = 5")
    answer = client.post("/api/check", json={"data": {}})
    assert answer.status_code == 422
    assert "evalmark.toml" in answer.json()["error"]
