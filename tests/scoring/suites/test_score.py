"""The main job from end to end: suites in, table, scores, record and samples out."""

import json
import os

import pytest
from conftest import FIXTURES, edited, python
from evalmark.converters.convert_document import convert_text
from evalmark.schemas.errors import UnknownNameError
from evalmark.scoring.models.load_models import load_model
from evalmark.scoring.runs.run_files import record_in
from evalmark.scoring.score_settings import Computing, Settings
from evalmark.scoring.suites.suite_loading import load_suite, prepare
from evalmark.scoring.suites.suite_run import score_suites
from evalmark.validator.check import check_file
from evalmark.validator.reading.strict_json import parse
from recorded_suites import surprisals_of
from run_data import record_of, suites_of, table

pytest.importorskip("torch")

SUITES = FIXTURES / "suites"
LEARNED = ("agreement_attractor", "garden_path", "negative_polarity", "relative_clause")
UNLEARNED = "reflexive_gender"


@pytest.fixture(scope="module")
def demo():
    return load_model("demo", device="cpu")


def accuracies(scores):
    return {
        scored.source.suite.name: (
            sum(scored.result.conjunction) / len(scored.source.suite.items),
            float(scored.chances[-1].share),
        )
        for scored in scores.suites
    }


def test_the_demo_model_knows_what_it_was_taught(demo):
    suites = [load_suite(str(path)) for path in sorted(SUITES.glob("*.json"))]
    assert len(suites) == 5
    assert all(len(suite.suite.items) >= 40 for suite in suites)
    scores = accuracies(score_suites(suites, demo, Settings()))
    for name in LEARNED:
        assert scores[name][0] >= 0.90, name
    share, chance = scores[UNLEARNED]
    spread = 1.96 * (chance * (1 - chance) / 48) ** 0.5
    assert abs(share - chance) <= spread


def test_the_model_is_small_and_safe():
    from evalmark.scoring.demo_files import DEMO_FOLDER

    files = list(DEMO_FOLDER.iterdir())
    assert sum(path.stat().st_size for path in files) <= 3_000_000
    assert {path.suffix for path in files} == {".json", ".safetensors", ".md"}


def test_the_demo_suite_is_scored_in_an_empty_folder(run, here):
    outcome = run("evalmark", "score", "demo", "--model", "demo", code=0)
    assert "demo   all            24       24     1.000" in outcome.out
    assert "site-packages" not in outcome.out + outcome.err
    assert not [*here.iterdir()]


def test_who_publishes_is_not_asked_of_a_model_that_cannot_be_loaded(run, here):
    outcome = run("evalmark", "score", "demo", "--model", "./nothing", "--out", "o", code=2)
    assert outcome.err.startswith("evalmark: model './nothing' cannot be loaded")


def test_what_score_leaves_behind(run, here, epoch):
    suite = SUITES / "negative_polarity.json"
    outcome = run("evalmark", "score", suite, "--model", "demo", "--out", "results", code=0)
    assert "negative_polarity  " in outcome.out
    assert "the record does not say who publishes it" in outcome.err
    files = {path.name: path for path in (here / "results").iterdir()}
    assert len(files) == len({"record", "samples", "run.json"})
    first = json.loads(suite.read_text(encoding="utf-8"))["items"][0]
    regions = table("results", "regions")
    assert len(regions) == 48 * sum(len(c["regions"]) for c in first["conditions"])
    record = record_in(here / "results")
    assert f"wrote {record.relative_to(here)} (record 0.2.0)" in outcome.err
    assert check_file(record).findings == ()
    data = json.loads(record.read_text())
    assert data["evaluation_id"] == "negative_polarity/evalmark/demo/1760000000"
    names = [result["evaluation_name"] for result in data["evaluation_results"]]
    assert names == ["negative_polarity/all"]
    settings = data["evaluation_results"][0]["generation_config"]["additional_details"]
    assert settings["unit"] == "bits"
    assert settings["join"] == "core"
    assert settings["bos"] == "auto"
    assert set(settings) >= {"boundary", "eos", "first_token", "undefined"}
    assert set(settings) >= {"evalmark", "torch", "transformers"}
    samples = next(p for p in files.values() if p.suffix == ".jsonl")
    rows = [json.loads(line) for line in samples.read_text().splitlines()]
    assert len(rows) == 48
    assert rows[0]["input"]["raw"].count("\n") == 3
    assert rows[0]["output"]["raw"] in (["true"], ["false"])
    assert rows[0]["answer_attribution"] == []

    manifest = json.loads(files["run.json"].read_text())
    assert set(manifest["files"]) == files.keys() - {"run.json"}
    (entry,) = suites_of("results")
    (prediction,) = entry["predictions"]
    assert len(prediction["outcomes"]) == prediction["items"] == entry["items"] == 48
    assert sum(prediction["outcomes"]) == prediction["correct"]
    assert str(here) not in record.read_text() + samples.read_text()

    refused = run("evalmark", "score", suite, "--model", "demo", "--out", "results", code=2)
    assert "--overwrite" in refused.err
    before = {path: path.read_bytes() for path in files.values()}
    again = run("evalmark", "score", suite, "--model", "demo", "--out", "results", "--overwrite")
    assert again.code == 0
    assert {path: path.read_bytes() for path in (here / "results").iterdir()} == before


def test_the_configuration_says_who_publishes_a_record(run, here):
    (here / "evalmark.toml").write_text(
        '[record]\norganization = "Example Lab"\nrelationship = "third_party"\n'
        'collection = "ours"\n'
    )
    suite = FIXTURES / "good/suite.json"
    surprisals = surprisals_of(here / "surprisals.tsv", str(suite))
    outcome = run("evalmark", "score", suite, "--surprisals", surprisals, "--out", "r", code=0)
    assert "note:" not in outcome.err
    record = record_of("r")
    assert record["source_metadata"]["source_organization_name"] == "Example Lab"
    assert record["source_metadata"]["evaluator_relationship"] == "third_party"
    assert record["evaluation_id"].startswith("ours/local/surprisals/")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--model", "demo", "--bos", "none"], 1, "is undefined in item 1"),
        (["--model", "demo", "--bos", "none", "--undefined", "false"], 0, ""),
        (["--model", "demo", "--bos", "none", "--first-token", "zero"], 0, ""),
        ([], 2, "nothing to score with: give --model or --surprisals"),
        (["--model", "demo", "--surprisals", "x.tsv"], 2, "only one of --model and --surprisals"),
        (["--surprisals", "none.tsv"], 2, "none.tsv: No such file"),
        (["--model", "no/such/model"], 2, "cannot be loaded: there is no such folder\n"),
        (["--model", "no/model"], 2, "there is no such folder, https://huggingface.co cannot be"),
        (["--model", "./missing"], 2, "cannot be loaded: there is no such folder\n"),
        (["--model", "."], 2, "cannot be loaded: the folder has no config.json"),
        (["--model", "demo", "--device", "mps"], 2, "device 'mps' is not available; available: "),
        (["--model", "demo", "--device", "gpu"], 2, "expected one of: auto, cpu, cuda, mps"),
        (["--model", "demo", "--bos", "none"], 1, "--first-token zero"),
        (["--surprisals", "x.tsv", "--boundary", "corrected"], 2, "'corrected' needs a model"),
        (["--model", "demo", "--out", "evalmark.toml"], 2, "is a file"),
    ],
)
def test_exit_codes(run, here, monkeypatch, arguments, code, message):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    (here / "evalmark.toml").write_text("")
    with edited(FIXTURES / "good/suite.json", here / "suite.json") as data:
        data["predictions"][0]["formula"] = "(1;%match%) = (1;%mismatch%) & (2;%match%) > 0"
    outcome = run("evalmark", "score", "suite.json", *arguments)
    assert (outcome.code, outcome.out == "") == (code, code != 0)
    assert message in outcome.err
    assert "Traceback" not in outcome.err
    assert len(outcome.err.splitlines()) <= (1 if "gpu" not in arguments else 4)


@pytest.mark.parametrize(
    ("name", "value"),
    [("first_token", "one"), ("join", "coer"), ("undefined", "x"), ("boundary", "y")],
)
def test_settings_accept_known_values_only(name, value):
    with pytest.raises(UnknownNameError, match=f"unknown {name} '{value}'.*expected one of"):
        Settings(**{name: value})
    with pytest.raises(UnknownNameError, match="unknown strategy 'auto'"):
        Computing("auto")
    with pytest.raises(UnknownNameError, match="unknown dtype 'float31'; did you mean"):
        load_model("demo", dtype="float31")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("SG204_unknown_condition", "SG204 prediction refers to condition `pos_ps`"),
        ("F001_cut_off", "F001 file ends before"),
        ("SG112_wrong_type", "SG11"),
        ("EE112_wrong_type", "EE112 `url` must be an array"),
        ("F004_utf16", "F004"),
        ("SG204_in_triples", "SG204"),
        ("SG411_region_order", "SG411"),
        ("SG412_region_missing", "SG412"),
        ("SG414_empty_sentence", "SG414"),
        ("SG415_no_items", "SG415"),
        ("SG416_empty_suite_name", "SG416"),
    ],
)
def test_a_suite_with_errors_is_refused(run, name, message):
    outcome = run("evalmark", "score", FIXTURES / f"bad/{name}.json", "--model", "demo", code=2)
    assert outcome.out == ""
    assert message in outcome.err


def test_an_item_that_can_never_hold_is_scored_all_the_same(run):
    outcome = run("evalmark", "score", FIXTURES / "bad/SG206_never_holds.json", "--model", "demo")
    assert outcome.code == 0
    # Its margin is 0, but it is the text that decides, not rounding.
    assert "Decided by rounding" not in outcome.out


def test_every_dialect_is_scored_and_converting_changes_nothing(demo):
    for old in sorted((FIXTURES / "legacy").glob("*.old.json")):
        new = load_suite(str(old).replace(".old.", ".new."))
        first, second = score_suites([load_suite(str(old)), new], demo, Settings()).suites
        assert first.result.conjunction == second.result.conjunction
        assert first.source.digest.split() == second.source.digest.split()


@pytest.mark.slow
def test_published_suites_score_alike_before_and_after_conversion(shared, demo):
    paths = sorted((shared / "data/suites/published-json").glob("*.json"))
    assert len(paths) == 16
    originals = [load_suite(str(path)) for path in paths]
    converted = [
        prepare(parse(convert_text(path.read_text(encoding="utf-8")).text), str(path), "core")
        for path in paths
    ]
    scores = score_suites([*originals, *converted], demo, Settings())
    before, after = scores.suites[:16], scores.suites[16:]
    for one, other in zip(before, after, strict=True):
        assert [p.outcomes for p in one.result.predictions] == [
            p.outcomes for p in other.result.predictions
        ]
        assert one.result.ties == other.result.ties
    assert sum(len(s.source.suite.items) for s in before) > 300


def test_without_a_network_the_hub_is_tried_once_and_the_way_out_is_said():
    """The hub library alone retries five times, for 23 seconds, with two lines each."""
    suite = SUITES / "negative_polarity.json"
    hub = {"HF_ENDPOINT": "http://127.0.0.1:9", "HF_HUB_OFFLINE": "0"}
    words = ("-m", "evalmark", "score", suite, "--model", "no/model")
    outcome = python(*words, env={**os.environ, **hub})
    assert outcome.returncode == 2
    (line,) = outcome.stderr.splitlines()
    assert "http://127.0.0.1:9 cannot be reached" in line
    assert "`hf download no/model`" in line
