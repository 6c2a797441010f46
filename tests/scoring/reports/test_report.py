"""The page of a run."""

import base64
import hashlib
import json
import math
import re
import shutil
import statistics
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from html import unescape
from html.parser import HTMLParser

import pytest
from browser import CHROMIUM
from conftest import FIXTURES, ROOT, edited, file_at
from evalmark.converters.records.run import Producer
from evalmark.schemas.package import requirement
from evalmark.scoring.models.load_models import load_model
from evalmark.scoring.reports.charts import (
    SPREAD,
    bar_charts,
    curve_chart,
    overlaid_charts,
    span_of,
    tick_labels,
    ticks,
)
from evalmark.scoring.reports.suite_page import suites_page
from evalmark.scoring.runs.run_files import record_in
from evalmark.scoring.runs.scores import Score
from evalmark.scoring.runs.suite_views import Curve, Point
from evalmark.scoring.score_settings import Settings
from evalmark.scoring.suites.chance import Chance
from evalmark.scoring.suites.suite_loading import prepare
from evalmark.scoring.suites.suite_output import write_output
from evalmark.scoring.suites.suite_run import score_suites
from run_data import cell, suite_view, view_of
from suites import suite_of

pytest.importorskip("torch")
pytest.importorskip("jinja2")

SUITES = FIXTURES / "suites"
HOSTILE = "<script>alert('x')</script>&\"</table>$\\frac{1}{"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A run over two suites."""
    from evalmark.scoring.suites.suite_loading import load_suite

    suites = [
        load_suite(str(SUITES / f"{name}.json")) for name in ("garden_path", "relative_clause")
    ]
    scores = score_suites(suites, load_model("demo", device="cpu"), Settings())
    made = tmp_path_factory.mktemp("run")
    write_output(scores, made, source=Producer("Us", "third_party"), started=1_760_000_000)
    return made


#: Element -> the open elements that its start ends.
OPTIONAL = {
    "td": ("td", "th"),
    "th": ("td", "th"),
    "tr": ("td", "th", "tr"),
    "tbody": ("td", "th", "tr", "tbody"),
}


class Page(HTMLParser):
    """What a browser would see: elements, and text."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.text, self.links, self.open, self.charts = [], [], [], [], []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if ("role", "img") in attrs:
            self.charts.append(tag)
        self.links += [value for key, value in attrs if key in ("href", "src", "xlink:href")]
        if tag not in ("meta", "br", "input"):
            self.close_implied(OPTIONAL.get(tag, ()))
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.open:
            self.close_implied(OPTIONAL["tbody"] if tag in ("table", "thead") else ())
            assert self.open.pop() == tag

    def close_implied(self, tags):
        """End tags that HTML allows to be left out."""
        while self.open and self.open[-1] in tags and (self.open[-1] != "thead"):
            self.open.pop()

    def handle_data(self, data):
        self.text.append(data)


def test_a_page_is_one_file_that_loads_nothing_else(run, folder, tmp_path):
    out = tmp_path / "page.html"
    done = run("evalmark", "report", folder, "--out", out)
    assert (done.code, done.out, done.err) == (0, "", f"wrote {out}\n")
    html = out.read_text(encoding="utf-8")
    page = Page(html)
    assert not page.open, "every element is closed"
    assert not {"img", "link", "iframe", "object"} & set(page.tags)
    assert_strict(html)
    record = record_in(folder)
    (link,) = {link for link in page.links if not link.startswith("#")}
    assert (out.parent / link).resolve() == record.resolve()
    assert not re.findall(r"url\((?!#)", html)
    assert page.charts == ["svg"] * 3
    assert page.tags.count("desc") == 3, "a chart has a description for screen readers"
    text = " ".join(" ".join(page.text).split())
    for words in (
        "garden_path",
        "relative_clause",
        "48 of 48",
        "average accuracy of 2 suites",
        "Noun phrase",
    ):
        assert words in text
    assert "weights_sha256" in text, "a page says what its numbers depend on"
    again = tmp_path / "again.html"
    run("evalmark", "report", folder, "--out", again)
    assert again.read_bytes() == out.read_bytes()


def assert_strict(html):
    """One style and one script, ours, which the policy names by their hashes; nothing else."""
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', html)
    allowed = dict(part.split(" ", 1) for part in unescape(policy).split("; "))
    assert allowed["default-src"] == allowed["base-uri"] == allowed["form-action"] == "'none'"
    for name, file in (("style", "page.css"), ("script", "page.js")):
        (content,) = re.findall(rf"<{name}>(.*?)</{name}>", html, re.DOTALL)
        assert content == (ROOT / "scoring/reports" / file).read_text(encoding="utf-8")
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert allowed[f"{name}-src"] == f"'sha256-{digest}'"
    tags = re.findall(r"<[a-z][^>]*>", html)
    assert not [tag for tag in tags if re.search(r"\s(style|on\w+)\s*=", tag)]


def test_curves_are_means_of_the_samples_tokens(folder):
    """From the surprisals in the record's samples: another way than the table's."""
    view = view_of(folder)
    rows = [json.loads(line) for line in next(folder.glob("*.jsonl")).read_text().splitlines()]
    for suite in view.suites:
        ours = [
            row["metadata"]
            for row in rows
            if row["evaluation_name"].startswith(f"{suite.name}/") and "regions" in row["metadata"]
        ]
        assert len(ours) == len(suite.items) == 48
        for curve in suite.curves:
            for point in curve.points:
                values = []
                for metadata in ours:
                    columns = json.loads(metadata["regions"])[curve.condition]
                    place = columns["numbers"].index(point.region)
                    values.append(sum(columns["surprisals"][place]))
                assert point.mean == pytest.approx(statistics.mean(values), abs=1e-9)
                error = statistics.stdev(values) / len(values) ** 0.5
                # On a log scale: never below 0.
                factor = math.exp(1.959964 * error / point.mean) if point.mean else 1.0
                assert point.high == pytest.approx(point.mean * factor, abs=1e-5)
                assert point.low == pytest.approx(point.mean / factor, abs=1e-5)


def hostile_run(tmp_path):
    item = {HOSTILE: ["The", HOSTILE + " pilot", "."], "b": ["The", "guard", "."]}
    data = suite_of([item, item], [f"(2;%{'b'}%) > (1;%b%)"])
    data["meta"]["name"] = HOSTILE
    data["meta"]["tags"] = [HOSTILE]
    data["region_meta"] = {"1": HOSTILE, "2": "見出し", "3": "$x$"}
    suite = prepare(data, "x", "core")
    scores = score_suites([suite, suite], load_model("demo", device="cpu"), Settings())
    write_output(scores, tmp_path, source=Producer("Us", "third_party"), started=1)
    return view_of(tmp_path)


def test_hostile_text_stays_text(tmp_path):
    view = hostile_run(tmp_path)
    html = suites_page([view])
    page = Page(html)
    assert not page.open
    assert page.tags.count("script") == 1
    assert_strict(html)
    assert HOSTILE in "".join(page.text)
    assert HOSTILE in re.findall("<option>(.*?)</option>", unescape(html))


def test_a_page_says_when_items_are_left_out_and_shows_failures_first(folder):
    view = view_of(folder)
    suite = view.suites[0]
    wrong = replace(suite.items[-1], holds=(False,))
    view = replace(view, suites=(replace(suite, items=(*suite.items[:-1], wrong)),))
    text = " ".join("".join(Page(suites_page([view], items=2)).text).split())
    assert "2 of 48 are shown" in text
    assert re.findall(r"item (\d+)", text) == ["1", "48"]


def test_a_page_needs_no_numbers_library(folder, tmp_path):
    """The extra ``report`` is jinja2 alone."""
    out = tmp_path / "page.html"
    done = without("numpy torch transformers pyarrow", "report", folder, "--out", out)
    assert (done.returncode, done.stderr) == (0, f"wrote {out}\n")
    assert out.exists()


@pytest.mark.parametrize(
    ("library", "extra", "words"),
    [
        ("jinja2", "report", ["report", "RUN"]),
        ("torch", "scoring", ["score", SUITES / "garden_path.json", "--model", "demo"]),
        ("pyarrow", "parquet", ["score", "x.json", "--model", "x", "--also=parquet", "--out", "x"]),
    ],
)
def test_a_missing_library_is_one_line_that_says_what_to_install(folder, library, extra, words):
    done = without(library, *(folder if word == "RUN" else word for word in words))
    said = f"evalmark: {library} is not installed: pip install '{requirement(extra)}'\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


def without(libraries, *words):
    """A command in an environment that lacks libraries."""
    code = (
        "import sys\n"
        f"sys.modules.update(dict.fromkeys({libraries.split()!r}))\n"
        "from evalmark.cli.main import main\n"
        "sys.exit(main())"
    )
    command = [sys.executable, "-c", code, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (0.0, 0.0, ["0", "1"]),
        (0.0, 1.0, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (0.0, 13.7, ["0", "5", "10", "15"]),
        (-0.3, 7.2, ["-2", "0", "2", "4", "6", "8"]),
        (0.0, 1873.0, ["0", "500", "1000", "1500", "2000"]),
        (0.0, 0.0041, ["0.000", "0.001", "0.002", "0.003", "0.004", "0.005"]),
    ],
)
def test_an_axis_has_round_numbers_that_span_the_values(low, high, labels):
    scale = ticks(low, high)
    assert tick_labels(scale) == labels
    assert scale[0] <= low <= high <= scale[-1]


def test_a_bar_is_as_long_as_its_value_and_marks_interval_and_chance():
    score = Score(0.5, (0.36, 0.64), Chance(Fraction(1, 4)), 100)
    chart = bar_charts("t", ["a"], [(("suite", "1"), [score])])
    assert "width=50% " in chart
    assert re.search(r"<line x1=36% y1=(\S+) x2=64% y2=\1 />", chart)
    assert re.search(r"<line x1=25% y1=\S+ x2=25% y2=\S+ class=chance />", chart)


def test_the_name_of_bars_is_beside_their_middle():
    scores = [Score(0.5, (0.4, 0.6), None, 100)] * 2
    chart = bar_charts("t", ["a", "b"], [(("s", "name"), scores), (("s", "other"), scores)])
    first, second = (int(y) for y in re.findall(r"<text x=100% y=(\d+) dx=", chart)[:2])
    (middle,) = re.findall(r"<text x=0 y=(\d+) class=end>name<", chart)
    assert int(middle) == (first + second) / 2


def test_the_legend_says_what_the_lines_at_points_are():
    regions = [(1, "one")]
    spread = Curve("a", (Point(1, 2.0, 1.0, 3.0),))
    exact = Curve("a", (Point(1, 2.0, 2.0, 2.0),))
    assert f"<li>{SPREAD}" not in curve_chart("t", "", "bits", regions, [exact])
    assert SPREAD in curve_chart("t", "", "bits", regions, [spread])
    both = [("x", [spread]), ("y", [exact])]
    assert overlaid_charts("t", "bits", regions, both, {}, (0, 4)).count(SPREAD) == 1


def test_a_region_that_is_empty_by_design_has_no_point():
    """Its sum of 0 would look like a fall."""
    regions = (1, "a"), (2, "b"), (3, "c")
    items = [
        {
            "full": [cell("x", 3.0), cell("y", 2.0, 2), cell("z", 4.0, 3)],
            "short": [cell("x", 3.0), cell("", 0.0, 2), cell("z", 4.0, 3)],
        }
    ] * 3
    full, short = suite_view(["(1;%full%) < (3;%full%)"], items, regions).curves
    assert [point.region for point in full.points] == [1, 2, 3]
    assert [point.region for point in short.points] == [1, 3]
    drawn = curve_chart("t", "", "bits", regions, [short])
    joined = re.search(r'<g class="?c1[^>]*><path d="([^"]*)"', drawn)[1]
    assert joined.count("M") == 2, "no line leads over it"


def test_names_of_regions_that_do_not_fit_become_a_list():
    def kind(count, name):
        regions = [(number, name) for number in range(1, count + 1)]
        return re.match(
            r'<figure class="chart curves ([\w-]+)">', curve_chart("t", "d", "a", regions, ())
        )[1]

    assert kind(4, "Verb") == "named"
    assert kind(7, "Continuation") == "numbered-if-narrow"
    assert kind(12, "Relative clause verb") == "numbered"


def test_an_interval_far_beyond_the_means_is_cut_and_marked():
    points = (Point(1, 5.0, 4.0, 6.0), Point(2, 8.0, 1.0, 235.0))
    drawn = curve_chart("t", "", "bits", [(1, "A"), (2, "B")], [Curve("match", points)])
    assert span_of([Curve("match", points)]) == (0.0, 16.0)
    assert drawn.count("▲") == 2  # at the point, and in the legend
    whole = Curve("match", points[:1])
    assert "▲" not in curve_chart("t", "", "bits", [(1, "A")], [whole])


def test_a_chart_has_a_line_for_names_of_regions_only_if_it_has_room_for_them():
    def height(name):
        chart = curve_chart("t", "d", "a", [(number, name) for number in range(1, 13)], ())
        return int(re.search(r'<svg role="?img"? height="?(\d+)', chart)[1])

    assert height("") == height("Relative clause verb") < height("Verb")


def test_two_runs_share_a_page(run, folder, tmp_path):
    out = tmp_path / "both.html"
    assert run("evalmark", "report", folder, record_in(folder), "--out", out).code == 0
    assert Page(out.read_text()).charts == ["svg"] * 13, (
        "bars, a chart for each suite and run, and one for each condition"
    )


def test_another_folder_is_refused_in_one_line(refused, folder, tmp_path):
    broken = tmp_path / "broken"
    shutil.copytree(folder, broken)
    empty = tmp_path / "empty"
    empty.mkdir()
    old = file_at(tmp_path / "old/scores.json", "{}").parent
    (samples,) = broken.glob("*_samples.jsonl")
    rows = samples.read_text().splitlines()
    cases = {
        "there is no run.json": lambda: empty,
        "was written by an earlier edition": lambda: old,
        "has other samples for each prediction": lambda: samples.write_text(rows[-1]) and broken,
        "samples.jsonl, line 1: not a sample": lambda: samples.write_text("{") and broken,
    }
    for reason, make in cases.items():
        said = refused("evalmark", "report", make())
        assert reason in said
        assert len(said.splitlines()) == 1


def test_of_a_run_without_its_samples_there_is_a_table_that_says_so(run, folder, tmp_path):
    bare = shutil.copytree(folder, tmp_path / "bare")
    (samples,) = bare.glob("*_samples.jsonl")
    samples.unlink()
    assert run("evalmark", "report", bare, "--out", tmp_path / "x.html").code == 0
    page = Page((tmp_path / "x.html").read_text(encoding="utf-8"))
    text = " ".join(" ".join(page.text).split())
    assert "evalmark/demo has no samples: the sample file does not exist" in text
    assert "garden_path" in text


def test_tags_make_groups(run, tmp_path):
    folder = tmp_path / "suites"
    folder.mkdir()
    for name, tags in (("garden_path", ["syntax", "b"]), ("relative_clause", ["syntax"])):
        with edited(SUITES / f"{name}.json", folder / f"{name}.json") as data:
            data["meta"]["tags"] = tags
    shutil.copy(SUITES / "reflexive_gender.json", folder)
    done = run("evalmark", "score", folder, "--model", "demo", "--device", "cpu", "--out",
               tmp_path / "out")  # fmt: skip
    lines = [line for line in done.out.splitlines() if line.startswith("average")]
    assert [" ".join(line.split()) for line in lines] == [
        "average of 2 suites tagged syntax all 1.000 0.281 (9/32)",
        "average of 3 suites all 0.833 0.354 (17/48)",
    ]
    groups = view_of(tmp_path / "out").groups
    accuracies = {group.tag: group.score.score for group in groups}
    assert accuracies == {"b": 1.0, "syntax": 1.0, None: pytest.approx(2.5 / 3)}
    assert [suite.name for suite in groups[1].suites] == ["garden_path", "relative_clause"]


# in a browser


def chromium(tmp_path, page, *options):
    return subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
         "--no-first-run", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", f"--user-data-dir={tmp_path / 'profile'}", *options, f"file://{page}"],
        capture_output=True, timeout=600, check=True,
    )  # fmt: skip


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_a_browser_shows_it_on_screen_and_on_paper(tmp_path):
    """Hostile text runs nothing; it prints."""
    page = tmp_path / "page.html"
    page.write_text(suites_page([hostile_run(tmp_path / "run")]), encoding="utf-8")
    dom = chromium(tmp_path, page, "--dump-dom").stdout.decode()
    assert "<svg" in dom
    assert dom.count("<script") == 1
    assert '<span id="filter">' in dom, "our script runs, and shows what only works with it"
    assert len(re.findall(r"<th [^>]*><button", dom)) == 6
    paper = tmp_path / "page.pdf"
    chromium(tmp_path, page, f"--print-to-pdf={paper}")
    assert paper.read_bytes().startswith(b"%PDF")


def test_a_path_without_a_run_is_named(folder, run):
    done = run("evalmark", "report", folder, folder.parent / "nowhere", code=2)
    assert done.err == f"evalmark: {folder.parent / 'nowhere'}: No such file or directory\n"
