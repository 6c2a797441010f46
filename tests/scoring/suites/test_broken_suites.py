"""A suite that cannot be scored does not stop the others, and is named at the end."""

import json
import shutil

import pytest
from conftest import FIXTURES, ROOT, data_at, edited
from evalmark.schemas.errors import ScoringError
from evalmark.scoring import model_jobs
from evalmark.scoring.models.load_models import load_model
from evalmark.scoring.score_settings import Settings
from evalmark.scoring.suites import suite_loading as loading
from evalmark.scoring.suites import suite_run as scoring_run
from evalmark.scoring.suites.suite_loading import load_suites
from evalmark.scoring.suites.suite_run import score_suites
from killing import files_in
from run_data import record_of, suites_of
from suites import suite_of

pytest.importorskip("torch")

BROKEN = FIXTURES / "bad/SG204_unknown_condition.json"
CUT_OFF = FIXTURES / "bad/F001_cut_off.json"


@pytest.fixture
def score(run, here, epoch):
    """Score files of the current folder, which has two good suites, with the demo model."""
    for name in ("garden_path", "reflexive_gender"):
        data = data_at(f"suites/{name}.json")
        (here / f"{name}.json").write_text(json.dumps({**data, "items": data["items"][:4]}))
    shutil.copy(BROKEN, here / "broken.json")

    def scored(*arguments):
        return run("evalmark", "score", *arguments, "--model", "demo", "--device", "cpu")

    return scored


DIALECTS = {
    "current": lambda data, formula: data["predictions"].append(
        {"type": "formula", "formula": formula}
    ),
    "brackets": lambda data, formula: data["predictions"].append(
        {"type": "formula", "formula": f"[{formula}]"}
    ),
    "strings": lambda data, formula: data["meta"].update(string_predictions=[formula]),
    "bare": lambda data, formula: data["predictions"].append(formula),
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_prediction_that_fails_for_every_model_is_scored_in_any_dialect(dialect):
    data = suite_of([{"a": ["The", "dog"], "b": ["The", "cat"]}], [])
    DIALECTS[dialect](data, "(1;%a%) > (1;%b%)")
    raw = json.dumps(data).encode()
    assert len(loading.current_data("x.json", raw=raw)) == 1


def names(folder):
    return [suite["name"] for suite in suites_of(folder)]


def test_the_others_are_scored_and_the_broken_ones_are_named_at_the_end(score, run, tmp_path):
    suites = ("garden_path.json", "broken.json", "missing.json", "reflexive_gender.json")
    done = score(*suites, "--out", "out")
    assert done.code == 2
    assert names(tmp_path / "out") == ["garden_path", "reflexive_gender"]
    results = [r["evaluation_name"] for r in record_of(tmp_path / "out")["evaluation_results"]]
    assert {name.partition("/")[0] for name in results} == {"garden_path", "reflexive_gender"}
    assert run("evalmark", "check", tmp_path / "out").code == 0
    first, *_, broken, missing, note = done.err.splitlines()
    assert f"{first}\n" == run("evalmark", "check", "broken.json", "-q").out
    reason = "SG204 prediction refers to condition `pos_ps`, which no item has"
    assert broken == f"evalmark: not scored: broken.json: {reason}"
    assert missing == "evalmark: not scored: missing.json: No such file or directory"
    assert "out holds what was scored" in note
    assert "--overwrite" in note
    assert "broken" not in done.out
    # The same numbers as without the broken ones.
    alone = score(suites[0], suites[3], "--out", "alone")
    assert (alone.code, files_in(tmp_path / "alone")) == (0, files_in(tmp_path / "out"))


def test_broken_suites_alone_write_nothing_and_load_no_model(score, tmp_path, monkeypatch):
    before = files_in(tmp_path)
    monkeypatch.setattr(model_jobs, "load_model", None)
    done = score("broken.json", str(CUT_OFF), "--out", "out")
    assert (done.code, done.out) == (2, "")
    assert done.err.count("evalmark: not scored: ") == 2
    assert files_in(tmp_path) == before
    assert not (tmp_path / "out").exists()


def test_a_fixed_suite_is_added_by_the_command_that_the_note_names(score, tmp_path):
    score("garden_path.json", "broken.json", "--out", "out")
    shutil.copy(FIXTURES / "good/suite.json", tmp_path / "broken.json")
    refused = score("garden_path.json", "broken.json", "--out", "out")
    assert refused.code == 2
    assert "out is not empty; --overwrite replaces its run" in refused.err
    done = score("garden_path.json", "broken.json", "--out", "out", "--overwrite")
    assert done.code == 0, done.err
    score("garden_path.json", "broken.json", "--out", "whole")
    assert files_in(tmp_path / "out") == files_in(tmp_path / "whole")


def test_json_names_what_was_not_scored(score):
    done = score("garden_path.json", "broken.json", "--format", "json")
    data = json.loads(done.out)
    names = [
        result["evaluation_name"] for result in data["runs"][0]["record"]["evaluation_results"]
    ]
    assert {name.partition("/")[0] for name in names} == {"garden_path"}
    (entry,) = data["not_scored"]
    assert (entry["name"], entry["model"]) == ("broken.json", None)
    assert entry["reason"].startswith("SG204 ")
    dry = json.loads(score("garden_path.json", "broken.json", "--dry-run", "--format", "json").out)
    assert (dry["suites"], dry["not_scored"]) == (1, [entry])


def test_a_suite_with_undefined_values_does_not_stop_the_others(score, tmp_path):
    with edited(tmp_path / "garden_path.json", tmp_path / "undefined.json") as data:
        data["meta"]["name"] = "needs_bos"
        (condition, *_) = (c["condition_name"] for c in data["items"][0]["conditions"])
        data["predictions"][0]["formula"] = f"(1;%{condition}%) > 0"
    arguments = ("garden_path.json", "undefined.json", "--bos", "none", "--out", "out")
    done = score(*arguments)
    assert done.code == 1
    assert names(tmp_path / "out") == ["garden_path"]
    assert "evalmark: not scored: undefined.json: needs_bos: the sum of (1;%" in done.err
    assert "`--undefined false` counts such predictions as false" in done.err
    alone = score("undefined.json", "--bos", "none", "--out", "alone")
    assert (alone.code, alone.out) == (1, "")
    assert not (tmp_path / "alone/run.json").exists()
    # What was computed for it is still there, and is not computed again.
    assert (tmp_path / "out/unfinished.jsonl").exists()
    assert score(*arguments, "--undefined", "false", "--overwrite").code == 0
    assert names(tmp_path / "out") == ["garden_path", "needs_bos"]
    assert not (tmp_path / "out/unfinished.jsonl").exists()


@pytest.mark.parametrize(("module", "function"), [(loading, "prepare"), (scoring_run, "chances")])
def test_a_bug_is_a_finding_of_one_suite(score, tmp_path, monkeypatch, module, function):
    ours = {**module.__dict__, "real": getattr(module, function)}
    exec(BUG, ours)
    monkeypatch.setattr(module, function, ours["broken"])
    done = score("garden_path.json", "reflexive_gender.json", "--out", "out")
    assert done.code == 2
    assert names(tmp_path / "out") == ["reflexive_gender"]
    (line,) = [line for line in done.err.splitlines() if "not scored" in line]
    assert "garden_path.json: F099 internal error: KeyError in evalmark.scoring." in line
    assert "please report" in line


BUG = """
def broken(source, *rest):
    name = source["meta"]["name"] if isinstance(source, dict) else source.suite.name
    if name == "garden_path":
        raise KeyError(name)
    return real(source, *rest)
"""


def test_a_finished_folder_without_a_suite_is_said_to_lack_it(score, tmp_path):
    shutil.copytree(ROOT / "scoring/demo_model", tmp_path / "other")
    done = score("garden_path.json", "broken.json", "--model", "other", "--out", "out")
    assert done.code == 2
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["demo", "other"]
    shutil.copy(FIXTURES / "good/suite.json", tmp_path / "broken.json")
    again = score("garden_path.json", "broken.json", "--model", "other", "--out", "out")
    assert again.code == 2
    lacks = "broken.json: out/other has no scores for the current content of this file"
    assert f"not scored with other: {lacks}; --overwrite replaces its run" in again.err


def test_a_broken_suite_does_not_stop_recorded_values(run, tmp_path):
    evaluated = FIXTURES / "legacy/evaluated.new.json"
    done = run("evalmark", "score", evaluated, BROKEN, "--surprisals=recorded", "--format", "json")
    assert done.code == 2
    assert f"not scored: {BROKEN}: SG204" in done.err
    data = json.loads(done.out)
    results = data["runs"][0]["record"]["evaluation_results"]
    assert len({result["source_data"]["dataset_name"] for result in results}) == 1
    assert len(data["not_scored"]) == 1


def test_the_library_raises_or_calls_back(tmp_path):
    good = str(FIXTURES / "good/suite.json")
    with pytest.raises(ScoringError, match="SG204"):
        load_suites([str(BROKEN), good])
    found = {}
    assert [s.path for s in load_suites([str(BROKEN), good], failed=found.__setitem__)] == [good]
    assert [(path, error.findings[0].code) for path, error in found.items()] == [
        (str(BROKEN), "SG204")
    ]
    assert load_suites([str(BROKEN)], failed=found.__setitem__) == []


def test_a_sentence_that_is_too_long_concerns_its_suite(tmp_path):
    model = load_model("demo", device="cpu")
    with edited(FIXTURES / "good/suite.json", tmp_path / "long.json") as data:
        data["items"][0]["conditions"][0]["regions"][0]["content"] = "the " * (model.max_tokens + 1)
    suites = load_suites([str(tmp_path / "long.json"), str(FIXTURES / "good/suite.json")])
    with pytest.raises(ScoringError, match="a sentence has"):
        score_suites(suites, model, Settings())
    scores = score_suites(suites, model, Settings(), keep_going=True)
    assert [scored.source.path for scored in scores.suites] == [suites[1].path]
    assert [unused.name for unused in scores.unused] == [suites[0].path]


def test_a_damaged_suite_in_a_folder_is_no_other_file(run, tmp_path):
    shutil.copy(FIXTURES / "good/suite.json", tmp_path / "good.json")
    text = (FIXTURES / "good/suite.json").read_text(encoding="utf-8")
    (tmp_path / "half.json").write_text(text[: len(text) // 2])
    (tmp_path / "other.json").write_text("{")
    done = run("evalmark", "score", tmp_path, "--dry-run", code=2)
    assert done.out.startswith("1 suite with ")
    assert "half.json: F001" in done.err
    assert "other.json" not in done.err
