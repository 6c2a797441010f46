"""Memory sets are checked: both layouts of LoCoMo, LongMemEval, answers to it, and real files."""

import copy
import json
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from conftest import FIXTURES
from evalmark.memory.formats.locomo import locomo_view
from evalmark.memory.formats.longmemeval import longmemeval_view
from evalmark.memory.formats.memory_dates import (
    LOCOMO_DATES,
    LONGMEMEVAL_DATES,
    read_loosely,
    slips,
)
from evalmark.memory.formats.rules.general_rules import SEARCHED
from evalmark.validator.check import check_data, check_file
from evalmark.validator.checker import check_files
from evalmark.validator.formats.builtin import detect
from hypothesis import given
from hypothesis import strategies as st
from looping import loops_over
from pointers import put

GOOD = FIXTURES / "good" / "memory"
LOCOMO = json.loads((GOOD / "locomo.json").read_text("utf-8"))
LONGMEMEVAL = json.loads((GOOD / "longmemeval.json").read_text("utf-8"))
TIMES = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1)).map(
    lambda time: time.replace(second=0, microsecond=0)
)


def found(data: Any) -> list[tuple[str, str]]:
    return [(f.code, f.pointer) for f in check_data(data).findings]


def nested(conversation: dict[str, Any]) -> dict[str, Any]:
    """The later layout of a conversation."""
    qa = {"qa": conversation["qa"]}
    return {**qa, "conversation": {k: v for k, v in conversation.items() if k != "qa"}}


def jsonl(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def test_a_set_is_recognized_alone_and_in_a_list():
    assert detect(LOCOMO) == detect([LOCOMO]) == detect(nested(LOCOMO)) == "locomo"
    assert detect(LONGMEMEVAL) == detect(LONGMEMEVAL[0]) == "longmemeval"
    assert detect({"question_id": "q1", "hypothesis": ""}) == "longmemeval-answers"


@loops_over("path", sorted((FIXTURES / "bad").glob("MT*.json")))
def test_both_layouts_have_the_same_findings(path):
    data = json.loads(path.read_text("utf-8"))
    if not isinstance(data, dict) or "conversation" in data or "memory_set" in data:
        return
    above = [(code, at.removeprefix("/conversation")) for code, at in found(nested(data))]
    assert sorted(above) == sorted(found(data))
    listed = [(code, at.removeprefix("/1")) for code, at in found([LOCOMO, data])]
    assert sorted(listed) == sorted(found(data))


def test_one_broken_conversation_of_a_list_does_not_hide_the_others():
    broken, other = copy.deepcopy(LOCOMO), copy.deepcopy(LOCOMO)
    del broken["qa"][0]["evidence"]
    other["qa"][0]["evidence"] = ["D9:9"]
    assert found([broken, other]) == [("MT101", "/0/qa/0"), ("MT201", "/1/qa/0/evidence/0")]


def test_a_session_that_is_there_twice_lacks_its_answer_once():
    data = copy.deepcopy(LONGMEMEVAL)
    data[2]["answer_session_ids"] = ["c2"]
    for key in ("haystack_session_ids", "haystack_dates", "haystack_sessions"):
        data[2][key].append(data[2][key][0])
    assert [code for code, _ in found(data)].count("MT228") == 1


def test_questions_on_lines_are_told_how_to_become_a_list(tmp_path):
    (finding,) = check_file(jsonl(tmp_path / "set.jsonl", LONGMEMEVAL)).findings
    assert finding.code == "F019"
    assert finding.helps == ("write the lines as one list: `jq -s . FILE > NEW.json`",)


def test_answers_are_compared_with_the_set_of_the_call(tmp_path):
    of_set = GOOD / "longmemeval.json"
    rows = [{"question_id": name, "hypothesis": "Yes."} for name in ("q1", "q2_ab", "zebra")]
    answers = jsonl(tmp_path / "answers.jsonl", rows)
    both = check_files([of_set, answers])
    assert [(f.code, f.span and f.span.line, f.helps) for f in both.findings] == [
        ("MT402", 2, ('write "q2_abs"',)),
        ("MT402", 3, ("remove this line",)),
        ("MT403", 1, ("add the missing lines; a question without an answer is not scored",)),
    ]
    assert both.findings[2].message == f"1 of the 3 questions of {of_set} has no answer: q3"
    assert check_files([answers]).findings == check_files([of_set]).findings == ()
    assert check_files([of_set, answers], schema_only=True).findings == ()


def test_answers_belong_to_the_set_with_most_of_their_ids(tmp_path):
    other = copy.deepcopy(LONGMEMEVAL)
    for number, question in enumerate(other[:2]):
        question["question_id"] = f"other{number}"
        question["haystack_sessions"][0][0].pop("has_answer", None)
    second = tmp_path / "other.json"
    second.write_text(json.dumps(other[1:]))
    done = check_files([second, GOOD / "longmemeval.json", GOOD / "answers.jsonl"])
    assert [f.code for f in done.findings if f.path.endswith(".jsonl")] == []


def test_the_common_view_has_sessions_in_order_and_evidence():
    conversation = {f"session_{n}": LOCOMO["session_1"] for n in (10, 2)} | {"qa": []}
    ((view,),) = (locomo_view([("", conversation)]).histories,)
    assert [session.id for session in view.sessions] == ["session_2", "session_10"]
    (view,) = locomo_view([("/0", nested(LOCOMO))]).histories
    evidence = view.evidence_of(view.questions[1])
    assert [(turn.at, turn.id) for turn in evidence] == [
        ("/0/conversation/session_2/0", "D2:1"),
        ("/0/conversation/session_2/2", "D2:3"),
    ]
    assert [question.is_answerable for question in view.questions] == [True] * 4 + [False]
    histories = longmemeval_view([(f"/{i}", q) for i, q in enumerate(LONGMEMEVAL)]).histories
    assert [h.question.is_answerable for h in histories] == [True, False, True]
    assert [turn.is_marked for turn in histories[2].evidence_of(histories[2].question)] == [
        True, False, True, False,
    ]  # fmt: skip


@given(TIMES)
def test_dates_read_back(time):
    for form in (LOCOMO_DATES, LONGMEMEVAL_DATES):
        assert form.read(form.write(time)) == time
        assert read_loosely(form.write(time)) == time
        for other in (LOCOMO_DATES, LONGMEMEVAL_DATES):
            assert form.meant(other.write(time)) == form.write(time)
        assert form.meant(time.isoformat(" ")) == form.meant(time.isoformat()) == form.write(time)


@pytest.mark.parametrize("month", ["May", "September", "Sept", "Septembre"])
def test_a_month_may_be_shortened_or_misspelt(month):
    number = 5 if month == "May" else 9
    assert read_loosely(f"1:56 pm on 8 {month}, 2023") == datetime(2023, number, 8, 13, 56)


@given(st.text())
def test_no_text_stops_the_reading_of_dates(text):
    for form in (LOCOMO_DATES, LONGMEMEVAL_DATES):
        assert form.read(text) is None or form.write(form.read(text))
        form.meant(text)


@given(st.lists(TIMES, max_size=12))
def test_without_its_slips_a_history_is_in_order(times):
    wrong = {slip.wrong for slip in slips(times)}
    kept = [time for place, time in enumerate(times) if place not in wrong]
    assert all(one <= other for one, other in pairwise(kept))


@given(st.integers(3, 20), st.data())
def test_a_wrong_year_is_found_and_corrected(count, data):
    """In a history of some months, of which neither the first nor the last date is wrong."""
    begin = datetime(2023, 3, 1)
    times = [begin + timedelta(days=10 * place) for place in range(count)]
    place = data.draw(st.integers(1, count - 2))
    year = data.draw(st.sampled_from((2022, 2024)))
    given_times = [*times]
    given_times[place] = times[place].replace(year=year)
    (slip,) = slips(given_times)
    assert (slip.wrong, slip.meant) == (place, times[place])


#: The findings on each real conversation, all of them read: see the messages.
REAL = {
    "26": [
        ("MT202", "/qa/37/evidence"),  # "D8:6; D9:17"
        ("MT307", "/session_20_date_time"),  # to session_35_date_time; 19 sessions
        ("MT208", "/qa/167/answer"),
        ("MT208", "/qa/178/answer"),
        ("MT212", "/qa/106/evidence"),  # a turn of Caroline that asks Melanie
        ("MT212", "/qa/139/evidence"),
    ],
    "30": [
        ("MT212", "/qa/44/evidence"),
        ("MT242", "/qa/95"),  # asked in category 4 and as adversarial, with the same evidence
    ],
    "43": [
        ("MT202", "/qa/18/evidence/4"),  # "D:11:26"
        ("MT212", "/qa/74/evidence"),
        ("MT212", "/qa/165/evidence"),
        ("MT212", "/qa/166/evidence"),  # the favorite book of the other speaker
    ],
}


@pytest.mark.parametrize("name", REAL)
def test_real_conversations_have_the_mistakes_that_were_read(name, shared):
    report = check_file(shared / f"data/memory/locomo/{name}.json")
    assert sorted((f.code, f.pointer) for f in report.findings) == sorted(REAL[name])
    data = json.loads((shared / f"data/memory/locomo/{name}.json").read_text("utf-8"))
    above = [(code, at.removeprefix("/0").removeprefix("/conversation"))
             for code, at in found([nested(data)])]  # fmt: skip
    assert sorted(above) == sorted(REAL[name])


# one mistake, one finding


def test_an_id_that_two_sessions_have_is_one_mistake(tmp_path):
    data = copy.deepcopy(LONGMEMEVAL)
    data[2]["haystack_session_ids"][1] = data[2]["haystack_session_ids"][0]
    assert found(data) == [("MT223", "/2/haystack_session_ids/1")]
    (finding,) = check_data(data).findings
    assert finding.helps == ('write "c2"',)
    data[2]["haystack_session_ids"].append("c1")
    assert [code for code, _ in found(data)] == ["MT222", "MT223"]


@pytest.mark.parametrize(("one", "other"), [(0, 1), (1, 0)])
def test_an_id_that_two_questions_have_is_one_mistake(one, other):
    data = copy.deepcopy(LONGMEMEVAL)
    data[one]["question_id"] = data[other]["question_id"]
    assert [code for code, _ in found(data)] == ["MT226"]


@pytest.mark.parametrize(
    "line",
    ['{"question_id": "q3"}', '{"question_id": "q3", "hypothesis": 3}', "{", '{"hypothesis": ""}',
     '{"question_id": "other", "hypothesis": "x"}'],
)  # fmt: skip
def test_the_question_of_a_broken_line_is_not_missing_as_well(tmp_path, line):
    lines = (GOOD / "answers.jsonl").read_text("utf-8").splitlines()[:2]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join([*lines, line]) + "\n")
    codes = {f.code for f in check_files([path, GOOD / "longmemeval.json"]).findings}
    assert len(codes) == 1
    assert "MT403" not in codes


def test_similar_ids_are_looked_for_in_the_first_findings_only():
    """A set whose evidence is all of another numbering is checked in seconds."""
    turns = [{"id": name, "role": "user", "content": "x"} for name in ("turn-1", "other")]
    questions = [
        {"id": f"q{n}", "type": "t", "question": f"{n}?", "answer": "a", "evidence": ["turn_1"]}
        for n in range(SEARCHED + 1)
    ]
    history = {"id": "h", "sessions": [{"id": "s", "turns": turns}], "questions": questions}
    findings = check_data({"memory_set": "1", "name": "n", "histories": [history]}).findings
    first, *_, last = [finding.helps for finding in findings if finding.code == "MT261"]
    assert (first, last) == (('write "turn-1"',), ("write the id of a turn with the answer",))


def test_advice_is_that_of_the_format():
    """A conversation has turns, and no regions that could be empty."""
    question = json.loads((FIXTURES / "good/memory/longmemeval.json").read_text("utf-8"))
    (finding,) = check_data(put(question, "/0/haystack_sessions/0/0/content", None)).findings
    assert finding.message == "`content` must be a string, got null"
    assert finding.helps == ()
