"""What the documents of suites allow: a suite of several metrics, and one without predictions."""

import json
import math
import statistics
from pathlib import Path

import pytest
from conftest import FIXTURES, data_at, file_at
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.comparison.run_comparison import compare
from evalmark.scoring.reports.suite_page import suites_page
from evalmark.scoring.suites.regions import METRICS
from evalmark.scoring.suites.suite_loading import load_suite, load_suites
from recorded_suites import surprisals_at
from run_data import record_of, suites_of, table, view_of
from suites import regions_in, suite_of, texts_in

BY_HAND = {
    "sum": math.fsum,
    "mean": statistics.fmean,
    "median": statistics.median,
    "range": lambda values: max(values) - min(values),
    "max": max,
    "min": min,
}


def legacy(metric, predictions=None, name="agreement", tags=()):
    """Two items in two conditions; the second region has two words."""
    triple = {"region_number": 2, "l_operand": "bad", "relation": "greaterthan", "r_operand": "ok"}
    items = [
        {"ok": "The pilot|laughs loudly", "bad": "The pilot|laugh loudly"},
        {"ok": "The guard|sings well", "bad": "The guard|sing well"},
    ]
    data = suite_of(items, (), metric, regions=("subject", "verb"), name=name, tags=list(tags))
    return data | {"predictions": [triple] if predictions is None else predictions}


def surprisals_for(path, suite):
    """A file of surprisals: each word its own token, with a value that nothing rounds."""
    values = [
        [(word, (7 * k * n) % 11 + 0.5 * n) for n, word in enumerate(" ".join(texts).split(), 1)]
        for k, texts in enumerate(texts_in(suite), 1)
    ]
    return surprisals_at(path, values)


@pytest.fixture
def scored(run, tmp_path):
    """Scores suites with the command; by default a legacy one by a file of surprisals."""

    def score(data, *arguments, out="out"):
        path = file_at(tmp_path / "suite.json", data)
        tsv = surprisals_for(tmp_path / "surprisals.tsv", data)
        how = arguments or ("--surprisals", tsv)
        return run("evalmark", "score", path, *how, "--out", tmp_path / out), tmp_path / out

    return score


# several metrics


@pytest.mark.conforms("L-8", "L-9", "L-10", "L-11", "L-12", "L-13", "L-16", "L-17", "L-18")
@pytest.mark.parametrize(
    ("declared", "metrics"),
    [
        ("all", list(METRICS)),
        (["sum", "mean"], ["sum", "mean"]),
        (["max", "range"], ["max", "range"]),
        (["median"], ["median"]),
    ],
)
def test_every_metric_that_a_legacy_suite_names_is_computed(scored, run, declared, metrics):
    data = legacy(declared)
    done, folder = scored(data)
    assert done.code == 0, done.err
    rows = table(folder, "regions")
    assert list(dict.fromkeys(row["metric"] for row in rows)) == metrics
    values = {}
    sentences = [(item, c) for item in data["items"] for c in item["conditions"]]
    for sentence, (item, condition) in enumerate(sentences, 1):
        for region, tokens in ((1, (1, 2)), (2, (3, 4))):
            own = [(7 * sentence * n) % 11 + 0.5 * n for n in tokens]
            key = (item["item_number"], condition["condition_name"], region)
            values[key] = {metric: BY_HAND[metric](own) for metric in metrics}
    for row in rows:
        key = (int(row["item"]), row["condition"], int(row["region"]))
        assert float(row["value"]) == pytest.approx(values[key][row["metric"]])
    several = len(metrics) > 1
    names = [f"agreement ({metric})" if several else "agreement" for metric in metrics]
    suites = suites_of(folder)
    assert [suite["label"] for suite in suites] == names
    for suite, metric in zip(suites, metrics, strict=True):
        holds = [values[n, "bad", 2][metric] > values[n, "ok", 2][metric] for n in (1, 2)]
        assert suite["predictions"][0]["outcomes"] == holds
        assert (suite["name"], suite["metric"]) == ("agreement", metric)
    record = record_of(folder)
    results = {r["evaluation_name"]: r["score_details"] for r in record["evaluation_results"]}
    assert list(results) == [f"{name}/all" for name in names]
    assert [results[f"{name}/all"]["details"]["metric"] for name in names] == metrics
    assert run("evalmark", "check", folder).code == 0
    view = view_of(folder)
    assert [(suite.name, suite.metric) for suite in view.suites] == list(
        zip(names, metrics, strict=True)
    )
    assert all(name in suites_page([view]) for name in names)
    assert all(name in done.out for name in names)


@pytest.mark.conforms("L-18")
def test_one_of_the_metrics_can_be_chosen(scored):
    done, folder = scored(legacy("all"))
    assert done.code == 0
    chosen, only = scored(legacy("all"), "--surprisals", folder.parent / "surprisals.tsv",
                          "--metric", "mean", out="only")  # fmt: skip
    assert chosen.code == 0
    assert [row for row in table(folder, "regions") if row["metric"] == "mean"] == [
        {**row, "suite": "agreement (mean)"} for row in table(only, "regions")
    ]
    refused, _ = scored(legacy(["sum"]), "--model", "demo", "--metric", "mean", out="no")
    assert refused.code == 2
    assert "does not name the metric `mean`" in refused.err


def test_a_metric_that_is_not_used_is_said(run):
    for metric, is_used in (("sum", True), ("mean", False)):
        suite = FIXTURES / "good/suite.json"
        done = run("evalmark", "score", suite, "--metric", metric, "--dry-run", code=0)
        note = "note: --metric is not used for suites that name one metric: agreement\n"
        assert (note not in done.err) is is_used


def test_predictions_that_are_not_used_are_said(run, tmp_path):
    formulas, without = tmp_path / "formulas.txt", tmp_path / "without.json"
    formulas.write_text("(2;%match%) < (2;%mismatch%)\n", encoding="utf-8")
    file_at(without, {**data_at("good/suite.json"), "predictions": []})
    for suite, is_used in ((FIXTURES / "good/suite.json", False), (without, True)):
        call = ("evalmark", "score", suite, "--predictions", formulas, "--dry-run")
        done = run(*call, code=0)
        note = "note: --predictions is not used for suites with predictions: agreement\n"
        assert (note not in done.err) is is_used


@pytest.mark.parametrize("path", ["good/record.json", "versions/ltm-definition-1.json"])
def test_what_is_no_suite_is_not_scored(path, run):
    done = run("evalmark", "score", FIXTURES / path, "--dry-run", code=2)
    assert "is not scored; suites and minimal pairs are" in done.err


def test_averages_are_those_of_a_metric(scored, run, tmp_path):
    """A suite with six metrics does not count six times as much as another."""
    file_at(tmp_path / "a.json", legacy("all", name="a", tags=["t"]))
    file_at(tmp_path / "b.json", legacy("sum", name="b", tags=["t"]))
    done = run("evalmark", "score", tmp_path / "a.json", tmp_path / "b.json", "--model", "demo",
               "--device", "cpu", "--out", tmp_path / "out", code=0)  # fmt: skip
    groups = {
        (g.metric, g.tag): [suite.name for suite in g.suites]
        for g in view_of(tmp_path / "out").groups
    }
    assert groups["sum", None] == groups["sum", "t"] == ["a (sum)", "b"]
    assert groups["mean", None] == ["a (mean)"]
    assert "average of 2 suites, sum" in done.out
    page = suites_page([view_of(tmp_path / "out")])
    assert '<th scope="row">t, sum</th><td class="number">2</td>' in page


def test_two_runs_of_several_metrics_are_compared_metric_by_metric(scored):
    _, one = scored(legacy(["sum", "max"]))
    _, other = scored(legacy(["sum", "max"]), out="other")
    assert [row.suite for row in compare(one, other).predictions] == [
        "agreement (sum)",
        "agreement (max)",
    ]


def test_a_run_of_all_metrics_is_compared_with_a_run_of_one(scored, run):
    _, one = scored(legacy("all"))
    tsv = one.parent / "surprisals.tsv"
    how = ("--surprisals", tsv, "--metric", "sum")
    _, other = scored(legacy("all"), *how, out="other")
    others = [f"agreement ({metric})" for metric in METRICS if metric != "sum"]
    assert [row.suite for row in compare(one, other).predictions] == ["agreement (sum)"]
    assert [row.suite for row in compare(other, one).predictions] == ["agreement"]
    done = run("evalmark", "compare", other, one, code=0)
    assert "\nagreement " in done.out
    assert done.err == f"note: only in {one}, not compared: {', '.join(others)}\n"
    data = json.loads(run("evalmark", "compare", one, other, "--format", "json").out)
    assert data["not_compared"] == {"first": others, "second": []}
    _, mean = scored(legacy("all"), *how[:3], "mean", out="mean")
    assert [row.suite for row in compare(one, mean).predictions] == ["agreement (mean)"]
    said = run("evalmark", "compare", mean, other)  # the same items, by two metrics
    assert (said.code, said.err) == (0, "")
    assert "The runs differ in: metric mean / sum." in said.out


def test_one_suite_of_several_metrics_is_not_one_loaded_suite(tmp_path):
    path = str(file_at(tmp_path / "s.json", legacy(["sum", "max"])))
    assert [suite.suite.metric for suite in load_suites([path])] == ["sum", "max"]
    assert load_suite(path, metric="max").suite.metric == "max"
    with pytest.raises(ScoringError, match=r"several metrics \(sum, max\): choose one"):
        load_suite(path)
    with pytest.raises(ScoringError, match="SG115 `metric` must not be empty"):
        load_suites([str(file_at(tmp_path / "s.json", legacy([])))])


def evaluated(data):
    """The suite with a value of every metric in each region, as evaluated suites have them."""
    for number, region in enumerate(regions_in(data), 1):
        region["metric_value"] = {m: number + i / 8 for i, m in enumerate(METRICS)}
    return data


def test_recorded_values_are_those_of_each_metric(scored):
    data = evaluated(legacy("all"))
    done, folder = scored(data, "--surprisals=recorded")
    assert done.code == 0, done.err
    rows = iter(table(folder, "regions"))
    for metric in METRICS:
        for region in regions_in(data):
            row = next(rows)
            assert (row["metric"], float(row["value"])) == (metric, region["metric_value"][metric])


def test_an_empty_region_has_a_recorded_sum_and_nothing_else(scored):
    data = evaluated(legacy(["sum", "mean"]))
    for item in data["items"]:
        for condition in item["conditions"]:
            condition["regions"][0] = {"region_number": 1, "content": ""}
    done, folder = scored(data, "--surprisals=recorded")
    assert done.code == 0, done.err
    values = {
        row["metric"]: row["value"] for row in table(folder, "regions") if row["region"] == "1"
    }
    assert values == {"sum": "0.0", "mean": ""}


@pytest.mark.conforms("L-18", "L-27")
def test_the_published_legacy_suite_has_the_values_of_its_own_tool(shared, run, tmp_path):
    folder = shared / "data/suites/legacy-triples"
    out = folder / "test_out_grnn.json"
    run("evalmark", "score", folder / "test_in.json", "--surprisals",
        folder / "test_surp_grnn.txt", "--out", tmp_path / "a", code=0)  # fmt: skip
    told = run("evalmark", "score", out, "--surprisals=recorded", "--out", tmp_path / "b", code=0)
    assert "no predictions" in told.err  # the tool wrote none into its results
    one, other = table(tmp_path / "a", "regions"), table(tmp_path / "b", "regions")
    assert len(one) == len(other) == 24 * 6
    for row, recorded in zip(one, other, strict=True):
        assert row["metric"] == recorded["metric"]
        assert float(row["value"]) == pytest.approx(float(recorded["value"]), abs=1e-6)


# no predictions


def current(metric="sum", predictions=()):
    """The same suite in the current format."""
    data = legacy(metric, list(predictions))
    data["meta"]["name"] = "curves"
    return data


@pytest.mark.conforms("L-32", "S-21")
def test_a_suite_without_predictions_has_surprisals_and_no_accuracy(scored, run):
    done, folder = scored(current())
    assert done.code == 0, done.err
    assert done.out == ""
    note = "note: curves has no predictions: surprisals, but no accuracy"
    assert done.err.splitlines()[0] == note
    assert table(folder, "effects") == []
    rows = table(folder, "regions")
    assert len(rows) == 8
    assert all(float(row["value"]) > 0 for row in rows)
    (suite,) = suites_of(folder)
    assert (suite["predictions"], suite["all"], suite["items"]) == ([], None, 2)
    assert view_of(folder).groups == []
    (result,) = record_of(folder)["evaluation_results"]
    assert result["evaluation_name"] == "curves/surprisals"
    assert result["score_details"]["details"]["not_compared"] == "the suite has no predictions"
    assert run("evalmark", "check", folder).code == 0
    run("evalmark", "report", folder, code=0)
    page = (folder / "report.html").read_text()
    assert "The suite has no predictions" in page
    assert page.count('class="chart curves') == 1
    assert 'class="chart bars' not in page
    assert "correct</th>" not in page


def test_beside_others_a_suite_without_predictions_changes_no_result(run, tmp_path):
    suites = [file_at(tmp_path / "a.json", legacy("sum", name="a")),
              file_at(tmp_path / "b.json", current())]  # fmt: skip
    folders = []
    for chosen in (suites[:1], suites):
        out = tmp_path / f"out{len(chosen)}"
        done = run("evalmark", "score", *chosen, "--model", "demo", "--device", "cpu", "--out", out)
        assert done.code == 0, done.err
        folders.append(out)
    assert "note: curves has no predictions" in done.err
    one, both = (record_of(folder)["evaluation_results"] for folder in folders)
    *same, last = both
    assert last["evaluation_name"] == "curves/surprisals"
    assert [r["evaluation_name"] for r in same] == [r["evaluation_name"] for r in one]
    assert [r["score_details"] for r in same] == [r["score_details"] for r in one]
    groups = [[(g.tag, g.score.score) for g in view_of(folder).groups] for folder in folders]
    assert groups[0] == groups[1]
    assert {row["suite"] for row in table(folders[1], "regions")} == {"a", "curves"}
    assert run("evalmark", "check", folders[1]).code == 0
    page = suites_page([view_of(folders[1])])
    assert page.count('class="chart curves') == 2
    assert page.count("The suite has no predictions") == 1
    assert [row.suite for row in compare(*folders).predictions] == ["a"]


def test_without_predictions_there_is_nothing_to_compare(scored):
    _, one = scored(current())
    _, other = scored(current(), out="other")
    with pytest.raises(ScoringError, match="has no predictions"):
        compare(one, other)


def test_a_run_that_loses_its_predictions_has_another_record(scored, run):
    """Only what the run before it wrote is deleted."""
    _, folder = scored(legacy("sum"))
    assert record_of(folder)
    Path(folder / "mine.txt").write_text("kept")
    again, _ = scored(current(), "--surprisals", folder.parent / "surprisals.tsv", "--overwrite")
    assert again.code == 0, again.err
    assert len(list(folder.iterdir())) == len({"record", "samples", "run.json", "mine.txt"})
    assert record_of(folder)["evaluation_results"][0]["evaluation_name"] == "curves/surprisals"


@pytest.mark.parametrize("model", ["demo"])
def test_the_demo_model_draws_curves_of_a_published_shape(run, tmp_path, model):
    data = data_at("suites/garden_path.json")
    with_predictions = file_at(tmp_path / "with.json", data)
    without = file_at(tmp_path / "without.json", {**data, "predictions": []})
    tables = []
    for path in (with_predictions, without):
        out = tmp_path / path.stem
        done = run("evalmark", "score", path, "--model", model, "--device", "cpu", "--out", out)
        assert done.code == 0, done.err
        tables.append(table(out, "regions"))
    assert tables[0] == tables[1], "predictions do not change a surprisal"
