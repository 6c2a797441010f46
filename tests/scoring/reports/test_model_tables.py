"""`evalmark report` and `read_runs` over many runs: one table, one base, curves in order."""

import re
import shutil
from dataclasses import replace

import pytest
from evalmark.converters.records.run import Dataset, Metric, Result
from evalmark.scoring.comparison.run_comparison import compare_all
from evalmark.scoring.reports.charts import ticks
from evalmark.scoring.reports.comparison.model_scores import (
    score_table,
    scores_of,
    with_unique_names,
)
from evalmark.scoring.reports.comparison.models_page import models_page, series_curves, with_mean
from evalmark.scoring.runs.run_sources import run_at, runs_below
from evalmark.stats.intervals import average_interval
from pages import words_of
from run_data import edited_record, view_of
from standin_runs import write_pairs_run, write_run

pytest.importorskip("jinja2")
NAMES = ("step-100", "step-200", "step-1000")


def scores_at(path):
    return scores_of(run_at(path))


@pytest.fixture(scope="module")
def steps(tmp_path_factory):
    """A folder with the runs of three training steps."""
    folder = tmp_path_factory.mktemp("steps")
    for seed, name in enumerate(NAMES, 1):
        write_run(folder / name, f"us/{name}", seed=seed, suites=4, items=12)
    return folder


def test_runs_are_in_the_order_of_their_numbers(steps):
    assert [folder.name for folder in runs_below(steps)] == list(NAMES)


def test_the_table_of_runs_is_their_accuracies_with_chance(steps):
    runs = [scores_at(steps / name) for name in NAMES]
    table = score_table(runs)
    assert [row.name for row in table.rows] == [*(f"us/{name}" for name in NAMES), "chance"]
    columns = [label.name for label in table.columns]
    values = [dict(zip(columns, (cell.value for cell in row), strict=True)) for row in table.cells]
    for row, name in zip(values[:-1], NAMES, strict=True):
        view = view_of(steps / name)
        for suite in view.suites:
            assert row[suite.name] == suite.whole.score.score
            assert values[-1][suite.name] == suite.whole.score.chance
        (group,) = [group for group in view.groups if not group.tag]
        assert row["mean"] == pytest.approx(group.score.score)
    names = [label.name for label in score_table(runs, detailed=True).columns]
    assert "number_prp_2/3" in names
    assert "mean" not in names


def test_a_mean_is_over_what_all_runs_have(steps, tmp_path):
    for name, suites in (("all", 3), ("fewer", 2)):
        write_run(tmp_path / name, f"us/{name}", suites=suites, items=4)
    runs = [scores_at(tmp_path / name) for name in ("all", "fewer")]
    table = score_table(runs)
    scores = list(runs[0].parts.values())
    assert table.cells[0][0].value == pytest.approx((scores[0].score + scores[1].score) / 2)
    assert table.cells[1][-1].full == "–"


def test_runs_of_one_model_have_names_of_their_own(steps):
    one = scores_at(steps / NAMES[0])
    names = [run.name for run in with_unique_names([one, one, scores_at(steps / NAMES[1])])]
    assert names == ["us/step-100 (1)", "us/step-100 (2)", "us/step-200"]


def test_three_runs_are_compared_with_the_first(run, steps, tmp_path):
    folders = [steps / name for name in NAMES]
    run("evalmark", "report", *folders, "--out", tmp_path / "x.html")
    text = words_of(tmp_path / "x.html")
    assert "Compared with us/step-100" in text
    for one in compare_all(folders[0], folders[1:]):
        whole = one.headline
        assert f"{whole.difference:+.3f}" in text
        assert f"{whole.recorded.p_holm:.3g}" in text
    assert "Holm's correction is over all 2 runs together" in text


def test_a_run_without_samples_is_in_the_table_and_the_others_are_compared(run, steps, tmp_path):
    for name in NAMES[:3]:
        shutil.copytree(steps / name, tmp_path / name)
    for samples in (tmp_path / NAMES[2]).glob("*_samples.jsonl"):
        samples.unlink()
    run("evalmark", "report", tmp_path, "--out", tmp_path / "x.html", code=0)
    text = words_of(tmp_path / "x.html")
    assert "3 runs of 4 suites" in text
    assert "has no samples" in text
    assert "Differences by prediction" in text


def test_a_run_has_one_name_on_a_page(tmp_path):
    for name in ("b/1", "a/1", "a/2", "a/3"):
        write_run(tmp_path / name, "us/x", suites=1, items=4)
    (samples,) = (tmp_path / "a/1").glob("*_samples.jsonl")
    samples.unlink()
    runs = [scores_at(tmp_path / name) for name in ("b/1", "a/1", "a/2", "a/3")]
    page = words_of(models_page(runs))
    table, compared = page.split("Compared with")
    assert all(f"us/x ({name})" in table for name in ("b", "a, 1", "a, 2", "a, 3"))
    assert re.findall(r"us/x \(a, \d\)", compared)
    assert "us/x (a, 1)" not in compared, "it has no samples"


def test_a_page_of_many_runs_says_why_they_are_not_compared(tmp_path):
    write_run(tmp_path / "suites", "us/x", suites=1, items=4)
    write_pairs_run(tmp_path / "pairs", "us/x", uids=1, pairs=3)
    runs = [scores_at(tmp_path / name) for name in ("suites", "pairs")]
    page = words_of(models_page(runs))
    assert "The runs are not compared: the runs have no" in page
    assert "Compared with" not in page


def test_a_series_is_drawn_with_chance_and_intervals(run, steps, tmp_path):
    run("evalmark", "report", steps, "--series", "--out", tmp_path / "x.html", code=0)
    html = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert html.count("<figure") == 5, "the mean and four suites"
    assert "95 % interval over items" in html
    runs = [scores_at(steps / name) for name in NAMES]
    mean = with_mean(runs[0], runs)["mean"]
    shares = [score.score for score in runs[0].parts.values()]
    assert mean.interval == average_interval(shares, [12] * 4)
    assert mean.chance == pytest.approx(sum(s.chance for s in runs[0].parts.values()) / 4)
    assert series_curves(runs) in html
    assert ticks(0, 1)[-1] == 1.0


def test_a_measure_of_another_program_from_minus_1_to_1_is_no_correlation_with_people(steps):
    signed = Metric("Matthews", "MCC", lower_is_better=False, bounds=(-1, 1))
    whole = run_at(steps / NAMES[0])
    result = Result("cola", Dataset("CoLA"), signed, -0.2)
    theirs = scores_of(replace(whole, results=(result,), samples=()))
    text = words_of(series_curves([theirs, theirs]))
    assert "score from -1 to 1 over runs" in text
    assert "with people" not in text
    assert "accuracy" not in text


def test_checkpoints_are_drawn_as_a_series_in_the_order_of_their_steps(run, steps, tmp_path):
    for number, step in enumerate(range(9, 0, -1)):
        folder = tmp_path / f"runs/r{number}"
        shutil.copytree(steps / NAMES[number % 3], folder)
        with edited_record(folder) as record:
            record["model_info"]["id"] = "lab/baby"
            record["model_info"]["additional_details"] = {"revision": f"chck_{step}M"}
    run("evalmark", "report", tmp_path / "runs", "--out", tmp_path / "x.html", code=0)
    html = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert html.count("<figure") == 5
    listed = re.findall(r"chck_(\d)M", words_of(html))[:9]
    assert listed == [str(step) for step in range(1, 10)]


def test_many_runs_have_one_table_and_no_charts_of_each(run, steps, tmp_path):
    for number in range(9):
        shutil.copytree(steps / NAMES[number % 3], tmp_path / f"runs/r{number}")
    run("evalmark", "report", tmp_path / "runs", "--out", tmp_path / "x.html", code=0)
    text = words_of(tmp_path / "x.html")
    assert "9 runs of 4 suites" in text
    assert "us/step-100 (r0)" in text
    assert "Surprisal by region" not in text


def test_a_run_with_damaged_samples_keeps_no_other_from_the_page(run, steps, tmp_path):
    runs = shutil.copytree(steps, tmp_path / "runs")
    (rows, *_) = sorted(runs.rglob("*_samples.jsonl"))
    rows.write_text(rows.read_text(encoding="utf-8").replace("regions", "region"))
    done = run("evalmark", "report", runs, "--series", "--out", tmp_path / "x.html")
    assert (done.code, (tmp_path / "x.html").is_file()) == (0, True), done.err


def test_pairs_have_a_table_of_sets_and_uids(run, tmp_path):
    for seed, name in enumerate(("one", "two", "three"), 1):
        write_pairs_run(tmp_path / "runs" / name, f"us/{name}", seed=seed, uids=5, pairs=20)
    done = run("evalmark", "report", tmp_path / "runs", "--series", "--out", tmp_path / "x.html")
    assert done.code == 0, done.err
    assert "accuracy, by set" in words_of(tmp_path / "x.html")
    folders = runs_below(tmp_path / "runs")
    table = score_table(list(map(scores_at, folders)), detailed=True)
    first = dict(zip([label.name for label in table.columns], table.cells[0], strict=True))
    for uid in view_of(folders[0]).uids:
        assert first[uid.label].value == uid.score.score
