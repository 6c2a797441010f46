"""Migration as a dialogue: ``--needs`` asks, a file of defaults answers."""

import json
import re
import shutil

import pytest
from conftest import FIXTURES, edited
from evalmark.converters.conversion_formats import Syntax
from evalmark.converters.convert_document import convert_data
from evalmark.converters.convert_files import convert_files
from evalmark.converters.find_needs import find_needs
from evalmark.converters.overrides.defaults import Defaults, Facts, Seen
from evalmark.converters.overrides.needs import Needs, needs_text
from evalmark.converters.overrides.read_defaults import read_defaults
from evalmark.converters.overrides.table_keys import collection_of, proposed_samples
from evalmark.converters.supplied import Supplied
from evalmark.schemas.backend import accepts
from evalmark.schemas.errors import UsageError
from evalmark.validator.check import check_file
from evalmark.validator.reading import reading, rewrite, strict_json
from hypothesis import given
from hypothesis import strategies as st
from records import plain_record
from strategies import examples

DEPLOYMENT = "/model_info/additional_details/deployment_type"
TIMES = (("A - time (s)", 1.5), ("B - time (s)", 9), ("Helpfulness", 4))


def old(version="0.2.0", collection="board", model="lab/m", **changes):
    known_by = {"/evaluation_id": f"{collection}/{model}/1", "/model_info/id": model}
    return {**plain_record(version, known_by), **changes}


def unbounded(record, *names):
    (result,) = record["evaluation_results"][:1]
    record["evaluation_results"] = []
    for name, score in names:
        metric = {**result["metric_config"], "score_type": "continuous"}
        metric = {k: v for k, v in metric.items() if not k.endswith("_score")}
        new = {"evaluation_name": name, "metric_config": metric, "score_details": {"score": score}}
        record["evaluation_results"].append({**result, **new})
    return record


@pytest.fixture
def folder(tmp_path):
    """Records of three collections and all versions, one with samples, one that is refused."""
    home = tmp_path / "old"
    home.mkdir()
    inline = [{"sample_id": "1", "input": "q", "ground_truth": "a", "response": "b"}]
    records = {
        "a.json": old("0.0.1", "hfopenllm", "lab/one"),
        "b.json": old("0.1.0", "hfopenllm", "lab/two"),
        "c.json": unbounded(old("0.2.0", "helm", "lab/one"), *TIMES),
        "d.json": old("0.2.2", "helm", "lab/three"),
        "e.json": old("0.3.0", "new", "lab/three"),
        "f.json": old("0.1.0", "new", detailed_evaluation_results_per_samples=inline),
    }
    records["d.json"]["model_info"]["inference_platform"] = "openai"
    for name, record in records.items():
        (home / name).write_text(json.dumps(record), "utf-8")
    shutil.copy(FIXTURES / "good/with_samples.json", home)
    shutil.copy(FIXTURES / "good/with_samples_samples.jsonl", home)
    shutil.copy(FIXTURES / "good/suite.json", home)
    return home


@pytest.fixture
def facts(folder, run, tmp_path):
    done = run("evalmark", "convert", "--needs", "--to", "record@0.3.0", folder, code=0)
    path = tmp_path / "facts.yaml"
    path.write_text(done.out.replace("reviewed: false", "reviewed: true"), "utf-8")
    return path, done


def converted(folder, run, *arguments):
    target = folder.parent / "new"
    done = run("evalmark", "convert", "--to", "record@0.3.0", folder, "-o", target, *arguments)
    files = {p.name: json.loads(p.read_text("utf-8")) for p in target.glob("*.json")}
    files.pop("suite.json", None)
    return done, files


# asking


def test_what_is_missing_is_one_file_in_groups(facts):
    path, done = facts
    text = path.read_text("utf-8")
    data = reading.read_file(path).data
    assert list(data) == ["reviewed", "collections", "models", "files"]
    assert list(data["collections"]) == ["agreement-samples", "helm", "hfopenllm"]
    assert data["collections"]["hfopenllm"] == {
        "/evaluation_results/*/source_data/dataset_name": "@evaluation_name",
        "/eval_library/name": "unknown",
        "/eval_library/version": "unknown",
    }
    assert data["collections"]["helm"]["metrics"] == {
        "* - time (s)": {"min_score": None, "max_score": None},
        "Helpfulness": {"min_score": None, "max_score": None},
    }
    unknown = {"deployment_type": "unknown", "model_availability": "unknown"}
    assert data["models"]["lab/one"] == unknown
    assert list(data["models"]) == ["example/model-1", "lab/one", "lab/three", "lab/two"]
    for remark in (
        "# 2 evaluations in 1 record; scores 1.5 to 9; higher is better",
        "# 2 records; source_name: Example leaderboard (2)",
        "# deployment_type: self_deployed, externally_managed, unknown",
        "# model_availability: open_weights, closed_weights, unknown",
        "# 1 record; inference_platform: openai (1)",
    ):
        assert remark in text
    assert "refused: the record holds samples that have no score" in done.err
    assert "records: 5 of 6 lack values" in done.err


def test_models_that_lack_the_same_are_asked_about_once(tmp_path, run):
    """Four of one collection, by its lines; one of another collection, and one without an owner."""
    home = tmp_path / "old"
    home.mkdir()
    names = ["big/a", "big/b", "big/c", "big/d"]
    records = [("board", name) for name in names] + [("other", "big/e"), ("board", "nobody")]
    for number, (collection, name) in enumerate(records):
        text = json.dumps(old("0.2.2", collection, name))
        (home / f"{number}.json").write_text(text, "utf-8")
    needs = run("evalmark", "convert", "--needs", "--to", "record@0.3.0", home).out
    assert f"{DEPLOYMENT}: unknown # 5 models; list those that differ below `models:`" in needs
    assert not any(name in needs for name in names)
    assert "big/e: {deployment_type: unknown" in needs
    facts = tmp_path / "facts.yaml"
    facts.write_text(needs.replace(f"{DEPLOYMENT}: unknown", f"{DEPLOYMENT}: self_deployed"))
    run("evalmark", "convert", "--to", "record@0.3.0", home, "-o", tmp_path / "new",
        "--defaults", facts, code=0)  # fmt: skip
    said = [
        json.loads(p.read_text("utf-8"))["model_info"]["additional_details"]["deployment_type"]
        for p in (tmp_path / "new").glob("*.json")
    ]
    assert sorted(said) == ["self_deployed"] * 5 + ["unknown"]


def test_a_model_that_another_record_knows_is_a_hint(folder, run):
    with edited(folder / "e.json") as record:
        record["model_info"]["additional_details"]["deployment_type"] = "self_deployed"
    text = run("evalmark", "convert", "--needs", folder).out
    line = next(line for line in text.splitlines() if line.startswith("  lab/three:"))
    assert "1 record states self_deployed" in line
    assert "{deployment_type: unknown" in line


def test_the_file_as_it_is_converts_all_that_can_be(folder, facts, run):
    path, _ = facts
    done, files = converted(folder, run, "--defaults", path)
    assert sorted(files) == ["a.json", "b.json", "c.json", "d.json", "e.json", "with_samples.json"]
    assert all(accepts("record-0.3.0", data) for data in files.values())
    assert check_file(folder.parent / "new/with_samples.json").findings == ()
    metric = files["c.json"]["evaluation_results"][0]["metric_config"]
    assert (metric["min_score"], metric["max_score"]) == (None, None)
    assert done.code == 1  # the one with samples inside
    assert "--defaults: " not in done.err  # it names nothing that no record has
    assert run("evalmark", "convert", "--needs", folder.parent / "new").out.endswith("\n{}\n")


def test_a_proposal_that_nobody_has_marked_as_reviewed_is_not_applied(folder, facts, run):
    path, done = facts
    path.write_text(done.out, "utf-8")
    refused, files = converted(folder, run, "--defaults", path)
    assert (refused.code, files) == (2, {})
    assert "if they are right, write `reviewed: true`" in refused.err


def test_a_filled_file_is_what_the_records_say(folder, facts, run):
    path, _ = facts
    text = path.read_text("utf-8")
    text = re.sub(r"lab/one: {[^}]*}", "lab/one: {deployment_type: self_deployed}", text)
    text = text.replace(
        '"* - time (s)": {min_score: null, max_score: null}',
        '"* - time (s)": {min_score: 0, max_score: Infinity}',
    )
    text = text.replace(
        "helm:\n    /eval_library/name: unknown", "helm:\n    /eval_library/name: helm"
    )
    path.write_text(text, "utf-8")
    _, files = converted(folder, run, "--defaults", path)
    assert files["a.json"]["model_info"]["additional_details"] == {
        "deployment_type": "self_deployed", "model_availability": "unknown"
    }  # fmt: skip
    metrics = [result["metric_config"] for result in files["c.json"]["evaluation_results"]]
    bounds = [(metric["min_score"], metric["max_score"]) for metric in metrics]
    assert bounds == [(0, "Infinity"), (0, "Infinity"), (None, None)]
    assert files["c.json"]["eval_library"] == {"name": "helm", "version": "unknown"}
    assert files["a.json"]["eval_library"] == {"name": "unknown", "version": "unknown"}


def test_what_is_known_already_is_not_asked_again(folder, facts, run):
    path, _ = facts
    again = run("evalmark", "convert", "--needs", folder, "--defaults", path)
    # null leaves a bound open: it says nothing.
    assert set(reading.read(again.out.encode(), "x.yaml").data) == {"collections"}
    assert "metrics" in again.out
    answer = run("evalmark", "convert", "--needs", folder, "--set", f"{DEPLOYMENT}=unknown")
    assert "{model_availability: unknown}" in answer.out


def test_a_model_without_an_id_is_asked_for_it(folder, run, tmp_path):
    record = old("0.0.1")
    record["model_info"] = {"name": "gpt2"}
    path = tmp_path / "gpt2.json"
    path.write_text(json.dumps(record), "utf-8")
    done = run("evalmark", "convert", "--needs", path)
    assert reading.read(done.out.encode(), "x.yaml").data["models"]["gpt2"]["id"] is None
    facts = tmp_path / "facts.yaml"
    text = done.out.replace("id: null", "id: openai/gpt2")
    facts.write_text(text.replace("reviewed: false", "reviewed: true"), "utf-8")
    done = run("evalmark", "convert", path, "--defaults", facts)
    assert json.loads(done.out)["model_info"]["id"] == "openai/gpt2"


@pytest.mark.parametrize("option", ["-o", "--in-place", "--check", "--report"])
def test_needs_only_prints(folder, refused, option):
    value = ["x"] if option in ("-o", "--report") else []
    said = refused("evalmark", "convert", "--needs", folder, option, *value)
    assert "--needs only prints" in said


def test_needs_is_about_records(folder, run, refused):
    refused("evalmark", "convert", "--needs", folder, "--to", "suite")
    assert run("evalmark", "convert", "--needs", folder / "suite.json").code == 2


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)


@given(NAMES, NAMES, NAMES)
@examples(40)
def test_any_names_are_read_back_as_they_are(collection, model, metric):
    record = unbounded(old(model=model), (metric, 1))
    record["evaluation_id"] = f"{collection}/x"
    supplied = []
    needs = Needs()
    convert_data(record, to="record-0.3.0", supplied=Supplied(ask=supplied.append))
    needs.add(record, "x.json", supplied)
    text = needs_text(needs, "record-0.3.0")
    data = reading.read(text.encode(), "x.yaml")
    assert data.readable, text
    name = collection_of(record)
    assert list(data.data["models"]) == [model]
    assert list(data.data["collections"]) == [name]
    assert list(data.data["collections"][name]["metrics"]) == [metric]


# answering


def test_the_narrower_table_counts_unless_it_says_nothing(tmp_path):
    path = tmp_path / "facts.yaml"
    path.write_text(
        f"{DEPLOYMENT}: self_deployed\n"
        "models:\n"
        "  lab/m: {deployment_type: unknown, model_availability: open_weights}\n"
        "  lab/n: {deployment_type: externally_managed}\n"
        "collections:\n"
        "  board:\n"
        "    models:\n"
        "      lab/n: {deployment_type: self_deployed}\n"
        "files:\n"
        f"  deep/x.json: {{{DEPLOYMENT}: unknown}}\n"
    )
    defaults = read_defaults(path)
    assert defaults.values_for(old())[DEPLOYMENT] == "self_deployed"
    assert defaults.values_for(old(model="lab/n"))[DEPLOYMENT] == "self_deployed"
    record_elsewhere = old(collection="other", model="lab/n")
    assert defaults.values_for(record_elsewhere)[DEPLOYMENT] == "externally_managed"
    assert defaults.values_for(old(), "a/deep/x.json")[DEPLOYMENT] == "self_deployed"
    assert defaults.values_for({}) == {DEPLOYMENT: "self_deployed"}


def test_judges_are_models_too():
    record = old("0.2.2")
    metric = record["evaluation_results"][0]["metric_config"]
    judge = {"model_info": {"name": "j", "id": "lab/j"}}
    metric["llm_scoring"] = {"judges": [judge], "input_prompt": "Is it right?"}
    defaults = Defaults(Facts(models={"lab/j": {"deployment_type": "self_deployed"}}))
    at = "/evaluation_results/0/metric_config/llm_scoring/judges/0/model_info/additional_details"
    assert defaults.values_for(record) == {f"{at}/deployment_type": "self_deployed"}


def test_set_comes_before_defaults(folder, facts, run):
    path, _ = facts
    bound = "/evaluation_results/*/metric_config/max_score=Infinity"
    version = "/eval_library/version=0.4"
    _, files = converted(folder, run, "--defaults", path, "--set", bound, "--set", version)
    metrics = [result["metric_config"] for result in files["c.json"]["evaluation_results"]]
    assert [metric["max_score"] for metric in metrics] == ["Infinity"] * 3
    assert files["c.json"]["eval_library"]["version"] == "0.4"


def test_a_collection_is_a_folder_of_a_datastore_or_a_word_of_the_id():
    stored = "store/data/mmlu/lab/m/0b6f1f0e-1111-4a6b-8f00-000000000001.json"
    assert collection_of(old(), stored) == "mmlu"
    assert collection_of(old(), "data/mmlu/lab/m/other.json") == "board"
    assert collection_of({"evaluation_id": "alone"}) == ""


WRONG = {
    "models: {a/b: {deployment_type: self_hosted}}": (
        'models → a/b: deployment_type cannot be "self_hosted"; expected one of: self_deployed, '
        "externally_managed, unknown"
    ),
    "models: {a/b: {deployment: x}}": "unknown key 'deployment'; did you mean deployment_type?",
    "/eval_library/nam: x": "no version of records has /eval_library/nam; did you mean",
    "collection: {}": "unknown key 'collection'; did you mean collections?",
    "collections: {a: {b: 1}}": "unknown key 'b'",
    "collections: {a: []}": "expected a table of keys and values",
    "models: []": "expected a table of names",
    "/eval_library/version: 0.4": "version cannot be 0.4; expected a string",
    "metrics: {a: {max_score: inf}}": 'max_score cannot be "inf"; expected one of: a number',
    "metrics: {a: {max: 1}}": "unknown key 'max'; expected one of: min_score, max_score",
    "/source_metadata/source_type: web": "expected one of: documentation, evaluation_run",
    "- 1": "expected an object of pointers and values",
    "a: [": "wrong.yaml:2:4: `[` is not closed",
}


def test_a_byte_order_mark_is_no_mistake(tmp_path):
    path = tmp_path / "facts.yaml"
    path.write_bytes(b"\xef\xbb\xbf/eval_library/name: lm\n")
    assert read_defaults(path).everywhere.values == {"/eval_library/name": "lm"}


@pytest.mark.parametrize(("text", "reason"), WRONG.items())
def test_a_wrong_word_is_said_before_anything_is_converted(folder, run, tmp_path, text, reason):
    path = tmp_path / "wrong.yaml"
    path.write_text(f"\n{text}\n")
    with pytest.raises(UsageError) as refused:
        read_defaults(path)
    assert reason in str(refused.value)
    done, files = converted(folder, run, "--defaults", path)
    assert (done.code, files) == (2, {})
    assert done.err.count("\n") == 1


def test_an_error_names_the_line(tmp_path):
    path = tmp_path / "wrong.yaml"
    path.write_text("models:\n  a/b:\n    deployment_type: api\n")
    with pytest.raises(UsageError, match=r"wrong\.yaml:3: models → a/b: deployment_type cannot"):
        read_defaults(path)


@pytest.mark.parametrize("word", [f"{DEPLOYMENT}=api", "/model_info/idd=a/b", "/eval_library=x"])
def test_set_is_checked_as_well(folder, run, word):
    done, files = converted(folder, run, "--set", word)
    assert (done.code, files) == (2, {})
    assert done.err.startswith(f"evalmark: --set {word}: ")


def test_names_that_no_record_has_are_said(folder, run, tmp_path):
    path = tmp_path / "facts.yaml"
    path.write_text(
        '"/evaluation_results/*/source_data/dataset_name": "@evaluation_name"\n'
        "models: {lab/one: {}, lab/nobody: {}}\n"
        "collections: {helm: {models: {lab/two: {}}}, hellm: {}}\n"
        "files: {no/such.json: {}}\n"
    )
    done, _ = converted(folder, run, "--defaults", path)
    lines = [line for line in done.err.splitlines() if line.startswith("--defaults: ")]
    assert lines == [
        '--defaults: no record is about the model "lab/nobody"',
        '--defaults: no record of "helm" is about the model "lab/two"',
        '--defaults: no record is of the collection "hellm"',
        '--defaults: no record is at "no/such.json"',
    ]


def test_a_record_is_found_by_the_end_of_its_path():
    defaults = Defaults(files={"b/c.json": {DEPLOYMENT: "self_deployed"}})
    assert defaults.values_for(old(), "/a/b/c.json") == {DEPLOYMENT: "self_deployed"}
    assert defaults.values_for(old(), "/a/bb/c.json") == {}
    assert list(defaults.unused([Seen("/a/b/c.json", "x", ())])) == []


def test_a_proposed_place_of_samples_is_one_that_every_system_allows():
    record = {"evaluation_id": "board/x/1", "model_info": {"id": "lab/aux"}}
    assert proposed_samples(record, "r.json").startswith("data/board/lab/aux_/")


def test_results_of_other_programs_take_the_same_tables(run, tmp_path):
    results = FIXTURES / "results/inspect/log.json"
    path = tmp_path / "facts.yaml"
    arguments = ["-o", tmp_path / "new", "--to", "record@0.3.0", "--defaults", path]
    path.write_text("/source_metadata/source_organization_name: Example Lab\n")
    run("evalmark", "convert", results, *arguments, code=0)
    (record,) = (tmp_path / "new").rglob("*[0-9a-f].json")
    data = json.loads(record.read_text("utf-8"))
    assert data["source_metadata"]["source_organization_name"] == "Example Lab"
    model = data["model_info"]["id"]
    record.unlink()
    with path.open("a") as file:
        file.write(f"models: {{{model}: {{deployment_type: self_deployed}}}}\n")
    assert "--defaults: " not in run("evalmark", "convert", results, *arguments).err
    (record,) = (tmp_path / "new").rglob("*[0-9a-f].json")
    details = json.loads(record.read_text("utf-8"))["model_info"]["additional_details"]
    assert details["deployment_type"] == "self_deployed"


# many files


def test_equal_notes_are_one_line_and_the_last_line_counts(folder, run):
    for number in range(20):
        (folder / f"more-{number}.json").write_text(json.dumps(old(model=f"lab/{number}")), "utf-8")
    dataset = "/evaluation_results/*/source_data/dataset_name=@evaluation_name"
    report = folder.parent / "report.json"
    done, _ = converted(folder, run, "--set", dataset, "--report", report)
    lines = done.err.splitlines()
    note = '/eval_library/name is not stated: "unknown" is written'
    assert [line for line in lines if note in line] == [
        f"23 files: note: {note}, first in {folder}/a.json"
    ]
    way = "record-0.2.0 → record-0.2.1 → record-0.2.2 → record-0.3.0"
    assert f"21 files: {way}, first in {folder}/c.json" in lines
    last = lines.index("28 files: 24 converted, 1 already current, 3 refused, 1 file skipped")
    assert "--needs makes one" in lines[last - 1]
    assert [line.partition(" ")[0] for line in lines[last + 1 :]] == ["verified:"]
    entries = json.loads(report.read_text("utf-8"))["files"]
    assert len(entries) == 28
    assert sum(note in entry.get("notes", ()) for entry in entries) == 23


def test_samples_of_a_refused_record_stay_with_it(folder, run):
    rows = folder / "with_samples_samples.jsonl"
    before = rows.read_bytes()
    done = run("evalmark", "convert", "--in-place", folder)
    assert f"{rows}: refused: its record with_samples.json is refused" in done.err
    assert rows.read_bytes() == before


def test_one_file_is_told_in_full(folder, run):
    done = run("evalmark", "convert", folder / "d.json", "--to", "record@0.3.0")
    assert done.err.splitlines()[0] == f"{folder / 'd.json'}: record-0.2.2 → record-0.3.0"
    assert "files:" not in done.err


@pytest.fixture
def parsed(monkeypatch):
    """The texts that are parsed, again and again."""
    texts = []

    def counting(text, parse=strict_json.parse):
        texts.append(text)
        return parse(text)

    monkeypatch.setattr(reading, "parse", counting)
    monkeypatch.setattr(rewrite, "parse", counting)
    return texts


def test_a_folder_is_parsed_once(folder, parsed, tmp_path):
    values = {
        "/evaluation_results/*/source_data/dataset_name": "@evaluation_name",
        "/detailed_evaluation_results/file_path": (
            "data/a/b/c/0b6f1f0e-1111-4a6b-8f00-000000000001_samples.jsonl"
        ),
    }
    outcomes = list(
        convert_files([folder], output=tmp_path / "new", supplied=Supplied(values=values))
    )
    assert sum(outcome.refused is None for outcome in outcomes) == 8
    for path in folder.iterdir():
        text = path.read_text("utf-8")
        texts = text.splitlines() if Syntax.of(path.name) is Syntax.JSONL else [text]
        for one in texts:
            assert parsed.count(one) == 1, path


def test_needs_are_found_in_one_pass(folder, parsed):
    survey = find_needs([str(folder)])
    assert survey.needs.records == 6
    assert len(survey.refused) == 1
    records = [path.read_text("utf-8") for path in folder.glob("*.json")]
    assert all(parsed.count(text) == 1 for text in records)
