"""`evalmark compare`: what is matched, what is said first, and what is claimed."""

import json
import random
import statistics
from pathlib import Path

import pytest
from conftest import FIXTURES, edited
from evalmark.converters.importers.registry import import_results, importer_of
from evalmark.converters.records.writer import write_record
from evalmark.converters.supplied import NOTHING
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.comparison.common_items import MatchedItems
from evalmark.scoring.comparison.compared_run import (
    SAMPLES,
    ComparedSuite,
    ItemScore,
    ScoredItems,
)
from evalmark.scoring.comparison.paired_statistics import drafts
from evalmark.scoring.comparison.run_comparison import compare
from evalmark.scoring.runs.run_files import record_in
from evalmark.stats.paired_tests import sign_flip
from run_data import MODEL, SETTINGS, edited_record, outcomes_in

SUITES = FIXTURES / "suites"


@pytest.fixture
def scores(tmp_path):
    """Writes runs: suites by name, each a list of predictions, each of outcomes."""
    return outcomes_in(tmp_path)


def outcomes(right, wrong):
    return [True] * right + [False] * wrong


def readings(row):
    return {reading.ties: (reading.only_first, reading.only_second) for reading in row.readings}


# claims


def test_a_difference_is_claimed_in_a_sentence(scores):
    one, other = scores({"s": [outcomes(20, 20)]}), scores({"s": [outcomes(40, 0)]})
    found = compare(one, other)
    (row,) = found.predictions
    assert (row.recorded.only_first, row.recorded.only_second) == (0, 20)
    assert (row.recorded.first, row.recorded.second, row.difference) == (0.5, 1.0, 0.5)
    assert row.recorded.p_value == row.recorded.p_holm == 2 / 2**20
    assert row.interval[0] < 0.5 < row.interval[1]
    assert (row.test, row.interval_method) == ("McNemar, exact", "Newcombe")
    assert row.better == "second"
    assert row.detectable is None
    assert row.claim == "s: lab/a (1) is better, 1.000 against 0.500 (p = 1.9e-06)"
    assert found.pooled is None


def test_a_run_is_called_by_its_model_if_that_tells_it_apart(scores):
    one = scores({"s": [outcomes(20, 20)]})
    other = scores({"s": [outcomes(40, 0)]}, model={**MODEL, "id": "lab/b"})
    for pair in ((one, other), (other, one)):
        (row,) = compare(*pair).predictions
        assert row.claim.startswith("s: lab/b is better, ")


def test_what_is_not_claimed_says_which_difference_would_have_shown(scores):
    """Twenty items find +.15 in 8 of 100 comparisons."""
    one = scores({"s": [outcomes(10, 10)]})
    other = scores({"s": [outcomes(13, 7)]})
    (row,) = compare(one, other).predictions
    assert row.detectable == pytest.approx(0.37, abs=0.005)
    assert row.claim.endswith(
        "p = 0.25; a difference of 0.37 would be found in 80 of 100 comparisons"
    )
    few = compare(scores({"s": [outcomes(3, 2)]}), scores({"s": [outcomes(2, 3)]})).predictions
    assert (few[0].detectable, "would show" in few[0].claim) == (None, False)


def test_identical_runs_differ_in_nothing(scores):
    path = scores({"s": [outcomes(3, 1), outcomes(2, 2)], "t": [outcomes(4, 0)]}, ties=[1])
    found = compare(path, path, pooled=True)
    assert found.differences == ()
    assert all(row.better is None for row in (*found.predictions, found.pooled))
    assert {row.recorded.p_value for row in found.predictions} == {1}
    claims = [row.claim.partition(": ")[2] for row in (*found.predictions, found.pooled)]
    same = "no difference is claimed: both score the same on every item"
    assert claims == [
        *[same] * 4,
        f"{same}; a difference of 0.8 would be found in 80 of 100 comparisons",
    ]
    assert compare(path, path).pooled is None, "only if asked for"


def test_a_difference_that_ties_decide_is_not_claimed(scores):
    """Twelve of twelve, which eight ties could turn around."""
    one = scores({"s": [outcomes(12, 12)]})
    other = scores({"s": [outcomes(0, 24)]}, ties=range(1, 9))
    (row,) = compare(one, other).predictions
    assert readings(row) == {
        "as recorded": (12, 0), "for first": (12, 0), "for second": (4, 0),
    }  # fmt: skip
    assert (row.ties, row.rounded, row.better) == (8, 8, None)
    assert row.recorded.p_value < 0.001
    assert row.claim.startswith(
        "s: no difference is claimed: it depends on the items that rounding decided "
        "(p = 0.12 with ties for lab/a (1)); a difference of "
    )


def test_a_difference_that_holds_however_ties_are_read_is_claimed(scores):
    one = scores({"s": [outcomes(12, 12)]}, ties=[1])
    other = scores({"s": [outcomes(0, 24)]}, ties=[2, 24])
    (row,) = compare(one, other).predictions
    assert readings(row) == {
        "as recorded": (12, 0), "for first": (12, 0), "for second": (10, 1),
    }  # fmt: skip
    assert row.better == "first"
    assert row.claim.endswith("; however ties are read)")
    (other_way,) = compare(other, one).predictions
    assert other_way.better == "second"
    assert readings(other_way)["for first"] == (1, 10)


def test_ties_that_point_both_ways_are_no_difference(scores):
    """Significant either way, with the ties for one run and for the other."""
    tied = scores({"s": [outcomes(10, 10)]}, ties=range(1, 21))
    (row,) = compare(tied, scores({"s": [outcomes(10, 10)]})).predictions
    assert [r.p_value < 0.05 for r in row.readings] == [False, True, True]
    assert row.better is None


def test_a_conjunction_is_a_tie_only_if_the_tie_changes_it(scores):
    """Item 1 fails prediction 2 in any case."""
    predictions = [[True, True, True], [False, True, True]]
    path = scores({"s": predictions}, ties={0: [1, 2]})
    whole = compare(path, scores({"s": predictions})).predictions[2]
    assert (whole.prediction, whole.ties) == ("all", 1)
    assert readings(whole)["for second"] == (0, 1)


def test_of_many_predictions_one_that_is_significant_by_chance_is_not_claimed(scores):
    suites = {f"s{k}": [outcomes(24, 24)] for k in range(20)}
    changed = {**suites, "s7": [outcomes(24 - 7, 24 + 7)]}
    found = compare(scores(suites), scores(changed))
    row = next(row for row in found.predictions if row.suite == "s7")
    assert row.recorded.p_value == 2 / 128
    assert row.recorded.p_holm == pytest.approx(20 * 2 / 128)
    assert row.better is None
    assert "p = 0.016, 0.31 after Holm's correction" in row.claim


def test_suites_that_agree_are_significant_together(scores):
    names = "abcd"
    one = scores({name: [outcomes(24, 24)] for name in names})
    other = scores({name: [outcomes(28, 20)] for name in names})
    found = compare(one, other, pooled=True)
    assert all(row.better is None for row in found.predictions)
    pooled = found.pooled
    assert (pooled.items, pooled.recorded.only_second, pooled.better) == (192, 16, "second")
    assert pooled.recorded.p_value == 2 / 2**16
    assert pooled.test == "McNemar stratified by suite, exact"
    assert pooled.prediction == "a, b, c, d"
    assert pooled.claim.startswith("these 192 items alone: lab/a (1) scores higher, 0.583 against")
    mean = found.headline
    assert (mean.items, mean.difference, mean.recorded.only_second) == (4, pooled.difference, 4)
    assert mean.claim == (
        "mean over 4 suites: no difference is claimed: with 4 suites, p is always at least 0.12"
    )
    assert mean.test == "sign flips of suites, exact"


def test_the_mean_over_suites_counts_each_suite_once(scores):
    """The pool of a large suite and small ones says the reverse: nothing is claimed of it."""
    small = [f"s{k}" for k in range(8)]
    one = scores({"large": [outcomes(20, 180)], **{name: [outcomes(7, 1)] for name in small}})
    other = scores({"large": [outcomes(180, 20)], **{name: [outcomes(2, 6)] for name in small}})
    found = compare(one, other, pooled=True)
    mean, pooled = found.headline, found.pooled
    assert mean == compare(one, other).headline
    assert mean.recorded.first == pytest.approx((0.1 + 8 * 0.875) / 9)
    assert mean.recorded.second == pytest.approx((0.9 + 8 * 0.25) / 9)
    assert (mean.recorded.only_first, mean.recorded.only_second) == (8, 1)
    assert mean.difference < 0 < pooled.difference
    assert pooled.recorded.p_value < 1e-6
    assert (mean.better, pooled.better) == ("first", None)
    assert mean.claim.startswith("mean over 9 suites: lab/a (0) is better, 0.789 against 0.3")
    why = "the mean over suites differs in direction (-0.467, here +0.455)"
    assert pooled.claim == f"these 264 items alone: no difference is claimed: {why}"


def test_the_test_over_suites_is_that_of_their_differences(scores):
    right = {f"s{k}": (3 + k % 4, 4 + k % 4 + k % 3) for k in range(12)}
    one = scores({name: [outcomes(first, 12 - first)] for name, (first, _) in right.items()})
    other = scores({name: [outcomes(last, 12 - last)] for name, (_, last) in right.items()})
    mean = compare(one, other).headline
    differences = [(last - first) / 12 for first, last in right.values()]
    assert mean.recorded.p_value == sign_flip(differences).value == 2 / 2**12
    # Student's t with 11 degrees of freedom: 2.201 standard errors of the mean difference.
    error = statistics.stdev(differences) / 12**0.5
    assert mean.interval == pytest.approx((1 / 6 - 2.20099 * error, 1 / 6 + 2.20099 * error), 1e-5)
    assert mean.better == "second"
    assert mean.claim.startswith("mean over 12 suites: lab/a (1) is better, 0.542 against 0.375")


def test_no_item_counts_twice_in_the_pool(scores):
    """A suite under two names, and by two metrics."""
    names = ("s", "copy", "s (max)")
    one, other = (
        scores({name: [row] for name in names}, copies=dict.fromkeys(names, "s"))
        for row in (outcomes(5, 3), outcomes(3, 5))
    )
    found = compare(one, other)
    assert len(found.predictions) == 3
    assert found.pooled is None
    assert found.headline is None


def test_runs_that_differ_by_chance_are_rarely_claimed_to_differ(scores):
    """Two hundred pairs of runs of which none is better, at the level of 0.05."""
    draw = random.Random(1)
    names = [f"s{k}" for k in range(200)]
    one, other = (
        scores({name: [[draw.random() < 0.5 for _ in range(30)]] for name in names})
        for _ in range(2)
    )
    found = compare(one, other)
    assert sum(row.recorded.p_value < 0.05 for row in found.predictions) > 2
    assert not any(row.better for row in found.predictions)


# matching


def test_items_are_matched_by_number(scores, run):
    one = scores({"s": [outcomes(3, 2)]}, items=[1, 2, 3, 4, 5])
    other = scores({"s": [outcomes(2, 2)]}, items=[4, 5, 6, 2])
    (row,) = compare(one, other).predictions
    assert (row.items, row.alone) == (3, (2, 1))
    # 2 and 4 and 5: right, wrong, wrong; and wrong, right, right.
    assert (row.recorded.only_first, row.recorded.only_second) == (1, 2)
    done = run("evalmark", "compare", one, other)
    assert "2 : 1" in done.out
    assert f"note: s: 2 items are only in {one}, not compared" in done.err
    assert f"note: s: 1 item is only in {other}, not compared" in done.err


def test_items_of_the_same_number_are_not_compared(scores, run):
    one = scores({"s": [outcomes(3, 1)]}, items=[1, 2, 2, 3])
    other = scores({"s": [outcomes(4, 0)]})
    (row,) = compare(one, other).predictions
    assert (row.items, row.alone, row.repeated) == (2, (0, 1), (1, 0))
    assert f"note: s: 1 id has several items in {one}" in run(
        "evalmark", "compare", one, other
    ).err.replace("\n", " ")


def test_without_a_common_conjunction_no_prediction_is_the_whole_of_a_suite(scores):
    """The second run has another second prediction of `s`."""
    good, bad = outcomes(20, 0), outcomes(0, 20)
    one = scores({"s": [bad, good], "t": [good, good]})
    other = scores({"s": [good, bad], "t": [good, bad]}, formulas=["f0", "another"])
    found = compare(one, other, pooled=True)
    assert [(row.suite, row.prediction) for row in found.predictions] == [("s", "1"), ("t", "1")]
    assert (found.headline, found.pooled) == (None, None)
    assert found.wholes == found.predictions
    third = scores({"s": [good, bad], "t": [good, good], "u": [good]})
    with edited_record(third.parent) as record:
        for result in record["evaluation_results"]:
            if result["evaluation_name"] in ("s/2", "s/all"):
                result["metric_config"]["evaluation_description"] = "another"
    found = compare(scores({"s": [bad, good], "t": [bad, good], "u": [bad]}), third)
    assert found.headline.prediction == "t/all, u"


def test_another_formula_is_another_question(scores):
    one = scores({"s": [outcomes(3, 1), outcomes(2, 2)]})
    other = scores({"s": [outcomes(3, 1), outcomes(2, 2)]}, formulas=["another", "f1"])
    found = compare(one, other)
    assert [row.prediction for row in found.predictions] == ["2"]
    assert found.not_compared == (("s/1", "s/all"), ("s/1", "s/all"))


@pytest.mark.parametrize("suites", [{}, {"t": [outcomes(1, 1)]}])
def test_nothing_in_common_is_said(scores, refused, suites):
    one, other = scores({"s": [outcomes(2, 2)]}), scores(suites)
    for paths in ((one, other), (other, one)):
        said = refused("evalmark", "compare", *paths)
        assert "in common" in said or "has no items to compare" in said
        assert said.count("\n") == 1


# what is said first


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("bos", "none", "BOS auto / none"),
        ("join", "hf", "joining core / hf"),
        ("boundary", "corrected", "boundary none / corrected"),
        ("anything", "else", None),
    ],
)
def test_settings_that_differ_are_said_first(scores, run, key, value, said):
    paths = (
        scores({"s": [outcomes(2, 2)]}),
        scores({"s": [outcomes(2, 2)]}, settings={**SETTINGS, key: value}),
    )
    lines = run("evalmark", "compare", *paths).out.splitlines()
    assert lines[2] == (
        f"The runs differ in: {said}." if said else "The runs state the same settings."
    )


def test_the_model_its_revision_the_metric_and_texts_are_said(scores, run):
    one = scores({"s": [outcomes(2, 2)]}, model={**MODEL, "revision": "main"})
    other = scores({"s": [outcomes(2, 2)]}, model={**MODEL, "revision": "v2", "dtype": "float16"},
                   texts="other", metric="mean")  # fmt: skip
    assert run("evalmark", "compare", one, other).out.splitlines()[2] == (
        "The runs differ in: model revision main / v2; dtype float32 / float16; metric sum / mean; "
        "text of items (4 of 4 items of s)."
    )
    other = scores({"s": [outcomes(2, 2)]}, model={**MODEL, "id": "lab/b", "revision": "v2"})
    names = [difference.name for difference in compare(one, other).differences]
    assert names == ["model"]  # another model has other weights


def test_other_texts_support_no_claim_unless_a_setting_explains_them(scores):
    """Items of the same number can be other items; joined in another way, they are the same."""
    one, better = {"s": [outcomes(20, 20)]}, {"s": [outcomes(40, 0)]}
    (row,) = compare(scores(one), scores(better, texts="other")).predictions
    assert (row.better, row.other_texts) == (None, 40)
    assert row.claim.endswith("claimed: 40 of 40 items have another text in either run")
    joined = scores(better, texts="other", settings={**SETTINGS, "join": "hf"})
    (row,) = compare(scores(one), joined).predictions
    assert row.better == "second"


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        (10, 11, "; neither run is better than chance (0.500)"),
        (10, 24, "; lab/a is not better than chance (0.500)"),
        (24, 10, "; lab/b is not better than chance (0.500)"),
        (22, 24, ""),
    ],
)
def test_runs_that_are_not_better_than_chance_are_said_to_be_that(scores, first, second, said):
    """Of each suite, so many of 24 items are right, where a model that knows nothing has half."""
    names = "abcdefgh"
    runs = [
        scores(
            {n: [outcomes(right, 24 - right)] for n in names},
            model={**MODEL, "id": f"lab/{m}"},
            chance=0.5,
        )
        for m, right in (("a", first), ("b", second))
    ]
    found = compare(*runs)
    chance = "than chance"
    assert found.headline.claim.endswith(said)
    assert (chance in found.headline.claim) == bool(said)
    assert all((chance in row.claim) == bool(said) for row in found.predictions)


def test_a_difference_of_two_models_below_chance_is_no_verdict(scores, run):
    """Pooled, the first is better of these items; the command does not say so unless asked."""
    names = [f"s{k}" for k in range(3)]
    one = scores({name: [outcomes(8, 40)] for name in names}, chance=0.25)
    other = scores({name: [outcomes(4, 44)] for name in names}, chance=0.25)
    plain = run("evalmark", "compare", one, other, code=0).out
    assert "pooled" not in plain
    assert "scores higher" not in plain
    assert "neither run is better than chance (0.250)" in plain
    asked = run("evalmark", "compare", one, other, "--pooled", code=0).out
    assert "these 144 items alone: lab/a (0) scores higher, 0.167 against 0.083" in asked


# output


def test_every_format_has_all_counts(scores, run):
    one = scores({"s|x": [outcomes(12, 12)], "=t": [outcomes(2, 2)]}, ties=[1])
    other = scores(
        {"s|x": [outcomes(4, 20)], "=t": [outcomes(1, 3)]}, ties=[2], model={**MODEL, "id": "lab/b"}
    )
    shown = {
        name: run("evalmark", "compare", one, other, "--pooled", "--format", name)
        for name in ("table", "json", "markdown")
    }
    assert {done.code for done in shown.values()} == {0}
    data = json.loads(shown["json"].out)
    assert data["version"] == 1
    assert data.keys() == {
        "version", "models", "labels", "differences", "comparisons", "headline", "pooled", "means",
        "not_compared", "without_score",
    }  # fmt: skip
    first = data["comparisons"][0]
    assert [r["ties"] for r in first["readings"]] == [
        "as recorded", "for first", "for second",
    ]  # fmt: skip
    assert first["p_value"] == first["readings"][0]["p_value"]
    for name in ("table", "markdown"):
        for row in (*data["comparisons"], data["headline"], data["pooled"]):
            for reading in row["readings"]:
                assert f"{reading['only_first']} : {reading['only_second']}" in shown[name].out
            assert (
                row["claim"].replace("|", "\\|" if name == "markdown" else "|") in shown[name].out
            )
    assert "| s\\|x |" in shown["markdown"].out


# records and other programs


@pytest.fixture(scope="module")
def dtypes(tmp_path_factory, torch):
    """The folders of the demo model's runs over the fixture suites, in two dtypes."""
    from evalmark.converters.records.run import Producer
    from evalmark.scoring.models.load_models import load_model
    from evalmark.scoring.score_settings import Settings
    from evalmark.scoring.suites.suite_loading import load_suites
    from evalmark.scoring.suites.suite_output import write_output
    from evalmark.scoring.suites.suite_run import score_suites

    suites = load_suites([str(SUITES)])
    home = tmp_path_factory.mktemp("dtypes")
    for dtype in ("float32", "bfloat16"):
        model = load_model("demo", device="cpu", dtype=dtype)
        scores = score_suites(suites, model, Settings())
        write_output(scores, home / dtype, source=Producer("Lab", "other"), started=1_760_000_000)
    return home / "float32", home / "bfloat16"


def test_another_dtype_of_the_same_model_is_no_difference(dtypes, run):
    """Rounding decides a fifth of the items: any of the other ways to read them could claim one."""
    found = compare(*dtypes, pooled=True)
    assert [row.better for row in (*found.predictions, found.pooled)] == [None] * 6
    assert found.pooled.items == 240
    assert found.pooled.ties > 0
    assert min(reading.p_value for reading in found.pooled.readings) < 1e-6
    said = run("evalmark", "compare", *dtypes, code=0)
    assert "dtype float32 / bfloat16" in said.out.splitlines()[2]
    assert "no difference is claimed" in said.out.splitlines()[-1]


def test_a_record_says_what_its_run_says(dtypes):
    """The samples of a record say which items rounding decided."""
    folders = compare(*dtypes, pooled=True)
    for pair in ([record_in(d) for d in dtypes], [record_in(dtypes[0]), dtypes[1]]):
        records = compare(*pair, pooled=True)
        assert records.predictions == folders.predictions
        assert records.pooled == folders.pooled
        names = [difference.name for difference in records.differences]
        assert "dtype" in names
        assert "weights" not in names, "one checkpoint"
        assert "text of items" not in names


def test_a_record_that_counts_ties_without_placing_them_supports_no_claim(dtypes, tmp_path):
    """As earlier versions wrote it."""
    source = record_in(dtypes[1])
    with edited(source, tmp_path / "r.json") as record:
        link = record["detailed_evaluation_results"]
        rows = [
            json.loads(line) for line in (dtypes[1] / link["file_path"]).read_text().splitlines()
        ]
        for row in rows:
            del row["metadata"]["decided_by_rounding"]
            if row["evaluation_name"].startswith("reflexive_gender"):
                row["evaluation"] = {"score": 0.0, "is_correct": False}
        (tmp_path / link["file_path"]).write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    row = next(
        row for row in compare(dtypes[0], tmp_path / "r.json").predictions
        if row.suite == "reflexive_gender"
    )  # fmt: skip
    assert (row.recorded.p_holm < 0.001, row.better) == (True, None)
    assert "and a run does not say which" in row.claim


def log_with(path, change):
    """A copy of a log of Inspect in which samples are changed."""
    with edited(FIXTURES / "results/inspect/log.json", path) as data:
        change(data)
    return path


def graded(count, epochs=1):
    """Gives a log so many samples; each score is its number over the count."""

    def change(data):
        (sample, *_) = data["samples"]
        data["eval"]["config"]["epochs"] = epochs
        data["samples"] = [
            {**sample, "id": number, "epoch": epoch, "scores": {
                name: {**score, "value": number / count}
                for name, score in sample["scores"].items()
            }}
            for number in range(count) for epoch in range(1, epochs + 1)
        ]  # fmt: skip

    return change


def test_scores_that_are_not_right_or_wrong_get_signs_flipped(tmp_path):
    one = log_with(tmp_path / "one.json", graded(10))

    def better(data):
        graded(10)(data)
        for sample in data["samples"]:
            for score in sample["scores"].values():
                score["value"] += 0.05 if sample["id"] % 2 else 0.03

    other = log_with(tmp_path / "other.json", better)
    row = compare(one, other).predictions[0]
    assert (row.test, row.interval_method) == ("sign flips, exact", "Student's t")
    assert (row.recorded.p_value, row.recorded.standard_error) == (2 / 2**10, 0)
    assert row.better == "second"
    # 0.04 with a deviation of 0.01 · √(10/9), and t = 2.262.
    assert row.interval == pytest.approx((0.04 - 0.00754, 0.04 + 0.00754), abs=1e-5)


def test_repeated_items_are_one_item_each(tmp_path):
    """Three epochs of an item are not three items."""
    one = log_with(tmp_path / "one.json", graded(4, epochs=3))
    other = log_with(tmp_path / "other.json", graded(4))
    row, *_ = compare(one, other).predictions
    assert row.items == 4


def test_results_of_lm_eval_and_their_records(shared, tmp_path):
    (path,) = (shared / "data/results/lm_eval").glob("results_*.json")
    data = json.loads(path.read_text())
    first, _ = import_results(importer_of(data), path, data, NOTHING)
    old, new = (write_record(first, tmp_path, version=v).record for v in ("0.2.0", "0.3.0"))
    for pair in ((path, path), (path, old), (new, path.parent / path.name), (old, new)):
        found = compare(*pair)
        (row,) = found.predictions
        assert (row.suite, row.items, row.better) == ("math_perturbed_full/exact_match", 10, None)
        assert found.differences == ()
    found = compare(path, path)
    assert found.not_compared[0] == ("math_rephrased_full/exact_match (no samples)",)


def test_results_of_inspect_and_their_records(shared, tmp_path):
    logs = [shared / f"data/results/inspect/data_arc_{name}.json" for name in ("qwen", "sonnet")]
    records = []
    for log in logs:
        data = json.loads(log.read_text())
        (imported,) = import_results(importer_of(data), log, data, NOTHING)
        records.append(write_record(imported, tmp_path / log.stem, version="0.3.0").record)
    for pair in (logs, records, (logs[0], records[1])):
        found = compare(*pair)
        (row,) = found.predictions
        assert (row.suite, row.items, row.alone) == ("arc_easy/choice/accuracy", 3, (0, 2))
        assert (row.recorded.only_first, row.recorded.only_second) == (0, 2)
        assert (row.recorded.p_value, row.better) == (0.5, None)
        names = [difference.name for difference in found.differences]
        assert names == ["model", "limit"]
    with pytest.raises(ScoringError, match="no samples"):
        compare(logs[0], shared / "data/results/inspect/data_with_llm_scoring.json")
    with pytest.raises(ScoringError, match="in common"):
        compare(logs[0], shared / "data/results/inspect/data_pubmedqa_gpt4o_mini.json")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("scores.json", '{"suites": []}', "is a file of a run: name its folder"),
        ("a.json", "{}", "expected a record with its samples"),
        ("a.json", "{", "is not a run: F0"),
        ("a.json", b"\xff", "not UTF-8"),
        ("a.json", (FIXTURES / "good/record.json").read_bytes(), "names no sample file"),
    ],
)  # fmt: skip
def test_what_is_not_a_run_is_one_line(run, refused, tmp_path, scores, name, text, message):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    said = refused("evalmark", "compare", scores({"s": [outcomes(1, 1)]}), path)
    assert message in said
    assert said.count("\n") == 1
    assert run("evalmark", "compare", tmp_path, Path("nowhere")).code == 2


def test_a_pool_counts_its_own_items_also_if_they_are_as_many_as_those_of_the_first_suite():
    def suite(label, bounds, firsts, seconds):
        columns = [
            ScoredItems("q", {t: ItemScore(s, False, t) for t, s in scores.items()}, bounds=bounds)
            for scores in (firsts, seconds)
        ]
        one, other = (ComparedSuite(label, label, None, {"": column}) for column in columns)
        pairs = {t: tuple(column.items[t] for column in columns) for t in firsts}
        return MatchedItems(one, other, "", tuple(columns), pairs, (0, 0), (0, 0))

    old, new = ([f"{kind}{n}" for n in range(10)] for kind in "tu")
    perplexity = suite("perplexity", None, *[{t: float(n) for n, t in enumerate(old[:5])}] * 2)
    equal = suite("equal", (0, 1), *[dict.fromkeys(old, 1.0)] * 2)
    better = suite("better", (0, 1), dict.fromkeys(new[:5], 0.0), dict.fromkeys(new[:5], 1.0))
    (pool,) = drafts([perplexity, equal, better], SAMPLES, pooled=True).pooled
    assert pool.row.items == 10, "the first five texts count with the perplexity"
    assert (pool.row.recorded.only_first, pool.row.recorded.only_second) == (0, 5)
