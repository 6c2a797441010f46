"""How records are compared with those of another converter, and the reasons that are given."""

from __future__ import annotations

from benchmarks.eee_converter import DOCS, HEADING, SIDES, compare, explanations, fits

REASONS = list(explanations(DOCS.read_text(encoding="utf-8")))


def test_each_row_of_the_table_is_a_reason_for_some_keys():
    text = DOCS.read_text(encoding="utf-8")
    section = text.partition(HEADING)[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ") and "---" not in line]
    assert len({reason for *_, reason in REASONS}) > 30
    assert (
        len({(p, side, reason) for p, _, side, reason in REASONS}) == len(rows) - 1
    )  # the heading
    for program, pattern, side, reason in REASONS:
        assert program in ("", "lm_eval", "inspect", "helm")
        assert pattern.startswith(("/", "*/"))
        assert side in SIDES
        assert reason


def test_each_key_that_differs_is_noted_once():
    ours = {
        "model_info": {"id": "a", "name": "b", "developer": None},
        "evaluation_results": {"x": {"score": 1, "steps": [1, 2]}, "y": {"score": 2}},
        "details": {"own": {"deep": 3}, "empty": {}},
        "rows": {},
    }
    theirs = {
        "model_info": {"id": "a", "name": "c"},
        "evaluation_results": {"x": {"score": 3, "steps": [1, 4]}},
        "rows": {("y", "0"): {"sample_id": "0"}},
    }
    notes = {}
    compare(ours, theirs, "", notes)
    assert {key: (note.count, note.first) for key, note in notes.items()} == {
        ("/model_info/name", "differ"): (1, '"b" and "c"'),
        ("/evaluation_results/*/score", "differ"): (1, "1 and 3"),
        ("/evaluation_results/*/steps/*", "differ"): (1, "2 and 4"),
        ("/evaluation_results/*", "only ours"): (1, '"…"'),
        ("/details/own/deep", "only ours"): (1, "3"),
        ("/rows/*", "only theirs"): (1, '"0"'),
    }


def test_a_reason_is_about_a_program_a_pattern_and_a_side():
    reason = ("helm", "*/source_data/source_type", "differ", "why")
    place = "/evaluation_results/*/source_data/source_type"
    assert fits(reason, "helm", place, "differ")
    assert not fits(reason, "inspect", place, "differ")
    assert not fits(reason, "helm", place, "only ours")
    assert not fits(reason, "helm", f"{place}/x", "differ")
    assert not fits(("", "/rows/*", "differ", "why"), "helm", "/rows/*/error", "differ")
    assert fits(("", *reason[1:]), "inspect", place, "differ")
