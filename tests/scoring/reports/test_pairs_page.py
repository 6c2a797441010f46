"""The page of runs over minimal pairs: what it says, how it is escaped, and how large it is."""

import json
import re
from html import unescape

import pytest
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.comparison.run_comparison import compare
from evalmark.scoring.pairs.load_pairs import CountedText
from evalmark.scoring.reports.pair_page import LISTED, LONGEST, pairs_page
from pages import words_of
from run_data import add_foreign_result, edited_record, view_of
from standin_runs import write_pairs_run, write_run

pytest.importorskip("jinja2")

HOSTILE = "<script>alert('x')</script>&\"</table>"


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """A folder with two runs below it, over the same pairs."""
    folder = tmp_path_factory.mktemp("results")
    for seed, name in enumerate(("one", "two"), 1):
        write_pairs_run(folder / f"runs/{name}", f"us/{name}", seed=seed, uids=6, pairs=200)
    return folder


def page_of(*folders, **options):
    return pairs_page([view_of(folder) for folder in folders], **options)


def listed(html, uid):
    """The cells of the rows that are listed of a UID."""
    (table,) = re.findall(
        rf"<table class=pairs><caption>[^<]*: {uid}</caption>.*?</table>", html, re.DOTALL
    )
    return [
        [words_of(cell) for cell in re.split("<t[dh][^>]*>", row)[1:]]
        for row in re.split("<tr>", table.partition("<tbody>")[2])[1:]
    ]


def test_the_headline_is_the_average_of_the_set_with_interval_and_chance(run, results, tmp_path):
    folder, out = results / "runs/one", tmp_path / "x.html"
    done = run("evalmark", "report", folder, "--out", out)
    assert (done.code, done.err) == (0, f"wrote {out}\n")
    html = out.read_text(encoding="utf-8")
    average = view_of(folder).averages["blimp", "", ""]
    low, high = average.interval
    assert f"{average.score:.3f} blimp: average accuracy of 6 UIDs" in words_of(html)
    assert f"95 % interval {low:.3f} to {high:.3f}; chance 0.500" in words_of(html)
    title = re.search("<title>(.*?)</title>", html)[1]
    assert title.startswith("us/one: paradigm_of_number_1 and 5 more, 2025-10-09, evalmark ")
    (target,) = re.findall('<a href="([^"]*)">record', html)
    assert (out.parent / target).resolve().parent == folder.resolve()
    assert "src=" not in html


def test_the_table_has_a_row_for_each_uid(results):
    html = page_of(results / "runs/one")
    table = html.partition('class="sortable')[2].partition("</table>")[0]
    rows = [words_of(row) for row in table.split("<tr")[2:]]
    for uid, row in zip(view_of(results / "runs/one").uids, rows, strict=True):
        score = uid.score
        low, high = score.interval
        assert f"{uid.uid} {score.score:.3f} {low:.2f} to {high:.2f} " in row
        assert f" {score.right} {score.ties} 0 0.500 200 {uid.labels['field']} " in row
    assert "<option>syntax</option>" in html
    assert "<option>islands</option>" in html


def test_pairs_that_fail_are_listed_worst_first(results):
    folder = results / "runs/one"
    view = view_of(folder).uids[0]
    failing = view.score.items - view.score.right
    html = page_of(folder)
    rows = listed(html, view.uid)
    assert len(rows) == min(LISTED, failing)
    assert failing > LISTED
    assert (
        f"{LISTED} of {failing} are shown , the worst first; {failing - LISTED} are left out"
        in words_of(html)
    )
    numbers = [float(row[3]) for row in rows]
    assert numbers == sorted(numbers, reverse=True)
    worst = max((c for c in view.contests if c.outcome == "wrong"), key=lambda c: c.worse)
    assert rows[0][:3] == [worst.name, worst.texts[0].text, worst.texts[1].text]
    assert len(listed(page_of(folder, items=3), view.uid)) == 3
    assert "None is listed." in words_of(page_of(folder, items=0))


def test_ties_and_impossible_pairs_are_marked_and_come_last(tmp_path):
    rows = [("u", {}, (f"good {n}", f"bad {n}")) for n in range(30)]
    rows.insert(3, ("u", {}, ("the same", "the same")))
    folder = write_pairs_run(tmp_path / "r", "us/model", rows)
    found = listed(page_of(folder), "u")
    kinds = [row[3] for row in found if not row[3][0].isdigit()]
    (uid,) = view_of(folder).uids
    assert kinds.count("tie") == uid.score.ties > 0
    assert kinds.count("impossible") == 1
    assert [row[3] for row in found][-len(kinds) :] == kinds
    assert f"{uid.score.ties} tie" in words_of(page_of(folder))


def test_what_differs_is_marked(tmp_path):
    rows = [("u", {}, ("the big cat sleeps", "the big dog sleeps"))] * 20
    html = page_of(write_pairs_run(tmp_path / "r", "us/model", rows))
    assert "<td>the big <b>cat</b> sleeps<td>the big <b>dog</b> sleeps<td>" in html


def test_of_several_wrong_texts_the_one_preferred_most_is_shown(tmp_path):
    texts = [CountedText(f"The box has {what}.", 12) for what in ("it", "a cat", "a dog", "me")]
    html = page_of(write_pairs_run(tmp_path / "r", "us/model", [("u", {}, tuple(texts))] * 20))
    view = view_of(tmp_path / "r").uids[0]
    contest = max((c for c in view.contests if c.fails), key=lambda c: c.worse)
    row = listed(html, "u")[0]
    assert row[1] == "The box has it."
    assert row[2] == f"The box has {contest.texts[contest.rival].text} and 2 more"
    assert "<small>The box has </small>" in html


def test_texts_and_names_are_escaped(tmp_path):
    rows = [
        (HOSTILE, {"field": HOSTILE}, (f"{HOSTILE} a {n}", f"{HOSTILE} b {n}")) for n in range(30)
    ]
    html = page_of(write_pairs_run(tmp_path / "r", HOSTILE, rows))
    assert html.count("<script>") == html.count("</script>") == 1
    assert not re.findall('<script>alert|&"</table>', html)
    assert HOSTILE in unescape(html)


def test_two_runs_have_the_difference_that_compare_finds(run, results, tmp_path):
    done = run("evalmark", "report", results, "--out", tmp_path / "x.html")
    assert done.code == 0, "the runs are found below the folder"
    text = words_of(tmp_path / "x.html")
    expected = compare(*(results / "runs" / name for name in ("one", "two")))
    assert f"p = {expected.headline.recorded.p_value:.3g}" in text
    assert "Sign flips of UIDs, exact" in text
    assert "McNemar stratified by UID, exact" not in text
    for row in expected.predictions:
        assert f"{row.difference:+.3f}" in text


def test_a_mean_over_small_uids_says_how_it_weighs_them(run, tmp_path):
    # 30 contests of one UID, and 3 of the other: the mean of `score` gives both the same weight.
    rows = [("a" if n < 30 else "b", {}, (f"A {n}.", f"B {n}.")) for n in range(33)]
    folders = [write_pairs_run(tmp_path / name, f"us/{name}", rows) for name in ("x", "y")]
    said = "UIDs of fewer than 20 pairs count in proportion to their pairs in this mean"
    assert said in run("evalmark", "compare", *folders).out
    assert said in words_of(page_of(*folders))


def test_several_runs_are_side_by_side(results):
    one, two = results / "runs/one", results / "runs/two"
    views = [view_of(folder) for folder in (one, two)]
    html = pairs_page(views)
    uid = views[0].uids[0].label
    contests = [{c.name: c for c in view.uids[0].contests} for view in views]
    for name, _, _, *cells in listed(html, uid):
        for cell, own in zip(cells, contests, strict=True):
            contest = own[name]
            assert cell == (
                f"{contest.worse:.2f}" if contest.outcome == "wrong" else contest.outcome
            )
    assert "difference" not in words_of(page_of(one, two, one)).partition("Contents")[0]
    again = words_of(page_of(one, one)).partition("Contents")[0]
    assert "us/one (1)" in again, "equal names are told apart"


def test_runs_over_other_pairs_have_rows_of_their_own(results, tmp_path):
    other = write_pairs_run(tmp_path / "r", "us/other", [("other", {}, ("a b", "a c"))] * 20)
    text = words_of(page_of(results / "runs/one", other))
    assert "The runs are not compared: the runs have no pairs of the same UID" in text
    assert "paradigm_of_number_1" in text
    assert "other" in text


def test_wug_tests_have_correlations(tmp_path):
    rows = [("wug_past", {}, (f"a {n}", f"b {n}")) for n in range(40)]
    folder = write_pairs_run(tmp_path / "r", "us/model", rows, of="wug", ratios=True)
    (uid,) = view_of(folder).uids
    text = words_of(page_of(folder))
    shown = f"{uid.correlation:.3f}"
    assert f"{shown} wug: correlation with people" in text
    assert "No pair is right or wrong" in text
    assert "Pairs that fail" not in text
    assert "are not compared" not in words_of(page_of(folder, folder))


def test_long_texts_are_cut(tmp_path):
    text = "word " * 1000
    rows = [("u", {}, (f"{text}a {n}", f"{text}b {n}")) for n in range(100)]
    html = page_of(write_pairs_run(tmp_path / "r", "us/model", rows))
    assert max(len(cell) for row in listed(html, "u") for cell in row) < LONGEST + 5


@pytest.mark.slow
def test_a_page_of_67_uids_with_1000_pairs_has_at_most_1_mb_a_model(tmp_path):
    assert len(page_of(write_pairs_run(tmp_path / "r", "us/model")).encode()) < 1_000_000


def test_long_texts_leave_fewer_pairs_not_a_larger_page(tmp_path):
    rows = [
        (f"uid_{uid}", {}, (f"{'&' * 500} a {uid} {n}", f"{'&' * 500} b {uid} {n}"))
        for uid in range(67)
        for n in range(100)
    ]  # fmt: skip
    html = page_of(write_pairs_run(tmp_path / "r", "us/model", rows))
    assert len(html.encode()) < 1_000_000
    assert 0 < len(listed(html, "uid_0")) < 10
    assert "are left out" in html


def test_suites_and_pairs_are_one_table(run, results, tmp_path):
    suites = write_run(tmp_path / "suites", "us/one", suites=1, items=2)
    out = tmp_path / "x.html"
    assert run("evalmark", "report", suites, results, "--out", out).code == 0
    assert "3 runs of 2 results" in words_of(out)


@pytest.mark.parametrize(
    ("key", "value"), [("scores", "[1]"), ("surprisals", "x"), ("starts", "[0]"), ("tokens", "3")]
)
def test_a_damaged_run_is_one_line(run, results, tmp_path, key, value):
    folder = write_pairs_run(tmp_path / "r", "us/x", uids=1, pairs=3)
    (path,) = folder.glob("*_samples.jsonl")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    rows[0]["metadata"][key] = value
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    done = run("evalmark", "report", folder, results / "runs/two", "--out", tmp_path / "x.html")
    assert done.code == 2
    assert len(done.err.splitlines()) == 2
    assert "is not a run as evalmark writes it" in done.err
    assert (tmp_path / "x.html").exists()


def test_a_result_from_elsewhere_is_left_out_of_the_page_of_a_run(tmp_path):
    folder = write_pairs_run(tmp_path / "r", "us/x", uids=1, pairs=3)
    before = page_of(folder)
    add_foreign_result(folder)
    assert words_of(page_of(folder)) == words_of(before)


def test_a_run_whose_details_are_not_those_of_its_score_is_refused(tmp_path):
    folder = write_pairs_run(tmp_path / "r", "us/x", uids=1, pairs=3)
    with edited_record(folder) as record:
        record["evaluation_results"][0]["score_details"]["details"]["right"] = "99"
    with pytest.raises(ScoringError, match="has 99 of 3 right, and the score"):
        view_of(folder)
