"""``evalmark convert`` of a file that does not say all: assumptions are named, or it is refused."""

import json

import pytest
from conftest import FIXTURES, data_at, edited

SENTENCES = "item,cond,sentence,rt\n1,a,The dog runs.,9\n1,b,The dog run.,8\n"
YEARS = (FIXTURES / "tables/years.csv").read_text(encoding="utf-8")
TABLE = "item,condition,1,2\n1,a,The dog,runs\n1,b,The dog,run\n"
LEGACY = data_at("legacy/triples.old.json")
METRICS = json.dumps({**LEGACY, "meta": {**LEGACY["meta"], "metric": ["sum", "mean"]}})
NONE = "--no-predictions"


@pytest.mark.parametrize(
    ("name", "text", "given", "refusal", "answer"),
    [
        ("y.csv", YEARS, [NONE],
         'the name does not say what the column has: "year" ("1999"); --column "year=ROLE" says '
         "what it is: item, condition, region, sentence, version, label or ignored",
         ["--column", "year=ignored"]),
        ("m.json", METRICS, [],
         "the suite has several metrics (sum, mean); a current suite has one; choose with "
         "--metric: sum, mean, ", ["--metric", "mean"]),
        *(("t.csv", TABLE, [],
           "a table has no predictions; --predictions FILE takes them from a file; "
           "--no-predictions writes an empty list", answer)
          for answer in ([NONE], ["--predictions", "formulas.txt", "--metric", "sum"])),
    ],
)  # fmt: skip
def test_a_refusal_names_the_option_that_says_it(
    name, text, given, refusal, answer, tmp_path, monkeypatch, run
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "formulas.txt").write_text("(*;%a%) < (*;%b%)\n", encoding="utf-8")
    done = run("evalmark", "convert", "--to", "suite", name, *given)
    assert (done.code, done.out) == (1, "")
    assert f"{name}: refused: {refusal}" in done.err
    done = run("evalmark", "convert", "--to", "suite", name, *given, *answer, code=0)
    assert json.loads(done.out)["items"]


def test_every_assumption_is_named(tmp_path, run):
    (tmp_path / "s.csv").write_text(SENTENCES, encoding="utf-8")
    done = run("evalmark", "convert", "--no-predictions", tmp_path / "s.csv", code=0)
    for fact in (
        "columns are read as the number or name of the item: item; the condition, or a factor of "
        "it: cond; the sentence, or the text of the region in this row: sentence",
        "columns that are not used: rt",
        "the sentences have no `|`: each is one region",
        "the list of predictions is empty, as supplied",
        "this format names no metric: `sum` is written",
    ):
        assert f"note: {fact}" in done.err
    done = run("evalmark", "convert", "--no-predictions", tmp_path / "s.csv", "--to", "rows")
    assert done.code == 0, done.err


STATED = "/evaluation_results/*/metric_config/lower_is_better"
UNUSED = "is not used: no file asks for it"


@pytest.mark.parametrize(
    ("path", "option", "said"),
    [
        ("good/suite.json", ["--metric", "mean"], f"--metric {UNUSED}"),
        ("good/suite.json", [NONE], f"{NONE} {UNUSED}"),
        ("versions/record-0.2.0.json", ["--set", f"{STATED}=true"],
         f"--set {STATED} {UNUSED}"),
        ("results/lm_eval/results_2026-01-02T03-04-05.678901.json",
         ["--set", f"{STATED}=true", "--set", "/model_info/id=a/b"], f"--set {STATED} {UNUSED}"),
        ("tables/years.csv", ["--column", "year=ignored", NONE, "--metric", "mean"], ""),
        ("versions/record-0.2.0.json", ["--set", "/eval_library/name=lm"], ""),
        ("legacy/bare_strings.old.json", ["--metric", "mean"], ""),
    ],
)  # fmt: skip
def test_an_option_that_no_file_asks_for_is_named(path, option, said, run, tmp_path):
    done = run("evalmark", "convert", FIXTURES / path, *option, "-o", tmp_path / "x", code=0)
    assert said in done.err
    assert done.err.count("is not used") == bool(said)


def test_it_is_not_named_beside_a_file_that_is_refused(run, tmp_path):
    """Which may ask for it once it is not."""
    good, bad = FIXTURES / "good/suite.json", FIXTURES / "bad/SG112_operand.json"
    done = run("evalmark", "convert", good, bad, "--metric", "mean", "-o", tmp_path / "x", code=1)
    assert "is not used" not in done.err


def test_predictions_whose_metric_is_taken_are_used(run, tmp_path):
    lacking, formulas = tmp_path / "lacking.json", tmp_path / "formulas.json"
    with edited(FIXTURES / "good/suite.json", lacking) as data:
        del data["meta"]["metric"]
    done = run("evalmark", "convert", lacking, "--predictions", FIXTURES / "good/suite.json")
    assert (done.code, "is not used" in done.err) == (0, False)
    with edited(FIXTURES / "good/suite.json", formulas) as data:
        data["meta"]["name"] = "another"
    done = run("evalmark", "convert", FIXTURES / "good/suite.json", "--predictions", formulas)
    assert f"--predictions {UNUSED}" in done.err


@pytest.mark.parametrize("to", [[], ["--to", "yaml"]])
@pytest.mark.parametrize("path", ["good/record.json", "versions/ltm-definition-1.json"])
def test_only_a_suite_has_conditions_to_rename(path, to, run):
    done = run("evalmark", "convert", FIXTURES / path, "--rename", "a=b", *to, code=1)
    assert "refused: only a suite has conditions to rename" in done.err


@pytest.mark.parametrize("option", [["--rename", "a=b"], ["--strip-results"]])
def test_results_of_other_programs_are_not_edited(option, run, tmp_path):
    path = FIXTURES / "results/lm_eval/results_2026-01-02T03-04-05.678901.json"
    done = run("evalmark", "convert", path, *option, "-o", tmp_path, code=1)
    assert "refused: only a suite can be edited" in done.err


def test_a_suite_is_changed_also_if_it_stays_in_its_format(run):
    call = ("evalmark", "convert", FIXTURES / "good/suite.json", "--rename", "match=agreeing")
    done = run(*call, "--to", "yaml", code=0)
    assert "condition_name: agreeing" in done.out
    assert "%agreeing%" in done.out


def test_a_table_in_the_encoding_of_older_programs_is_read(tmp_path, run):
    (tmp_path / "s.csv").write_text(SENTENCES, encoding="utf-16")
    done = run("evalmark", "convert", "--no-predictions", tmp_path / "s.csv", code=0)
    assert len(json.loads(done.out)["items"]) == 1


@pytest.mark.parametrize("suffix", [".json", ".yaml"])
def test_a_suite_is_written_as_yaml_on_stdout(tmp_path, run, suffix):
    (tmp_path / "s.csv").write_text(SENTENCES, encoding="utf-8")
    suite = tmp_path / f"s{suffix}"
    assert run("evalmark", "convert", "--no-predictions", tmp_path / "s.csv", "-o", suite).code == 0
    done = run("evalmark", "convert", suite, "--to", "yaml", "-o", "-", code=0)
    assert done.out.startswith("meta:\n  name: s\n  metric: sum\n")
