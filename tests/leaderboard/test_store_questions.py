"""``evalmark store NAME``: formats, limits, where the store is, exit codes."""

import csv
import io
import json

import pytest
from evalmark.validator.io import plain_table
from stores import store_of

pytest.importorskip("pyarrow")

QUESTIONS = (
    ("top", "mmlu"), ("show", "lab/one"), ("compare", "lab/one", "lab/two"), ("conflicts",),
    ("sql", "SELECT * FROM results ORDER BY record"),
)  # fmt: skip


@pytest.fixture
def store(tmp_path):
    """One of everything: a conflict, a duplicate, a score out of bounds, an empty cell."""
    return store_of(
        tmp_path / "store",
        {"score": 0.637},
        {"score": 0.488, "source": "=Other|*"},
        {"model": "lab/two", "score": 0.7},
        {"model": "lab/two", "score": 0.7},
        {"model": "lab/three", "score": float("nan"), "dataset": "gsm\x1b[31m"},
    ).folder


@pytest.mark.parametrize("words", QUESTIONS, ids=lambda words: words[0])
def test_each_question_in_each_format(run, store, words):
    def asked(*more):
        return run("evalmark", "store", words[0], store, *words[1:], *more)

    table = asked()
    assert table.code == 0
    assert table.out
    assert "\x1b" not in table.out
    assert max(map(len, table.out.splitlines())) <= 120
    data = json.loads(asked("--format", "json").out)
    rows = list(csv.DictReader(io.StringIO(asked("--format", "csv").out)))
    assert data["version"] == 1
    assert len(rows) == len(data["rows"])
    assert [*rows[0]] == [*data["rows"][0]]
    text = asked("--format", "markdown").out
    markdown = [line for line in text.splitlines() if line.startswith("| ")]
    assert len(markdown) == len(rows) + 2
    assert markdown[1].startswith("| --")
    assert asked() == table  # the same each time


def test_a_table_has_50_rows_and_says_what_has_all(run, store):
    query = ("evalmark", "store", "sql", store, "FROM range(60)")
    done = run(*query)
    assert (len(done.out.splitlines()), done.err) == (
        51,
        "note: 50 of 60 rows: --format csv has all\n",
    )
    assert len(run(*query, "--format", "csv").out.splitlines()) == 61
    one = run("evalmark", "store", "top", store, "mmlu", "--limit", "1", "--format", "json")
    assert [row["model"] for row in json.loads(one.out)["rows"]] == ["lab/two"]


def test_cells_are_no_formulas_and_no_markup(run, store):
    text = run("evalmark", "store", "show", store, "lab/one", "--format", "csv").out
    assert "'=Other|*" in text
    text = run("evalmark", "store", "show", store, "lab/one", "--format", "markdown").out
    assert "=Other\\|\\*" in text


def test_no_number_of_json_is_a_text(run, store):
    out = run("evalmark", "store", "show", store, "lab/three", "--format", "json").out
    assert json.loads(out)["rows"][0]["score"] == "NaN"


def test_numbers_of_sql_are_numbers(run, store):
    query = "SELECT sum(2) AS s, 12.50 AS d, date '2020-02-01' AS t"
    asked = ("evalmark", "store", "sql", store, query, "--format")
    assert json.loads(run(*asked, "json").out)["rows"] == [{"s": 2, "d": 12.5, "t": "2020-02-01"}]
    assert run(*asked, "csv").out.splitlines()[1] == "2,12.50,2020-02-01"


def test_an_ambiguous_name_lists_what_it_can_mean(run, refused, tmp_path):
    store = store_of(tmp_path, {}, {"metric": "f1"}, {"metric": "f1", "max_score": 100.0}).folder
    said = refused("evalmark", "store", "top", store, "mmlu")
    assert said.splitlines() == [
        "evalmark: benchmark 'mmlu' can mean any of 3; write one of these:",
        "  mmlu: algebra, accuracy",
        "  mmlu: algebra, f1 (0 to 1)",
        "  mmlu: algebra, f1 (0 to 100)",
    ]
    run("evalmark", "store", "top", store, "mmlu: algebra, f1 (0 to 100)", code=0)


def test_a_column_that_says_the_same_in_all_rows_is_a_line_below(run, tmp_path):
    store = store_of(
        tmp_path,
        {"score": 0.1 + 0.2, "lower": 0.1, "upper": 0.4},
        {"model": "lab/two", "score": 0.75},
    ).folder  # of 0.30000000000000004, as many digits as tell it apart
    done = run("evalmark", "store", "top", store, "mmlu")
    assert done.out.splitlines() == [
        "rank  model    score    interval",
        "   1  lab/two   0.75            ",
        "   2  lab/one    0.3  0.1 to 0.4",
        "",
        "in every row: source Lab, benchmark mmlu: algebra, accuracy",
    ]


def test_a_ranking_says_of_which_setting_a_number_is_and_what_all_ranks(run, tmp_path):
    store = store_of(
        tmp_path,
        {"score": 0.5, "settings": '{"precision": "int4"}'},
        {"score": 0.75, "settings": '{"precision": "bf16"}', "source": "Other"},
        {"score": 0.625, "model": "lab/two"},
    ).folder
    done = run("evalmark", "store", "top", store, "mmlu")
    assert done.out.splitlines()[2].split() == [
        "2", "lab/one", "0.5", "2", "0.75", "precision=int4",
    ]  # fmt: skip
    assert done.err == (
        "note: 1 model has several numbers: of several numbers of a model, the one represents it "
        "whose settings most models of the benchmark have; of these a third party's, then that of "
        "the larger sample, then the newest; never the best; --all shows every result\n"
    )
    done = run("evalmark", "store", "top", store, "mmlu", "--all")
    assert "precision=bf16" in done.out
    assert done.err == "note: every result has a rank, so a model may have several ranks\n"


@pytest.mark.parametrize("words", QUESTIONS[:-1], ids=lambda words: words[0])
def test_a_table_on_a_narrow_terminal_breaks_no_number(words, run, store, monkeypatch):
    monkeypatch.setattr(plain_table, "WITHOUT_TERMINAL", 80)
    lines = run("evalmark", "store", words[0], store, *words[1:]).out.splitlines()
    assert max(map(len, lines)) <= 80
    assert words[0] != "conflicts" or any(" 0.637 " in line for line in lines)


def test_the_settings_name_the_store(run, refused, store, monkeypatch):
    monkeypatch.chdir(store.parent)
    asked = ("evalmark", "store", "show", "lab/one", "--format", "json")
    assert "no store is named: give its folder first, or set EVALMARK_STORE" in refused(*asked)
    (store.parent / "evalmark.toml").write_text('[store]\npath = "store"\n')
    assert run(*asked).out == run(*asked[:3], store, *asked[3:]).out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("top", "gsn"), "unknown benchmark 'gsn'"),
        (("show", "lab/onne"), "did you mean 'lab/one'?"),
        (("compare", "lab/one", "LAB/ONE"), "are one model, 'lab/one'"),
        (("compare", "lab/one", "lab/three"), "have no benchmark in common"),
        (("sql", "DROP VIEW results"), "DROP is not a question"),
        (("sql", "--name", "dublicates"), "did you mean 'duplicates'?"),
        (("sql", "--name", "bounds", "FROM results"), "expected STORE, found 2 arguments"),
        (("sql", "--name", "differences"), "--name differences needs --before STORE"),
        (("conflicts", "--format", "parquet"), "expected one of: table, csv, json, markdown"),
        (("top", "mmlu", "--limit", "0"), "--limit"),
        (("conflicst",), "unknown command 'conflicst'; did you mean 'conflicts'?"),
    ],
)
def test_what_cannot_be_asked_gets_one_sentence(refused, store, words, why):
    said = refused("evalmark", "store", words[0], store, *words[1:])
    assert why in said
    assert "Traceback" not in said


def test_results_that_name_no_model_are_no_obstacle(run, tmp_path):
    none = {"model": None, "model_name": None}
    rows = [{**none, "score": 0.1}, {**none, "score": 0.9}, {"model": "lab/a"}]
    with_them, without = (
        store_of(tmp_path / name, *some).folder
        for name, some in (("with", rows), ("without", rows[2:]))
    )
    for words in (
        ("top", "mmlu"),
        ("conflicts",),
        ("sql", "--name", "duplicates"),
        ("sql", "--name", "missing"),
        ("sql", "--name", "differences", "--before", without),
    ):
        done = run("evalmark", "store", words[0], with_them, *words[1:], "--format", "json")
        assert done.code == 0, words
        rows = json.loads(done.out)["rows"]
        if "differences" in words:
            assert [row["change"] for row in rows] == ["added", "added"]
        elif words[0] != "top":  # nobody knows whether they are of one model
            assert rows == []


def test_a_shell_completes_names_that_mean_one_thing_and_need_no_quotes(run, store, monkeypatch):
    """Names come from records of others: none holds what a shell would act on."""

    def offered(*words):
        monkeypatch.setenv("_EVALMARK_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", " ".join(["evalmark", "store", *map(str, words)]))
        monkeypatch.setenv("COMP_CWORD", str(len(words) + 1))
        done = run("evalmark")
        assert done.err == ""
        return done.out.split()

    parts = ["mmlu", "mmlu/algebra", "mmlu/algebra/test", "mmlu/algebra/test/accuracy"]
    assert offered("top", store, "mm") == parts
    assert offered("top", store, "gsm") == []
    assert offered("show", store, "lab/t") == ["lab/three", "lab/two"]
    assert offered("top", store / "none", "mm") == []
