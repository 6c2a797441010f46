"""Questions of the page to the stores of the folder: answers as those of the commands."""

from __future__ import annotations

import json
from threading import Timer

import pytest
from conftest import needs_links
from standin_store import result, store_of

pytest.importorskip("starlette")
pytest.importorskip("duckdb")

import pyarrow as pa
from evalmark.leaderboard import open_store
from evalmark.schemas.errors import NotInstalledError, RequestRefused
from evalmark.workbench import store_answers
from evalmark.workbench.routes import Workbench
from evalmark.workbench.server import TOKEN, app_of
from pyarrow import parquet
from starlette.testclient import TestClient

RESULTS = [
    result("lab/a", "Facts", 0.5),
    result("lab/a", "Facts", 0.9, file="again.json", settings='{"shots": 5}'),
    result("lab/b", "Facts", 0.75),
    result("lab/b", "Sums", 75.0),
]


@pytest.fixture
def place(tmp_path):
    folder = tmp_path / "served"
    store_of(folder / "boards/one", RESULTS)
    return folder


@pytest.fixture
def client(place):
    app = app_of(Workbench.of(str(place)), "t", 8765)
    with TestClient(app, base_url="http://127.0.0.1:8765", headers={TOKEN: "t"}) as found:
        yield found


def ask(client, question, path="boards/one", limit=None, **arguments):
    body = {"path": path, "question": question, "arguments": arguments}
    return client.post("/api/store", json=body if limit is None else body | {"limit": limit})


def shown(answer):
    """The rows of an answer: what is shown, by name."""
    data = answer.json()
    assert answer.status_code == 200, data
    names = [column["name"] if column["shown"] else None for column in data["columns"]]
    rows = [dict(zip(names, row, strict=True)) for row in data["rows"]]
    for row in rows:
        row.pop(None, None)
    return rows


def refused(answer, status=422):
    assert answer.status_code == status, answer.text
    said = answer.json()["error"]
    assert "\n" not in said
    return said


def test_stores_are_listed_as_folders(client, place):
    assert client.get("/api/folder").json()["stores"] == ["boards/one"]
    store_of(place, RESULTS)
    (place / "boards/my-results.parquet").write_bytes(b"x")
    assert client.get("/api/folder").json()["stores"] == [".", "boards/one"]
    assert ask(client, "show", ".", model="lab/b").json()["total"] == 2


def test_two_models_are_compared(client):
    (row,) = shown(ask(client, "compare", first="lab/a", second="lab/b"))
    assert [row[key] for key in ("first", "second")] == [0.5, 0.75]
    assert shown(ask(client, "top", benchmark=row["benchmark_name"]))
    assert "lab/nobody" in refused(ask(client, "compare", first="lab/a", second="lab/nobody"))
    found = ask(client, "compare", first="lab/", second="lab/a").json()
    assert found["given"] == "lab/"
    assert found["candidates"] == ["lab/a", "lab/b"]


def test_two_stores_differ_in_what_one_has_more(client, place, tmp_path):
    later = [*RESULTS, result("lab/c", "Facts", 1.0, file="c.json")]
    store_of(place / "boards/two", later)
    rows = shown(ask(client, "diff", after="boards/two"))
    assert [(row["model"], row["change"], row["after"]) for row in rows] == [
        ("lab/c", "added", 1.0)
    ]
    assert shown(ask(client, "diff", after="boards/one")) == []
    assert "boards/three" in refused(ask(client, "diff", after="boards/three"))
    for path in ("../boards", str(tmp_path), "", ".hidden"):
        assert ask(client, "diff", after=path).status_code in (400, 403, 404, 422)


def test_the_models_of_a_benchmark_are_ranked(client):
    rows = shown(ask(client, "top", benchmark="Facts"))
    assert [(row["rank"], row["model"], row["score"]) for row in rows] == [
        (1, "lab/a", 0.9),
        (2, "lab/b", 0.75),
    ]
    assert ask(client, "top", benchmark="Facts", all=True).json()["total"] == 3


def test_the_results_of_a_model_are_shown(client):
    rows = shown(ask(client, "show", model="lab/b"))
    assert [row["score"] for row in rows] == [0.75, 75.0]
    assert [row["benchmark_name"] for row in rows] == [
        "Facts: all, accuracy",
        "Sums: all, accuracy",
    ]


def test_what_is_wrong_in_a_store_is_found(client, place):
    found = ask(client, "conflicts")
    assert [row["score"] for row in shown(found)] == [0.5, 0.9]
    assert found.json()["notes"] == [
        "1 pair of a model and a benchmark with different numbers: "
        "0 under the same settings, 1 under several"
    ]
    (row,) = shown(ask(client, "bounds"))
    assert row["hint"] == "a percentage: the scale is 0 to 1"
    assert shown(ask(client, "duplicates")) == []
    store_of(place / "two", [result(), result(file="copy.json")])
    assert {row["kind"] for row in shown(ask(client, "duplicates", "two"))} == {"result"}


def test_empty_cells_are_counted(client):
    (row,) = shown(ask(client, "missing"))
    assert row["model"] == "lab/a"
    assert row["benchmark_name"] == "Sums: all, accuracy"
    by_model = shown(ask(client, "missing", by="model"))
    assert [(row["model"], row["missing"]) for row in by_model] == [("lab/b", 0), ("lab/a", 1)]
    asked = {"models": ["lab/*"], "benchmarks": ["facts"]}
    assert shown(ask(client, "missing", **asked)) == []


def test_sql_has_typed_columns_and_json_cells(client):
    query = """SELECT 1 AS i, 1.5::DOUBLE AS d, 'nan'::DOUBLE AS n, 12.50 AS e, true AS b,
        NULL AS z, date '2020-02-01' AS t, [1, 2] AS l, {'a': 'x'} AS s, 9007199254740993 AS h,
        sum(1::HUGEINT) AS u"""
    found = ask(client, "sql", query=query).json()
    assert found["rows"] == [
        [1, 1.5, "NaN", "12.50", True, None, "2020-02-01", [1, 2], {"a": "x"},
         "9007199254740993", "1"]
    ]  # fmt: skip
    assert "".join(column["type"][0] for column in found["columns"]) == "nnnnbttoonn"
    assert all(column["shown"] for column in found["columns"])


def test_an_answer_has_as_many_rows_as_are_asked_for(client):
    found = ask(client, "sql", limit=2, query="SELECT * FROM range(5) t(x) ORDER BY x DESC").json()
    assert (found["rows"], found["total"]) == ([[4], [3]], None)
    found = ask(client, "sql", limit=5, query="FROM range(5)").json()
    assert (len(found["rows"]), found["total"]) == (5, 5)
    found = ask(client, "show", limit=1, model="lab/a").json()
    assert (len(found["rows"]), found["total"]) == (1, 2)
    found = ask(client, "sql", limit=10**9, query="FROM range(10000000000000)").json()
    assert (len(found["rows"]), found["total"]) == (store_answers.MOST_ROWS, None)
    assert len(ask(client, "sql", limit=-1, query="FROM range(5)").json()["rows"]) == 1
    assert ask(client, "sql", query="SHOW TABLES").json()["rows"] == [["results"]]
    assert ask(client, "sql", query="SUMMARIZE results").json()["total"] > 40


@pytest.mark.parametrize(
    ("question", "arguments", "said"),
    [
        ("best", {}, "unknown question 'best'"),
        ("top", {"bench": "Facts"}, "unknown argument of top 'bench'"),
        ("top", {"benchmark": "Fakts"}, "unknown benchmark 'Fakts'; did you mean"),
        ("show", {"model": "nobody"}, "unknown model 'nobody'"),
        ("missing", {"by": "row"}, "unknown row 'row'"),
        ("missing", {"models": ["x*"]}, "unknown model 'x*'"),
        ("sql", {"query": "DROP VIEW results"}, "DROP is not a question"),
        ("sql", {"query": "SELECT 1; SELECT 2"}, "expected one statement of SQL, found 2"),
        ("sql", {"query": "SELECT * FROM 'secret.csv'"}, "secret.csv"),
        ("sql", {"query": "SELECT * FROM read_text('/etc/passwd')"}, "disabled by configuration"),
        ("sql", {"query": "SELEC"}, "syntax error"),
    ],
)
def test_what_cannot_be_asked_gets_one_sentence(client, place, question, arguments, said):
    (place / "boards/one/secret.csv").write_text("secret\n1\n")
    assert said in refused(ask(client, question, **arguments))


@pytest.mark.parametrize(
    ("question", "arguments"),
    [("top", {}), ("show", {"model": 1}), ("missing", {"models": "x"}), ("sql", {"query": None})],
)
def test_arguments_are_what_they_should_be(client, question, arguments):
    assert "`" in refused(ask(client, question, **arguments), 400)


def test_a_name_with_several_meanings_is_answered_with_all_of_them(client):
    answer = ask(client, "show", model="lab/")
    assert "model 'lab/' can mean any of 2" in refused(answer)
    assert answer.json()["candidates"] == ["lab/a", "lab/b"]
    assert answer.json()["what"] == "model"


def test_aliases_and_settings_of_the_folder_count(client, place):
    (place / "boards/one/aliases.toml").write_text('[models]\n"lab/b" = "lab/a"\n')
    assert ask(client, "show", model="lab/b").json()["total"] == 4
    (place / "more.toml").write_text('[benchmarks]\n"c/Sums" = "c/Facts"\n')
    (place / "evalmark.toml").write_text('[store]\naliases = "more.toml"\n')
    assert ask(client, "missing", by="benchmark").json()["total"] == 1
    (place / "more.toml").write_text("x")
    said = refused(ask(client, "bounds"))
    assert said.startswith("more.toml")


@pytest.mark.parametrize("path", ["boards", "none", "boards/one/results.parquet"])
def test_what_is_no_store_is_a_sentence(client, place, path):
    said = refused(ask(client, "bounds", path))
    assert f"{path} is not a store" in said
    assert str(place) not in said


@pytest.mark.parametrize(
    "path",
    ["../outside", "/tmp", "boards/../../outside", "boards/.hidden", "", "boards/one/", "./"],
)
def test_no_question_leads_out(client, place, path):
    store_of(place.parent / "outside", RESULTS)
    store_of(place / "boards/.hidden", RESULTS)
    assert str(place) not in refused(ask(client, "bounds", path), 400)


@needs_links
@pytest.mark.parametrize(
    "name", ["results.parquet", "aliases.toml", "samples", "samples/1.parquet"]
)
def test_links_out_of_the_folder_are_not_followed(client, place, name):
    outside = store_of(place.parent / "outside", RESULTS).folder
    (outside / "samples").mkdir()
    (outside / "samples/1.parquet").write_bytes(b"x")
    (outside / "aliases.toml").write_text("")
    link = place / "boards/one" / name
    link.unlink(missing_ok=True)
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(outside / name)
    assert f"boards/one/{name}" in refused(ask(client, "bounds"), 400)
    (place / "linked").symlink_to(outside)
    assert "linked" in refused(ask(client, "bounds", "linked"), 400)
    assert "linked" not in client.get("/api/folder").json()["stores"]


@pytest.mark.parametrize("name", ["../../../secret.parquet", "/secret.parquet", "..", "C:x"])
def test_a_table_that_names_samples_elsewhere_is_damaged(client, place, name):
    path = place / "boards/one/results.parquet"
    parquet.write_table(pa.table({"x": ["secret"]}), place.parent / "secret.parquet")
    table = parquet.read_table(path)
    own = {**table.schema.metadata, open_store.SAMPLE_PARTS: json.dumps([name])}
    parquet.write_table(table.replace_schema_metadata(own), path)
    assert "samples outside of the store" in refused(ask(client, "sql", query="FROM samples"))


def test_a_damaged_table_is_a_sentence(client, place):
    (place / "boards/one/results.parquet").write_bytes(b"PAR1 nothing")
    said = refused(ask(client, "bounds"))
    assert said.startswith("boards/one/results.parquet")


def test_a_store_without_the_extra_is_a_sentence(client, monkeypatch):
    def lacking():
        raise NotInstalledError("duckdb", "store")

    monkeypatch.setattr(open_store, "require_store", lacking)
    said = refused(ask(client, "bounds"))
    assert said.startswith("duckdb is not installed: pip install")
    assert said.endswith("[store]'")


ENDLESS = "SELECT count(*) FROM range(1000000) a, range(10000000) b WHERE a.range + b.range % 7 = 3"


def test_a_question_that_takes_too_long_is_given_up(client, monkeypatch):
    monkeypatch.setattr(store_answers, "PATIENCE", 0)
    assert "no answer within 0 seconds" in refused(ask(client, "sql", query=ENDLESS), 503)
    monkeypatch.undo()
    assert ask(client, "bounds").status_code == 200


def test_a_server_that_stops_does_not_wait_for_answers(place):
    asked = Workbench.of(str(place)).stores
    Timer(0.1, asked.stop).start()
    for _ in range(2):
        with pytest.raises(RequestRefused, match="the server is stopping"):
            asked.answer("boards/one", "sql", {"query": ENDLESS}, 1)
