"""Runs with only the regions that predictions refer to: curves end, and nothing becomes a 0."""

import json
import re

import pytest
from evalmark.scoring.reports.charts import curve_chart
from evalmark.scoring.reports.suite_page import suites_page
from evalmark.scoring.runs.suite_views import Curve, Point
from run_data import edited_record, view_of
from standin_runs import write_run

pytest.importorskip("jinja2")

#: Condition -> the regions that a partial run has; the last condition was not computed at all.
COMPUTED = {"match_sing": {5}, "mismatch_sing": {3, 5}, "match_plural": {1, 2, 5, 6}}


@pytest.fixture
def whole(tmp_path):
    return write_run(tmp_path / "whole", "us/whole", seed=2, suites=1, items=2)


@pytest.fixture
def partial(tmp_path):
    """By hand: other regions were not computed."""
    folder = write_run(tmp_path / "partial", "us/partial", suites=1, items=2)
    with edited_record(folder) as record:
        for result in record["evaluation_results"]:
            result["generation_config"]["additional_details"]["regions"] = "predicted"
    (path,) = folder.glob("*_samples.jsonl")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for row in rows:
        if "regions" in row["metadata"]:
            regions = json.loads(row["metadata"]["regions"])
            for name, of in regions.items():
                known = COMPUTED.get(name, ())
                of["surprisals"] = [
                    bits if number in known else None
                    for number, bits in zip(of["numbers"], of["surprisals"], strict=True)
                ]
            row["metadata"]["regions"] = json.dumps(regions)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return folder


def cells(html, condition):
    """The cells of a condition in the table of items, as text, with the columns that they span."""
    (table,) = re.findall("<table class=cells>.*?</table>", html, re.DOTALL)
    row = re.search(
        rf"<tr><th scope=row[^>]*>{condition}\b(.*?)(?=<tr>|<tbody|</table>)", table, re.DOTALL
    )
    found = re.findall(r"<td(?: class=\w+)?(?: colspan=(\d+))?>([^<]*)", row[1])
    return [(int(span or 1), text) for span, text in found]


def test_cells_say_what_was_not_computed(partial):
    html = suites_page([view_of(partial)])
    assert re.findall(r"<th scope=col>(\d)", html.split("<table class=cells>")[1]) == list("12356")
    assert [text for _, text in cells(html, "match_sing")][0::2] == ["not computed"] * 2
    assert [span for span, _ in cells(html, "match_sing")] == [3, 1, 1]
    spans = [(span, text == "not computed") for span, text in cells(html, "mismatch_sing")]
    assert spans == [(2, True), (1, False), (1, False), (1, True)]
    assert "mismatch_plural" not in html.split("<table class=cells>")[1].split("</table>")[0]
    assert "Other regions were not computed" in html
    means = html.split("Numbers of the chart")[1]
    assert "<th scope=row>match_sing<td>not computed<td>not computed<td>not computed<td>" in means
    assert not re.search(r"\b(nan|NaN|None)\b", html.split("<main>")[1].split("</main>")[0])


def test_beside_a_whole_run_each_value_says_whose_it_is(partial, whole):
    html = suites_page([view_of(whole), view_of(partial)])
    assert html.count("<table class=cells>") == 1, "they have the same items"
    (first, *_), *_, (last, text) = cells(html, "match_sing")
    assert (first, last) == (1, 1)
    assert re.fullmatch(r"\w+\n\d+\.\d\d\nnot\xa0computed", text)
    assert (
        re.findall(r"<tr><th scope=row>(match_sing[^<]*)", html)[-1] == "match_sing\nwhole\npartial"
    )
    assert html.count('class="chart curves numbered panel"') == 4


def test_runs_of_other_items_have_a_table_each(whole, tmp_path):
    other = write_run(tmp_path / "other", "us/other", suites=1, items=3)
    html = suites_page([view_of(whole), view_of(other)])
    assert html.count("<table class=cells>") == 2


def lines(regions, points, **options):
    """The first path of a chart with one curve: `M` starts a line."""
    curve = Curve("c", tuple(Point(number, 1.0, 1.0, 1.0) for number in points))
    chart = curve_chart("t", "", "a", [(number, "") for number in regions], [curve], **options)
    return re.findall(r"M[^M]+", re.findall(r'<g class=c1><path d="([^"]+)"', chart)[-1])


@pytest.mark.parametrize(
    ("regions", "points", "options", "counts"),
    [
        ([1, 2, 3, 4], [1, 2, 3, 4], {}, [4]),
        ([1, 2, 3, 4], [1, 2], {}, [2]),
        ([1, 2, 3, 4], [1, 2, 4], {}, [2, 1]),
        ([1, 2, 5, 6], [1, 2, 5, 6], {}, [4]),
        ([1, 2, 5, 6], [1, 2, 5, 6], {"is_partial": True}, [2, 2]),
    ],
)
def test_a_line_joins_neighbours_only(regions, points, options, counts):
    found = lines(regions, points, **options)
    assert [len(re.findall(r"[\d.]+ [\d.]+", line)) for line in found] == counts
