"""``evalmark store``: what it prints, as a table and as JSON, and its exit codes."""

import json
import shutil

import pytest
from conftest import FIXTURES
from evalmark.cli.stores.store_reports import print_added
from evalmark.leaderboard import Store, open_store
from evalmark.leaderboard.ingest.add_records import Added
from evalmark.schemas.errors import NotInstalledError

pytest.importorskip("duckdb")


@pytest.fixture
def place(here):
    (here / "data").mkdir()
    for version in ("0.2.0", "0.3.0"):
        shutil.copy(FIXTURES / f"versions/record-{version}.json", here / "data")
    return here


def test_it_says_what_became_of_the_records(place, run):
    lines = run("evalmark", "store", "add", "board", "data", code=0).out.splitlines()
    assert lines[0] == "2 records: 2 added, 0 changed, 0 unchanged, 0 removed"
    assert lines[1].startswith("results: 2 rows, ")
    (place / "data/record-0.3.0.json").write_text("{")
    done = run("evalmark", "store", "add", "board", "data")
    assert done.out.startswith("1 record: 0 added, 0 changed, 1 unchanged, 1 removed\n")
    assert done.err.startswith("data/record-0.3.0.json: not added: ")
    assert done.code == 2
    done = run("evalmark", "store", "add", "board", "data")
    assert (done.code, done.err) == (2, "data/record-0.3.0.json: not added: invalid-json (F001)\n")


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 kB"), (999_400, "999 kB"), (1_000_000, "1.0 MB"), (2_340_000, "2.3 MB")],
)
def test_a_table_has_its_size_in_megabytes_from_one_on(capsys, tmp_path, size, text):
    tables = {"results": (1, size)}
    print_added(Added(Store(tmp_path), 1, 0, 0, 0, 1, tables, {}, (), ()))
    assert capsys.readouterr().out.splitlines()[1] == f"results: 1 row, {text}"


def test_the_same_as_json(place, run):
    done = run("evalmark", "store", "add", "b", "data", "missing.json", "--format", "json")
    data = json.loads(done.out)
    assert (done.code, data["version"], data["added"], data["records"]) == (2, 1, 2, 2)
    assert data["tables"]["results"]["rows"] == 2
    assert [each["path"] for each in data["unreadable"]] == ["missing.json"]
    assert done.err.startswith("missing.json: not added: cannot be read")


def test_paths_from_a_list_and_excluded_ones(place, run):
    (place / "list").write_text("data/record-0.2.0.json\ndata/record-0.3.0.json\n")
    done = run("evalmark", "store", "add", "board", "--paths-from", "list")
    assert done.out.startswith("2 records: 2 added")
    done = run("evalmark", "store", "add", "board", "data", "--exclude", "*0.3.0*")
    assert done.out.startswith("1 record: 0 added, 0 changed, 1 unchanged, 1 removed")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("add", "board"), "nothing to add: give files or folders, or --paths-from"),
        (("add", "board", "-"), "records cannot be added from standard input"),
        (("add", "data/record-0.2.0.json", "data"), "data/record-0.2.0.json"),
        (("aliases", "data"), "data is not a store: it has no results.parquet; make one: "),
    ],
)
def test_what_cannot_be_done_is_one_line(place, refused, words, message):
    said = refused("evalmark", "store", *words)
    assert message in said
    assert len(said.splitlines()) == 1


def test_two_processes_cannot_add_at_once(place, run):
    from evalmark.validator.io.writing import only_writer

    (place / "board").mkdir()
    with only_writer("board"):
        done = run("evalmark", "store", "add", "board", "data")
    assert (done.code, done.out) == (2, "")
    assert done.err == "evalmark: another run is writing to board\n"


def test_what_is_missing_is_named_with_its_extra(place, run, monkeypatch):
    monkeypatch.setattr(open_store, "find_spec", lambda name: None if name == "duckdb" else name)
    with pytest.raises(NotInstalledError, match=r"duckdb is not installed: pip install '.*\[store"):
        open_store.require_store()
    done = run("evalmark", "store", "add", "board", "data")
    assert (done.code, len(done.err.splitlines())) == (2, 1)
    assert not (place / "board").exists()


def test_names_from_files_are_escaped(place, run):
    for version, name in (("0.2.0", "Model 1"), ("0.3.0", "model 1")):
        path = place / f"data/record-{version}.json"
        path.write_text(path.read_text().replace("example/model-1", f"example/\\u001b[31m{name}"))
    run("evalmark", "store", "add", "board", "data")
    done = run("evalmark", "store", "aliases", "board")
    assert "\x1b" not in done.out
    assert "Model 1" in done.out
