"""What ``store add`` makes of records: every number of the table, whatever has happened before."""

import collections
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import FIXTURES, file_at, record_at
from evalmark.leaderboard import Store, add_records
from evalmark.leaderboard.identity import NAMES, listed_names
from evalmark.leaderboard.ingest import ingest_file, manifest
from evalmark.leaderboard.ingest.parquet_files import metadata_of
from evalmark.schemas.errors import UsageError
from evalmark.validator.checker import check_files
from evalmark.validator.settings.config import load_config
from plain_rows import COLUMNS, plain_rows
from stores import contents

pytest.importorskip("duckdb")

VERSIONS = sorted((FIXTURES / "versions").glob("record-*.json"))


def rows_of(store, columns=COLUMNS):
    with store.connect() as connection:
        found = connection.execute(f"SELECT {', '.join(columns)} FROM results").fetchall()
    return [dict(zip(columns, row, strict=True)) for row in found]


def record(name="a", score=0.5, **changes):
    data = record_at("0.2.0")
    data["evaluation_id"] = f"agreement/example/model-1/{name}"
    data["evaluation_results"][0]["score_details"]["score"] = score
    return {**data, **changes}


def write(path, data):
    return file_at(path, json.dumps(data, indent=2))


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder to work in, with three records in ``data``."""
    monkeypatch.chdir(tmp_path)
    for number, name in enumerate(("a", "b", "c/d")):
        write(tmp_path / f"data/{name}.json", record(name, number / 4))
    return tmp_path


def test_the_place_in_a_datastore_names_the_collection(place):
    name = "data/theirs/example/model-1/0b6f1f0e-1111-4a6b-8f00-00000000aa01.json"
    store = add_records([write(place / name, record())], place / "store").store
    assert rows_of(store, ["collection"]) == [{"collection": "theirs"}]


@pytest.mark.parametrize("path", VERSIONS, ids=lambda path: path.stem)
def test_every_version_has_every_column(path, tmp_path):
    store = add_records([path], tmp_path / "store").store
    assert rows_of(store) == list(plain_rows(str(path), path.read_bytes()))


def test_every_number_is_that_of_a_plain_count_over_real_records(shared, tmp_path):
    files = sorted((shared / "data/records").rglob("*.json"))
    added = add_records([shared / "data/records"], tmp_path / "store", include_errors=True)
    plain = [row for path in files for row in plain_rows(str(path), path.read_bytes())]
    found = rows_of(added.store)
    assert len(found) == len(plain) == added.tables["results"][0]
    by_place = {(row["file"], row["pointer"]): row for row in found}
    for row in plain:
        assert by_place[row["file"], row["pointer"]] == row


def test_verdicts_and_codes_are_those_of_check(shared, tmp_path):
    records = shared / "data/records"
    store = add_records([records], tmp_path / "store").store
    checked = check_files([records])
    worst, codes = {}, {}
    for finding in checked.findings:
        codes.setdefault(finding.path, set()).add(finding.code)
        if worst.get(finding.path) != "error":
            worst[finding.path] = finding.severity.value
    for row in rows_of(store, ("file", "verdict", "codes")):
        assert row["verdict"] == worst.get(row["file"], "clean")
        assert row["codes"] == sorted(codes.get(row["file"], ()))


@pytest.mark.parametrize("layout", [{"indent": 2}, {"indent": 4}, {"indent": "\t"}, {}])
@pytest.mark.parametrize("end", ["", "\n"])
def test_the_line_of_a_result_is_known_however_the_file_is_laid_out(layout, end, tmp_path):
    data = record()
    data["evaluation_results"] *= 3
    data["model_info"]["name"] = 'a "{" \\'
    path = tmp_path / "record.json"
    path.write_text(json.dumps(data, **layout) + end, encoding="utf-8")
    store = add_records([path], tmp_path / "store", backend="native").store
    again = add_records([path], tmp_path / "other", backend="pure").store
    lines = [row["line"] for row in plain_rows(str(path), path.read_bytes())]
    for one in (store, again):
        assert [row["line"] for row in rows_of(one)] == lines
    assert contents(store) == contents(again)


def test_yaml_and_the_lines_in_it(tmp_path):
    path = tmp_path / "record.yaml"
    path.write_text("# a comment\n" + json.dumps(record(), indent=2), encoding="utf-8")
    (row,) = rows_of(add_records([path], tmp_path / "store").store)
    assert (row["score"], row["line"]) == (0.5, 17)


def test_a_record_whose_samples_are_missing_is_not_called_changed(place):
    write(place / "data/d.json", record("d", detailed_evaluation_results={
        "format": "jsonl", "file_path": "d_samples.jsonl",
    }))  # fmt: skip
    add_records(["data"], "store")
    added = add_records(["data"], "store")
    assert (added.added, added.changed, added.unchanged) == (0, 0, 4)
    write(place / "data/d.json", record("d", 0.6))
    assert add_records(["data"], "store").changed == 1


def test_unchanged_files_are_not_read_again(place, monkeypatch):
    store = add_records(["data"], "store").store
    before = contents(store)
    read = []
    monkeypatch.setattr(ingest_file, "take_file", lambda how, path, **_: read.append(path))
    added = add_records(["data"], "store")
    assert (added.unchanged, read) == (3, [])
    # Another time, as after a checkout, costs a digest; a file of an old time not even that.
    old = time.time() - 1000
    for path in place.rglob("data/**/*.json"):
        os.utime(path, (old, old))
    assert add_records(["data"], "store").unchanged == 3
    looked = manifest.content_at
    monkeypatch.setattr(manifest, "content_at", lambda path: read.append(path) or looked(path))
    assert add_records(["data"], "store").unchanged == 3
    assert read == ["store/results.parquet"]
    assert contents(store) == before


def test_changed_files_are_replaced_and_lost_ones_removed(place):
    store = add_records(["data"], "store").store
    write(place / "data/b.json", record("b", 0.75))
    (place / "data/c/d.json").unlink()
    write(place / "data/new.json", record("new", 1))
    added = add_records(["data"], "store")
    assert (added.added, added.changed, added.unchanged, added.removed) == (1, 1, 1, 1)
    scores = [(row["file"], row["score"]) for row in rows_of(store, ("file", "score"))]
    assert scores == [("data/a.json", 0), ("data/b.json", 0.75), ("data/new.json", 1)]
    assert contents(store) == contents(add_records(["data"], "fresh").store)


def test_only_what_is_below_the_given_paths_is_removed(place):
    add_records(["data"], "store")
    (place / "data/c/d.json").unlink()
    (place / "data/b.json").unlink()
    assert add_records(["data/c"], "store").removed == 1
    assert add_records(["data/a.json"], "store").removed == 0
    added = add_records(["data/b.json"], "store")
    assert (added.removed, added.records, added.unreadable) == (1, 1, ())


def test_a_folder_that_is_gone_may_be_on_a_disk_that_is_not_mounted(place):
    store = add_records(["data"], "store").store
    before = contents(store)
    shutil.rmtree(place / "data/c")
    with pytest.raises(UsageError, match="data/c does not exist, and the store has 1 file of it"):
        add_records(["data/c"], "store")
    assert contents(store) == before
    assert add_records(["data"], "store").removed == 1


def test_a_file_has_one_place_however_it_is_named(place, monkeypatch):
    store = add_records(["data"], place / "store").store
    before = contents(store)
    for paths in (["./data"], [place / "data"], ["data", "data/a.json", "data/c"], ["."]):
        assert add_records(paths, "store").unchanged == 3
    monkeypatch.chdir("data")
    assert add_records(["."], "../store").unchanged == 3
    write(place / "data/a.json", record("a", 0.75))
    assert add_records(["."], "../store").changed == 1
    monkeypatch.chdir(place)
    assert add_records(["data"], "store").unchanged == 3
    write(place / "data/a.json", record("a", 0.0))
    add_records(["data"], "store")
    assert contents(store) == before


def test_a_folder_that_was_moved_is_not_checked_again(place, monkeypatch):
    add_records(["data"], "store")
    (place / "elsewhere").mkdir()
    for name in ("data", "store"):
        (place / name).rename(place / "elsewhere" / name)
    monkeypatch.chdir("elsewhere")
    (place / "elsewhere/data/a.json").unlink()
    added = add_records(["data"], "store")
    assert (added.unchanged, added.removed) == (2, 1)


def test_two_files_of_one_name_are_not_confused(place, monkeypatch):
    add_records(["data"], "store")
    write(place / "other/data/a.json", record("other"))
    monkeypatch.chdir("other")
    with pytest.raises(UsageError, match=r"the store holds another file of this path, .*data"):
        add_records(["data"], "../store")
    assert add_records([place / "other/data"], "../store").added == 1


def test_other_options_check_again(place):
    add_records(["data"], "store")
    assert add_records(["data"], "store", schema_only=True).changed == 3
    assert add_records(["data"], "store", schema_only=True).unchanged == 3


def test_an_id_that_two_files_share_is_found_whenever_they_were_added(place):
    codes = {}

    def look(*paths):
        store = add_records(paths, "store", include_errors=True).store
        codes.update({r["file"]: r["codes"] for r in rows_of(store, ("file", "codes"))})
        return ["EE243" in codes.get(f"data/{name}.json", ()) for name in ("a", "b", "e")]

    assert look("data/b.json") == [False, False, False]
    write(place / "data/e.json", record("b", 0.1))
    assert look("data/e.json") == [False, False, True]
    write(place / "data/a.json", record("b", 0.2))
    assert look("data/a.json") == [False, True, True]
    write(place / "data/a.json", record("a", 0.2))
    (place / "data/b.json").unlink()
    codes.clear()
    assert look("data") == [False, False, False]
    assert contents(Store(Path("store"))) == contents(add_records(["data"], "fresh").store)


BAD = {
    "empty": b"",
    "broken": b'{"evaluation_results": [',
    "latin": '{"evaluation_results": ["é"]}'.encode("latin-1"),
    "list": b"[1, 2]",
    "no_results": json.dumps(record("x", evaluation_results=None)).encode(),
    "odd_results": json.dumps(record("x", evaluation_results=[1, None, {}, []])).encode(),
    "odd_types": json.dumps(
        record("x", model_info=[], source_metadata=7, schema_version="9.9")
    ).encode(),
    "surrogate": json.dumps(record("x")).replace("Model 1", "\\ud800").encode(),
    "huge": json.dumps(record("x")).replace("0.5", "1" + "0" * 400).encode(),
    "suite": (FIXTURES / "good/suite.json").read_bytes(),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("backend", ["pure", "native"])
def test_a_bad_file_gets_a_verdict_and_nothing_is_lost(name, backend, place):
    (place / f"data/{name}.json").write_bytes(BAD[name])
    store = add_records(["data"], "store", backend=backend).store
    assert len(rows_of(store)) >= 3
    found = {row.file: row for row in manifest.found_in(store.results).files.values()}
    row = found[f"data/{name}.json"]
    checked = check_files([f"data/{name}.json"], backend=backend)
    if name == "suite":
        assert (row.kind, row.verdict, row.results) == ("suite", None, 0)
    elif name == "list":
        assert (row.kind, row.verdict) == (None, None)
    else:
        assert row.verdict == "error"
        assert set(row.codes) == {finding.code for finding in checked.findings}
    assert add_records(["data"], "store", backend=backend).changed == 0


def test_results_of_an_invalid_record_that_can_be_read_are_rows(place):
    data = record("x", 0.125)
    data["evaluation_results"].append({"score_details": {"score": "high"}, "evaluation_name": 3})
    del data["model_info"]["id"]
    write(place / "data/bad.json", data)
    columns = ("pointer", "score", "subset", "model", "model_name", "verdict")
    rows = rows_of(add_records(["data/bad.json"], "store", include_errors=True).store, columns)
    assert [tuple(row.values()) for row in rows] == [
        ("/evaluation_results/0", 0.125, "agreement", None, "Model 1", "error"),
        ("/evaluation_results/1", None, None, None, "Model 1", "error"),
    ]


def test_unreadable_files_are_named(place):
    (place / "data/broken.json").symlink_to("nowhere.json")
    added = add_records(["data", "missing.json"], "store")
    assert [path for path, _ in added.unreadable] == ["missing.json", "data/broken.json"]
    assert added.records == 3


def test_why_a_file_was_not_added_is_said_in_words_each_time(place):
    (place / "data/broken.json").write_text('{"evaluation_results": [NaN]}')
    whys = [dict(add_records(["data"], "store").unreadable)["data/broken.json"] for _ in range(2)]
    assert whys == ["NaN is not JSON", "not-a-number (F006)"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_workers_write_the_same_bytes(jobs, shared, tmp_path, monkeypatch):
    monkeypatch.setattr(ingest_file, "ENOUGH", 100_000)
    records = shared / "data/records/0.2.0"
    one = add_records([records], tmp_path / "one", jobs=1).store
    other = add_records([records], tmp_path / f"other{jobs}", jobs=jobs).store
    assert contents(one) == contents(other)


@pytest.mark.slow
def test_a_ray_cluster_writes_the_same_bytes(place):
    pytest.importorskip("ray")
    here, there = add_records(["data"], "here"), add_records(["data"], "there", ray=True)
    assert contents(here.store) == contents(there.store)


def test_a_lost_table_of_files_is_made_again(place):
    store = add_records(["data"], "store").store
    before = contents(store)
    (place / "store/files.parquet").unlink()
    added = add_records(["data/a.json"], "store")
    assert (added.changed, added.records) == (1, 3)
    assert contents(store) == before
    (place / "store/files.parquet").write_bytes(b"PAR1")
    assert add_records(["data"], "store").records == 3
    assert contents(store) == before


def test_a_table_of_another_program_is_refused(place):
    import pyarrow as pa
    from pyarrow import parquet

    (place / "store").mkdir()
    parquet.write_table(pa.table({"a": [1]}), place / "store/results.parquet")
    with pytest.raises(UsageError, match="not written by `evalmark store add`"):
        add_records(["data"], "store")
    (place / "store/results.parquet").write_text("text")
    with pytest.raises(UsageError, match="not written by `evalmark store add`"):
        add_records(["data"], "store")


ADD = """
import sys
from evalmark.leaderboard import add_records
print("ready", flush=True)
sys.stdin.readline()
add_records(["data"], "store", samples=True)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="processes cannot be killed there")
def test_a_kill_at_any_moment_leaves_the_old_store_or_the_new_one(place):
    shutil.copytree(FIXTURES / "good", place / "data/good")
    old = add_records(["data"], "store", samples=True).store
    shutil.copytree(place / "store", place / "kept")
    for number in range(30):
        write(place / f"data/new/{number}.json", record(f"new-{number}", number / 100))
    (place / "data/a.json").unlink()
    new = add_records(["data"], "fresh", samples=True).store
    states = [seen(old), seen(new)]
    took = 0.0
    for kill in range(20):
        shutil.rmtree(place / "store")
        shutil.copytree(place / "kept", place / "store")
        process = subprocess.Popen(
            [sys.executable, "-c", ADD], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert process.stdin
        assert process.stdout
        process.stdout.readline()
        start = time.monotonic()
        process.stdin.write(b"\n")
        process.stdin.flush()
        if kill:
            time.sleep(took * kill / 20)
            process.send_signal(signal.SIGKILL)
        process.communicate()
        took = took or time.monotonic() - start
        assert seen(old) in states
        add_records(["data"], "store", samples=True)
        assert contents(old) == contents(new)


def seen(store):
    with store.connect() as connection:
        results = connection.execute("SELECT file, score, codes FROM results").fetchall()
        return results, connection.execute("SELECT file, sample, score FROM samples").fetchall()


def test_records_added_piece_by_piece_make_the_same_bytes_and_right_numbers(place):
    for name, model in (("b", "lab/two"), ("d", "lab/half \ud800"), ("e", "lab/two")):
        about = {"id": model, "name": "x"}
        write(place / f"data/{name}.json", record(name, model_info=about))
    for name in ("d", "b", "a", "e", "c/d"):
        add_records([f"data/{name}.json"], "pieces")
    store = add_records(["data"], "whole").store
    assert (place / "pieces/results.parquet").read_bytes() == store.results.read_bytes()
    names = listed_names(metadata_of(store.results)[NAMES])
    for row in rows_of(store, ("model_number", "model", "model_name", "developer")):
        number = row.pop("model_number")
        assert names["model"][number] == (*row.values(),)


# what a store remembers of the options


class Renamed(NamedTuple):
    """A named tuple of options under another name."""

    folder: str
    codes: frozenset[str]


def test_a_store_remembers_options_and_not_the_names_of_our_classes():
    once = collections.namedtuple("Once", ["place", "rules"])
    codes = [f"EE{number}" for number in range(300, 340)]
    first = manifest.fingerprint(own=once("a", frozenset(codes)), schema_only=False)
    assert first == manifest.fingerprint(
        schema_only=False, own=Renamed("a", frozenset(reversed(codes)))
    )
    assert first != manifest.fingerprint(own=Renamed("b", frozenset(codes)), schema_only=False)
    assert first != manifest.fingerprint(own=Renamed("a", frozenset(codes[1:])), schema_only=False)
    assert first != manifest.fingerprint(
        own=Renamed("a", frozenset(codes)), schema_version=None, schema_only=False
    )


@pytest.mark.parametrize(
    ("settings", "is_same"),
    [
        ("", True), ('ignore = ["EE305"]', False), ('profile = "eee"', False),
        ('[[per-file-ignores]]\nfiles = "b"\nrules = ["EE305"]\nreason = "x"', False),
    ],
)  # fmt: skip
def test_records_are_read_again_if_the_settings_have_changed(place, settings, is_same):
    add_records(["data"], "store")
    (place / "evalmark.toml").write_text(settings)
    config = load_config()
    assert add_records(["data"], "store", config=config).unchanged == (3 if is_same else 0)
    assert add_records(["data"], "store", config=load_config()).unchanged == 3
