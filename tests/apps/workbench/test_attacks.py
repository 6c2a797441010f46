"""What others may try: another page, a guessed token, a path outside, a hostile file."""

import json
import sys

import pytest
from conftest import FIXTURES, needs_links
from looping import loops_over
from suites import suite_of

pytest.importorskip("starlette")

from evalmark.workbench import file_opening, server
from evalmark.workbench.routes import ROUTES, Workbench
from evalmark.workbench.server import app_of
from starlette.testclient import TestClient

TOKEN = "the-token"
HERE = "http://127.0.0.1:8765"
CORE = {"join": "core"}


@pytest.fixture
def place(tmp_path):
    folder = tmp_path / "served"
    folder.mkdir()
    (tmp_path / "secret.json").write_text('{"secret": 1}')
    (folder / "suite.json").write_text((FIXTURES / "good/suite.json").read_text())
    (folder / ".hidden.json").write_text('{"secret": 1}')
    return folder


@pytest.fixture
def client(place):
    app = app_of(Workbench.of(str(place)), TOKEN, 8765)
    return TestClient(app, base_url=HERE, headers={server.TOKEN: TOKEN})


ALL = [(method, path.replace("{id}", "x")) for method, path in ROUTES]


@loops_over("method,path", ALL)
@pytest.mark.parametrize("token", [None, "", "the-toke", "the-tokenx", "THE-TOKEN", "é"])
def test_no_route_answers_without_the_token(client, method, path, token):
    headers = {} if token is None else {server.TOKEN: token.encode()}
    client.headers.pop(server.TOKEN, None)
    answer = client.request(method, path, headers=headers, params={"token": TOKEN})
    assert answer.status_code == 401
    assert list(answer.json()) == ["error"]


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8765", "127.0.0.1", "127.0.0.1:80",
     "127.0.0.1.evil.example:8765", "localhost:8766", "0.0.0.0:8765", "[::1]:8765", ""],
)  # fmt: skip
def test_only_our_own_host_is_answered(client, host):
    """A name of somebody else that points at this machine (DNS rebinding)."""
    for path in ("/", "/page/index.html", "/api/folder"):
        answer = client.get(path, headers={"host": host})
        assert answer.status_code == 421
        assert "secret" not in answer.text


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "LOCALHOST:8765"])
def test_our_own_host_is_answered(client, host):
    assert client.get("/api/folder", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [{"origin": "http://evil.example"}, {"origin": "null"}, {"origin": "https://127.0.0.1:8765"},
     {"origin": "http://127.0.0.1:9999"}, {"sec-fetch-site": "cross-site"},
     {"sec-fetch-site": "same-site"}],
)  # fmt: skip
def test_no_other_page_is_answered(client, headers):
    answer = client.post("/api/check", json={"data": {}}, headers=headers)
    assert answer.status_code == 403


def test_a_link_to_the_page_works_from_anywhere(client):
    assert client.get("/", headers={"sec-fetch-site": "cross-site"}).status_code == 200


def test_our_own_page_is_answered(client):
    headers = {"origin": HERE, "sec-fetch-site": "same-origin"}
    assert client.post("/api/check", json={"data": {}}, headers=headers).status_code == 200


@pytest.mark.parametrize("media", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_forms_of_other_pages_are_not_read(client, media):
    body = json.dumps({"path": "new.json", "data": {}, "digest": None})
    answer = client.post("/api/save", content=body, headers={"content-type": media})
    assert answer.status_code == 415


@pytest.mark.parametrize("header", ["host", "origin", server.TOKEN])
def test_a_header_that_is_there_twice_is_refused(client, header):
    twice = [(header, "a"), (header, "b"), ("host", "127.0.0.1:8765")]
    assert client.get("/api/folder", headers=twice).status_code in (400, 421)


OUTSIDE = [
    "../secret.json", "a/../../secret.json", "/etc/passwd", "//etc/passwd", "C:\\secret.json",
    "C:secret.json", "..\\secret.json", "suite.json\0.txt", "\0", "", ".", "..", "./suite.json",
    "suite.json/", "a//suite.json", ".hidden.json", "a/.git/config", "x" * 5000, "a\nb.json",
    "~/secret.json/..", "suite.json/../../secret.json", "%2e%2e/secret.json/../../secret.json",
]  # fmt: skip


@pytest.mark.parametrize("name", OUTSIDE)
def test_no_path_leads_out(client, place, name):
    answers = [
        client.get("/api/file", params={"path": name}),
        client.get("/api/result", params={"path": f"{name}/x"}),
        client.post("/api/save", json={"path": name, "data": {"x": 1}, "digest": None}),
        client.post("/api/check", json={"path": name or "..", "data": {}}),
        client.post("/api/runs", json={"path": name, "model": "demo", **CORE}),
        client.post("/api/surprisals", json={"model": name, "item": {"conditions": []}, **CORE}),
    ]
    for answer in answers:
        assert answer.status_code in (400, 404), answer.text
        assert '"secret"' not in answer.text
        assert str(place) not in answer.text
    assert sorted(path.name for path in place.iterdir()) == [".hidden.json", "suite.json"]


@pytest.mark.parametrize("name", [["suite.json"], {"a": 1}, 1, True, None])
def test_a_path_is_a_text(client, name):
    answer = client.post("/api/save", json={"path": name, "data": {}, "digest": None})
    assert answer.status_code == 400


@needs_links
def test_links_out_are_not_followed(client, place, tmp_path):
    (place / "out.json").symlink_to(tmp_path / "secret.json")
    (place / "up").symlink_to(tmp_path, target_is_directory=True)
    (place / "loop.json").symlink_to(place / "loop.json")
    (place / "hidden.json").symlink_to(place / ".hidden.json")
    for name in ("out.json", "up/secret.json", "hidden.json", "loop.json"):
        assert client.get("/api/file", params={"path": name}).status_code in (400, 403, 404)
        body = {"path": name, "data": {"x": 1}, "digest": None, "force": True}
        assert client.post("/api/save", json=body).status_code in (400, 403), name
    assert (tmp_path / "secret.json").read_text() == '{"secret": 1}'
    assert [f["path"] for f in client.get("/api/folder").json()["files"]] == ["suite.json"]


@needs_links
def test_a_link_inside_stays_a_link(client, place):
    (place / "link.json").symlink_to(place / "suite.json")
    found = client.get("/api/file", params={"path": "link.json"}).json()
    found["data"]["meta"]["name"] = "other"
    body = {"path": "link.json", "data": found["data"], "digest": found["digest"]}
    assert client.post("/api/save", json=body).status_code == 200
    assert (place / "link.json").is_symlink()
    assert '"other"' in (place / "suite.json").read_text()


def test_huge_bodies_are_refused(client, monkeypatch):
    monkeypatch.setattr(server, "LARGEST", 1000)
    assert client.post("/api/check", json={"data": "x" * 2000}).status_code == 413

    def pieces():
        for _ in range(20):
            yield b" " * 100

    kind = {"content-type": "application/json"}
    assert client.post("/api/check", content=pieces(), headers=kind).status_code == 413


def test_huge_files_are_refused(client, place, monkeypatch):
    monkeypatch.setattr(file_opening, "LARGEST", 100)
    assert client.get("/api/file", params={"path": "suite.json"}).status_code == 413


@pytest.mark.parametrize("character", ["x", '"', "\\", "é", "\t"])
@pytest.mark.parametrize("share", [0.2, 0.45, 0.9, 0.99])
def test_what_can_be_opened_can_be_saved(client, place, monkeypatch, character, share):
    """A request holds a text with the escapes of JSON, and a table with the names of its parts."""
    limit = 200_000
    for module in (server, file_opening):
        monkeypatch.setattr(module, "LARGEST", limit)
    text = json.dumps({"text": character * int(share * limit / len(character.encode()))})
    (place / "large.json").write_text(text, encoding="utf-8")
    rows = "".join(f"{item},{c},1,s,x\n" for item in range(int(share * limit / 20)) for c in "ab")
    header = "item_number,condition_name,region_number,region_name,content\n"
    (place / "large.csv").write_text(header + rows)
    for name in ("large.json", "large.csv"):
        answer = client.get("/api/file", params={"path": name})
        if answer.status_code == 413:
            assert "larger than a page can save" in answer.json()["error"]
            continue
        found = answer.json()
        body = {"path": name, "text": found["text"] + " ", "digest": found["digest"]}
        assert client.post("/api/text/save", json=body).status_code == 200
        if not found.get("refused") and found["converted"]:
            body = {"path": "table.json", "data": found["data"], "digest": None}
            assert client.post("/api/save", json=body).status_code == 200
            (place / "table.json").unlink()


def test_a_table_that_is_too_large_to_be_saved_opens_as_text(client, place, monkeypatch):
    monkeypatch.setattr(file_opening, "LARGEST", 100_000)
    rows = "".join(f"{item},{c},1,s,x\n" for item in range(3000) for c in "ab")
    header = "item_number,condition_name,region_number,region_name,content\n"
    (place / "large.csv").write_text(header + rows)
    found = client.get("/api/file", params={"path": "large.csv"}).json()
    assert found["text"] == header + rows
    assert found["data"] is None
    assert "larger than a page can save" in found["refused"]


DEVICES = [
    "CON.json", "nul.yaml", "aux.suite.json", "COM1.csv", "lpt9.json", "prn.", "a.json.", "a ",
    "a<b.json", "a|b.json", "a?.json", "a*.json", 'a".json', "con/a.json", "a /b.json",
]  # fmt: skip


@pytest.mark.parametrize("name", DEVICES)
def test_a_name_that_windows_does_not_allow_is_refused(client, place, name):
    data = json.loads((place / "suite.json").read_text())
    for route, content in (("save", {"data": data}), ("text/save", {"text": "x"})):
        answer = client.post(f"/api/{route}", json={"path": name, "digest": None, **content})
        assert answer.status_code == 400
        if name.endswith((".json", ".yaml", ".csv")):
            assert "Windows" in answer.json()["error"]
    assert sorted(path.name for path in place.iterdir()) == [".hidden.json", "suite.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="such a file cannot be there")
def test_a_file_that_has_such_a_name_already_can_be_saved(client, place):
    (place / "con.json").write_text("{}")
    digest = client.get("/api/file", params={"path": "con.json"}).json()["digest"]
    body = {"path": "con.json", "text": "{} ", "digest": digest}
    assert client.post("/api/text/save", json=body).json()["written"]


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b'{"data": NaN}', b'{"a": 1, "a": 2}', b"\xff", b"\xef\xbb\xbf{}",
     b'{"data": "\\ud800"}', b'{"data": ' + b"[" * 5000 + b"]" * 5000 + b"}", b'{"data": 1e999}'],
)  # fmt: skip
def test_bad_json_is_a_sentence(client, body):
    answer = client.post("/api/check", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("the request is not ")


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/none", "/page/../server.py", "/none",
                                  "/page/../../pages/page.js", "/page/%2e%2e/server.py",
                                  "/page/package.json", "/page//etc/passwd", "/page/"])  # fmt: skip
def test_nothing_else_is_served(client, path):
    answer = client.get(path)
    assert answer.status_code == 404
    assert "import" not in answer.text


@pytest.mark.parametrize(("method", "path"), ALL)
def test_other_methods_are_refused(client, method, path):
    if ("GET" if method == "POST" else "POST", path) not in ALL and path != "/api/runs/x":
        answer = client.request("DELETE", path)
        assert answer.status_code == 405
        assert "error" in answer.json()


HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\u202e\x1b[31m"


def test_hostile_text_is_json_and_nothing_else(client, place):
    data = suite_of([{"a": [HOSTILE, "b"], "b": ["c", HOSTILE]}], [f"(1;%{HOSTILE}%) > 0"])
    data["meta"]["name"] = HOSTILE
    data["region_meta"]["1"] = HOSTILE
    (place / "hostile.json").write_text(json.dumps(data))
    answers = [
        client.get("/api/folder"),
        client.get("/api/file", params={"path": "hostile.json"}),
        client.post("/api/check", json={"path": "hostile.json", "data": data}),
        client.post("/api/convert", json={"text": json.dumps(data)}),
        client.post("/api/save", json={"path": "h.json", "data": data, "digest": None}),
        client.get(f"/api/{HOSTILE[:20]}"),
        client.get("/api/file", params={"path": HOSTILE}),
    ]
    for answer in answers:
        assert answer.headers["content-type"].startswith("application/json")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "\x1b" not in answer.text
        assert "\u202e" not in answer.text
        answer.json()


def test_every_answer_has_the_policy(client):
    for path in ("/", "/page/charts.css", "/page/none.js", "/api/folder", "/api/none"):
        headers = client.get(path).headers
        for name, value in server.HEADERS.items():
            assert headers.get_list(name) == [value]
    assert "unsafe" not in server.POLICY
    assert client.get("/", headers={"host": "evil"}).headers["x-frame-options"] == "DENY"


def test_a_bug_is_a_sentence(client, monkeypatch):
    monkeypatch.setattr("evalmark.workbench.folder_listing.Browser.listing", lambda _: 1 / 0)
    answer = client.get("/api/folder")
    assert answer.status_code == 500
    assert answer.json()["error"].startswith("F099 internal error: ZeroDivisionError")


@pytest.mark.parametrize(
    ("route", "body"),
    [
        ("check", {}), ("fix", {"data": {}}), ("fix", {"data": {}, "id": 1}),
        ("formula", {"formula": "x"}), ("formula", {"formula": 1, "conditions": [], "regions": 1}),
        ("formula", {"formula": "x", "conditions": [1], "regions": 1}),
        ("formula", {"formula": "x", "conditions": ["a"], "regions": "1"}),
        ("convert", {"text": []}), ("save", {"path": "a.json", "digest": None}),
        ("save", {"path": "a.json", "data": [], "digest": None}),
        ("save", {"path": "a.json", "data": {}, "digest": 1}),
        ("save", {"path": "a.json", "data": {}, "digest": None, "force": "yes"}),
        ("runs", {"path": "suite.json", **CORE}), ("runs", {"model": "demo", **CORE}),
        ("runs", {"path": ["suite.json"], "model": "demo", **CORE}),
        ("runs", {"path": "suite.json", "model": "demo"}),
        ("runs", {"path": "suite.json", "model": "demo", "join": 1}),
        ("surprisals", {"model": "demo", **CORE}),
        ("surprisals", {"model": "demo", "item": {}, **CORE}),
        ("surprisals", {"model": "demo", "item": {"conditions": [{"name": 1}]}, **CORE}),
        ("runs/x/stop", {}), ("runs/../x/resume", {}), ("runs/%2e%2e/stop", {}),
    ],
)  # fmt: skip
def test_what_is_asked_wrongly_is_a_sentence(client, route, body):
    answer = client.post(f"/api/{route}", json=body)
    assert answer.status_code in (400, 404), answer.text
    assert answer.json()["error"]


@pytest.mark.parametrize(
    "model", ["/etc", "../model", "a b", "-x", ".cache", "suite.json", "a/b/c"]
)
def test_models_are_names_or_folders_of_the_folder(client, model):
    answer = client.post("/api/runs", json={"path": "suite.json", "model": model, **CORE})
    assert answer.status_code == 400
