"""``evalmark.score``: files and a model to a run, in one call."""

import json

import evalmark
import pytest
from conftest import FIXTURES, ROOT
from evalmark.schemas.errors import EvalmarkError, UsageError
from evalmark.scoring import load_model, load_suite
from evalmark.scoring.runs import finished_run

DEMO = ROOT / "scoring/demo_model"
SUITE = FIXTURES / "suites/agreement_attractor.json"
PAIR = {"sentence_good": "The banker laughs.", "sentence_bad": "The banker laugh.", "UID": "a"}


def test_three_lines_score_a_suite_and_keep_nothing_but_the_run(here):
    run = evalmark.score(SUITE, model="demo", limit=3, progress=False)
    assert list(run.to_frame()["correct"]) == [3, 3]
    assert min(map(len, (run.regions, run.tokens, run.effects))) >= 3
    assert set(run.regions["condition"]) > {"match_sing", "mismatch_sing"}
    (row,) = evalmark.compare(run, run.folder).predictions
    assert row.difference == 0
    folder = run.folder
    assert folder.is_dir()
    del run
    assert not folder.exists()
    assert list(here.iterdir()) == []


def test_the_demo_suite_is_there_anywhere_unless_a_file_has_its_name(here):
    run = evalmark.score("demo", model="demo", progress=False)
    assert set(run.to_frame()["items"]) == {24}
    (here / "demo").mkdir()
    (here / "demo/own.json").write_bytes(SUITE.read_bytes())
    run = evalmark.score("demo", model="demo", limit=2, progress=False)
    assert set(run.to_frame()["suite"]) == {"agreement_attractor"}


def test_a_list_of_models_gives_a_run_each_in_a_folder(tmp_path):
    runs = evalmark.score([SUITE], ["demo", str(DEMO)], limit=1, out=tmp_path / "o", progress=False)
    assert [run.folder.name for run in runs] == ["demo", DEMO.name]
    assert evalmark.compare(*runs).predictions
    with pytest.raises(EvalmarkError, match="is not empty"):
        evalmark.score(SUITE, "demo", out=tmp_path / "o/demo", progress=False)


def test_pairs_have_the_same_tables(tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps(PAIR) + "\n")
    run = evalmark.score(str(file), "demo", progress=False)
    assert list(run.to_frame()["uid"]) == ["a"]
    assert len(run.pairs) == 2
    assert len(run.effects) == 1
    assert len(run.tokens) > 2


def test_what_cannot_be_scored_is_an_error(tmp_path):
    file = tmp_path / "s.json"
    file.write_text('{"meta": {"name": "a", "metric": "sum"}, "region_meta": {}}')
    for files, model, words in (
        (file, "demo", "s.json"),
        (SUITE, tmp_path / "nothing", "no such folder"),
    ):
        with pytest.raises((EvalmarkError, OSError), match=words):
            evalmark.score(files, model, progress=False)
    with pytest.raises(EvalmarkError, match="method does not apply to suites"):
        evalmark.score(SUITE, "demo", method="sum")


def test_without_libraries_of_frames_a_run_says_what_to_install(monkeypatch):
    monkeypatch.setattr(finished_run, "find_spec", lambda name: None)
    run = evalmark.score(SUITE, "demo", limit=1, progress=False)
    with pytest.raises(EvalmarkError, match=r"^pandas is not installed: pip install pandas$"):
        run.to_frame()


def test_slips_have_one_line():
    with pytest.raises(UsageError, match="check_data takes parsed JSON"):
        evalmark.check_text({"meta": {}})
    suite = load_suite(str(SUITE))
    assert repr(suite) == f"<suite 'agreement_attractor' in {str(SUITE)!r}: 48 items>"
    model = load_model("demo")
    for rows in "The banker", ["The banker"]:
        with pytest.raises(EvalmarkError, match=r"rows of token ids: \[model.tokenize\(text\).ids"):
            model.surprisals(rows)
    assert len(model.surprisals([model.tokenize("The banker laughs").ids])[0]) >= 2


def test_a_report_prints_its_findings_and_is_a_sequence_of_them():
    report = evalmark.check_text("{", path="a.json")
    assert list(report) == list(report.findings)
    assert str(report).startswith("a.json:1:2: error[F001] ")
    assert str(evalmark.check_file(SUITE)) == f"{SUITE}: no findings"
