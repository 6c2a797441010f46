"""The table ``samples`` of a store: a row for each row of the sample files."""

import json
import shutil
from functools import partial

import pytest
from conftest import FIXTURES, needs_links
from evalmark import leaderboard
from evalmark.leaderboard.ingest import samples_table
from evalmark.leaderboard.open_store import SAMPLE_PARTS
from evalmark.schemas.errors import UsageError
from stores import contents

pytest.importorskip("duckdb")

#: The records of these tests have errors that do not matter here.
add_records = partial(leaderboard.add_records, include_errors=True)
VERSIONS = sorted((FIXTURES / "versions").glob("sample-*.jsonl"))


def samples_of(store, columns="*"):
    with store.connect() as connection:
        return connection.execute(f"SELECT {columns} FROM samples ORDER BY file, line").fetchall()


def write(folder, name, rows):
    """A record ``name`` in a folder, with a sample file of these rows."""
    folder.mkdir(exist_ok=True)
    data = json.loads((FIXTURES / "good/with_samples.json").read_text(encoding="utf-8"))
    data["evaluation_id"] = f"agreement/example/model-1/{name}"
    link = data["detailed_evaluation_results"]
    link["file_path"], link["total_rows"] = f"{name}.jsonl", len(rows)
    del link["checksum"], link["hash_algorithm"]
    (folder / f"{name}.json").write_text(json.dumps(data, indent=2), encoding="utf-8")
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    (folder / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def row(number, score=1.0, **changes):
    text = (FIXTURES / "good/with_samples_samples.jsonl").read_text(encoding="utf-8")
    data = json.loads(text.splitlines()[0])
    data["evaluation"] = {"score": score, "is_correct": score > 0.5}
    return {**data, "sample_id": str(number), **changes}


@pytest.fixture
def place(here):
    for name in ("one", "two", "three"):
        write(here / "data", name, [row(n, n / 4) for n in range(4)])
    return here


@pytest.mark.parametrize("path", VERSIONS, ids=lambda path: path.stem)
def test_rows_of_every_version_are_read(path, tmp_path):
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    write(tmp_path / "data", "a", rows)
    store = add_records([tmp_path / "data"], tmp_path / "store", samples=True).store
    columns = "sample, subset, model, score, correct, sample_hash, interaction, line"
    assert samples_of(store, columns) == [
        (
            data["sample_id"], data["evaluation_name"], data["model_id"],
            data["evaluation"]["score"], data["evaluation"]["is_correct"],
            data.get("sample_hash"), data["interaction_type"], number,
        )
        for number, data in enumerate(rows, 1)
    ]  # fmt: skip


def test_tokens_and_times_are_columns(place):
    usage = {"input_tokens": 3, "output_tokens": 4, "total_tokens": 7, "reasoning_tokens": 1}
    write(place / "data", "one", [row(1, token_usage=usage, performance={"latency_ms": 2.5})])
    store = add_records(["data/one.json"], "store", samples=True).store
    columns = "input_tokens, output_tokens, reasoning_tokens, total_tokens, latency_ms, record"
    assert samples_of(store, columns) == [(3, 4, 1, 7, 2.5, "agreement/example/model-1/one")]


def test_lines_that_are_no_rows_are_left_out(place):
    write(
        place / "data",
        "one",
        [row(1), "", "{", "[1]", row(2, evaluation={"score": "high"}), row(3, error=5)],
    )
    store = add_records(["data/one.json"], "store", samples=True).store
    found = samples_of(store, "line, sample, score, error")
    assert found == [(1, "1", 1, None), (5, "2", None, None), (6, "3", 1, None)]


def test_only_what_changed_is_read_again(place, monkeypatch):
    store = add_records(["data"], "store", samples=True).store
    read = []
    before = samples_table._read
    monkeypatch.setattr(samples_table, "_read", lambda file: read.append(file.file) or before(file))
    assert add_records(["data"], "store").tables["samples"][0] == 12
    write(place / "data", "two", [row(n) for n in range(9)])
    assert add_records(["data"], "store").tables["samples"][0] == 17
    (place / "data/one.json").unlink()
    added = add_records(["data"], "store")
    assert read == ["data/two.json"]
    assert added.tables["samples"][0] == 13
    assert contents(store) == contents(add_records(["data"], "fresh", samples=True).store)


def test_records_of_one_part_are_kept_while_another_changes(place, monkeypatch):
    monkeypatch.setattr(samples_table.SampleFile, "part", "00")
    store = add_records(["data"], "store", samples=True).store
    write(place / "data", "two", [row(n) for n in range(9)])
    shutil.move(place / "data/three.jsonl", place / "gone.jsonl")
    assert add_records(["data/two.json"], "store").tables["samples"][0] == 17
    assert len(list((place / "store/samples").iterdir())) == 1
    shutil.move(place / "gone.jsonl", place / "data/three.jsonl")
    assert contents(store) == contents(add_records(["data"], "fresh", samples=True).store)


def test_a_sample_file_that_appears_is_read(place):
    (place / "kept").mkdir()
    shutil.move(place / "data/two.jsonl", place / "kept/two.jsonl")
    assert add_records(["data"], "store", samples=True).tables["samples"][0] == 8
    shutil.move(place / "kept/two.jsonl", place / "data/two.jsonl")
    assert add_records(["data"], "store").tables["samples"][0] == 12


def test_a_store_without_samples_has_no_such_table(place):
    added = add_records(["data"], "store")
    assert list(added.tables) == ["results"]
    with added.store.connect() as connection:
        assert connection.execute("SHOW TABLES").fetchall() == [("results",)]


def test_records_without_sample_files_make_an_empty_table(tmp_path):
    store = add_records([FIXTURES / "good/record.json"], tmp_path / "s", samples=True).store
    assert samples_of(store) == []


# stores that somebody else has made


def with_parts(store, text):
    """Let the table of results say that these are its parts."""
    from pyarrow import parquet

    table = parquet.read_table(store.results)
    known = {**table.schema.metadata, SAMPLE_PARTS.encode(): text.encode()}
    parquet.write_table(table.replace_schema_metadata(known), store.results)


@pytest.mark.parametrize(
    "parts",
    ["{", "3", '"x"', "[5]", "[null]", '["../../secret.parquet"]', '["/etc/passwd"]', "[" * 9999],
)
def test_a_table_names_no_files_of_others_as_its_samples(place, parts):
    store = add_records(["data"], "store", samples=True).store
    expected = contents(store).keys() - {"results.parquet"}
    with_parts(store, parts)
    assert samples_table.listed_parts(store.results) in ([], None)
    with pytest.raises(UsageError, match="is damaged"):
        store.connect()
    write(place / "data", "four", [row(1)])
    again = add_records(["data"], "store", samples=True).store
    assert expected & contents(again).keys()
    assert len(samples_of(again)) == 13


@needs_links
def test_nothing_is_written_or_deleted_behind_a_link_called_samples(place):
    theirs = add_records(["data"], "theirs", samples=True).store
    before = contents(theirs)
    (place / "mine").mkdir()
    (place / "mine/samples").symlink_to(theirs.folder / "samples", target_is_directory=True)
    with pytest.raises(UsageError, match="is a link"):
        add_records(["data"], "mine", samples=True)
    add_records(["data"], "mine")
    assert contents(theirs) == before
