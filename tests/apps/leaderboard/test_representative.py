"""Which of several numbers represents a model: never the best for being the best."""

import json
import math
from itertools import permutations

import pytest
from evalmark.leaderboard.competing_results import represent, sentence
from result_rows import result, results_of, rows_of


def numbered(score, file, shots=None, **given):
    """A result of this file; what is not given is not stated."""
    settings = {} if shots is None else {"generation": {"num_fewshot": shots}}
    plain = {"samples": None, "evaluated_at": None, "relationship": "first_party"}
    return result(score=score, file=file, settings=json.dumps(settings), **plain | given)


#: The example of the requirement: a vendor's own number without a sample size, and a measured one.
OWN = numbered(0.99, "own.json")
MEASURED = numbered(0.13, "measured.json", samples=1000, relationship="third_party")
OTHERS = [numbered(0.5, f"{n}.json", 5, model=f"lab/{n}", samples=1000) for n in ("b", "c")]


def shown(*rows):
    """Model -> the score that represents it."""
    return {row.model: row.score for row in results_of(*rows) if row.represents}


def usual(*rows):
    """The sentence on why."""
    models = {}
    for row in rows_of(*rows):
        models.setdefault(row.model_key, []).append(row)
    _, settings = represent(models)
    return sentence(settings)


def test_a_claim_without_a_sample_size_does_not_beat_a_measured_number():
    rows = OWN, MEASURED, *OTHERS
    assert shown(*rows) == {"lab/a": 0.13, "lab/b": 0.5, "lab/c": 0.5}
    assert [row.conflict for row in results_of(*rows)] == ["contradiction"] * 2 + [None] * 2
    assert "of these a third party's" in usual(*rows)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"shots": 5}, {"shots": 0, "relationship": "third_party"}),  # as most models have it
        ({"relationship": "third_party"}, {"samples": 9000}),
        ({"shots": 5, "samples": 900}, {"samples": 100, "evaluated_at": 1.8e9}),
        ({"evaluated_at": 1.8e9}, {"evaluated_at": 1.7e9}),
        ({"retrieved_at": 1.8e9}, {"evaluated_at": 1.7e9}),
        ({"file": "a.json"}, {"file": "z.json"}),  # whatever is first by its name
        ({"score": 0.1}, {"score": 1.5, "samples": 9000}),  # out of bounds
    ],
)
def test_one_thing_after_the_other_decides_whatever_the_order_of_the_rows(better, worse):
    rows = [
        numbered(**{"score": 0.2, "file": "m.json", **better}),
        numbered(**{"score": 0.9, "file": "n.json", **worse}),
        *OTHERS,
    ]
    for order in permutations(rows):
        assert shown(*order)["lab/a"] == rows[0]["score"]


def test_the_settings_of_most_models_are_named_and_are_those_of_one_run():
    runs = [
        (0.1, {"num_fewshot": 5, "temperature": 0}),
        (0.2, {"num_fewshot": 0, "temperature": 1}),
    ]
    rows = [
        {**numbered(score, f"{model}{score}.json", model=model), "settings": json.dumps(settings)}
        for model in ("lab/a", "lab/b", "lab/c")
        for score, settings in runs
    ]
    rows.append(numbered(0.3, "d.json", 0, model="lab/d"))
    assert {*shown(*rows).values()} == {0.2, 0.3}
    assert "(num_fewshot=0, temperature=1)" not in usual(*rows)
    assert "(num_fewshot=0)" in usual(*rows)


def test_what_has_no_number_says_nothing_about_the_usual_settings():
    zero = [numbered(math.inf, f"{n}.json", 0, model=f"lab/{n}") for n in "defg"]
    own = numbered(0.1, "five.json", 5), numbered(0.9, "zero.json", 0)
    assert shown(*own, *OTHERS, *zero)["lab/a"] == 0.1


@pytest.mark.parametrize(
    ("ours", "theirs", "kind"),
    [
        ({}, {"samples": 1000}, "contradiction"),
        ({"shots": 5}, {}, "contradiction"),
        ({"shots": 5}, {"samples": 10}, "contradiction"),
        ({"shots": 5}, {"shots": 0}, "several settings"),
        ({"samples": 10}, {"samples": 1000}, "several settings"),
    ],
)
def test_a_setting_that_is_absent_does_not_make_two_numbers_different_things(ours, theirs, kind):
    rows = numbered(0.1, "a.json", **ours), numbered(0.9, "b.json", **theirs)
    assert [row.conflict for row in results_of(*rows)] == [kind] * 2


def test_rows_that_wait_on_disk_are_decided_like_others():
    """More of them than are kept in memory; the two that disagree are far from each other."""
    many = [result(f"lab/m{n}", score=0.5, file=f"{n}.json") for n in range(9000)]
    found = list(results_of(OWN, *many, MEASURED))
    assert len(found) == 9002
    assert [row.represents for row in found if row.model == "lab/a"] == [False, True]
    assert [found[0].conflict, found[1].conflict, found[-1].conflict] == [
        "contradiction", None, "contradiction",
    ]  # fmt: skip
