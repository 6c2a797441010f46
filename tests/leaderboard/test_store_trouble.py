"""SQL that only reads, and stores that are damaged: one sentence each."""

from shutil import rmtree

import pyarrow as pa
import pytest
from conftest import FIXTURES
from evalmark.leaderboard import add_records
from evalmark.leaderboard.identity import NAMES
from evalmark.leaderboard.open_store import Store
from evalmark.leaderboard.questions import query as store_query
from evalmark.leaderboard.questions.conflicts import conflicts
from evalmark.leaderboard.questions.query import sql
from evalmark.schemas.errors import UsageError
from pyarrow import parquet
from stores import store_of


@pytest.fixture
def store(tmp_path):
    return store_of(tmp_path / "store", {}, {"model": "lab/two", "score": 0.25})


@pytest.mark.parametrize(
    ("query", "count"),
    [("SELECT model_key, developer_key, benchmark_key FROM results", 2), ("FROM results;", 2),
     ("WITH one AS (SELECT 1) FROM one", 1), ("DESCRIBE results", None), ("SHOW TABLES", 1),
     ("SUMMARIZE results", None), ("-- a remark\nSELECT 1", 1), ("VALUES (1), (2)", 2)],
)  # fmt: skip
def test_what_reads_is_answered(store, query, count):
    found = sql(store, query)
    assert found.num_rows == count or count is None


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("", "expected one statement of SQL, found 0"),
        ("SELECT 1; SELECT 2", "expected one statement of SQL, found 2"),
        ("DROP VIEW results", "DROP is not a question"),
        ("CREATE TABLE x (y INT)", "CREATE is not a question"),
        ("SET lock_configuration = false", "SET is not a question"),
        ("COPY results TO 'x.csv'", "COPY is not a question"),
        ("DELETE FROM results", "DELETE is not a question"),
        ("UPDATE results SET score = 1", "UPDATE is not a question"),
        ("EXPLAIN ANALYZE COPY results TO 'x.csv'", "EXPLAIN is not a question"),
        ("ATTACH 'x.db'", "ATTACH is not a question"),
        ("INSTALL httpfs", "LOAD is not a question"),
        ("SELEC 1", 'syntax error at or near "SELEC"'),
        ("SELECT nonsense FROM results", 'Referenced column "nonsense" not found'),
        ("SELECT * FROM records", "Table with name records does not exist"),
        ("SELECT ?", "Values were not provided"),
        ("SELECT 'x'::INT", "Could not convert string 'x'"),
    ],
)
def test_what_is_no_question_gets_one_sentence(store, query, why):
    with pytest.raises(UsageError) as raised:
        sql(store, query)
    assert why in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "query",
    ["SELECT * FROM read_text('{}')", "SELECT * FROM '{}'", "SELECT * FROM glob('{}*')",
     "SELECT * FROM read_csv('{}')", "SELECT * FROM read_parquet('{}')",
     "SELECT * FROM query('SELECT * FROM read_text(''{}'')')"],
)  # fmt: skip
def test_a_query_reads_no_other_file(store, tmp_path, query):
    secret = tmp_path / "secret.csv"
    secret.write_text("secret\n1\n")
    with pytest.raises(UsageError, match=r"disabled by configuration|does not exist"):
        sql(store, query.format(secret))


def test_a_query_sees_no_variable_of_python(store):
    secret = pa.table({"x": [1]})
    with pytest.raises(UsageError, match="secret does not exist"):
        sql(store, "SELECT * FROM secret")
    assert secret.num_rows == 1


def truncated(path):
    path.write_bytes(path.read_bytes()[:-100])


def cut_in_the_middle(path):
    whole = path.read_bytes()
    path.write_bytes(whole[:40] + b"\0" * (len(whole) - 2000) + whole[-1960:])


def not_parquet(path):
    path.write_text("model,score\n")


def emptied(path):
    path.write_bytes(b"")


def other_columns(path):
    parquet.write_table(pa.table({"model": ["a"], "score": [1.0]}), path)


def other_types(path):
    table = parquet.read_table(path)
    place = table.column_names.index("score")
    text = table.column("score").cast(pa.string())
    parquet.write_table(table.set_column(place, "score", text), path)


@pytest.mark.parametrize(
    "damage", [truncated, cut_in_the_middle, not_parquet, emptied, other_columns, other_types]
)
def test_a_damaged_store_gets_one_sentence(store, damage):
    damage(store.results)
    with pytest.raises(UsageError) as raised:
        conflicts(store)
    said = str(raised.value)
    assert str(store.results) in said
    assert "\n" not in said
    assert len(said) < 400


def test_lost_samples_say_how_to_get_them_back(tmp_path):
    good = FIXTURES / "good"
    store = add_records([good / "with_samples.json"], tmp_path / "store", samples=True).store
    rmtree(tmp_path / "store/samples")
    with pytest.raises(UsageError, match="store add` with the same paths reads them again"):
        conflicts(store)
    add_records([good / "with_samples.json"], tmp_path / "store")
    assert sql(store, "FROM samples").num_rows > 0


def test_columns_of_one_name_are_told_apart(store):
    found = sql(store, "SELECT score, score AS score_1, score FROM results")
    assert found.column_names == ["score", "score_1", "score_2"]


def test_a_folder_that_is_no_store_says_how_to_make_one(tmp_path):
    with pytest.raises(UsageError, match=r"is not a store.*evalmark store add"):
        conflicts(Store(tmp_path))


def test_what_the_system_refuses_is_one_sentence(store, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(store_query, "open_regular", refuse)
    with pytest.raises(UsageError, match=r"results\.parquet cannot be read: Permission denied$"):
        conflicts(store)


@pytest.mark.parametrize(
    "names",
    [
        None,
        "text",
        "{}",
        '{"model":[["x"]],"benchmark":[]}',
        '{"model":7,"benchmark":7}',
        '{"model":[[1,2,3]],"benchmark":[]}',
        '{"model":[[[],[],[]]],"benchmark":[]}',
        '{"model":[],"benchmark":[[1,2,3,4,5,6,7,8,9,10]]}',
    ],
)
def test_a_table_of_another_version_gets_one_sentence(store, names):
    said = None if names is None else {NAMES: names}
    table = parquet.read_table(store.results).replace_schema_metadata(said)
    parquet.write_table(table, store.results)
    with pytest.raises(UsageError, match=r"not written by this version.*make the store again") as e:
        conflicts(store)
    assert "\n" not in str(e.value)
    if names is None:
        with pytest.raises(UsageError, match=r"not written by `evalmark store add` of this ver"):
            add_records([], store.folder)
