"""The page of conversations says which agent, which data, when, which version, and where."""

import json
import re
import shutil

import pytest
from conftest import FIXTURES, file_at
from evalmark.reports import report_pages

pytest.importorskip("jinja2")

RECORD = "records/Example agent/1.json"


@pytest.fixture
def folder(tmp_path):
    return shutil.copytree(FIXTURES / "good/ltm", tmp_path / "Benchmark")


def of_evalmark(folder, **values):
    """What `memory run` writes about a run, and its record."""
    file_at(folder / RECORD, "{}")
    about = {
        "version": 1, "evalmark": "1.2.3", "agent": {"kind": "Chat", "window": 256}, "judge": None,
        "tests": ["colours", "jokes"], "errors": [], "why": {"Jokes - 0": ["no judge"]},
        "files": {RECORD: "0", "records/Example agent/1_samples.jsonl": "1"}, **values,
    }  # fmt: skip
    (folder / "results/Example agent/run.json").write_text(json.dumps(about))


def page_of(run, folder, name="x.html"):
    out = folder.parent / name
    assert run("evalmark", "report", folder, "--out", out).code == 0
    return out.read_text(encoding="utf-8")


def titles(html):
    return re.findall("<title>(.*?)</title>", html)[0]


def origins(html):
    found = re.findall('<p class="origin">(.*?)</p>', html, re.DOTALL)
    return [" ".join(re.sub("<[^>]*>", "", text).split()) for text in found]


def test_a_run_of_the_benchmark_has_no_version_and_no_record(run, folder):
    html = page_of(run, folder)
    assert titles(html) == "Example agent: Benchmark, 2024-05-01"
    assert origins(html) == ["1 dataset (Benchmark), 2024-05-01"]


def test_our_run_has_both_and_its_settings_one_by_one(run, folder):
    of_evalmark(folder)
    html = page_of(run, folder)
    assert titles(html) == "Example agent: Benchmark, 2024-05-01, evalmark 1.2.3"
    assert origins(html) == ["1 dataset (Benchmark), 2024-05-01, evalmark 1.2.3, record"]
    (link,) = re.findall(r'<a href="(\./[^"]*)">record</a>', html)
    assert link == "./Benchmark/records/Example%20agent/1.json"
    shown = dict(re.findall("<dt>(.*?)</dt><dd>(.*?)</dd>", html))
    assert (shown["agent kind"], shown["agent window"]) == ("Chat", "256")
    assert shown["tests"] == "colours, jokes"
    assert not {"files", "why", "judge", "errors"} & set(shown)


@pytest.mark.parametrize(
    "files", [None, [], {}, {"../../elsewhere.json": "0"}, {"gone.json": "0"}, {"/etc/x.json": ""}]
)
def test_a_record_that_is_not_below_the_run_is_not_linked(run, folder, files):
    (folder.parent.parent / "elsewhere.json").write_text("{}")
    of_evalmark(folder, files=files)
    assert ">record</a>" not in page_of(run, folder)


def test_a_run_of_conversations_has_a_page_of_its_own(run, folder):
    page = report_pages.page_of(FIXTURES / "good/ltm/results/Example agent")
    assert page.title == "runs of conversations"
    done = run("evalmark", "report", folder, "--series")
    assert (done.code, "--series takes no runs of conversations" in done.err) == (2, True)
