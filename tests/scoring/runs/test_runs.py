"""Long runs, runs from recorded values, and runs against each other."""

import json
import math
from pathlib import Path

import pytest
from conftest import FIXTURES, edited
from evalmark.converters.convert_document import convert_text
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.models.load_models import load_model
from evalmark.scoring.runs.run_origin import named_after
from evalmark.scoring.score_settings import Settings
from evalmark.scoring.suites.recorded_scores import score_recorded
from evalmark.scoring.suites.suite_loading import load_suite
from evalmark.scoring.suites.suite_run import score_suites
from evalmark.scoring.surprisals.prefix_packs import PackValues
from evalmark.scoring.surprisals.surprisal_computation import PARTIAL, FolderStore
from evalmark.validator.check import check_file
from found import codes_of
from killing import files_in, killed_at_pack
from run_data import settings_of, suites_of, table

pytest.importorskip("torch")

SUITES = FIXTURES / "suites"
EVALUATED = FIXTURES / "legacy/evaluated.new.json"


def configure(folder, monkeypatch, text):
    (folder / "evalmark.toml").write_text(text)
    monkeypatch.chdir(folder)


def score(run, *arguments):
    return run("evalmark", "score", *arguments, "--model", "demo", "--device", "cpu", "-q")


# resuming


def test_a_killed_run_goes_on_and_ends_in_the_same_bytes(run, tmp_path, monkeypatch, epoch):
    suite = SUITES / "garden_path.json"
    configure(tmp_path, monkeypatch, "[score]\npack-tokens = 32\n")
    assert score(run, suite, "--out", tmp_path / "whole").code == 0
    with killed_at_pack(11):
        score(run, suite, "--out", tmp_path / "cut")
    partial = tmp_path / "cut" / PARTIAL
    assert 5 < len(partial.read_bytes().splitlines()) < 12
    with partial.open("ab") as file:
        file.write(b'{"pack": 99, "val')  # what was being written
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1770000000")  # the time is that of the first start
    assert score(run, suite, "--out", tmp_path / "cut").code == 0
    assert files_in(tmp_path / "cut") == files_in(tmp_path / "whole")


def test_what_is_left_of_another_plan_is_not_used(tmp_path):
    first = FolderStore(tmp_path, "plan a", 5)
    first.save(3, PackValues([0.1, math.pi], [-0.5]))
    same = FolderStore(tmp_path, "plan a", 9)
    assert (same.started, same.load()) == (5, {3: PackValues([0.1, math.pi], [-0.5])})
    other = FolderStore(tmp_path, "plan b", 9)
    assert (other.started, other.load()) == (9, {})


@pytest.mark.parametrize("content", [b"", b"{", b"[]\n", b'{"plan": "p"}\n', b"\xff\n"])
def test_a_broken_file_of_packs_is_written_anew(content, tmp_path):
    (tmp_path / PARTIAL).write_bytes(content)
    assert FolderStore(tmp_path, "p", 7).load() == {}
    assert FolderStore(tmp_path, "p", 8).started == 7


def test_a_folder_with_other_content_is_refused(run, tmp_path):
    (tmp_path / PARTIAL).write_text("")
    (tmp_path / "mine.txt").write_text("")
    refused = score(run, SUITES / "garden_path.json", "--out", tmp_path)
    assert refused.code == 2
    assert "not empty" in refused.err


# plans and limits


def test_a_dry_run_prints_the_plan_and_computes_nothing(run, tmp_path):
    shown = run(
        "evalmark", "score", SUITES, "--model", "demo", "--dry-run", "--out", tmp_path / "x", code=0
    )
    assert "distinct prefixes" in shown.out
    dry = run("evalmark", "score", SUITES, "--dry-run")
    assert dry.out == "5 suites with 240 items can be scored\n"
    assert not (tmp_path / "x").exists()


@pytest.fixture
def long_suite(tmp_path):
    """A suite with three sentences that are too long for the demo model, in two items."""
    path = tmp_path / "long.json"
    with edited(FIXTURES / "good/suite.json", path) as data:
        first, second, *_ = data["items"]
        for condition in [*first["conditions"][:2], second["conditions"][0]]:
            condition["regions"][0]["content"] = "the " * 300
    return path, [(first, 0), (first, 1), (second, 0)]


def test_a_dry_run_names_every_sentence_that_is_too_long(run, long_suite):
    path, places = long_suite
    shown = score(run, path, SUITES / "garden_path.json", "--dry-run")
    assert shown.code == 2
    lines = [line for line in shown.err.splitlines() if "not scored with demo" in line]
    assert len(lines) == len(places)
    for line, (item, index) in zip(lines, places, strict=True):
        name = item["conditions"][index]["condition_name"]
        assert f"{path}: item {item['item_number']}, {name}: a sentence has 3" in line
        assert "tokens, the model reads at most 256: 'the the" in line
    assert "distinct prefixes" in shown.out  # of the other suite
    as_data = json.loads(score(run, path, "--dry-run", "--format", "json").out)
    assert len(as_data["not_scored"]) == len(places)
    assert {entry["model"] for entry in as_data["not_scored"]} == {"demo"}


def test_a_run_says_how_many_sentences_are_too_long(run, long_suite):
    path, _ = long_suite
    done = score(run, path)
    assert done.code == 2
    assert done.err.count("a sentence has") == 1
    assert "(and 2 more)" in done.err


def test_the_size_of_packs_is_a_setting(run, tmp_path, monkeypatch):
    configure(tmp_path, monkeypatch, "[score]\npack-tokens = 64\n")
    done = score(run, SUITES / "garden_path.json", "--dry-run")
    assert "the largest of 64 tokens" in done.out
    configure(tmp_path, monkeypatch, '[score]\npack-tokens = "auto"\n')
    done = score(run, SUITES / "garden_path.json", "--dry-run")
    assert "the largest of 256 tokens" in done.out
    configure(tmp_path, monkeypatch, '[score]\nbatch-tokens = "auto"\n')
    done = score(run, SUITES / "garden_path.json", "--dry-run")
    assert "`batch-tokens` must be a number of at least 1" in done.err


def test_a_limit_takes_the_first_items(run, tmp_path):
    score(run, SUITES / "garden_path.json", "--limit", "3", "--out", tmp_path)
    (suite,) = suites_of(tmp_path)
    assert suite["items"] == 3


def test_a_suite_in_yaml_scores_the_same(run, tmp_path):
    text = (SUITES / "garden_path.json").read_text(encoding="utf-8")
    (tmp_path / "s.yaml").write_text(convert_text(text, to="yaml").text)
    suites = [load_suite(str(p)) for p in (SUITES / "garden_path.json", tmp_path / "s.yaml")]
    assert suites[0].digest == suites[1].digest


@pytest.mark.parametrize("version", ["0.2.0", "0.3.0"])
def test_records_of_both_versions_pass_our_check(version, run, tmp_path, epoch):
    arguments = ("--record-version", version, "--limit", "9")
    assert score(run, SUITES / "garden_path.json", "--out", tmp_path, *arguments).code == 0
    (record,) = [p for p in tmp_path.rglob("*-*.json") if "_samples" not in p.name]
    report = check_file(record, profile="eee" if version == "0.3.0" else None)
    assert report.version == version
    assert {finding.name for finding in report.findings} == {"partial-run"}
    assert report.companions


def test_the_configuration_chooses_padded_batches(run, tmp_path, epoch, monkeypatch):
    for strategy in ("packed", "padded"):
        configure(tmp_path, monkeypatch, f'[score]\nstrategy = "{strategy}"\n')
        score(run, SUITES / "garden_path.json", "--out", tmp_path / strategy)
    folders = (tmp_path / "packed", tmp_path / "padded")
    ways = [settings_of(folder)["computation"] for folder in folders]
    assert ways == ["packs of prefixes", "padded batches"]
    assert suites_of(folders[0]) == suites_of(folders[1])


def test_a_table_has_a_row_for_each_region(run, tmp_path):
    suite = SUITES / "garden_path.json"
    assert score(run, suite, "--limit", "2", "--out", tmp_path / "r").code == 0
    rows = table(tmp_path / "r", "regions")
    data = json.loads(suite.read_text(encoding="utf-8"))
    conditions = [c for item in data["items"][:2] for c in item["conditions"]]
    assert len(rows) == sum(len(condition["regions"]) for condition in conditions)
    assert {row["model"] for row in rows} == {"evalmark/demo"}
    assert {row["region_name"] for row in rows} == set(data["region_meta"].values())
    assert all(float(row["value"]) >= 0 for row in rows)


# recorded values


def test_an_evaluated_suite_is_judged_by_its_own_values():
    data = json.loads(EVALUATED.read_text(encoding="utf-8"))
    metric = data["meta"]["metric"]
    scores = score_recorded([load_suite(str(EVALUATED))], Settings())
    (scored,) = scores.suites
    for item, surprisals in zip(data["items"], scored.surprisals, strict=True):
        for condition, regions in zip(item["conditions"], surprisals, strict=True):
            values = [region["metric_value"][metric] for region in condition["regions"]]
            assert [value for (value,) in regions] == values


def test_a_value_that_is_missing_is_named(tmp_path):
    path = tmp_path / "suite.json"
    with edited(EVALUATED, path) as data:
        del data["items"][0]["conditions"][0]["regions"][1]["metric_value"]
    with pytest.raises(ScoringError, match="region 2 has no `metric_value` of"):
        score_recorded([load_suite(str(path))], Settings())


def test_a_limit_applies_to_recorded_values_too(run):
    done = run(
        "evalmark", "score", EVALUATED, "--surprisals=recorded", "--limit", "1", "--format", "json"
    )
    results = json.loads(done.out)["runs"][0]["record"]["evaluation_results"]
    assert {result["score_details"]["details"]["items"] for result in results} == {"1"}
    assert load_suite(str(EVALUATED)).suite.items[1:]


def by_hand(path):
    """Suites of an old dialect, judged by Python as their tools did: `=` is equality there."""
    data = json.loads(Path(path).read_text(encoding="utf-8"))
    outcomes = []
    for formula in (prediction["formula"] for prediction in data["predictions"]):
        row = []
        for item in data["items"]:
            text = formula.replace("[", "(").replace("]", ")").replace("=", "==")
            for condition in item["conditions"]:
                for region in condition["regions"]:
                    name = f"({region['region_number']};%{condition['condition_name']}%)"
                    text = text.replace(name, repr(region["metric_value"]["sum"]))
            row.append(bool(eval(text)))
        outcomes.append(tuple(row))
    return outcomes


def test_real_evaluated_suites_equal_an_evaluation_by_hand(shared):
    paths = sorted((shared / "data/suites/string-predictions").glob("*.json"))
    assert len(paths) == 3
    for path in paths:
        scores = score_recorded([load_suite(str(path))], Settings())
        found = [prediction.outcomes for prediction in scores.suites[0].result.predictions]
        assert found == by_hand(path), path.name


# real suites


@pytest.mark.slow
@pytest.mark.parametrize("version", ["0.2.0", "0.3.0"])
def test_every_published_suite_leaves_a_record_without_a_finding(version, shared, run, tmp_path):
    paths = sorted((shared / "data/suites/published-json").glob("*.json"))
    model = load_model("demo", device="cpu")
    suites = [load_suite(str(path), limit=4) for path in paths]
    scores = score_suites(suites, model, Settings(undefined="false"))
    from evalmark.converters.records.run import Producer
    from evalmark.scoring.suites.suite_output import write_output

    written = write_output(
        scores, tmp_path, source=Producer("Lab", "other"), started=1_760_000_000, version=version
    )
    assert set(codes_of(written.record)) == {"EE212"}  # a part


@pytest.mark.parametrize(
    ("suites", "name"), [(["a"], "a"), (["a", "b", "c"], "a+b+c"), (["a", "b", "c", "d"], "a+3")]
)
def test_a_run_is_named_after_its_suites_or_the_first_of_many(suites, name):
    assert named_after(suites) == name
