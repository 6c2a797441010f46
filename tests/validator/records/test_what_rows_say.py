"""Rows whose parts must agree with each other, and with their record; and honest ones near them."""

import copy

import pytest
from conftest import data_at
from evalmark.validator.check import check_file
from records import sampled
from test_what_agrees import DATA, FIGURES, of_data

ROWS = data_at("good/with_samples_samples.jsonl")


def answered(at, value, right, *, reference=None, choices=None, **changes):
    """A row whose answer was compared exactly, and whether it counts as correct."""
    method = changes.pop("method", "exact_match")
    asked = {"raw": f"Question {at}?", "reference": reference or [f"answer {at}"]}
    return {
        "input": {**asked, **({"choices": choices} if choices else {})},
        "output": {"raw": [value]},
        "answer_attribution": [{
            "turn_idx": 0, "source": "output.raw", "extracted_value": value,
            "extraction_method": method, "is_terminal": True,
        }],
        "evaluation": {"score": float(right), "is_correct": right},
        **changes,
    }  # fmt: skip


def found_in(tmp_path, rows, change=None):
    """The findings of the good record with these rows; its score is their mean."""
    template = {key: ROWS[0][key] for key in ROWS[0] if key not in ("sample_hash", "output")}

    def both(record, here):
        (result,) = record["evaluation_results"]
        here[:] = [
            {**copy.deepcopy(template), "sample_id": f"s{at}", **row} for at, row in enumerate(rows)
        ]
        scores = [row["evaluation"]["score"] for row in here]
        result["score_details"]["score"] = sum(scores) / len(scores)
        if change:
            change(result, here)

    return check_file(sampled(tmp_path, both)).findings


def said(tmp_path, rows, change=None):
    return [(f.code, f.pointer, f.fold) for f in found_in(tmp_path, rows, change)]


#: Six rows that are correct as their answers say.
PLAIN = [answered(at, f"answer {at}", right=True) for at in range(4)]
PLAIN += [answered(at, f"{at + 1}", right=False, reference=[f"{at}"]) for at in (74, 75)]
FRUIT = {"reference": ["a plum"], "choices": ["a plum", "an apple"]}
ODD = [("EE301", "/evaluation/is_correct", "answer")]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (answered(9, "146", right=True, reference=["139"]), ODD),
        (answered(9, "an apple", right=True, **FRUIT), ODD),
        (answered(9, "An Apple.", right=True, **FRUIT), ODD),
        (answered(9, "139", right=False, reference=["139"]), ODD),
        (answered(9, "a plum", right=False, **FRUIT), ODD),
        (answered(9, "1,390", right=True, reference=["1390"]), []),
        (answered(9, "$139.00", right=True, reference=["139"]), []),
        (answered(9, "0.75", right=True, reference=["75"]), []),  # in percent
        (answered(9, "-139", right=True, reference=["139"]), []),
        (answered(9, "140", right=True, reference=["139"]), []),  # near enough
        (answered(9, "1/2", right=True, reference=["0.5"]), []),
        (answered(9, "one hundred", right=True, reference=["100"]), []),
        (answered(9, "USA", right=True, reference=["United States"]), []),  # one of other names
        (answered(9, "Answer 9.", right=True), []),
        (answered(9, "(B)", right=True, **FRUIT), []),  # the letter of a choice
        (answered(9, "plum", right=True, **FRUIT), []),
        (answered(9, "7", right=True, reference=["1"], choices=["5", "7", "9"]), []),  # its number
        (answered(9, "7", right=False, reference=["7"], choices=["5", "7", "9"]), []),
        (answered(9, "146", right=True, reference=["139", "146"]), []),
        (answered(9, "139", right=False, reference=["139", "146"]), []),  # both are needed
        (answered(9, "139", right=False, reference=["139"], error="TimeoutError"), []),
        (answered(9, "146", right=True, reference=["139"], method="model_graded"), []),
    ],
)  # fmt: skip
def test_an_exact_answer_is_correct_if_it_is_the_expected_one(tmp_path, row, expected):
    assert said(tmp_path, [*PLAIN, row]) == expected


def test_answers_that_are_compared_in_another_way_say_nothing(tmp_path):
    """The score may be of another metric, whose program writes the same method everywhere."""
    rows = [answered(at, f"{at + 20}", right=True, reference=[f"{at}"]) for at in range(8)]
    assert said(tmp_path, rows) == []
    letters = [answered(at, "B", right=True) for at in range(8)]
    assert said(tmp_path, [*PLAIN, *letters, answered(9, "46", right=True, reference=["39"])]) == []


def talked(*calls, count=None, submits=False, source=None, method="regex", content="It is 34."):
    """A conversation whose turns call tools so many times, and end with an answer."""
    turns = [{"role": "user", "content": "13 + 21?"}]
    for at, many in enumerate(calls):
        ids = [f"call_{at}_{each}" for each in range(many)]
        turns.append(
            {"role": "assistant", "content": None,
             "tool_calls": [{"id": each, "name": "add", "arguments": {}} for each in ids]}
        )  # fmt: skip
        turns += [{"role": "tool", "content": "34", "tool_call_id": [each]} for each in ids]
    turns += [] if submits else [{"role": "assistant", "content": content}]
    last = len(turns) - 1
    attribution = {
        "turn_idx": last, "source": (source or "messages[{last}].content").format(last=last),
        "extracted_value": "34", "extraction_method": method, "is_terminal": True,
    }  # fmt: skip
    counts = {} if count is None else {"tool_calls_count": count}
    return {
        "interaction_type": "agentic", "output": None, "answer_attribution": [attribution],
        "input": {"raw": "13 + 21?", "reference": ["34"]},
        "interactions": [{"turn_idx": at, **turn} for at, turn in enumerate(turns)],
        "evaluation": {"score": 1.0, "is_correct": True, "num_turns": len(turns), **counts},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (talked(1, count=0), [("EE302", "/evaluation/tool_calls_count", "calls")]),
        (talked(2, 1, count=0), [("EE302", "/evaluation/tool_calls_count", "calls")]),
        (talked(count=0), []),
        (talked(2, 1), []),
        (talked(2, 1, count=3), []),
        (talked(2, 1, count=2), []),  # turns that call, or calls that succeeded
        (talked(1, count=7), []),  # turns that are left out
        (talked(1, count=0, submits=True), []),
        (talked(source="messages[9].content"), [
            ("EE307", "/answer_attribution/0/source", "source")]),
        (talked(source="messages[2]"), [("EE307", "/answer_attribution/0/source", "source")]),
        (talked(source="messages[-1].content"), []),
        (talked(source="output.raw"), []),
        (talked(source="the last message"), []),
        (talked(content="It is 35."), [
            ("EE310", "/answer_attribution/0/extracted_value", "output")]),
        (talked(source="messages[0].content"), [
            ("EE310", "/answer_attribution/0/extracted_value", "output")]),
        (talked(content="It is 35.", method="a judge"), []),
        (talked(content="It is 3 4."), []),
        (talked(1, submits=True), []),
        (talked(content=None), []),
    ],
)  # fmt: skip
def test_turns_have_what_is_said_of_them(tmp_path, row, expected):
    assert said(tmp_path, [row]) == expected


def written(text, tokens, **changes):
    used = {"input_tokens": 20, "output_tokens": tokens, "total_tokens": 20 + tokens}
    return {**answered(9, "x", right=True, method="a judge"), "output": {"raw": [text]},
            "token_usage": used, **changes}  # fmt: skip


@pytest.mark.parametrize(
    ("row", "is_odd"),
    [
        (written("many words " * 100, 4), True),
        (written("many words " * 100, 180), False),
        (written("many words " * 100, 0), False),  # nobody counted
        (written("Antidisestablishmentarianism", 1), False),
        (written("= " * 900, 4), False),
        (written("Question 9? " + "many words " * 100, 4), False),  # it repeats what was asked
        (written("many words " * 100, 1, **answered(9, "x", right=True, **FRUIT)), False),
    ],
)  # fmt: skip
def test_outputs_have_enough_tokens(tmp_path, row, is_odd):
    row["output"] = row["output"] if not row["input"].get("choices") else {"raw": ["word " * 900]}
    at = "/token_usage/output_tokens"
    assert said(tmp_path, [row]) == [("EE306", at, "letters")] * is_odd


@pytest.mark.parametrize(
    ("highest", "help_text"),
    [
        (1, "divide the scores of the rows by 100, if the score is right"),
        (100, "write 66.6667, if the rows are right"),
    ],
)
def test_rows_on_another_scale(tmp_path, highest, help_text):
    def scaled(result, rows):
        result["metric_config"]["max_score"] = highest
        result["score_details"]["score"] = 0.666667
        for row in rows:
            row["evaluation"]["score"] *= 100

    rows = [answered(at, "x", right=at != 2) for at in range(3)]
    (found,) = found_in(tmp_path, rows, scaled)
    assert (found.code, found.helps) == ("EE318", (help_text,))
    assert found.message.endswith("its 3 rows is 66.6667, 100 times as much")


def test_a_mean_beyond_the_bounds_is_not_to_be_written(tmp_path):
    def change(result, rows):
        result["metric_config"]["evaluation_description"] = "accuracy"
        result["score_details"]["uncertainty"] = {"num_samples": len(rows)}
        result["score_details"]["score"] = 0.333333
        for row in rows:
            row["evaluation"] = {"score": 3.0, "is_correct": True}

    (found,) = found_in(tmp_path, [answered(at, "x", right=True) for at in range(3)], change)
    assert (found.code, found.severity.value, found.helps) == ("EE318", "error", ())


def test_rows_that_were_cut_are_the_cause_of_another_mean(tmp_path):
    def change(result, _):
        result["score_details"] = {"score": 0.5, "uncertainty": {"num_samples": 9}}

    (found,) = found_in(tmp_path, [answered(at, "x", right=at > 0) for at in range(4)], change)
    assert found.code == "EE324"
    assert found.notes[0] == "score is 0.5, but the mean of its 4 rows is 0.75"


@pytest.mark.parametrize(
    ("field", "code"),
    [("evaluation_name", "EE316"), ("model_id", "EE315")],
)
@pytest.mark.parametrize("many", [2, 3, 7])
def test_what_several_rows_say_of_their_record_is_one_mistake(tmp_path, field, code, many):
    def change(_, rows):
        for row in rows[:many]:
            row[field] = "another/one"

    found = found_in(tmp_path, [answered(at, "x", right=at > 0) for at in range(8)], change)
    assert {each.code for each in found} == {code}
    assert len(found) == (2 if many < 3 else 1)
    if many > 2:
        assert found[0].notes[-1] == f"the same in {many - 1} other rows"


# Samples and resamples


def resampled(samples, resamples, data, error=0.029752, text="Accuracy", **values):
    return of_data(
        "npi", "npi", "example/npi", text,
        **{f"{DATA}/samples_number": data, "score_details/score": 0.672,
           f"{FIGURES}/standard_error": {"value": error, "method": "bootstrap"},
           f"{FIGURES}/num_samples": samples, f"{FIGURES}/num_bootstrap_samples": resamples,
           **values},
    )  # fmt: skip


def test_an_error_that_follows_from_a_number_is_no_second_finding():
    from evalmark import check_data

    record = resampled(10000, 10000, 164, 0.0366, **{f"{FIGURES}/standard_deviation": 0.4695})
    (found,) = check_data(record).findings
    assert (found.code, found.helps) == ("EE254", ())
    assert any("standard error" in note for note in found.notes)
