"""The table of metrics: what it says, and which names it knows."""

import re
from collections import Counter
from math import inf

import pytest
from evalmark.schemas.metrics.known_metrics import (
    find_metric,
    known_metric,
    metric_id,
    normalized,
    same_name,
)
from evalmark.schemas.metrics.metric_registry import REGISTERED
from evalmark.schemas.metrics.metric_table import KNOWN_METRICS
from looping import loops_over

ENTRIES = loops_over("entry", KNOWN_METRICS)


def names_of(entry):
    return [*entry.names, *entry.alike]


def test_each_name_is_that_of_one_metric():
    counts = Counter(name for one in KNOWN_METRICS for name in {normalized(one.id), *names_of(one)})
    assert [name for name, count in counts.items() if count > 1] == []
    assert all(len(names_of(one)) == len(set(names_of(one))) for one in KNOWN_METRICS)


@ENTRIES
def test_an_entry_is_normalized_and_has_a_source(entry):
    assert [name for name in names_of(entry) if normalized(name) != name] == []
    assert re.fullmatch(r"[a-z0-9-]+", entry.id)
    assert entry.sources
    assert all(re.fullmatch(r"https://\S+", source) for source in entry.sources)
    assert entry.kind
    assert all(scale.low < scale.high for scale in entry.scales)


@pytest.mark.parametrize(
    ("name", "identity", "lower"),
    [
        ("MAE", "mae", True),
        ("Word Error Rate", "wer", True),
        ("RMSE", "rmse", True),
        ("word_perplexity", "perplexity", True),
        ("rougeL", "rouge-l", False),
        ("ROUGE-L", "rouge-l", False),
        ("ndcg_at_10", "ndcg", False),
        ("recall@5", "recall", False),
        ("pass@k", "pass-rate", False),
        ("pass@1:8_samples", "pass-rate", False),
        ("exact_match,strict-match", "exact-match", False),
        ("acc,none", "accuracy", False),
        ("acc_stderr,none", "spread", None),
        ("v_measure_std", "spread", None),
        ("lm-evaluation-harness.acc_norm", "accuracy", False),
        ("helm.edit_distance", "distance-from-copied-text", False),
        ("bias_metric:mode=associations,demographic_category=race", "stereotypes", True),
        ("euclidean_spearman", "spearman", False),
    ],
)
def test_a_name_is_known_in_any_spelling(name, identity, lower):
    found = find_metric(name)
    assert (found.id, found.lower_is_better) == (identity, lower)


@pytest.mark.parametrize(
    "name",
    # A part of a name says nothing: `error correction rate` is better the higher it is.
    ["error", "error_correction_rate", "maestro", "non_toxicity", "my_accuracy", "lossless",
     "score", "mean", "match", "rr", "refusal_rate", "board.accuracy", ""],
)  # fmt: skip
def test_a_part_of_a_name_is_not_enough(name):
    assert find_metric(name) is None


def test_a_name_may_mean_something_in_one_program_only():
    assert find_metric("match", "inspect_ai").kind == "accuracy"
    assert find_metric("RR@10", "helm").id == "mean-reciprocal-rank"
    # Copied text is what HELM measures by it; elsewhere it is the distance from the right text.
    assert find_metric("edit_distance", "helm").lower_is_better is False
    assert find_metric("edit_distance").lower_is_better is True


def test_names_that_contradict_decide_nothing():
    assert known_metric("accuracy", "wer") is None
    assert known_metric("mine", None, "wer").id == "wer"


def test_bounds_are_not_known_where_programs_use_several_scales():
    accuracy, bleu, brier = map(find_metric, ("accuracy", "bleu", "brier_score"))
    assert (accuracy.bounds(), accuracy.bounds("helm")) == (None, (0, 1))
    assert (bleu.bounds("lm-evaluation-harness"), bleu.bounds("helm")) == ((0, 100), (0, 1))
    assert (brier.bounds(), brier.bounds("lm-evaluation-harness")) == (None, (0, 2))
    assert accuracy.scale_words == "0 to 1, or 0 to 100"
    assert brier.scale_words == "0 to 2, or 0 to 1"
    # A rate of errors has one pair of bounds, and two units.
    wer = find_metric("wer")
    assert (wer.bounds(), wer.unit()) == ((0, inf), None)


def test_ids_are_those_of_the_registry_or_begin_with_the_program():
    assert metric_id("acc", "helm") == metric_id("accuracy", "helm") == "accuracy"
    assert metric_id("acc_norm", "helm") == "normalized-accuracy"
    assert metric_id("rougeLsum", "helm") == "rouge-lsum"
    assert metric_id("pass@1", "helm") == "pass-at-1"
    assert metric_id("balanced_accuracy", "helm") == "helm.balanced_accuracy"
    assert metric_id("exact_match@5", "helm") == "helm.exact_match@5"
    assert metric_id("logprob", "helm") == "helm.logprob"


@loops_over("name", [name for key, names in REGISTERED.items() for name in (key, *names)])
def test_a_registered_metric_is_in_the_table_under_each_of_its_names(name):
    assert find_metric(name) is not None
    assert same_name(name) in REGISTERED


def test_names_of_the_registry_contradict_no_entry_of_the_table():
    for identity, others in REGISTERED.items():
        assert len({find_metric(name).id for name in (identity, *others)}) == 1


def test_metrics_that_are_only_alike_have_names_of_their_own():
    assert same_name("acc") == same_name("accuracy") != same_name("acc_norm")
    assert same_name("balanced_accuracy") == "balanced_accuracy"
    assert same_name("ndcg@5") == "ndcg@5"
    assert same_name("exact_match,strict-match") != same_name("exact_match,flexible-extract")
