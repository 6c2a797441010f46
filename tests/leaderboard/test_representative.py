"""Which of several numbers represents a model: never the best for being the best."""

import json
import math
from itertools import permutations

import pytest
from evalmark.leaderboard import compare_models, conflicts, notes_of, top
from evalmark.leaderboard.site.write_site import publish
from stores import result, store_of


def numbered(score, file, shots=None, **given):
    """A result of this file; what is not given is not stated."""
    settings = {} if shots is None else {"generation": {"num_fewshot": shots}}
    plain = {"samples": None, "evaluated_at": None, "relationship": "first_party"}
    return result(score=score, file=file, settings=json.dumps(settings), **plain | given)


#: The example of the requirement: a vendor's own number without a sample size, and a measured one.
OWN = numbered(0.99, "own.json")
MEASURED = numbered(0.13, "measured.json", samples=1000, relationship="third_party")
OTHERS = [numbered(0.5, f"{n}.json", 5, model=f"lab/{n}", samples=1000) for n in ("b", "c")]


def test_a_claim_without_a_sample_size_does_not_beat_a_measured_number(tmp_path):
    store = store_of(tmp_path / "store", OWN, MEASURED, *OTHERS)
    table = top(store, "Facts")
    rows = [(r["rank"], r["model"], r["score"]) for r in table.to_pylist()]
    assert rows == [(1, "lab/b", 0.5), (1, "lab/c", 0.5), (3, "lab/a", 0.13)]
    last = table.to_pylist()[-1]
    assert (last["results"], last["worst"], last["best"]) == (2, 0.13, 0.99)
    assert notes_of(table)[0].startswith(
        "1 model has several numbers: of several numbers of a model, the one represents it whose"
    )
    assert conflicts(store).column("kind").to_pylist() == ["contradiction"] * 2
    (row,) = compare_models(store, "lab/a", "lab/b").to_pylist()
    assert (row["first"], row["first_results"]) == (0.13, 2)
    publish(store, tmp_path / "site", record_url="{file}")
    page = (tmp_path / "site/benchmarks/facts-all-accuracy.html").read_text()
    assert "0.1300 ≠ 0.9900" in page
    assert "of these a third party&#39;s" in page
    assert "lab/a</a> <b>0.1300" not in (tmp_path / "site/index.html").read_text().split("<li>")[1]


def test_a_number_from_a_record_with_errors_is_marked_also_beside_another(tmp_path):
    store = store_of(tmp_path, {**OWN, "verdict": "error"}, MEASURED, *OTHERS)
    said = [row["remark"] for row in top(store, "Facts").to_pylist()]
    assert said == [None, None, "the record of another number has errors"]


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
def test_one_thing_after_the_other_decides_whatever_the_order_of_the_rows(tmp_path, better, worse):
    rows = [
        numbered(**{"score": 0.2, "file": "m.json", **better}),
        numbered(**{"score": 0.9, "file": "n.json", **worse}),
        *OTHERS,
    ]
    for number, order in enumerate(permutations(rows)):
        table = top(store_of(tmp_path / str(number), *order), "Facts").to_pylist()
        assert next(r for r in table if r["model"] == "lab/a")["score"] == rows[0]["score"]


def test_the_settings_of_most_models_are_named_and_are_those_of_one_run(tmp_path):
    runs = [
        (0.1, {"num_fewshot": 5, "temperature": 0}),
        (0.2, {"num_fewshot": 0, "temperature": 1}),
    ]
    rows = [
        {**numbered(score, f"{model}{score}.json", model=model), "settings": json.dumps(settings)}
        for model in ("lab/a", "lab/b", "lab/c")
        for score, settings in runs
    ]
    table = top(store_of(tmp_path, *rows, numbered(0.3, "d.json", 0, model="lab/d")), "Facts")
    assert {r["score"] for r in table.to_pylist()} == {0.2, 0.3}
    assert "(num_fewshot=0, temperature=1)" not in notes_of(table)[0]
    assert "(num_fewshot=0)" in notes_of(table)[0]


def test_what_has_no_number_says_nothing_about_the_usual_settings(tmp_path):
    zero = [numbered(math.inf, f"{n}.json", 0, model=f"lab/{n}") for n in "defg"]
    own = numbered(0.1, "five.json", 5), numbered(0.9, "zero.json", 0)
    store = store_of(tmp_path, *own, *OTHERS, *zero)
    (row,) = compare_models(store, "lab/a", "lab/b").to_pylist()
    ranked = [r for r in top(store, "Facts").to_pylist() if r["model"] == "lab/a"]
    assert [row["first"], *(r["score"] for r in ranked)] == [0.1, 0.1]


def test_settings_are_named_where_they_are_those_of_one_benchmark(tmp_path):
    rows = [
        numbered(
            0.1 * number, f"{dataset}{shots}{number}.json", shots, model=model, dataset=dataset
        )
        for dataset, shots in (("Facts", 5), ("Sums", 0))
        for number, model in enumerate(("lab/a", "lab/b", "lab/a"))
    ]
    for several, named in ((rows, False), (rows[:3], True)):
        store = store_of(tmp_path / str(named), *several, numbered(0.3, "x.json", 1))
        notes = " ".join(notes_of(compare_models(store, "lab/a", "lab/b")))
        assert ("the one represents it" in notes, "num_fewshot=" in notes) == (True, named)


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
def test_a_setting_that_is_absent_does_not_make_two_numbers_different_things(
    tmp_path, ours, theirs, kind
):
    rows = numbered(0.1, "a.json", **ours), numbered(0.9, "b.json", **theirs)
    assert conflicts(store_of(tmp_path, *rows)).column("kind").to_pylist() == [kind] * 2
