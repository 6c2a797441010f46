"""Recorded numbers of one model: many suites in one call, and files that find their suites."""

import json

import pytest
from conftest import edited, file_at
from evalmark.schemas.errors import ScoringError, SurprisalFileError
from evalmark.scoring.score_settings import Settings
from evalmark.scoring.suites.recorded_scores import score_recorded
from evalmark.scoring.suites.suite_loading import load_suite, load_suites
from recorded_suites import FORMULA, suite_data, surprisals_of
from run_data import record_of, view_of


@pytest.fixture
def suite_file(here, epoch):
    def write(name, *args, path="", **options):
        return file_at(here / (path or f"{name}.json"), suite_data(name, *args, **options))

    return write


def test_a_limit_takes_the_first_sentences_of_a_file(run, suite_file, tmp_path):
    suite = suite_file("one")
    whole = surprisals_of(tmp_path / "whole.tsv", str(suite))
    lines = whole.read_text().splitlines(keepends=True)
    first = tmp_path / "first.tsv"  # of the first of two items
    first.write_text("".join(line for line in lines if line[0] not in "34"))
    found = []
    for file in (whole, first):
        done = run("evalmark", "score", suite, "--surprisals", file, "--model-id", "a/b",
                   "--limit", "1", "--format", "json", code=0)  # fmt: skip
        (result,) = json.loads(done.out)["runs"][0]["record"]["evaluation_results"]
        found.append(result["score_details"])
    assert found[0]["details"]["items"] == "1"
    assert found[0]["score"] == found[1]["score"]
    refused = run("evalmark", "score", suite, "--surprisals", first, "--model-id", "a/b", code=2)
    assert "first.tsv: 2 sentences, the suite has 4" in refused.err


# values of evaluated suites


def test_many_suites_become_one_record_of_one_model(run, suite_file, tmp_path):
    suite_file("one", path="in/one.json")
    suite_file("two", path="in/two.json")
    three = suite_file("three")
    done = run("evalmark", "score", "in", three, "--surprisals=recorded", "--model-id", "lab/model",
               "--out", "out", code=0)  # fmt: skip
    assert "average of 3 suites" in done.out
    record = record_of(tmp_path / "out")
    assert record["model_info"]["id"] == "lab/model"
    names = [result["evaluation_name"] for result in record["evaluation_results"]]
    assert names == [f"{suite}/all" for suite in ("one", "two", "three")]
    assert run("evalmark", "check", "out").code == 0
    (group,) = view_of(tmp_path / "out").groups
    assert [suite.name for suite in group.suites] == ["one", "two", "three"]


def test_what_nobody_knows_of_recorded_values_is_unknown_in_the_record(run, suite_file, tmp_path):
    suite = suite_file("one")
    run("evalmark", "score", suite, "--surprisals=recorded", "--out", "out", "--join", "hf")
    result = record_of(tmp_path / "out")["evaluation_results"][0]
    settings = result["generation_config"]["additional_details"]
    unknown = {"unit", "bos", "first_token", "join", "boundary", "eos"}
    assert {key for key, value in settings.items() if value == "unknown"} == unknown
    # Which texts are equal, for chance and ties, depends on how this run joined them.
    assert settings["join_of_texts"] == "hf"
    assert settings["undefined"] == "refuse"
    assert result["score_details"]["details"]["values"] == "one.json"


def test_the_model_is_the_one_that_all_suites_state(suite_file):
    for name in ("one", "two"):
        suite_file(name, model="org/gpt2")
    scores = score_recorded(load_suites(["one.json", "two.json"]), Settings())
    assert (scores.model.id, scores.model.name) == ("local/gpt2", "org/gpt2")


def test_a_model_that_some_suites_do_not_state_must_be_named(run, suite_file):
    paths = suite_file("one", model="gpt2"), suite_file("two")
    refused = run("evalmark", "score", *paths, "--surprisals=recorded", code=2)
    assert "nothing says which model the values of all 2 files are of; --model-id" in refused.err
    run("evalmark", "score", *paths, "--surprisals=recorded", "--model-id", "lab/m", code=0)


def test_values_of_different_models_are_not_one_run(suite_file):
    suite_file("one", model="gpt2")
    suite_file("two", model="grnn")
    with pytest.raises(ScoringError, match=r"different models: gpt2 \(one\.json\), grnn \(two"):
        score_recorded(load_suites(["one.json", "two.json"]), Settings(), model_id="lab/m")


def test_suites_of_a_folder_that_were_never_evaluated_are_skipped(run, suite_file):
    suite_file("one", path="in/one.json")
    plain = suite_file("plain", path="in/plain.json", values=False)
    done = run("evalmark", "score", "in", "--surprisals=recorded", code=0)
    assert "note: skipped 1 suite without recorded values: in" in done.err
    named = run("evalmark", "score", "in", plain, "--surprisals=recorded", "--model-id", "a/b")
    assert named.code == 2
    assert "no region has a `metric_value`: it was not evaluated" in named.err
    run("evalmark", "score", "in/plain.json", "--surprisals=recorded", code=2)


def test_a_suite_that_lacks_a_value_does_not_stop_the_others(run, suite_file, tmp_path):
    good, bad = suite_file("good"), suite_file("bad")
    with edited(bad) as data:
        del data["items"][0]["conditions"][1]["regions"][1]["metric_value"]
    done = run(
        "evalmark", "score", good, bad, "--surprisals=recorded", "--model-id", "a/b", "--out", "out"
    )
    assert done.code == 2
    assert "item 1, b, region 2 has no `metric_value` of sum" in done.err
    assert record_of(tmp_path / "out")["evaluation_id"].startswith("good/")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--bos", "none"], ["--first-token", "zero"], ["--masked-method", "original"],
        ["--boundary", "corrected"],
    ],
)  # fmt: skip
def test_settings_that_need_a_model_are_refused(run, suite_file, arguments):
    refused = run("evalmark", "score", suite_file("one"), "--surprisals=recorded", *arguments)
    assert refused.code == 2
    option, value = arguments
    why = "cannot be changed"
    if option == "--boundary":
        why = "do not include the probability of a word's end"
    words = f"{option} {value!r} needs a model: recorded values {why}"
    assert words in " ".join(refused.err.split())


# predictions


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("formulas.txt", f"{FORMULA}\n"),
        ("formulas.json", json.dumps([FORMULA])),
        ("old.txt", f"[{FORMULA}]\n"),
        ("suite.json", json.dumps(suite_data("one", values=False))),
    ],
)
def test_suites_without_predictions_take_them_from_a_file(run, suite_file, tmp_path, name, text):
    suite = suite_file("one", formulas=())
    (tmp_path / name).write_text(text)
    done = run(
        "evalmark", "score", suite, "--surprisals=recorded", "--predictions", name, "--out", "out"
    )
    assert done.code == 0, done.err
    results = record_of(tmp_path / "out")["evaluation_results"]
    assert [r["evaluation_name"] for r in results] == ["one/all"]
    assert results[0]["score_details"]["details"]["predictions_from"] == name


def test_each_suite_takes_the_predictions_of_its_name(suite_file, tmp_path):
    other = "(1;%a%) = (1;%b%)"
    for name, formula in (("one", FORMULA), ("two", other)):
        suite_file(name, formulas=())
        suite_file(name, path=f"p/{name}_predictions.json", values=False, formulas=(formula,))
    own = suite_file("own")
    suites = load_suites(["one.json", "two.json", str(own)], predictions=tmp_path / "p")
    assert [s.suite.formulas for s in suites] == [(FORMULA,), (other,), (FORMULA,)]
    assert [s.predictions_from for s in suites][2] == ""


def test_predictions_that_are_not_for_a_suite_are_refused(run, suite_file, tmp_path):
    suites = suite_file("one", formulas=()), suite_file("two", formulas=())
    (tmp_path / "p.txt").write_text("(1;%a%) < (1;%c%)\n")
    (tmp_path / "bad.txt").write_text("(1;%a%) <\n")
    suite_file("three", path="three.json", values=False)
    arguments = (
        "evalmark", "score", *suites, "--surprisals=recorded", "--model-id", "a/b",
        "--predictions",
    )  # fmt: skip
    unknown = run(*arguments, "p.txt", code=2)
    assert "the predictions of p.txt are not for this suite: SG204" in unknown.err
    assert "formula `(1;%a%) <` cannot be read" in run(*arguments, "bad.txt").err
    (tmp_path / "empty.txt").write_text("\n")
    assert "empty.txt has no predictions" in run(*arguments, "empty.txt").err
    names = run(*arguments, "three.json", code=2)
    assert "are of three, and the suites without predictions are one, two" in names.err


# files of surprisals


def test_files_find_their_suites_by_their_tokens(run, suite_file, tmp_path):
    one = suite_file("one", ("The cat", "sleeps"), values=False)
    two = suite_file("two", ("A dog", "barks"), values=False)
    surprisals_of(tmp_path / "s/x.tsv", str(two))
    surprisals_of(tmp_path / "s/y.txt", str(one))
    (tmp_path / "s/notes.txt").write_text("not surprisals\n")
    run("evalmark", "score", one, two, "--surprisals", "s", "--model-id", "lab/m",
        "--out", "out", code=0)  # fmt: skip
    record = record_of(tmp_path / "out")
    files = [r["score_details"]["details"]["surprisals"] for r in record["evaluation_results"]]
    assert files == ["y.txt", "x.tsv"]
    settings = record["evaluation_results"][0]["generation_config"]["additional_details"]
    assert settings["unit"] == "bits"  # the format says so
    assert settings["bos"] == settings["boundary"] == settings["join"] == "unknown"
    assert settings["eos"] == "scored with the last region"
    separately = run("evalmark", "score", one, two, "--surprisals", "s/x.tsv", "--surprisals",
                     "s/y.txt", "--model-id", "lab/m", "--format", "json")  # fmt: skip
    (again,) = json.loads(separately.out)["runs"]
    assert again["record"]["evaluation_results"] == record["evaluation_results"]


def test_several_files_need_the_name_of_their_model(run, suite_file, tmp_path):
    one, two = suite_file("one", ("A cat", "x")), suite_file("two", ("A dog", "x"))
    for suite in (one, two):
        surprisals_of(tmp_path / f"s/{suite.stem}.tsv", str(suite))
    refused = run("evalmark", "score", one, two, "--surprisals", "s", code=2)
    assert "nothing says which model the values of all 2 files are of; --model-id" in refused.err


def test_among_files_of_the_same_sentences_the_name_decides(suite_file, tmp_path):
    one = suite_file("npi", values=False)
    files = [tmp_path / "npi_gpt2.tsv", tmp_path / "other.tsv"]
    for number, file in enumerate(files):
        surprisals_of(file, str(one), first=number)
    suites = [load_suite(str(one))]
    with pytest.raises(SurprisalFileError, match=r"npi\.json has another file of surprisals"):
        score_recorded(suites, Settings(), surprisals=files)
    scores = score_recorded(suites, Settings(), surprisals=files, model_id="a/b", keep_going=True)
    assert scores.suites[0].recorded_in["surprisals"] == "npi_gpt2.tsv"
    assert [unused.name for unused in scores.unused] == [str(files[1])]


def test_files_that_cannot_be_told_apart_are_refused(suite_file, tmp_path):
    one = suite_file("npi", values=False)
    files = [surprisals_of(tmp_path / name, str(one)) for name in ("gpt2.tsv", "grnn.tsv")]
    with pytest.raises(SurprisalFileError, match=r"both have the tokens of its sentences; give"):
        score_recorded([load_suite(str(one))], Settings(), surprisals=files)


def test_suites_and_files_without_each_other_are_named(run, suite_file, tmp_path):
    one = suite_file("one", ("The cat", "sleeps"), values=False)
    two = suite_file("two", ("A dog", "barks"), values=False)
    three = suite_file("three", ("A bird", "sings"), values=False)
    surprisals_of(tmp_path / "s/one.tsv", str(one))
    surprisals_of(tmp_path / "s/more.tsv", str(one), str(two))
    (tmp_path / "s/cut.tsv").write_text("sentence_id\ttoken_id\ttoken\tsurprisal\n1\t1\tThe\n")
    surprisals_of(tmp_path / "s/three.tsv", str(two))  # the wrong content
    done = run("evalmark", "score", one, two, three, "--surprisals", "s", "--model-id", "a/b")
    assert done.code == 2
    lines = "\n".join(line for line in done.err.splitlines() if "not scored" in line)
    assert "more.tsv: no suite has the 8 sentences" in lines
    assert "cut.tsv:2: 3 columns" in lines
    assert "three.tsv:2: token 'A'" in lines or "does not match the text" in lines
    assert "one.json" not in lines


def test_suites_of_the_same_sentences_share_a_file(suite_file, tmp_path):
    first = suite_file("first", values=False)
    suite_file("second", values=False, formulas=("(1;%a%) < (1;%b%)",))
    file = surprisals_of(tmp_path / "s.tsv", str(first))
    suites = load_suites(["first.json", "second.json"])
    scores = score_recorded(suites, Settings(), surprisals=[file])
    assert scores.suites[0].surprisals == scores.suites[1].surprisals


def test_a_folder_without_surprisals_is_an_error(suite_file, tmp_path):
    one = suite_file("one")
    (tmp_path / "empty").mkdir()
    with pytest.raises(SurprisalFileError, match="file with surprisals"):
        score_recorded([load_suite(str(one))], Settings(), surprisals=[tmp_path / "empty"])


# real files


def results_of(outcome):
    (run,) = json.loads(outcome.out)["runs"]
    return {
        result["evaluation_name"]: result["score_details"]["details"].get("correct")
        for result in run["record"]["evaluation_results"]
    }


def test_all_real_recorded_suites_in_one_call_count_as_each_alone(shared, run, tmp_path):
    suites = shared / "data/suites"
    strings, legacy = suites / "string-predictions", suites / "legacy-triples"
    whole = run(
        "evalmark", "score", strings, legacy, "--surprisals=recorded", "--predictions",
        legacy / "test_in.json", "--model-id", "lab/model", "--out", tmp_path / "out",
        "--format", "json", code=0,
    )  # fmt: skip
    together = results_of(whole)
    suites_of_run = {name.rpartition("/")[0] for name in together}
    assert len(suites_of_run) == 3 + 6  # the legacy suite has six metrics
    alone = {}
    for path in [*sorted(strings.glob("*.json")), legacy / "test_out_grnn.json"]:
        given = ("--predictions", legacy / "test_in.json") if path.parent == legacy else ()
        single = run("evalmark", "score", path, "--surprisals=recorded", "--format", "json", *given)
        assert single.code == 0, single.err
        alone |= results_of(single)
    assert together == alone
    assert {name: correct for name, correct in together.items() if "test" not in name} == {
        "fgd_hierarchy/1": "5", "fgd_hierarchy/2": "0", "fgd_hierarchy/all": "0",
        "npz_obj/all": "7", "number_prep/all": "8",
    }  # fmt: skip
    checked = run("evalmark", "check", tmp_path / "out")
    assert (checked.code, checked.out) == (0, "")
    # The same model's surprisals give what its tool wrote into the evaluated suite.
    told = run("evalmark", "score", legacy / "test_in.json", "--surprisals", legacy,
               "--format", "json")  # fmt: skip
    assert results_of(told) == {k: v for k, v in together.items() if "test" in k}


def without_metric(data, dialect):
    """A suite that names no metric: of triples, or of bare formulas."""
    del data["meta"]["metric"]
    triple = {"region_number": 2, "l_operand": "a", "relation": "lessthan", "r_operand": "b"}
    return {**data, "predictions": [FORMULA] if dialect == "bare" else [triple]}


@pytest.mark.conforms("L-7")
@pytest.mark.parametrize("dialect", ["triples", "current"])
def test_a_suite_without_a_metric_is_not_scored(suite_file, tmp_path, run, dialect):
    data = without_metric(suite_data("one"), "triples")
    if dialect == "current":
        data["predictions"] = suite_data("one")["predictions"]
    (tmp_path / "one.json").write_text(json.dumps(data))
    done = run("evalmark", "score", "one.json", "--surprisals=recorded", "--out", "out", code=2)
    assert "one.json: SG101 `metric` is missing" in done.err
    assert "choose with --metric: sum, mean, median, range, max, min" in done.err
    assert not (tmp_path / "out").exists()
    done = run(
        "evalmark", "score", "one.json", "--surprisals=recorded", "--metric", "sum", "--out", "out"
    )
    assert done.code == 0, done.err
    assert "note: no metric is named, and --metric is used: one" in done.err
    results = record_of(tmp_path / "out")["evaluation_results"]
    details = [result["score_details"]["details"] for result in results]
    assert {(d["metric"], d["metric_from"]) for d in details} == {("sum", "caller")}


def test_a_metric_that_only_the_format_says_is_said_and_recorded(suite_file, tmp_path, run):
    data = without_metric(suite_data("one"), "bare")
    (tmp_path / "one.json").write_text(json.dumps(data))
    done = run("evalmark", "score", "one.json", "--surprisals=recorded", "--out", "out", code=0)
    assert "note: no metric is named, and the format meant sum: one" in done.err
    results = record_of(tmp_path / "out")["evaluation_results"]
    details = [result["score_details"]["details"] for result in results]
    assert {(d["metric"], d["metric_from"]) for d in details} == {("sum", "format")}
    suite_file("two")
    run("evalmark", "score", "two.json", "--surprisals=recorded", "--out", "other")
    (result, *_) = record_of(tmp_path / "other")["evaluation_results"]
    assert "metric_from" not in result["score_details"]["details"]
