"""The page of runs of other programs and of conversations: results, questions, answers, scores."""

import json
import re
import shutil

import pytest
from browser import opened
from conftest import FIXTURES
from evalmark.scoring.reports.report_pages import LONGEST, samples_page
from evalmark.scoring.runs.run_sources import run_at
from pages import words_of
from records import sampled
from standin_runs import write_run

pytest.importorskip("jinja2")

RECORD = FIXTURES / "good/with_samples.json"
LOG = FIXTURES / "results/inspect/log.json"
HOSTILE = "<script>alert('x')</script>"


def test_each_sample_has_its_question_answer_and_score(run, tmp_path):
    out = tmp_path / "x.html"
    assert run("evalmark", "report", RECORD, "--out", out).code == 0
    text = words_of(out)
    samples = list(run_at(RECORD).samples)
    assert f"{len(samples)} samples" in text
    for sample in samples:
        assert f"{sample.id} {sample.raw}" in text
        assert sample.output[0] in text
    assert "chance" not in text, "nobody states it"


def test_the_worst_samples_come_first_and_the_rest_is_counted():
    html = samples_page([run_at(RECORD)], items=1)
    assert "1 are shown , the worst first" in words_of(html)
    scores = re.findall(r'<td class="number">(?:<b>)?([\d.]+)', html.partition("Questions")[2])
    assert scores == ["0"]


def test_long_names_and_expected_answers_take_no_room_from_questions(run, tmp_path, browser):
    def long(record, rows):
        record["model_info"]["id"] = f"lab/{'long_name' * 9}"
        for row in rows:
            row["input"]["reference"] = ["a long text " * 20]
            row["input"]["raw"] = "a long question " * 20

    long_one = sampled(tmp_path, long)
    run("evalmark", "report", long_one, "--out", tmp_path / "one.html")
    ours = write_run(tmp_path / "ours", "us/ours", suites=1, items=3)
    run("evalmark", "report", long_one, ours, "--out", tmp_path / "two.html")
    with opened(browser, tmp_path / "one.html") as wide:
        wide.evaluate("document.querySelectorAll('details').forEach(it => it.open = true)")
        widths = (
            "[...document.querySelectorAll('.wide th')].map(it => [it.textContent, it.offsetWidth])"
        )
        width_of = dict(wide.evaluate(widths))
    assert width_of["question"] > 200
    assert width_of["expected"] < 2 * width_of["question"]
    with opened(browser, tmp_path / "two.html", width=400) as narrow:
        assert narrow.evaluate("document.documentElement.scrollWidth") == 400


def test_text_is_escaped_and_cut(tmp_path):
    def hostile(_, rows):
        for row in rows:
            row["input"]["raw"] = HOSTILE + "x" * LONGEST

    html = samples_page([run_at(sampled(tmp_path, hostile))], items=9)
    assert HOSTILE not in html
    assert "&lt;script&gt;" in html
    assert "x" * LONGEST not in html


def test_a_number_that_no_record_states_is_not_shown_as_0_and_equal_weights_are_noted(tmp_path):
    record = json.loads(RECORD.read_bytes())
    del record["detailed_evaluation_results"]
    record["model_info"].setdefault("additional_details", {})["weights_sha256"] = "0" * 64
    for result in record["evaluation_results"]:
        result["score_details"].pop("uncertainty", None)
        result["source_data"].pop("samples_number", None)
    paths = [tmp_path / "a.json", tmp_path / "b.json"]
    for path in paths:
        path.write_text(json.dumps({**record, "evaluation_id": f"a/{path.stem}/1760000000"}))
    html = samples_page(list(map(run_at, paths)), items=1)
    assert '<td class="number">0</td>' not in html
    assert '<section id="part-' not in html, "no result has samples"
    assert "the same weights" in words_of(html)


def test_runs_of_other_programs_are_shown_beside_ours(run, tmp_path):
    ours = write_run(tmp_path / "ours", "us/ours", suites=1, items=3)
    out = tmp_path / "x.html"
    assert run("evalmark", "report", ours, LOG, RECORD, "--out", out).code == 0
    text = words_of(out)
    assert text.startswith("3 runs of ")
    for path in (LOG, RECORD):
        assert run_at(path).model.id in text
    assert "number_prp_1" in text


def test_two_runs_of_another_program_are_compared(run, tmp_path):
    out, other = tmp_path / "x.html", shutil.copy(LOG, tmp_path / "other.json")
    assert run("evalmark", "report", LOG, other, "--out", out).code == 0
    assert "Compared with" in words_of(out)
