"""`evalmark table`: every column of every record, in CSV and in Parquet."""

import csv
import json
import shutil
from pathlib import Path

import pytest
from conftest import FIXTURES, data_at, edited, file_at, record_at
from evalmark import check_files
from evalmark.leaderboard import RecordOptions, record_files, table_output, write_table
from evalmark.leaderboard.result_columns import RESULTS, SAMPLES
from evalmark.leaderboard.table_output import read_results, table_content
from evalmark.schemas.errors import UsageError
from plain_rows import COLUMNS, plain_rows
from result_rows import result, rows_of

VERSIONS = sorted((FIXTURES / "versions").glob("record-*.json"))
ALL = RecordOptions(include_errors=True)


def record(name="a", score=0.5, **changes):
    data = record_at("0.2.0")
    data["evaluation_id"] = f"agreement/example/model-1/{name}"
    data["evaluation_results"][0]["score_details"]["score"] = score
    return {**data, **changes}


def write(path, data):
    return file_at(path, json.dumps(data, indent=2))


@pytest.fixture
def place(here):
    """A folder to work in, with three records in ``data``."""
    for number, name in enumerate(("a", "b", "c/d")):
        write(here / f"data/{name}.json", record(name, number / 4))
    return here


def table_of(*paths, out="results.csv", **options):
    """The rows of a table of some paths."""

    write_table(paths, out, options=RecordOptions(**{"include_errors": True, **options}))
    return list(read_results(Path(out)))


# every number


@pytest.mark.parametrize("path", VERSIONS, ids=lambda path: path.stem)
def test_every_version_has_every_column(path, here):
    found = [{name: getattr(row, name) for name in COLUMNS} for row in table_of(path)]
    assert found == list(plain_rows(str(path), path.read_bytes()))


def test_every_number_is_that_of_a_plain_count_over_real_records(shared, here):
    files = sorted((shared / "data/records").rglob("*.json"))
    plain = [row for path in files for row in plain_rows(str(path), path.read_bytes())]
    found = table_of(shared / "data/records")
    assert len(found) == len(plain)
    by_place = {(row.file, row.pointer): row for row in found}
    for row in plain:
        own = by_place[row["file"], row["pointer"]]
        assert {name: getattr(own, name) for name in COLUMNS} == row


def test_verdicts_and_codes_are_those_of_check(shared, here):
    records = shared / "data/records"
    worst, codes = {}, {}
    for finding in check_files([records]).findings:
        codes.setdefault(finding.path, set()).add(finding.code)
        if worst.get(finding.path) != "error":
            worst[finding.path] = finding.severity.value
    for row in table_of(records):
        assert row.verdict == worst.get(row.file, "clean")
        assert row.codes == (" ".join(sorted(codes.get(row.file, ()))) or None)


@pytest.mark.parametrize("layout", [{"indent": 2}, {"indent": 4}, {"indent": "\t"}, {}])
@pytest.mark.parametrize("end", ["", "\n"])
def test_the_line_of_a_result_is_known_however_the_file_is_laid_out(layout, end, here):
    data = record()
    data["evaluation_results"] *= 3
    data["model_info"]["name"] = 'a "{" \\'
    path = here / "record.json"
    path.write_text(json.dumps(data, **layout) + end, encoding="utf-8")
    lines = [row["line"] for row in plain_rows(str(path), path.read_bytes())]
    assert [row.line for row in table_of(path)] == lines


def test_yaml_and_the_lines_in_it(here):
    path = here / "record.yaml"
    path.write_text("# a comment\n" + json.dumps(record(), indent=2), encoding="utf-8")
    (row,) = table_of(path)
    assert (row.score, row.line) == (0.5, 17)


def test_the_place_in_a_datastore_names_the_collection(here):
    name = "data/theirs/example/model-1/0b6f1f0e-1111-4a6b-8f00-00000000aa01.json"
    assert table_of(write(here / name, record()))[0].collection == "theirs"


def test_a_metric_may_be_named_in_its_description_alone(here):
    texts = ("bleu_4", "exact_match", "Share of right answers.", "")
    for number, text in enumerate(texts):
        data = record_at("0.3.0")
        data["evaluation_id"] = f"board/example/model-1/{number}"
        metric = data["evaluation_results"][0]["metric_config"]
        metric |= {"metric_id": None, "metric_name": None, "evaluation_description": text}
        write(here / f"{number}.json", data)
    assert [row.metric for row in table_of(".")] == ["bleu_4", "exact_match", None, None]


# what is in the table


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
def test_a_bad_file_is_named_and_no_other_is_lost(name, place):
    (place / f"data/{name}.json").write_bytes(BAD[name])
    written = write_table(["data"], "results.csv")
    assert written.reader.records == 3
    told = [path for path, _ in (*written.reader.left_out, *written.reader.unreadable)]
    assert told == ([] if name in ("suite", "list") else [f"data/{name}.json"])
    assert len(table_of("data")) >= 3


def test_results_of_an_invalid_record_that_can_be_read_are_rows(place):
    data = record("x", 0.125)
    data["evaluation_results"].append({"score_details": {"score": "high"}, "evaluation_name": 3})
    del data["model_info"]["id"]
    write(place / "data/bad.json", data)
    rows = [(r.pointer, r.score, r.subset, r.model, r.model_name, r.verdict, r.represents)
            for r in table_of("data/bad.json")]  # fmt: skip
    assert rows == [
        ("/evaluation_results/0", 0.125, "agreement", None, "Model 1", "error", True),
        ("/evaluation_results/1", None, None, None, "Model 1", "error", False),
    ]


def test_the_second_of_two_records_of_one_id_is_an_error(place):
    write(place / "data/e.json", record("b", 0.1))
    written = write_table(["data"], "results.csv")
    assert written.reader.left_out == [("data/e.json", "errors (EE222, EE243)")]
    verdicts = {row.file: (row.verdict, row.codes) for row in table_of("data")}
    assert verdicts["data/b.json"] == ("warning", "EE222")
    assert verdicts["data/e.json"] == ("error", "EE222 EE243")


def test_a_file_is_read_once_however_often_it_is_named(place):
    assert len(table_of("./data", place / "data", "data/a.json", "data/../data/c")) == 3


def test_unreadable_files_are_named(place, run):
    (place / "data/broken.json").symlink_to("nowhere.json")
    done = run("evalmark", "table", "data", "missing.json", "-o", "results.csv", code=2)
    assert done.out.startswith("3 records\n3 results: wrote results.csv, ")
    said = [line.partition(": not read: ")[0] for line in done.err.splitlines()]
    assert said[:2] == ["data/broken.json", "missing.json"]


def test_a_named_file_that_is_no_record_is_said(place, run):
    shutil.copy(FIXTURES / "good/suite.json", place / "data/suite.json")
    run("evalmark", "table", "data", "-o", "results.csv", code=0)
    done = run("evalmark", "table", "data/suite.json", "-o", "results.csv", code=2)
    assert done.err == "data/suite.json: not read: not a record: suite\n"


def test_records_with_errors_are_left_out_unless_included_and_then_marked(place, run):
    with edited(place / "data/b.json") as data:
        data["evaluation_results"][0]["score_details"] = {"score": 7}  # beyond its scale
    done = run("evalmark", "table", "data", "-o", "results.csv", code=1)
    assert done.out.startswith("2 records\n2 results: ")
    assert done.err.splitlines() == [
        "data/b.json: left out: errors (EE201, EE222)",
        "note: 2 records with warnings; `evalmark check` shows what and where",
        "note: 1 record left out; --include-errors reads those with errors, and marks them",
    ]
    done = run("evalmark", "table", "data", "-o", "results.csv", "--include-errors", code=0)
    assert "note: 1 record with errors, 2 records with warnings; " in done.err
    assert [row["verdict"] for row in cells("results.csv")] == ["warning", "error", "warning"]


def cells(path):
    with Path(path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_settings_and_options_choose_what_is_read(place, run):
    (place / "list").write_text("data/a.json\ndata/b.json\n")
    done = run("evalmark", "table", "--paths-from", "list", "-o", "r.csv")
    assert done.out.startswith("2 records\n")
    done = run("evalmark", "table", "data", "--exclude", "*b.json", "-o", "r.csv")
    assert done.out.startswith("2 records\n")
    write(place / "data/e.json", record("b", 0.1))
    run("evalmark", "table", "data", "-o", "r.csv", "--ignore", "EE243", code=0)
    (place / "evalmark.toml").write_text('ignore = ["EE243"]')
    run("evalmark", "table", "data", "-o", "r.csv", code=0)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("-o", "r.csv"), "nothing to read: give files or folders, or --paths-from"),
        (("-", "-o", "r.csv"), "records cannot be read from standard input"),
        (("data", "-o", "r.txt"), "r.txt: the name of a table ends in .csv or .parquet"),
        (("data", "-o", "r.csv", "--samples", "./r.csv"), "results and samples are two tables"),
        (("data", "-o", "no/r.csv"), "no"),
        (("data", "-o", "r.csv", "--names", "none.toml"), "none.toml: cannot be read"),
    ],
)
def test_what_cannot_be_done_is_one_line(place, refused, words, message):
    said = refused("evalmark", "table", *words)
    assert message in said
    assert len(said.splitlines()) == 1


def test_parquet_needs_its_extra_and_csv_nothing(place, refused, run, monkeypatch):
    monkeypatch.setattr(table_output, "find_spec", lambda _: None)
    said = refused("evalmark", "table", "data", "-o", "r.parquet")
    assert "pyarrow is not installed: pip install" in said
    assert "[table]" in said
    run("evalmark", "table", "data", "-o", "r.csv", code=0)


@pytest.mark.parametrize("jobs", [1, 2])
def test_workers_write_the_same_bytes(jobs, shared, here, monkeypatch):
    monkeypatch.setattr(record_files, "ENOUGH", 100_000)
    records = shared / "data/records/0.2.0"
    write_table([records], "one.csv", options=RecordOptions(jobs=1))
    write_table([records], "two.csv", options=RecordOptions(jobs=jobs))
    assert (here / "one.csv").read_bytes() == (here / "two.csv").read_bytes()


@pytest.mark.slow
def test_a_ray_cluster_writes_the_same_bytes(place):
    pytest.importorskip("ray")
    write_table(["data"], "here.csv")
    write_table(["data"], "there.csv", options=RecordOptions(ray=True))
    assert (place / "here.csv").read_bytes() == (place / "there.csv").read_bytes()


# files


ODD = (
    result("=1+1", source="'=x", harness="''-y", split="-1.5"), result("lab/\n\"b\",", score=-0.0),
    result("lab/c", score=float("inf"), max_score=None), result("lab/d", score=float("nan")),
    result(None, model_name=None, score=None, samples=10**15, lower_is_better=None),
)  # fmt: skip


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_a_table_is_read_as_it_was_written(ending, tmp_path):
    if ending == ".parquet":
        pytest.importorskip("pyarrow")
    rows = rows_of(*ODD)
    path = tmp_path / f"t{ending}"
    path.write_bytes(b"".join(table_content(ending, RESULTS, rows)))
    assert repr(list(read_results(path))) == repr(rows)


def test_no_cell_of_csv_is_a_formula(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"".join(table_content(".csv", RESULTS, rows_of(*ODD))))
    (first, second, *_) = cells(path)
    assert (first["model"], first["source"]) == ("'=1+1", "''=x")
    assert second["score"] == "-0.0"


def test_both_formats_have_the_same_columns_and_types(place, duckdb):
    write_table(["data"], "r.csv", samples="s.csv")
    write_table(["data"], "r.parquet", samples="s.parquet")
    for name, columns in (("r", RESULTS), ("s", SAMPLES)):
        table = duckdb.sql(f"DESCRIBE FROM '{name}.parquet'").fetchall()
        assert [(row[0], row[1]) for row in table] == [(n, c.sql) for n, c in columns.items()]
        assert list(duckdb.sql(f"FROM '{name}.csv'").columns) == list(columns)
    query = "SELECT * FROM '{}' ORDER BY file"
    both = [duckdb.sql(query.format(f"r.{ending}")).fetchall() for ending in ("csv", "parquet")]
    assert [str(row) for row in both[0]] == [str(row) for row in both[1]]


def test_a_name_means_the_same_in_both_tables():
    for name in RESULTS.keys() & SAMPLES.keys():
        assert RESULTS[name].type is SAMPLES[name].type, name
    assert RESULTS.keys() & SAMPLES.keys() == {"record", "result", "subset", "file", "pointer"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "has no column model_key"),
        ("", "has no column model_key"),
        ("é".encode("latin-1"), "is not a CSV file"),
    ],
)
def test_what_is_no_table_of_results_is_one_sentence(text, message, tmp_path):
    path = file_at(tmp_path / "t.csv", text)
    with pytest.raises(UsageError, match=message):
        list(read_results(path))


@pytest.mark.parametrize(
    ("column", "cell", "message"),
    [
        ("score", "high", "line 2: column score holds 'high'"),
        ("represents", "1", "column represents holds '1'"),
        ("benchmark_key", "mmlu", "row 1 has no key of a benchmark"),
        ("file", "", "row 1 has no file"),
    ],
)
def test_a_table_that_somebody_has_changed_is_one_sentence(column, cell, message, tmp_path):
    path = tmp_path / "t.csv"
    with path.open("w") as file:
        writer = csv.DictWriter(file, list(RESULTS))
        writer.writeheader()
        writer.writerow({**rows_of({})[0]._asdict(), column: cell})
    with pytest.raises(UsageError, match=message):
        list(read_results(path))


def test_a_damaged_parquet_file_is_one_sentence(tmp_path):
    pytest.importorskip("pyarrow")
    path = tmp_path / "t.parquet"
    path.write_bytes(b"".join(table_content(".parquet", RESULTS, rows_of({})))[:-100])
    with pytest.raises(UsageError, match="is not a Parquet file"):
        list(read_results(path))


# samples


def sampled(folder, name, rows):
    """A record ``name`` in a folder, with a sample file of these rows."""
    data = data_at("good/with_samples.json")
    data["evaluation_id"] = f"agreement/example/model-1/{name}"
    link = data["detailed_evaluation_results"]
    link["file_path"], link["total_rows"] = f"{name}.jsonl", len(rows)
    del link["checksum"], link["hash_algorithm"]
    write(folder / f"{name}.json", data)
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    file_at(folder / f"{name}.jsonl", "".join(f"{line}\n" for line in lines))


def sample(number, score=1.0, **changes):
    text = (FIXTURES / "good/with_samples_samples.jsonl").read_text(encoding="utf-8")
    data = json.loads(text.splitlines()[0])
    data["evaluation"] = {"score": score, "is_correct": score > 0.5}
    return {**data, "sample_id": str(number), **changes}


def samples_of(*names):
    written = write_table(["data"], "r.csv", samples="s.csv", options=ALL)
    rows = cells("s.csv")
    assert written.samples[0] == len(rows)
    return [tuple(row[name] for name in names) for row in rows]


@pytest.mark.parametrize(
    "path", sorted((FIXTURES / "versions").glob("sample-*.jsonl")), ids=lambda path: path.stem
)
def test_rows_of_every_version_are_read(path, here):
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    sampled(here / "data", "a", rows)
    names = "sample", "subset", "sample_score", "correct", "sample_hash", "interaction"
    assert samples_of(*names, "sample_line") == [
        (
            data["sample_id"], data["evaluation_name"], str(data["evaluation"]["score"]),
            str(data["evaluation"]["is_correct"]).lower(), data.get("sample_hash", ""),
            data["interaction_type"], str(number),
        )
        for number, data in enumerate(rows, 1)
    ]  # fmt: skip


def test_tokens_and_times_are_columns(here):
    usage = {"input_tokens": 3, "output_tokens": 4, "total_tokens": 7, "reasoning_tokens": 1}
    sampled(here / "data", "a", [sample(1, token_usage=usage, performance={"latency_ms": 2.5})])
    names = "input_tokens", "output_tokens", "reasoning_tokens", "total_tokens", "latency_ms"
    assert samples_of(*names) == [("3", "4", "1", "7", "2.5")]


def test_lines_that_are_no_rows_are_left_out(here):
    sampled(here / "data", "a", [
        sample(1), "", "{", "[1]", sample(2, evaluation={"score": "high"}), sample(3, error=5),
    ])  # fmt: skip
    assert samples_of("sample_line", "sample", "sample_score", "error") == [
        ("1", "1", "1.0", ""), ("5", "2", "", ""), ("6", "3", "1.0", ""),
    ]  # fmt: skip


def test_a_sample_has_the_place_of_its_result(here):
    """By the id of the result, or by a subset that one result only has."""
    sampled(here / "data", "a", [
        sample(1, evaluation_result_id="r1"), sample(2, evaluation_name="one"),
        sample(3, evaluation_name="two"), sample(4, evaluation_result_id="none"),
    ])  # fmt: skip
    with edited(here / "data/a.json") as data:
        (only,) = data["evaluation_results"]
        data["evaluation_results"] = [
            {**only, "evaluation_name": "one", "evaluation_result_id": "r1"},
            {**only, "evaluation_name": "two"}, {**only, "evaluation_name": "two"},
        ]  # fmt: skip
    places = [("/evaluation_results/0",)] * 2 + [("",), ("",)]
    assert samples_of("pointer") == places


def test_samples_of_records_that_are_left_out_are_left_out(place):
    sampled(place / "data", "a", [sample(1)])
    with edited(place / "data/a.json") as data:
        data["evaluation_results"][0]["score_details"]["score"] = 7
    written = write_table(["data"], "r.csv", samples="s.csv")
    assert written.samples[0] == 0
    assert (place / "s.csv").read_text().count("\n") == 1


# names


def test_names_that_are_one_are_one_model(place, run):
    shutil.copy(FIXTURES / "versions/record-0.3.0.json", place / "data/e.json")
    (place / "names.toml").write_text('[models]\n"example/model-1" = "lab/one"\n')
    run("evalmark", "table", "data", "-o", "r.csv", "--names", "names.toml", "--include-errors")
    keys = {(row["model"], row["model_key"], row["developer_key"]) for row in cells("r.csv")}
    assert keys == {("example/model-1", "lab/one", "lab")}
