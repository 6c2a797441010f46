"""The page of suites says what one wants to know first, and is small."""

import json
import re
import shutil

import pytest
import standin_runs
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.comparison.run_comparison import compare
from evalmark.scoring.reports.comparison.model_scores import scores_of
from evalmark.scoring.reports.run_page import rows_of_table
from evalmark.scoring.reports.suite_page import average_rows, suites_page
from evalmark.scoring.runs.run_origin import _data
from evalmark.stats.intervals import average_interval, wilson_interval
from pages import words_of
from run_data import add_foreign_result, edited_record, view_of
from standin_runs import write_run

pytest.importorskip("jinja2")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """A folder with two runs below it."""
    folder = tmp_path_factory.mktemp("results")
    for seed, name in enumerate(("one", "two"), 1):
        write_run(folder / f"runs/{name}", f"us/{name}", seed=seed, suites=4, items=12)
    return folder


def test_the_headline_is_the_average_with_interval_and_chance(run, results, tmp_path):
    folder = results / "runs/one"
    run("evalmark", "report", folder, "--out", tmp_path / "x.html")
    text = words_of(tmp_path / "x.html")
    (group,) = [group for group in view_of(folder).groups if not group.tag]
    assert f"{group.score.score:.3f} average accuracy of 4 suites 95 % interval" in text
    assert f"chance {group.score.chance:.3f}" in text


def test_the_interval_of_an_average_of_one_suite_is_that_of_the_suite():
    assert average_interval([0.25], [24]) == pytest.approx(wilson_interval(0.25, 24))
    low, high = average_interval([0.25, 0.25], [24, 24])
    once = wilson_interval(0.25, 24)
    assert once[0] < low < 0.25 < high < once[1], "two suites say more than one"


def test_two_runs_have_the_difference_that_compare_finds(results):
    one, two = (view_of(results / "runs" / name) for name in ("one", "two"))
    expected = compare(one.run, two.run)
    first, second = average_rows([one, two])[0].cells
    assert second.score - first.score == pytest.approx(expected.headline.difference)
    text = words_of(suites_page([one, two]))
    for row in expected.table[1]:
        assert " ".join(filter(None, row)) in text
    assert f"p = {expected.headline.recorded.p_value:.3g}" in text
    assert f"Mean over {expected.headline.items} suites: " in text
    assert "pooled" not in text
    assert "items alone" not in text
    assert "did not read the same texts" not in text


def test_of_many_suites_the_bars_are_those_of_all_predictions(tmp_path, monkeypatch):
    """Also if the first run has one prediction of a suite, and the second has two."""
    more = write_run(tmp_path / "more", "us/more", suites=13, items=2)
    monkeypatch.setattr(standin_runs, "FORMULAS", standin_runs.FORMULAS[:1])
    one = write_run(tmp_path / "one", "us/one", suites=13, items=2)
    drawn = []
    monkeypatch.setattr(
        "evalmark.scoring.reports.suite_page.score_charts",
        lambda title, models, rows: drawn.extend(row.names for row in rows) or "",
    )
    suites_page([view_of(one), view_of(more)])
    assert drawn == [(f"number_prp_{number}", "all") for number in range(1, 14)]


def test_of_other_items_no_difference_is_claimed(results, tmp_path):
    other = write_run(tmp_path / "other", "us/other", suites=4, items=13)
    text = words_of(suites_page([view_of(results / "runs/one"), view_of(other)]))
    assert "no difference is claimed: " in text
    alone = write_run(tmp_path / "alone", "us/alone", suites=1, items=3)
    with edited_record(alone) as changed:
        for result in changed["evaluation_results"]:
            result["evaluation_name"] = result["evaluation_name"].replace("number_prp_1", "z")
            result["source_data"]["dataset_name"] = "z"
    (rows,) = alone.glob("*_samples.jsonl")
    rows.write_text(rows.read_text().replace("number_prp_1/", "z/"))
    text = words_of(suites_page([view_of(results / "runs/one"), view_of(alone)]))
    assert "The runs are not compared: " in text


def test_a_damaged_run_is_one_line(run, results, tmp_path):
    """What is wrong with a run is said when it is read, so that the others can be drawn."""
    damages = [("metric", None), ("chance_fraction", "high"), ("tags", "5"), ("tags", "[")]
    for number, (key, value) in enumerate(damages):
        broken = tmp_path / str(number)
        shutil.copytree(results / "runs/one", broken)
        with edited_record(broken) as record:
            details = record["evaluation_results"][0]["score_details"]["details"]
            details[key] = value
            if value is None:
                del details[key]
        done = run("evalmark", "report", broken, results / "runs/two", "--out", tmp_path / "x.html")
        assert done.code == 2
        assert len(done.err.splitlines()) == 2
        assert "is not a run as evalmark writes it: " in done.err
        assert not any(words in done.err for words in ("literal", "Expecting", "Fraction"))


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("correct", "5", "has 5 of 12 right, and the score"),
        ("correct", "99", "has 99 of 12 right, and the score"),
        ("items", "0", "of 0 right, and the score"),
        ("ties", "5", "`ties` of number_prp_1/1 is 5, but 0 by its samples"),
        ("scored", "weird", "has scored 'weird', and not such as '5 of 48 items'"),
        ("metric", None, "it has no 'metric'"),
    ],
)
def test_a_run_whose_details_are_not_those_of_its_score_is_refused(
    run, results, tmp_path, key, value, said
):
    shutil.copytree(results / "runs/one", tmp_path / "r")
    with edited_record(tmp_path / "r") as record:
        (whole, *_) = record["evaluation_results"]
        whole["score_details"]["details"] |= {key: value}
        if value is None:
            del whole["score_details"]["details"][key]
    done = run("evalmark", "report", tmp_path / "r", "--out", tmp_path / "x.html")
    assert done.code == 2
    assert said in done.err
    assert "Error(" not in done.err


def test_a_score_that_its_samples_do_not_have_is_refused(results, tmp_path):
    shutil.copytree(results / "runs/one", tmp_path / "r")
    with edited_record(tmp_path / "r") as record:
        details = record["evaluation_results"][0]["score_details"]
        details["score"], details["details"]["correct"] = 0.0, "0"
    with pytest.raises(ScoringError, match=r"`correct` of .* is 0, but 9 by its samples"):
        view_of(tmp_path / "r")


def test_a_result_from_elsewhere_is_left_out_of_the_page_of_a_run(results, tmp_path):
    shutil.copytree(results / "runs/one", tmp_path / "r")
    add_foreign_result(tmp_path / "r")
    text = suites_page([view_of(tmp_path / "r")])
    assert text.count("number_prp_1") == suites_page([view_of(results / "runs/one")]).count(
        "number_prp_1"
    )
    assert "elsewhere" not in text


def test_a_row_says_what_the_views_show(results):
    views = [view_of(results / "runs" / name) for name in ("one", "two")]
    found = rows_of_table([scores_of(view.run) for view in views])
    assert len(found) == len({row.names for row in found}) == 3 + 4 + 1 + 3
    for row in found:
        assert ("below" in row.kind) == any(cell.interval[1] < cell.chance for cell in row.cells)
        assert ("failed" in row.kind) == any(cell.right < cell.items for cell in row.cells)


def test_report_finds_the_runs_below_a_folder(run, results, tmp_path):
    done = run("evalmark", "report", results, "--out", tmp_path / "x.html")
    assert (done.code, done.err) == (0, f"wrote {tmp_path / 'x.html'}\n")
    named = results / "runs/one", results / "runs/two"
    run("evalmark", "report", *named, "--out", tmp_path / "y.html")
    assert (tmp_path / "x.html").read_bytes() == (tmp_path / "y.html").read_bytes()
    run("evalmark", "report", results)
    assert (results / "report.html").exists()


@pytest.mark.parametrize("place", ["results/gpt2", "results/family/gpt2"])
def test_a_run_of_suites_may_be_in_a_folder_that_is_called_results(run, tmp_path, place):
    """Agents of memory tests are in one of that name, too."""
    folder = write_run(tmp_path / place, "us/m", suites=1, items=2)
    for path in (folder, folder.parent, tmp_path):
        done = run("evalmark", "report", path, "--out", tmp_path / "x.html")
        assert (done.code, done.err) == (0, f"wrote {tmp_path / 'x.html'}\n")


def test_titles_name_model_data_date_and_version(run, results, tmp_path):
    run("evalmark", "report", results / "runs/one", "--out", tmp_path / "x.html")
    (title,) = re.findall(
        "<title>(.*?)</title>", (tmp_path / "x.html").read_text(encoding="utf-8"), re.DOTALL
    )[:1]
    assert re.fullmatch(r"us/one: number_prp_1 and 3 more, 2025-10-09, evalmark [\w.+]+", title)


def test_headings_have_scopes_and_a_charts_panels_one_scale(run, results, tmp_path):
    run("evalmark", "report", results, "--out", tmp_path / "x.html")
    html = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert html.count("<table") == html.count("<caption>")
    assert not re.findall(r"<th(?![^>]*scope=)[ >]", html)
    for section in re.findall(r'<section id="part-.*?</section>', html, re.DOTALL):
        charts = re.findall(r'<figure class="chart curves.*?</figure>', section, re.DOTALL)
        assert len(charts) == 4 + 2, "a panel for each condition, a chart for each model"
        assert len({tuple(re.findall(r"<g class=end>(.*?)</g>", chart)) for chart in charts}) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("models", "megabytes"), [(1, 0.95), (3, 2.1)])
def test_a_page_of_34_suites_has_less_than_a_megabyte_a_model(run, tmp_path, models, megabytes):
    """Texts are there once, however many models there are."""
    for seed in range(1, models + 1):
        write_run(tmp_path / f"runs/{seed}", f"us/model-{seed}", seed=seed)
    run("evalmark", "report", tmp_path / "runs")
    assert (tmp_path / "runs/report.html").stat().st_size <= megabytes * 1e6


def test_the_data_of_a_suite_with_several_metrics_is_its_name():
    def told(*suites):
        labels, names = [label for _, label in suites], [name for name, _ in suites]
        short = "+".join(labels) if len(labels) <= 3 else f"{labels[0]}+{len(labels) - 1}"
        assert _data("the lab", labels, names) == "the lab", (
            "a collection of one's own stays as it is"
        )
        return _data(short, labels, names)

    several = [("a", f"a ({metric})") for metric in ("sum", "mean", "max", "min")]
    assert told(*several) == "a"
    assert told(*several, ("b", "b (sum)"), ("c", "c (sum)")) == "a, b, c"
    assert told(*((name, f"{name} (sum)") for name in "abcde")) == "a and 4 more"
    assert told(("a", "a")) == "a"


def test_of_runs_that_read_other_texts_the_reason_is_shown_instead_of_a_difference(
    results, tmp_path
):
    """Two joining rules: the same items, other sentences."""
    other = shutil.copytree(results / "runs/one", tmp_path / "other")
    with edited_record(other) as data:
        for result in data["evaluation_results"]:
            result["generation_config"]["additional_details"]["join"] = "none"
    (path,) = other.glob("*_samples.jsonl")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for row in rows:
        row["input"]["raw"] = row["input"]["raw"].replace(" ", "")
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    text = words_of(suites_page([view_of(results / "runs/one"), view_of(other)]))
    assert (
        "The runs did not read the same texts: joining core / none; "
        "text of items (48 of 48 items of 4 suites). So no difference"
        in text.partition("average")[0]
    )
    assert "us/one (joining core), us/one (joining none)" in text
    assert "p = " not in text
    assert "no difference is claimed" not in text


def test_doubts_about_the_values_stand_above_the_numbers(results, tmp_path):
    folder = shutil.copytree(results / "runs/one", tmp_path / "doubted")
    with edited_record(folder) as data:
        for result in data["evaluation_results"]:
            if result["evaluation_name"].startswith("number_prp_2/"):
                doubt = "40% of the characters are unknown"
                result["score_details"]["details"]["vocabulary"] = doubt
    run = view_of(folder)
    name = run.suites[1].name
    top = words_of(suites_page([run])).partition("average accuracy")[0]
    assert f"knows little of these texts: {name} (40% of the characters are unknown)" in top
    assert [bool(suite.notes) for suite in run.suites] == [False, True, False, False]


def test_a_page_says_in_how_many_suites_a_run_is_better_than_chance(results):
    text = words_of(suites_page([view_of(results / "runs/one")]))
    better, even, worse = re.search(
        r"better than chance in (\d) of 4 suites, not distinguishable from it in (\d), "
        r"worse in (\d)",
        text,
    ).groups()
    assert int(better) + int(even) + int(worse) == 4
    assert text.index("Accuracy by suite and prediction") < text.index("Contents")
    assert "nearer is their middle to 1/2" in text


@pytest.mark.parametrize(
    ("seed", "items", "verdict"),
    [(1, 4, "not distinguishable from chance"), (2, 24, "better than chance")],
)
def test_the_verdict_on_a_single_suite_is_in_words(tmp_path, seed, items, verdict):
    run = view_of(write_run(tmp_path / "run", "us/one", seed=seed, suites=1, items=items))
    text = words_of(suites_page([run]))
    assert re.search(rf"chance 0\.\d+ {verdict} ", text)
