"""The audit page of a memory set: its questions, its denominators, its findings."""

from __future__ import annotations

import copy
import json
import re

import pytest
from conftest import FIXTURES
from evalmark.conversations.sets.set_report import read_set
from evalmark.pages.report_pages import page_of
from evalmark.pages.run_page import set_page
from evalmark.schemas.errors import ScoringError

pytest.importorskip("jinja2")

GOOD = FIXTURES / "good" / "memory"
HOSTILE = "<script>alert('x')</script>&\"</table>"


def test_questions_are_counted_by_type_and_by_what_is_answerable():
    view = read_set(GOOD / "locomo_list.json")
    rows = {row.type: (row.count, row.answerable, row.broken) for row in view.rows}
    assert rows == {**{str(n): (1, 1, 0) for n in (1, 2, 3, 4)}, "5": (1, 0, 0),
                    "all": (5, 4, 0), "answerable": (4, 4, 0)}  # fmt: skip
    assert view.rows[-2].evidence == 6 / 5
    assert view.facts["dates"] == "2023-05-08 to 2023-06-02"
    assert (view.facts["sessions"], view.facts["turns"]) == ("3", "8")
    of_questions = read_set(GOOD / "longmemeval.json")
    assert [(row.type, row.count) for row in of_questions.rows[-2:]] == [
        ("all", 3), ("answerable", 2),
    ]  # fmt: skip


def test_the_page_lists_findings_and_broken_evidence(tmp_path, run):
    out = tmp_path / "audit.html"
    path = FIXTURES / "bad" / "MT202_in_one_text.json"
    done = run("evalmark", "report", path, GOOD / "longmemeval.json", "--out", out)
    assert (done.code, done.err) == (0, f"wrote {out}\n")
    text = re.sub(r"<[^>]+>", " ", out.read_text("utf-8"))
    assert "MT202 malformed-evidence" in text
    assert "71:5" in text
    assert read_set(path).rows[-2].broken == 1


def test_text_of_the_file_is_escaped_and_nothing_is_loaded(tmp_path):
    data = copy.deepcopy(json.loads((GOOD / "longmemeval.json").read_text("utf-8")))
    data[0]["question_type"] = HOSTILE
    data[1]["question_id"] = data[0]["question_id"] = HOSTILE
    path = tmp_path / "set.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    page = set_page([read_set(path)])
    assert HOSTILE not in page
    assert "alert" not in page.replace("&lt;script&gt;alert", "")
    assert "src=" not in page.replace("default-src", "").replace("script-src", "")


def test_a_file_that_is_not_a_set_is_an_error(tmp_path, run):
    other = tmp_path / "other.json"
    other.write_text('{"a": 1}')
    with pytest.raises(ScoringError, match="is not a memory set"):
        read_set(other)
    done = run("evalmark", "report", other)
    assert done.code == 2
    assert "is not a memory set" in done.err
    broken = tmp_path / "broken.json"
    broken.write_text('{"qa": 1, "session_1": []}')
    with pytest.raises(ScoringError, match="says why"):
        read_set(broken)
    assert page_of(GOOD / "locomo.json").title == "memory sets"
