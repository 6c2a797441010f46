"""Numbers, names and settings of a record against each other: what is found, and what is right."""

import copy
import math
import random

import pytest
from conftest import data_at, record_at
from evalmark.validator.check import check_data
from evalmark.validator.formats.records.rules import sibling_rules
from evalmark.validator.formats.records.rules.number_relations import half_unit
from found import codes_of
from pointers import changed
from scipy.stats import beta, t

from benchmarks.mistakes.contents import CONTENTS, clean_records

RECORD = data_at("good/record.json")
QUANTILE = {0.9: 1.6449, 0.95: 1.96, 0.99: 2.5758}


def test_clean_records_have_no_finding():
    for record in clean_records(60):
        assert check_data(record).findings == ()


@pytest.mark.parametrize("mistake", CONTENTS, ids=lambda mistake: mistake.__name__)
def test_a_wrong_content_is_one_finding(mistake):
    causes = []
    for seed, record in enumerate(clean_records(12, seed=7)):
        data = copy.deepcopy(record)
        if mistake(data, random.Random(seed)):
            causes.append({(f.code, f.fold) for f in check_data(data).findings})
    assert causes
    # A mistake can be as right as what it replaces: the square of an error of 1 is 1.
    assert sum(len(found) == 1 for found in causes) >= 0.8 * len(causes), causes


def wilson(right, count, z):
    share = right / count
    middle, below = (share + z * z / 2 / count), 1 + z * z / count
    half = z * math.sqrt(share * (1 - share) / count + z * z / 4 / count / count)
    return max(0, (middle - half) / below), min(1, (middle + half) / below)


def exact(right, count, risk):
    low = beta.ppf(risk / 2, right, count - right + 1) if right else 0
    high = beta.ppf(1 - risk / 2, right + 1, count - right) if right < count else 1
    return float(low), float(high)


def bootstrap(scores, risk, r):
    size = len(scores)
    means = sorted(sum(r.choices(scores, k=size)) / size for _ in range(200))
    middle = sum(scores) / size
    low, high = means[int(risk / 2 * 199)], means[int((1 - risk / 2) * 199)]
    return min(low, middle), max(high, middle)


def intervals(scores, level, r):
    """Intervals of a mean by the methods that programs use, cut off at the bounds."""
    size, middle = len(scores), sum(scores) / len(scores)
    spread = math.sqrt(sum((x - middle) ** 2 for x in scores) / size)
    error = spread / math.sqrt(size)
    right = round(middle * size)
    times = {"normal": QUANTILE[level], "t": float(t.ppf((1 + level) / 2, size - 1))}
    yield "bootstrap", bootstrap(scores, 1 - level, r), spread, error
    if {*scores} <= {0, 1}:
        yield "wilson", wilson(right, size, QUANTILE[level]), spread, error
        yield "exact", exact(right, size, 1 - level), spread, error
    for name, factor in times.items():
        ends = max(0, middle - factor * error), min(1, middle + factor * error)
        yield name, ends, spread, error


@pytest.mark.parametrize("digits", [2, 4, None])
@pytest.mark.parametrize("size", [2, 3, 5, 10, 30, 164, 1000])
def test_no_method_of_intervals_is_blamed(size, digits):
    r = random.Random(f"{size} {digits}")
    shares = [0, size, 1, size - 1, r.randrange(size + 1)]
    samples = [[1.0] * right + [0.0] * (size - right) for right in shares]
    samples.append([r.betavariate(2, 2) for _ in range(size)])
    samples.append([r.betavariate(0.3, 0.3) for _ in range(size)])

    def written(value):
        return value if digits is None else round(value, digits)

    for scores in samples:
        for level in QUANTILE:
            for method, ends, spread, error in intervals(scores, level, r):
                data = copy.deepcopy(RECORD)
                score = written(sum(scores) / size)
                low, high = map(written, ends)
                data["evaluation_results"][0]["metric_config"]["score_type"] = "continuous"
                data["evaluation_results"][0]["score_details"] = {
                    "score": score,
                    "uncertainty": {
                        "standard_error": {"value": written(error)},
                        "standard_deviation": written(spread),
                        "num_samples": size,
                        "confidence_interval": {
                            "lower": min(low, score), "upper": max(high, score),
                            "confidence_level": level, "method": method,
                        },
                    },
                }  # fmt: skip
                found = check_data(data).findings
                assert found == (), (method, level, data["evaluation_results"][0])


@pytest.mark.parametrize(
    ("value", "half"), [(0.02, 0.005), (0.75, 0.005), (12.0, 0.5), (1e-05, 5e-06), (0.0, 0.005)]
)
def test_a_number_stands_for_all_that_are_written_like_it(value, half):
    assert math.isclose(half_unit(value), half)


def test_percentages_with_bounds_of_a_share_are_one_finding():
    data = copy.deepcopy(RECORD)
    (result,) = data["evaluation_results"]
    data["evaluation_results"] = [
        {**result, "evaluation_name": f"{n}", "score_details": {"score": 50.0 + n}}
        for n in range(40)
    ]
    (finding,) = check_data(data).findings
    assert finding.code == "EE201"
    assert len(finding.also) == 39


def test_a_number_that_breaks_several_relations_is_reported_once_with_what_is_right():
    data = data_at("bad/EE208_error_in_percent.json")
    (finding,) = check_data(data).findings
    assert finding.helps == ('if it is a percentage, write "value": 0.0217',)
    assert len(finding.notes) == 3
    data["evaluation_results"][0]["score_details"]["uncertainty"]["standard_error"]["value"] = (
        0.0217
    )
    assert check_data(data).findings == ()


# What two fields say of one thing

UNSURE, ARGS = "score_details__uncertainty", "generation_config__generation_args"


def result(**changes):
    """A result of the good record; ``metric_config__max_score=100`` changes a field of it."""
    one = copy.deepcopy(RECORD["evaluation_results"][0])
    one["metric_config"] |= {"score_type": "continuous", "min_score": 0, "max_score": 1}
    one["score_details"] = {"score": 0.5}
    return changed(one, {f"/{path.replace('__', '/')}": value for path, value in changes.items()})


def of(*results, **changes):
    return {**copy.deepcopy(RECORD), **changes, "evaluation_results": list(results)}


def latest(*results):
    return {**record_at("0.3.0"), "evaluation_results": list(results)}


def data(name, **more):
    repository = {"hf_repo": f"example/{name}", "source_type": "hf_dataset"}
    return {"dataset_name": name, **repository, **more}


def accuracy(score, count, description="Accuracy on agreement", **more):
    return result(
        source_data=data("agreement", samples_number=count),
        metric_config__evaluation_description=description,
        score_details__score=score,
        **more,
    )


def passed(k, score, **more):
    return result(
        evaluation_name=f"humaneval_pass_at_{k}",
        metric_config__evaluation_description=f"pass@{k} on HumanEval",
        score_details__score=score,
        **more,
    )


def average(score, description="Mean of all other results"):
    return result(
        evaluation_name="average",
        metric_config__evaluation_description=description,
        score_details__score=score,
    )


def named(name, dataset, score=0.5):
    return result(
        evaluation_name=name,
        source_data=data(dataset),
        score_details__score=score,
        metric_config__evaluation_description=f"Accuracy on {name}",
    )


def rated(names, score=1, **more):
    return result(
        metric_config={
            "evaluation_description": "Quality", "lower_is_better": False, "score_type": "levels",
            "level_names": names, "has_unknown_level": False,
        },
        score_details__score=score,
        **more,
    )  # fmt: skip


def shots(said, stated):
    return result(
        metric_config__evaluation_description=f"Accuracy on NPI ({said}-shot)",
        generation_config={"generation_args": {}, "additional_details": {"num_fewshot": stated}},
    )


def described(text):
    return {"metric_config__evaluation_description": text}


def command(options):
    return {f"{ARGS}__execution_command": f"lm_eval {options}"}


def judged(prompt, low, high):
    judge = {"model_info": {"name": "Judge", "id": "example/judge"}}
    return result(
        score_details__score=low,
        metric_config__min_score=low,
        metric_config__max_score=high,
        metric_config__llm_scoring={"judges": [judge], "input_prompt": prompt},
    )


def set_to(*settings):
    """A record with one result for each of some settings."""
    return of(
        *(
            result(evaluation_name=f"task-{at}", generation_config={"generation_args": each})
            for at, each in enumerate(settings)
        )
    )


LOGO = "https://lab.example/logo.png"
GREEDY, MANY = {f"{ARGS}__temperature": 0}, {"num_samples": 5000}
UNKNOWN = {"metric_config__has_unknown_level": True, "metric_config__min_score": 0}
DATED = {
    "model_info": {"name": "Model 1", "id": "example/model-1-20251022"},
    "evaluation_id": "agreement/example/model-1-20251022/1760000000",
}
PASSED = [passed(1, 0.4), passed(10, 0.7)]
THREE = [named("npi", "npi", 0.1), named("gaps", "gaps", 0.2), named("agree", "agree", 0.6)]


@pytest.mark.parametrize(
    ("record", "code"),
    [
        (of(accuracy(0.77, 10)), "EE249"),
        (of(accuracy(77.0, 10, metric_config__max_score=100)), "EE249"),
        (of(accuracy(0.5, 10, **{UNSURE: {"num_samples": 9}})), "EE249"),
        (of(accuracy(0.7, 5000, **{UNSURE: {"standard_error": {"value": 0}, **MANY}})), "EE247"),
        (
            of(accuracy(0.5, 500, **{UNSURE: {"num_samples": 1000, "num_bootstrap_samples": 500}})),
            "EE251",
        ),
        (of(passed(1, 0.7), passed(10, 0.4)), "EE269"),
        (of(passed(1, 0.4, **GREEDY), passed(10, 0.7, **GREEDY)), "EE269"),
        (of(average(0.45), *THREE), "EE269"),
        (of(named("npi", "gaps"), named("gaps", "agree"), named("agree", "npi")), "EE269"),
        (of(result(score_details__details={"mean": "0.7"})), "EE268"),
        (of(result(score_details__details={"description": "min=0.1, mean=0.41 (3)"})), "EE268"),
        (of(result(score_details={"score": 0.0, "details": {"status": "failed"}})), "EE268"),
        (of(result(score_details={"score": 0, "details": {"error": "HTTP 429"}})), "EE268"),
        (of(shots(5, "0")), "EE268"),
        (of(result(**described("Accuracy (5-shot)"), **command("--num_fewshot 0"))), "EE267"),
        (of(judged("Rate it on a scale from 1 to 5: {answer}", 1, 10)), "EE263"),
        (of(rated(["good", "fair", "poor"])), "EE259"),
        (of(result(**described("Word error rate on LibriSpeech"))), "EE211"),
        (of(result(), evaluation_timestamp="1700000000", **DATED), "EE225"),
    ],
)  # fmt: skip
def test_two_fields_that_contradict_each_other_are_one_finding(record, code):
    assert codes_of(record) == [code]


@pytest.mark.parametrize(
    "record",
    [
        of(accuracy(0.7, 10)),
        of(accuracy(0.333, 3)),
        of(accuracy(0.77, 10, "Mean accuracy of 8 runs")),
        of(accuracy(0.77, 10, "F1 on agreement")),
        of(accuracy(0.77, 10, generation_config__additional_details={"num_runs": "8"})),
        of(accuracy(0.7777, 20_000)),
        of(*PASSED),
        of(passed(1, 0.7, **{f"{ARGS}__temperature": 0.2}), passed(10, 0.4)),
        of(average(0.3), *THREE),
        of(average(0.45, "Weighted mean of all other results"), *THREE),
        of(average(0.45, "Normalized score"), *THREE),
        of(named("npi", "npi"), named("gaps", "gaps"), named("extra", "npi")),
        of(result(score_details__details={"mean": "50.0"})),
        of(result(score_details={"score": 0.0, "details": {"error": "none", "status": "success"}})),
        of(result(score_details={"score": 0, "details": {"error": "0.02"}})),
        of(shots(5, "5")),
        of(rated(["poor", "fair", "good"], -1, **UNKNOWN)),
        latest(result(metric_config__metric_unit="nat", metric_config__max_score=9)),
        of(result(evaluation_name="MMLU/None of the above")),
        latest(
            passed(1, 0.9, metric_config__metric_name="base pass@1"),
            passed(10, 0.8, metric_config__metric_name="plus pass@10"),
        ),
        of(
            passed(1, 45.0, metric_config__max_score=100, **GREEDY),
            passed(10, 45.2, metric_config__max_score=100, **GREEDY),
        ),
        of(result(**{UNSURE: {"num_samples": 570}}, **command("--tasks mmlu --limit 10"))),
        of(result(**command("--model_args pretrained=checkpoints/final"))),
        of(result(**command("--model_args pretrained=./final"))),
        set_to(*({"eval_limits": {"time_limit": each}} for each in (60, 60_000, 3600))),
        of(result(score_details__details={"n": "10"}, **{UNSURE: {"num_samples": 164}})),
        latest(result(metric_config__metric_name="accuracy per cost")),
        of(passed(1, 0.4, **GREEDY), passed(10, 0.42, **GREEDY)),
        of(judged("Rate it on a scale from 1 to 5: {answer}", 1, 5)),
        of(judged("Rate it on a scale from 0 to 10: {answer}", 0, 1)),
        of(rated(["poor", "fair", "good"])),
        of(rated(["poor", "fair", "good"], 1.58, **{UNSURE: {"num_samples": 200}})),
        of(
            named("ARC-Challenge", "arc") | {"evaluation_result_id": "arc_challenge.accuracy"},
            named("ARC-Easy", "arc") | {"evaluation_result_id": "arc_easy.accuracy"},
            schema_version="0.2.2", eval_library={"name": "lm_eval", "version": "0.4.8"},
        ),
        of(
            result(
                metric_config__metric_id="perplexity", metric_config__metric_name="perplexity",
                metric_config__evaluation_description="Perplexity", score_details__score=12.5,
                metric_config__min_score=0, metric_config__max_score=100_000,
                metric_config__lower_is_better=True,
            ),
            schema_version="0.2.2", eval_library={"name": "lm_eval", "version": "0.4.8"},
        ),
        of(result(**described("Share of the behaviours it refused"))),
    ],
)  # fmt: skip
def test_what_only_looks_like_it_is_not_reported(record):
    assert check_data(record).findings == ()


def test_a_setting_that_is_out_of_range_is_one_finding_with_all_its_results():
    arguments = [{"top_p": 95}] * 3
    (finding,) = check_data(set_to(*arguments)).findings
    pointers = [f"/evaluation_results/{n}/generation_config/generation_args/top_p" for n in (1, 2)]
    assert finding.code == "EE253"
    assert [*finding.also] == pointers


def test_each_number_of_shots_is_compared():
    one = shots(5, "5")
    one["generation_config"]["additional_details"] |= {"shots": "7", "n_shot": "8"}
    (finding,) = check_data(of(one)).findings
    assert (finding.code, finding.pointer.rpartition("/")[2]) == ("EE268", "shots")


def test_ids_that_name_nothing_are_compared_once(monkeypatch):
    asked = []

    def words(text):
        asked.append(text)
        return frozenset(text.split("-"))

    monkeypatch.setattr(sibling_rules, "_words", words)
    results = [
        result(evaluation_name=f"task-{n}", evaluation_result_id=f"r{n * 7919:x}")
        for n in range(100)
    ]
    assert check_data(latest(*results)).findings == ()
    # Each name for the ids, the first id, and each description.
    assert len(asked) <= 3 * len(results)


def test_ids_that_name_the_next_results_are_one_finding():
    names = ["npi", "gaps", "binding"]
    results = [
        result(evaluation_name=name, evaluation_result_id=f"run/{other}")
        for name, other in zip(names, names[1:] + names[:1], strict=True)
    ]
    (finding,) = check_data(latest(*results)).findings
    assert (finding.code, len(finding.also)) == ("EE269", 2)


@pytest.mark.parametrize(
    ("number", "code"),
    [(math.inf, "F006"), (math.nan, "F006"), (10**400, "F007")],
    ids=["infinity", "nan", "400 digits"],
)
@pytest.mark.parametrize(
    "field", ["score_details__score", UNSURE + "__num_samples", f"{ARGS}__top_k"]
)
def test_a_number_that_json_cannot_have_is_a_finding_at_its_place(number, code, field):
    (finding,) = check_data(of(result(**{field: number}))).findings
    assert (finding.code, finding.pointer) == (
        code, f"/evaluation_results/0/{field.replace('__', '/')}",
    )  # fmt: skip


def test_an_image_is_not_the_page_of_an_organization():
    record = copy.deepcopy(RECORD)
    record["source_metadata"] |= {
        "source_organization_url": LOGO, "source_organization_logo_url": "https://lab.example",
    }  # fmt: skip
    (finding,) = check_data(record).findings
    assert (finding.code, finding.helps) == ("EE227", ("exchange the two URLs",))
