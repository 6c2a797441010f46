"""Which numbers contradict each other, and what is known of a number alone."""

import json

import pytest
from result_rows import results_of, rows_of


def kinds_of(*rows):
    return [row.conflict for row in results_of(*rows)]


@pytest.mark.parametrize(
    ("scores", "is_conflict"),
    [((0.637, 0.488), True), ((0.64, 0.637), False), ((0.64, 0.6351), False), ((0.64, 0.634), True),
     ((1.0, 0.6), True), ((1.0, 0.996), False), ((0.5, 0.506), True), ((0.1 + 0.2, 0.3), False),
     ((0.64, 0.637, 0.643), True), ((0.64, 0.638, 0.638), False)],
    ids=str,
)  # fmt: skip
def test_rounding_is_no_conflict(scores, is_conflict):
    kind = "contradiction" if is_conflict else None
    assert kinds_of(*({"score": score} for score in scores)) == [kind] * len(scores)


def test_a_percentage_is_rounded_to_its_own_digits():
    percent = {"max_score": 100.0}
    assert kinds_of({"score": 64.0, **percent}, {"score": 63.7, **percent}) == [None, None]


def test_the_settings_that_differ_are_said():
    inner = (
        '{"generation":{"generation_args":{"temperature":%s},"additional_details":{"shots":"5"}}}'
    )
    results = results_of(
        {"score": 0.637, "settings": inner % "0", "harness": "lm-eval 0.4"},
        {"score": 0.488, "settings": inner % "1", "source": "Other"},
        {"model": "lab/two"},
    )
    assert [row.differs for row in results] == [
        "temperature=0, harness=lm-eval 0.4, source=Lab",
        "temperature=1, harness=not stated, source=Other",
        None,
    ]


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ({}, {}, "contradiction"),
        ({"source": "Lab"}, {"source": "Other", "evaluated_at": 1.7e9}, "contradiction"),
        ({"hal_rank": "3", "total_cost_usd": "1.5"}, {"hal_rank": "4"}, "contradiction"),
        ({"precision": "bfloat16"}, {"precision": "float16"}, "several settings"),
        ({"reasoning_effort": "high"}, {}, "contradiction"),
        ({"harness": "lm-eval 0.4"}, {"harness": "lm-eval 0.3"}, "several settings"),
    ],
)
def test_only_numbers_under_the_same_settings_contradict_each_other(one, other, kind):
    columns = {"source", "evaluated_at", "harness"}
    rows = [
        {
            "score": score,
            "settings": json.dumps({k: v for k, v in own.items() if k not in columns}),
            **{k: v for k, v in own.items() if k in columns},
        }
        for score, own in ((0.6, one), (0.5, other))
    ]
    assert kinds_of(*rows) == [kind, kind]


def test_one_name_makes_a_conflict_of_two_models():
    from evalmark.leaderboard.names import MergedNames

    rows = {"score": 0.7}, {"score": 0.3, "model": "Lab/One-v1"}
    assert kinds_of(*rows) == [None, None]
    merged = results_of(*rows, names=MergedNames({"Lab/One-v1": "lab/one"}))
    assert [row.conflict for row in merged] == ["contradiction"] * 2


def test_what_cannot_be_ranked():
    level = {"settings": '{"metric":{"has_unknown_level":true}}', "score_type": "levels"}
    plain = {"score_type": "binary", "min_score": None, "max_score": None}
    rows = rows_of(
        {"score": 1.0}, {"score": 1.1}, {"score": None}, {"lower_is_better": None},
        {"score": float("nan")}, {"score": float("inf"), "max_score": None},
        {**level, "score": -1.0, "min_score": None}, {**level, "score": 1.0, "min_score": None},
        {**plain, "score": 2.0}, {**plain, "score": 0.5},
    )  # fmt: skip
    assert [row.is_ranked for row in rows] == [
        True, False, False, False, False, False, False, True, False, True,
    ]  # fmt: skip


def test_an_interval_is_recorded_or_from_the_standard_error_and_ends_where_the_scale_does():
    rows = rows_of(
        {"score": 0.5, "lower": 0.4, "upper": 0.7, "standard_error": 0.1},
        {"score": 0.4, "standard_error": 0.1}, {"score": 0.3},
        {"score": 0.95, "standard_error": 0.1}, {"score": 2.0, "standard_error": 0.1},
    )  # fmt: skip
    found = [row.interval for row in rows]
    assert found[0] == (0.4, 0.7)
    assert found[1] == pytest.approx((0.4 - 0.196, 0.4 + 0.196), abs=1e-4)
    assert found[2] == (None, None)
    assert found[3] == (pytest.approx(0.95 - 0.196, abs=1e-4), 1)
    assert found[4] == pytest.approx((2 - 0.196, 2 + 0.196), abs=1e-4)
