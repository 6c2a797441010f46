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


#: Four rows that are correct as their answers say.
PLAIN = [answered(at, f"answer {at}", right=True) for at in range(4)]
FRUIT = {"reference": ["a plum"], "choices": ["a plum", "an apple"]}
ODD = [("EE301", "/evaluation/is_correct", "answer")]
APPLE = answered(9, "an apple", right=True, **FRUIT)


def of_accuracy(result, _=None):
    result["metric_config"]["evaluation_description"] = "accuracy"


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (APPLE, ODD),
        (answered(9, "an apple", right=True, method="Exact Match", **FRUIT), ODD),
        (answered(9, "An Apple.", right=True, **FRUIT), []),
        (answered(9, "(B)", right=True, **FRUIT), []),  # the letter of a choice
        (answered(9, "plum", right=True, **FRUIT), []),
        (answered(9, "a plum", right=False, **FRUIT), []),  # not right in all orders
        (answered(9, "7", right=True, reference=["1"], choices=["5", "7", "9"]), []),  # its number
        (answered(9, "an apple", right=True, reference=["a plum", "a pear"],
                  choices=["a plum", "a pear", "an apple"]), []),
        (answered(9, "18", right=True, reference=["1 apple"], choices=["18", "1 apple"],
                  method="quasi_prefix_exact_match"), []),
        (answered(9, "an apple", right=True, method="inexact_match", **FRUIT), []),
        (answered(9, "an apple", right=True, method="not an exact match: judged", **FRUIT), []),
        ({**APPLE, "evaluation": {"score": 0.0, "is_correct": True}}, [(*ODD[0][:2], "correct")]),
        ({**APPLE, "output": {"raw": ["an apple", "a plum"]}}, []),  # one of two tries
        (answered(9, "120", right=True, reference=["2"]), []),  # minutes
        (answered(9, "118", right=True, reference=["100"]), []),  # near enough
        (answered(9, "139", right=False, reference=["139"]), []),  # not in a box
    ],
)  # fmt: skip
def test_an_exact_answer_that_is_correct_is_not_another_choice(tmp_path, row, expected):
    assert said(tmp_path, [*PLAIN, row], of_accuracy) == expected


def test_answers_that_are_compared_in_another_way_say_nothing(tmp_path):
    """The score may be of another metric, whose program writes the same method everywhere."""
    assert said(tmp_path, [*PLAIN, APPLE]) == []
    letters = [answered(at, "B", right=True) for at in range(8)]
    assert said(tmp_path, [*PLAIN, *letters, APPLE], of_accuracy) == []


def test_answers_of_each_result_are_compared_alone(tmp_path):
    def two_results(record, rows):
        (result,) = record["evaluation_results"]
        of_accuracy(result)
        record["evaluation_results"].append({**copy.deepcopy(result), "evaluation_name": "other"})
        template = {key: ROWS[0][key] for key in ROWS[0] if key not in ("sample_hash", "output")}
        named = [(row, {}) for row in PLAIN] + [(APPLE, {"evaluation_name": "other"})] * 2
        rows[:] = [
            {**copy.deepcopy(template), "sample_id": f"s{at}", **row, **name}
            for at, (row, name) in enumerate(named)
        ]

    found = check_file(sampled(tmp_path, two_results)).findings
    assert "EE301" not in [each.code for each in found]


def talked(*calls, source="messages[1].content", method="regex", content="It is 34."):
    """A conversation whose turns call tools so many times, and end with an answer."""
    turns = [{"role": "user", "content": "13 + 21?"}]
    for at, many in enumerate(calls):
        ids = [f"call_{at}_{each}" for each in range(many)]
        turns.append(
            {"role": "assistant", "content": None,
             "tool_calls": [{"id": each, "name": "add", "arguments": {}} for each in ids]}
        )  # fmt: skip
        turns += [{"role": "tool", "content": "denied", "tool_call_id": [each]} for each in ids]
    turns.append({"role": "assistant", "content": content})
    attribution = {
        "turn_idx": len(turns) - 1, "source": source, "extracted_value": "34",
        "extraction_method": method, "is_terminal": True,
    }  # fmt: skip
    return {
        "interaction_type": "agentic", "output": None, "answer_attribution": [attribution],
        "input": {"raw": "13 + 21?", "reference": ["34"]},
        "interactions": [{"turn_idx": at, **turn} for at, turn in enumerate(turns)],
        "evaluation": {
            "score": 1.0, "is_correct": True, "num_turns": len(turns), "tool_calls_count": 0,
        },
    }  # fmt: skip


@pytest.mark.parametrize(
    "row",
    [
        talked(2, 1),  # calls that were denied
        talked(source="messages[2].content"),  # of the log, which has a turn of the system
        talked(source="messages[0].content"),
        talked(content="It is thirty-four.", method="regex + word2number"),
        talked(content="Done.", method="regex on arguments"),
    ],
)
def test_turns_of_a_log_say_little_of_those_of_a_row(tmp_path, row):
    assert said(tmp_path, [row]) == []


@pytest.mark.parametrize(
    "row",
    [
        answered(9, "0.5", right=True, method="regex, then sympy"),
        answered(9, "B", right=True, method="regex over choices", **FRUIT),
    ],
)
def test_answers_may_be_made_of_what_an_expression_finds(tmp_path, row):
    assert said(tmp_path, [{**row, "output": {"raw": ["A plum, or one half."]}}]) == []


def test_a_program_or_an_agent_may_print_more_than_a_model_writes(tmp_path):
    used = {"input_tokens": 20, "output_tokens": 60, "total_tokens": 80}
    row = {**answered(9, "x", right=True, method="tests"), "token_usage": used}
    assert said(tmp_path, [{**row, "output": {"raw": ["a line of the program\n" * 120]}}]) == []


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
        of_accuracy(result)
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
