"""Tables of scores become the records of their models, as a mapping says."""

import json

import pytest
from evalmark.converters.convert_files import convert_files
from evalmark.converters.importers.registry import import_results, importer_named
from evalmark.converters.overrides.table_mapping import read_mapping
from evalmark.converters.sources.table_rows import table_rows
from evalmark.converters.supplied import Supplied
from evalmark.schemas.errors import ConversionError, UsageError
from evalmark.validator.check import check_file

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

SCORES = importer_named("scores")
FULL = {
    "columns": {"model": "Model", "benchmark": "Task", "score": "Score"},
    "constants": {"metric": "accuracy", "lower_is_better": False, "time": "2026-01-02"},
}
ROWS = "Model,Task,Score\nlab/a,colours,0.5\nlab/b,colours,0.75\nlab/a,sums,1\n"


def mapping(tmp_path, data):
    path = tmp_path / "mapping.json"
    path.write_text(json.dumps(data))
    return read_mapping(path)


def runs(tmp_path, text=ROWS, data=FULL, name="scores.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    supplied = Supplied(mapping=mapping(tmp_path, data))
    return list(import_results(SCORES, path, None, supplied))


def with_columns(**columns):
    return {**FULL, "columns": {**FULL["columns"], **columns}}


def test_each_model_is_a_run_wherever_its_rows_are(tmp_path):
    scores = {run.model.id: [(r.name, r.score) for r in run.results] for run in runs(tmp_path)}
    assert scores == {
        "lab/a": [("colours/accuracy", 0.5), ("sums/accuracy", 1)],
        "lab/b": [("colours/accuracy", 0.75)],
    }


def test_a_table_with_one_row_per_model_names_its_columns_of_scores(tmp_path):
    data = {
        "columns": {"model": "Model"},
        "constants": {"metric": "accuracy", "lower_is_better": "no", "time": 1767225600},
        "scores": {
            "MMLU": {"benchmark": "mmlu", "min_score": 0, "max_score": 100},
            "PPL": {"benchmark": "wiki", "metric": "perplexity", "lower_is_better": True,
                    "min_score": 1, "max_score": "Infinity"},
        },
    }  # fmt: skip
    (a, b) = runs(tmp_path, "Model\tMMLU\tPPL\tNote\nlab/a\t65\t9.5\told\nlab/b\t\t8\t\n", data,
                  "scores.tsv")  # fmt: skip
    assert [(r.name, r.score, r.metric.lower_is_better) for r in a.results] == [
        ("mmlu/accuracy", 65, False), ("wiki/perplexity", 9.5, True),
    ]  # fmt: skip
    assert [r.name for r in b.results] == ["wiki/perplexity"]
    assert a.results[1].metric.bounds == (1, float("inf"))
    assert a.results[0].details == {"column.Note": "old"}


def test_a_parquet_table_is_the_same_as_csv(tmp_path):
    table = pa.table(
        {"Model": ["lab/a", "lab/b", "lab/a"], "Task": ["colours", "colours", "sums"],
         "Score": [0.5, 0.75, 1.0]}
    )  # fmt: skip
    parquet.write_table(table, tmp_path / "scores.parquet")
    path = tmp_path / "scores.parquet"
    parquet_runs = list(
        import_results(SCORES, path, None, Supplied(mapping=mapping(tmp_path, FULL)))
    )
    assert [(r.model.id, r.results) for r in parquet_runs] == [
        (r.model.id, r.results) for r in runs(tmp_path)
    ]
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(ConversionError, match=r"scores.parquet: row 0: damaged Parquet file"):
        list(import_results(SCORES, path, None, Supplied(mapping=mapping(tmp_path, FULL))))


def test_a_parquet_table_that_holds_far_more_than_its_size_is_refused(tmp_path):
    path = tmp_path / "scores.parquet"
    table = pa.table({"Model": [letter * 10**7 for letter in "abcde"]})
    parquet.write_table(table, path, compression="zstd")
    assert path.stat().st_size < 10**5
    with pytest.raises(ConversionError, match=r"scores.parquet: it holds \d+ MiB, \d+ times its"):
        next(table_rows(path))


@pytest.mark.parametrize("fact", ["model", "benchmark", "metric", "score", "time"])
def test_a_missing_fact_is_named(fact, tmp_path):
    data = {table: {k: v for k, v in FULL[table].items() if k != fact} for table in FULL}
    expected = "/evaluation_timestamp" if fact == "time" else f"what `{fact}` is"
    with pytest.raises(ConversionError, match=expected):
        runs(tmp_path, data=data)


@pytest.mark.parametrize(
    ("text", "data", "message"),
    [
        (ROWS.replace("0.75", "75%"), FULL,
         'scores.csv:3: score in column "Score": expected a number, found "75%"'),
        (ROWS.replace("0.75", "nan"), FULL, "scores.csv:3: score in column"),
        (ROWS.replace("lab/b", ""), FULL, 'scores.csv:3: no model: column "Model" is empty'),
        (ROWS.replace(",0.75", ""), FULL, "scores.csv:3: 2 cells for 3 columns"),
        (ROWS.replace("Task,Score", "Score,Score"), FULL,
         'scores.csv:1: two columns are called "Score"'),
        (ROWS.replace("Score", "Scores"), FULL,
         'scores.csv has no column "Score"; did you mean "Scores"?'),
        (ROWS.replace("sums", "colours"), FULL,
         'scores.csv:4: a second score of lab/a for "colours/accuracy", as in scores.csv:2: '
         "map what differs to `split` or `name`"),
        (ROWS.replace('colours,0.75', '"colours,0.75'), FULL, "scores.csv:4: "),
        (ROWS.encode().replace(b"colours", b"\xff"), FULL, "scores.csv:2: not UTF-8 text"),
        ("", FULL, "scores.csv: the table is empty"),
        ("Model,Task,Score\n", FULL, "scores.csv: the table has no rows"),
        (ROWS, with_columns(samples="Score"),
         'scores.csv:2: samples: expected an integer, found "0.5"'),
        (ROWS, with_columns(min_score="Score"), "scores.csv:2: no max_score: "),
        (ROWS, with_columns(lower="Score"), "scores.csv:2: upper: expected both ends"),
        (ROWS, with_columns(developer="Task"),
         "scores.csv:4: developer of lab/a is sums, and was colours before"),
        (ROWS, {**FULL, "constants": {**FULL["constants"], "time": "yesterday"}},
         'scores.csv:2: time: expected a date or a Unix timestamp, found "yesterday"'),
        (ROWS, {**FULL, "constants": {**FULL["constants"], "lower_is_better": "down"}},
         'scores.csv:2: lower_is_better: expected true or false, found "down"'),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(text, data, message, tmp_path):
    with pytest.raises(ConversionError) as error:
        runs(tmp_path, text, data)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"column": {}}, "unknown key 'column'; did you mean columns?"),
        ({"columns": {"modell": "x"}}, "columns: unknown fact 'modell'; did you mean model?"),
        ({"columns": {"model": 3}}, "columns: model is not the name of a column"),
        ({"columns": {"model": "a"}, "constants": {"model": "b"}},
         "model is both in columns and in constants"),
        ({"columns": {"score": "a"}, "scores": {"b": {}}}, "scores are given by `scores` or by"),
        ({"missing": "-"}, "missing is not a list of texts"),
        ({"relationship": "friend"}, "unknown relationship 'friend'"),
        ({"source": 3}, "source is not a text"),
        ({"columns": {"sample_id": "Item", "samples": "N"}}, "samples is computed from the rows"),
        ({"columns": {"output": "Answer"}}, "output is of an item: name the column of `sample_id`"),
        ({"values": {"model": {"a": "lab/a"}}}, "values: model has no column under `columns`"),
        ([], "expected keys and values"),
    ],
)  # fmt: skip
def test_a_mapping_that_cannot_be_used_is_an_error(data, message, tmp_path):
    with pytest.raises(UsageError) as error:
        mapping(tmp_path, data)
    assert message in str(error.value)


def test_a_mistake_in_a_mapping_has_its_line(tmp_path):
    path = tmp_path / "mapping.yaml"
    path.write_text("columns:\n  model: Model\n  scor: Score\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"mapping.yaml:3: columns: unknown fact 'scor'; did you"):
        read_mapping(path)
    path.write_text("columns:\n  model: Model\n  model: Name\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"mapping.yaml:3:3: "):
        read_mapping(path)
    path.write_text("scores: {}\ncolumn:\n  model: Model\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"mapping.yaml:2: unknown key 'column'"):
        read_mapping(path)
    path.write_text("columns: [1]\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"mapping.yaml:1: columns: expected keys and values"):
        read_mapping(path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "Model;Task;Score\na/b;sums;0.5\n"),  # which a mapping cannot read
        ("a.csv", "model,good,bad\ngpt,He is.,He are.\n"),
        ("a.csv", "Model,Text\ngpt,He is.\n"),
    ],
)
def test_another_table_is_not_called_one_of_scores(name, text, run, tmp_path):
    (tmp_path / name).write_text(text, encoding="utf-8")
    done = run("evalmark", "convert", tmp_path / name, "-o", tmp_path / "out", code=1)
    assert "--mapping" not in done.err


def test_what_is_supplied_completes_a_table_of_several_models(tmp_path, run):
    (tmp_path / "scores.csv").write_text(ROWS, encoding="utf-8")
    (tmp_path / "mapping.json").write_text(json.dumps(FULL), encoding="utf-8")
    files = ("--mapping", tmp_path / "mapping.json", "-o", tmp_path / "out")
    done = run(
        "evalmark", "convert", tmp_path / "scores.csv", *files, "--set", "/model_info/id=a/b"
    )
    assert "--set /model_info/id is not used: no file asks for it" in done.err


@pytest.mark.parametrize(
    ("name", "content"), [("x.parquet", b""), ("x.csv", b"Model,Task,Score\na/b,sums,0.5\n")]
)
def test_a_table_without_a_mapping_is_refused_with_the_option(name, content, run, tmp_path):
    path = tmp_path / name
    path.write_bytes(content)
    done = run("evalmark", "convert", path, "-o", tmp_path / "out")
    assert (done.code, done.err.strip()) == (
        1,
        f"{path}: refused: a table of scores needs a mapping, which says what its columns are; "
        "use --mapping FILE",
    )


def test_a_stated_value_is_not_to_be_supplied(tmp_path, run):
    (tmp_path / "scores.csv").write_text(ROWS.replace("0.75", "75"), encoding="utf-8")
    bounded = {**FULL, "constants": {**FULL["constants"], "min_score": 0, "max_score": 1}}
    (tmp_path / "mapping.json").write_text(json.dumps(bounded), encoding="utf-8")
    files = ("--mapping", tmp_path / "mapping.json", "-o", tmp_path / "out")
    done = run("evalmark", "convert", tmp_path / "scores.csv", *files, code=1)
    assert "EE201 score 75 is above its `max_score`, 1" in done.err
    assert "score_details/score=VALUE" not in done.err


@pytest.mark.parametrize("version", ["record-0.2.0", "record-0.3.0"])
def test_the_records_of_a_table_pass_the_check(version, tmp_path):
    data = {**FULL, "constants": {**FULL["constants"], "min_score": 0, "max_score": 1,
                                  "url": "https://lab.example/colours"}}  # fmt: skip
    path = tmp_path / "scores.csv"
    path.write_bytes(b"\xef\xbb\xbf" + ROWS.encode())
    supplied = Supplied(mapping=mapping(tmp_path, data))
    out = tmp_path / "out"
    outcomes = list(convert_files([path], to=version, output=out, supplied=supplied))
    assert len(outcomes) == 2
    for outcome in outcomes:
        assert check_file(outcome.target).findings == ()


ITEMS = {
    "columns": {"model": "Model", "benchmark": "Task", "sample_id": "Item", "score": "Right"},
    "constants": {"metric": "accuracy", "time": "2026-01-02"},
    "values": {"model": {"a__0": "lab/a"}},
}
ANSWERS = (
    "Model,Task,Item,Right,Note\n"
    "a__0,colours,1,True,x\nlab/b,colours,1,False,\na__0,colours,2,False,\na__0,sums,1,True,\n"
    "a__0,colours,3,True,\n"
)


def test_rows_of_items_become_samples_and_their_mean_the_score(tmp_path):
    a, b = runs(tmp_path, ANSWERS, ITEMS)
    assert (a.model.id, b.model.id) == ("lab/a", "lab/b")
    (colours, sums), (other,) = a.results, b.results
    assert (colours.score, colours.metric.bounds) == (2 / 3, (0, 1))
    assert colours.uncertainty["num_samples"] == 3
    assert "lower" in colours.uncertainty["confidence_interval"]
    assert (sums.score, other.score) == (1, 0)
    assert [(s.result, s.id, s.correct, s.metadata) for s in a.samples] == [
        ("colours/accuracy", "1", True, {"column.Note": "x"}),
        ("colours/accuracy", "2", False, {}),
        ("sums/accuracy", "1", True, {}),
        ("colours/accuracy", "3", True, {}),
    ]


def test_scores_of_items_may_be_numbers_with_texts_beside_them(tmp_path):
    data = {
        "columns": {**ITEMS["columns"], "input": "Note", "reference": "Want", "output": "Said"},
        "constants": {**ITEMS["constants"], "metric": "bleu", "min_score": 0, "max_score": 100},
    }
    text = "Model,Task,Item,Right,Note,Want,Said\nlab/a,t,1,25,in,ja,oui\nlab/a,t,2,50,on,,\n"
    (run_,) = runs(tmp_path, text, data)
    (result,) = run_.results
    assert (result.score, result.metric.bounds) == (37.5, (0, 100))
    assert result.uncertainty["standard_error"]["value"] == 12.5
    assert [(s.score, s.raw, s.reference, s.output) for s in run_.samples] == [
        (25, "in", ("ja",), ("oui",)),
        (50, "on", (), ()),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ANSWERS.replace("colours,2", "colours,1"),
         'scores.csv:4: a second score of lab/a for item "1" of "colours/accuracy", as in '
         "scores.csv:2: map what differs to `split` or `name`"),
        (ANSWERS.replace("colours,2", "colours,"), "scores.csv:4: no sample_id: column"),
        (ANSWERS.replace("2,False", "2,maybe"), 'scores.csv:4: score in column "Right": expected'),
    ],
)  # fmt: skip
def test_what_is_wrong_with_the_row_of_an_item_is_said_with_its_place(text, message, tmp_path):
    with pytest.raises(ConversionError) as error:
        runs(tmp_path, text, ITEMS)
    assert str(error.value).startswith(message)


def test_rows_of_one_name_are_of_one_metric(tmp_path):
    data = {**ITEMS, "columns": {**ITEMS["columns"], "name": "Task", "max_score": "Note"},
            "constants": {**ITEMS["constants"], "min_score": 0}}  # fmt: skip
    text = "Model,Task,Item,Right,Note\nlab/a,t,1,0.5,1\nlab/a,t,2,0.5,100\n"
    with pytest.raises(ConversionError, match=r"scores.csv:3: not the same data, metric or bounds"):
        runs(tmp_path, text, data)


@pytest.mark.parametrize("version", ["record-0.2.0", "record-0.3.0"])
def test_the_records_and_samples_of_items_pass_the_check(version, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(ANSWERS)
    supplied = Supplied(mapping=mapping(tmp_path, ITEMS))
    for outcome in convert_files([path], to=version, output=tmp_path / "out", supplied=supplied):
        assert check_file(outcome.target).findings == ()
        assert list(outcome.target.parent.glob("*_samples.jsonl"))
