"""Benchmarks have names that a person reads, with no more than tells them apart."""

import pytest
from evalmark.leaderboard.benchmark_names import benchmark_names
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("board/MMLU-Pro | - | test | accuracy | higher | 0 to 1", "MMLU-Pro, accuracy"),
        ("board/mmlu | algebra | test | f1 | higher | 0 to 1", "mmlu: algebra, f1"),
        ("board/gsm8k | gsm8k/exact_match | - | exact_match | - | - to -", "gsm8k, exact match"),
        ("board/GSM8K | GSM8K - EM | - | - | higher | open to open", "GSM8K - EM"),
        ("helm/- | Mean win rate | - | - | higher | 0 to 1", "Mean win rate"),
        (r"a\|b/c\|d | \- | - | - | - | open to open", "c|d: -"),
        ("-/- | - | - | - | - | open to open", "unnamed"),
    ],
)
def test_a_name_has_what_is_measured_and_how(key, name):
    assert benchmark_names([key]) == {key: name}


def test_two_of_one_name_get_the_parts_in_which_they_differ():
    names = benchmark_names(
        [
            "helm/GPQA | GPQA | - | - | higher | 0 to 1",
            "open/- | GPQA | - | - | higher | 0 to 1",
            "open/GPQA | GPQA | - | - | higher | 0 to 1",
            "open/IFEval | - | - | pass | higher | 0 to 100",
            "open/IFEval | - | - | pass | lower | open to open",
        ]
    )
    assert list(names.values()) == [
        "GPQA (helm)", "GPQA (open, data set not given)", "GPQA (open, data set GPQA)",
        "IFEval, pass (higher is better)", "IFEval, pass (lower is better)",
    ]  # fmt: skip


PART = st.sampled_from(["-", "a", "A", "a: a", "a, b", "b", r"\-", "a (b)"])


@given(
    st.lists(
        st.builds(
            "{}/{} | {} | {} | {} | {} | {}".format,
            PART, PART, PART, PART, PART,
            st.sampled_from(["higher", "lower", "-"]), st.sampled_from(["0 to 1", "open to open"]),
        )
    )
)  # fmt: skip
def test_no_two_benchmarks_have_one_name(keys):
    names = benchmark_names(keys)
    assert names.keys() == set(keys)
    assert len({name.casefold() for name in names.values()}) == len(names)
