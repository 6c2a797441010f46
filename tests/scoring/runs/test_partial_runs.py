"""``score --limit``: record, table and report say which part was scored, and ``check`` warns."""

import json

import pytest
from conftest import FIXTURES, ROOT
from evalmark.scoring.runs.run_files import record_in

SUITE = FIXTURES / "suites/agreement_attractor.json"


@pytest.fixture
def pairs(tmp_path):
    """Three pairs of one paradigm, and one of another."""
    file = tmp_path / "pairs.jsonl"
    rows = [
        {"sentence_good": f"The {noun} laughs.", "sentence_bad": f"The {noun} laugh.", "UID": uid}
        for noun, uid in (("banker", "a"), ("farmer", "a"), ("author", "a"), ("lawyer", "b"))
    ]
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return file


def scored(run, tmp_path, *arguments):
    """The printed table, the details of each result by its name, and what a report says."""
    out, page = tmp_path / "out", tmp_path / "page.html"
    done = run("evalmark", "score", *arguments, "--model", "demo", "--out", out)
    assert done.code == 0, done.err
    record = record_in(out)
    results = json.loads(record.read_text(encoding="utf-8"))["evaluation_results"]
    assert run("evalmark", "report", out, "--out", page).code == 0
    details = {r["evaluation_name"]: r["score_details"]["details"] for r in results}
    return done.out, details, page.read_text(encoding="utf-8").partition("</header>")[0], record


def test_a_part_of_a_suite_is_said_everywhere(run, tmp_path):
    table, details, headline, record = scored(run, tmp_path, SUITE, "--limit", "5")
    assert "5 of 48" in table
    assert {of["scored"] for of in details.values()} == {"5 of 48 items"}
    assert "5 of 48 items" in headline
    for options in ((), ("--profile", "eee")):
        done = run("evalmark", "check", record, "--format", "jsonl", *options)
        found = map(json.loads, done.out.splitlines())
        partial = [f for f in found if f.get("code") == "EE212"]
        assert {(f["severity"], f["message"]) for f in partial} == {
            ("warning", "only 5 of 48 items were scored")
        }


def test_a_whole_suite_says_nothing_of_parts(run, tmp_path):
    table, details, headline, record = scored(run, tmp_path, SUITE, "--limit", "48")
    assert not any("scored" in of for of in details.values())
    assert "of 48" not in table + headline
    assert "EE212" not in run("evalmark", "check", record).out


def test_a_part_of_pairs_is_said_everywhere(run, pairs, tmp_path):
    table, details, headline, record = scored(run, tmp_path, pairs, "--limit", "2")
    assert "2 of 3" in table
    assert details["a"]["scored"] == "2 of 3 pairs"
    assert "2 of 4 pairs" in headline  # of the set, one of whose paradigms is not scored at all
    assert "EE212" in run("evalmark", "check", record).out


def test_a_table_of_several_models_names_the_parts(run, tmp_path):
    models = ["--model", "demo", "--model", ROOT / "scoring/demo_model"]
    done = run("evalmark", "score", SUITE, *models, "--limit", "5")
    assert "note: only a part was scored: agreement_attractor (5 of 48 items)" in done.err
