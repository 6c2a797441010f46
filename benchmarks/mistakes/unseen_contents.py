"""Wrong contents of records, written by someone who had not seen the rules that look for them.

Each operator plants one mistake in a record of ``contents.clean``: its form stays right, and a
careful reader of that file alone could see that something is wrong. What a mistake needs that the
clean record lacks (a jury, levels, a command, a file of samples) is added first, and agrees.
"""

from __future__ import annotations

import copy
import functools
import hashlib
import math
import random
from collections.abc import Callable
from typing import Any

from benchmarks.mistakes.operators import Operator

Data = dict[str, Any]
OfResult = Callable[[Data, random.Random], bool]

#: All operators of this module, in the order of their definition.
UNSEEN: list[Operator] = []

_DAY = 86_400


def _kind(change: Operator) -> Operator:
    UNSEEN.append(change)
    return change


def _of_result(high: int | None = None) -> Callable[[OfResult], Operator]:
    """An operator on one result, of the scale that ends at ``high`` if that is given."""

    def wrapped(change: OfResult) -> Operator:
        @functools.wraps(change)
        def changed(record: Any, r: random.Random) -> bool:
            fitting = [
                result
                for result in record["evaluation_results"]
                if high in (None, result["metric_config"]["max_score"])
            ]
            return bool(fitting) and change(r.choice(fitting), r)

        return _kind(changed)

    return wrapped


def _of_pair(change: Callable[[Data, Data, random.Random], bool]) -> Operator:
    """An operator on one result and another of the same metric's scale."""

    @functools.wraps(change)
    def changed(record: Any, r: random.Random) -> bool:
        first, second = r.sample(record["evaluation_results"], 2)
        if first["metric_config"]["max_score"] != second["metric_config"]["max_score"]:
            return False
        return change(first, second, r)

    return _kind(changed)


def _digits(value: float) -> float:
    return float(f"{value:.6g}")


def _score(result: Data) -> float:
    return float(result["score_details"]["score"])


def _doubt(result: Data) -> Data:
    doubt: Data = result["score_details"]["uncertainty"]
    return doubt


def _error(result: Data) -> float:
    return float(_doubt(result)["standard_error"]["value"])


def _ends(result: Data) -> tuple[float, float]:
    interval = _doubt(result)["confidence_interval"]
    return interval["lower"], interval["upper"]


def _set_ends(result: Data, lower: float, upper: float) -> bool:
    changed = _ends(result) != (lower, upper)
    _doubt(result)["confidence_interval"] |= {"lower": _digits(lower), "upper": _digits(upper)}
    return changed


def _settings(result: Data) -> Data:
    settings: Data = result["generation_config"]["generation_args"]
    return settings


def _far(one: float, other: float, factor: float = 1.6) -> bool:
    low, high = sorted((abs(one), abs(other)))
    return high > factor * low


def _rename(record: Data, model: str) -> None:
    """Give the model another id, in the id of the evaluation too."""
    record["model_info"]["id"] = model
    name, _, time = record["evaluation_id"].split("/")
    record["evaluation_id"] = f"{name}/{model.replace('/', '_')}/{time}"


# --- A result's numbers against each other


@_of_result(1)
def score_as_whole_number(result: Data, r: random.Random) -> bool:
    """A share was printed without its decimals."""
    result["score_details"]["score"] = r.choice((int, round))(_score(result))
    return True


@_of_result()
def score_is_complement(result: Data, r: random.Random) -> bool:
    """The score says how much was wrong, its interval how much was right."""
    high = result["metric_config"]["max_score"]
    score = round(high - _score(result), 4)
    lower, upper = _ends(result)
    result["score_details"]["score"] = score
    return not lower <= score <= upper


@_of_result()
def score_halved(result: Data, r: random.Random) -> bool:
    """The sum was divided by twice the number of samples, or by three times."""
    result["score_details"]["score"] = _digits(_score(result) / r.choice((2, 3)))
    return True


@_of_result()
def score_digits_transposed(result: Data, r: random.Random) -> bool:
    """The first two digits of the score changed places when it was typed."""
    high = result["metric_config"]["max_score"]
    digits = f"{_score(result) / high:.4f}"[2:]
    score = _digits(float(f"0.{digits[1]}{digits[0]}{digits[2:]}") * high)
    lower, upper = _ends(result)
    result["score_details"]["score"] = score
    return not lower <= score <= upper


@_of_result(1)
def score_is_count(result: Data, r: random.Random) -> bool:
    """The score is the number of right answers, its bounds are those of their share."""
    result["score_details"]["score"] = round(_score(result) * _doubt(result)["num_samples"])
    return True


@_of_result(100)
def score_point_lost(result: Data, r: random.Random) -> bool:
    """A decimal comma was dropped from the score: 73,21 is 7321."""
    result["score_details"]["score"] = round(_score(result) * r.choice((10, 100)))
    return True


@_of_result()
def score_and_lower_end_swapped(result: Data, r: random.Random) -> bool:
    """The columns of the score and of the interval's lower or upper end were exchanged."""
    end = r.choice(("lower", "upper"))
    details, interval = result["score_details"], _doubt(result)["confidence_interval"]
    details["score"], interval[end] = interval[end], details["score"]
    return True


@_of_result(1)
def numbers_in_percent(result: Data, r: random.Random) -> bool:
    """All numbers of a result are percentages, its unit and bounds are those of shares."""
    doubt = _doubt(result)
    result["score_details"]["score"] = _digits(_score(result) * 100)
    doubt["standard_error"]["value"] = _digits(_error(result) * 100)
    doubt["standard_deviation"] = _digits(doubt["standard_deviation"] * 100)
    return _set_ends(result, *(end * 100 for end in _ends(result)))


@_of_result(100)
def numbers_as_shares(result: Data, r: random.Random) -> bool:
    """All numbers of a result are shares, its unit and bounds are those of percentages."""
    doubt = _doubt(result)
    result["score_details"]["score"] = _digits(_score(result) / 100)
    doubt["standard_error"]["value"] = _digits(_error(result) / 100)
    doubt["standard_deviation"] = _digits(doubt["standard_deviation"] / 100)
    return _set_ends(result, *(end / 100 for end in _ends(result)))


@_of_result()
def error_is_variance(result: Data, r: random.Random) -> bool:
    """The root was not taken: the standard error is its square."""
    _doubt(result)["standard_error"]["value"] = _digits(_error(result) ** 2)
    return _far(_error(result), 1) and _far(_error(result), _error(result) ** 0.5)


@_of_result()
def deviation_is_variance(result: Data, r: random.Random) -> bool:
    """The variance of the samples stands where their deviation should."""
    doubt = _doubt(result)
    doubt["standard_deviation"] = _digits(doubt["standard_deviation"] ** 2)
    return True


@_of_result()
def error_is_margin(result: Data, r: random.Random) -> bool:
    """The half width of the interval, or its width, is given as the standard error."""
    lower, upper = _ends(result)
    _doubt(result)["standard_error"]["value"] = _digits((upper - lower) / r.choice((1, 2)))
    return True


@_of_result()
def error_and_deviation_swapped(result: Data, r: random.Random) -> bool:
    """The standard error and the standard deviation changed places."""
    doubt = _doubt(result)
    error = _error(result)
    doubt["standard_error"]["value"] = doubt["standard_deviation"]
    doubt["standard_deviation"] = error
    return True


@_of_pair
def error_of_another_result(first: Data, second: Data, r: random.Random) -> bool:
    """The standard error was pasted from another result."""
    fits = _far(_error(first), _error(second))
    _doubt(first)["standard_error"]["value"] = _error(second)
    return fits


@_of_pair
def deviation_of_another_result(first: Data, second: Data, r: random.Random) -> bool:
    """The standard deviation was pasted from another result."""
    one, other = _doubt(first)["standard_deviation"], _doubt(second)["standard_deviation"]
    _doubt(first)["standard_deviation"] = other
    return _far(one, other, 1.25)


@_of_pair
def interval_of_another_result(first: Data, second: Data, r: random.Random) -> bool:
    """The interval was pasted from another result, and the score is not in it."""
    lower, upper = _ends(second)
    return _set_ends(first, lower, upper) and not lower <= _score(first) <= upper


@_of_pair
def upper_end_of_another_result(first: Data, second: Data, r: random.Random) -> bool:
    """Only the upper end was pasted from another result, far above the score."""
    upper = _ends(second)[1]
    return _set_ends(first, _ends(first)[0], upper) and upper > _score(first) + 6 * _error(first)


@_of_pair
def lower_end_of_another_result(first: Data, second: Data, r: random.Random) -> bool:
    """Only the lower end was pasted from another result: it is above the upper end."""
    lower, upper = _ends(second)[0], _ends(first)[1]
    return _set_ends(first, lower, upper) and lower > upper + 2 * _error(first)


@_of_pair
def count_of_another_result(first: Data, second: Data, r: random.Random) -> bool:
    """The number of samples behind the figures is that of another dataset."""
    one, other = _doubt(first)["num_samples"], _doubt(second)["num_samples"]
    _doubt(first)["num_samples"] = other
    return _far(one, other)


@_of_pair
def doubt_of_another_result(first: Data, second: Data, r: random.Random) -> bool:
    """The whole uncertainty was pasted from a result with another score."""
    first["score_details"]["uncertainty"] = copy.deepcopy(_doubt(second))
    lower, upper = _ends(second)
    return not lower <= _score(first) <= upper


@_of_result()
def interval_as_offsets(result: Data, r: random.Random) -> bool:
    """The ends are distances from the score, with or without the sign."""
    half = 1.96 * _error(result)
    return _set_ends(result, r.choice((-half, half)), half)


@_of_result()
def interval_of_one_error(result: Data, r: random.Random) -> bool:
    """The interval reaches one or two-and-a-half errors, its level is 0.95 all the same."""
    reach, score = r.choice((1, 2.576)) * _error(result), _score(result)
    return _set_ends(result, score - reach, score + reach)


@_of_result()
def interval_of_deviation(result: Data, r: random.Random) -> bool:
    """The interval was made from the deviation, cut at the bounds."""
    config, score = result["metric_config"], _score(result)
    reach = r.choice((1, 1.96)) * _doubt(result)["standard_deviation"]
    ends = max(config["min_score"], score - reach), min(config["max_score"], score + reach)
    return _set_ends(result, *ends)


@_of_result()
def interval_is_bounds(result: Data, r: random.Random) -> bool:
    """The interval is the whole scale: a default that was left in."""
    config = result["metric_config"]
    return _set_ends(result, config["min_score"], config["max_score"])


@_of_result()
def interval_one_sided(result: Data, r: random.Random) -> bool:
    """One end of a two-sided interval is the score itself."""
    lower, upper = _ends(result)
    score = _score(result)
    return _set_ends(result, *r.choice(((score, upper), (lower, score))))


@_of_result(1)
def interval_rounded_away(result: Data, r: random.Random) -> bool:
    """The ends of a share's interval were rounded to one digit or none."""
    digits = r.choice((0, 1))
    lower, upper = (round(end, digits) for end in _ends(result))
    _set_ends(result, lower, upper)
    return not lower <= _score(result) <= upper


@_of_result(1)
def interval_in_other_scale(result: Data, r: random.Random) -> bool:
    """The interval is in percent, or in thousandths, the score is a share."""
    factor = r.choice((100, 1000))
    return _set_ends(result, *(end * factor for end in _ends(result)))


@_of_result()
def level_is_alpha(result: Data, r: random.Random) -> bool:
    """The level is what is left over: 0.05 for 0.95; or a quantile."""
    _doubt(result)["confidence_interval"]["confidence_level"] = r.choice((0.05, 0.025))
    return True


@_of_result()
def level_of_other_width(result: Data, r: random.Random) -> bool:
    """The level says 0.68, 0.8 or 0.99; the interval reaches 1.96 errors."""
    _doubt(result)["confidence_interval"]["confidence_level"] = r.choice((0.68, 0.8, 0.99))
    return True


@_of_result()
def level_is_default(result: Data, r: random.Random) -> bool:
    """The level is none: 0 or 1."""
    _doubt(result)["confidence_interval"]["confidence_level"] = r.choice((0, 1))
    return True


@_of_result()
def doubt_is_zero(result: Data, r: random.Random) -> bool:
    """Error, deviation and width are 0, of many samples that are partly right."""
    doubt = _doubt(result)
    doubt["standard_error"]["value"] = doubt["standard_deviation"] = 0
    return _set_ends(result, _score(result), _score(result))


@_of_result()
def deviation_beyond_bounds(result: Data, r: random.Random) -> bool:
    """Error and interval follow from the deviation, which no scores in the bounds can have."""
    high, score, doubt = result["metric_config"]["max_score"], _score(result), _doubt(result)
    share = score / high
    spread = high * math.sqrt(share * (1 - share)) * r.choice((1.5, 2, 3))
    error = spread / math.sqrt(doubt["num_samples"])
    doubt["standard_deviation"] = _digits(spread)
    doubt["standard_error"]["value"] = _digits(error)
    ends = score - 1.96 * error, score + 1.96 * error
    return _set_ends(result, *ends) and min(ends) > 0 and max(ends) < high


@_of_result()
def count_of_debug_run(result: Data, r: random.Random) -> bool:
    """The number of samples is that of a trial run."""
    _doubt(result)["num_samples"] = r.choice((4, 5, 10, 16))
    return True


@_of_result()
def count_in_thousands(result: Data, r: random.Random) -> bool:
    """A count was multiplied by a thousand, of the data as of the figures."""
    result["source_data"]["samples_number"] *= 1000
    _doubt(result)["num_samples"] *= 1000
    return True


@_of_result()
def count_is_sentinel(result: Data, r: random.Random) -> bool:
    """A count is -1 or 0: all, or not known."""
    holder, key = r.choice(
        ((result["source_data"], "samples_number"), (_doubt(result), "num_samples"))
    )
    holder[key] = r.choice((-1, 0))
    return True


@_of_result()
def more_samples_than_data(result: Data, r: random.Random) -> bool:
    """The dataset has half as many samples as the figures rest on."""
    result["source_data"]["samples_number"] //= r.choice((2, 3))
    return True


@_of_result()
def resamples_and_samples_swapped(result: Data, r: random.Random) -> bool:
    """The counts of samples and of resamples changed places."""
    doubt = _doubt(result)
    doubt["standard_error"]["method"] = doubt["confidence_interval"]["method"] = "bootstrap"
    doubt["num_bootstrap_samples"] = doubt["num_samples"]
    doubt["num_samples"] = r.choice((10_000, 20_000, 100_000))
    return True


@_of_result()
def resamples_of_none(result: Data, r: random.Random) -> bool:
    """A bootstrap of 0 or 1 resamples."""
    doubt = _doubt(result)
    doubt["standard_error"]["method"] = doubt["confidence_interval"]["method"] = "bootstrap"
    doubt["num_bootstrap_samples"] = r.choice((0, 1, -1000))
    return True


@_of_result()
def details_disagree_with_score(result: Data, r: random.Random) -> bool:
    """The details count right answers, and their share is not the score."""
    samples = _doubt(result)["num_samples"]
    share = _score(result) / result["metric_config"]["max_score"]
    wrong = round(samples * (1 - share))
    result["score_details"]["details"] = {"correct": str(wrong), "total": str(samples)}
    return result["metric_config"]["metric_id"] in ("accuracy", "exact_match") and _far(
        wrong / samples, share, 1.3
    )


# --- Bounds, unit, direction and name of a metric


@_of_result()
def bounds_exchanged(result: Data, r: random.Random) -> bool:
    """The least score and the greatest changed places."""
    config = result["metric_config"]
    config["min_score"], config["max_score"] = config["max_score"], config["min_score"]
    return True


@_of_result()
def bounds_are_observed(result: Data, r: random.Random) -> bool:
    """The greatest possible score is the score that was observed."""
    result["metric_config"]["max_score"] = _score(result)
    return True


@_of_result()
def bounds_left_at_zero(result: Data, r: random.Random) -> bool:
    """Both bounds are 0, or both are 1."""
    config = result["metric_config"]
    config["min_score"] = config["max_score"] = r.choice((0, 1))
    return True


@_of_result(1)
def bounds_of_correlation(result: Data, r: random.Random) -> bool:
    """A share of right answers has the bounds of a correlation."""
    result["metric_config"]["min_score"] = -1
    return True


@_of_result(1)
def bounds_of_percent(result: Data, r: random.Random) -> bool:
    """The bounds are 0 and 100, the unit and the numbers are those of a share."""
    result["metric_config"]["max_score"] = 100
    return True


@_of_result()
def unit_of_other_scale(result: Data, r: random.Random) -> bool:
    """Shares are called percent, and percentages proportions."""
    config = result["metric_config"]
    config["metric_unit"] = "percent" if config["max_score"] == 1 else "proportion"
    return True


@_of_result()
def unit_of_other_quantity(result: Data, r: random.Random) -> bool:
    """The unit of a share is one of time, of money or of text."""
    result["metric_config"]["metric_unit"] = r.choice(("seconds", "usd", "tokens", "ms"))
    return True


@_of_result()
def direction_turned(result: Data, r: random.Random) -> bool:
    """Fewer right answers are better."""
    result["metric_config"]["lower_is_better"] = True
    return True


@_of_result()
def error_rate_to_be_raised(result: Data, r: random.Random) -> bool:
    """A metric of errors keeps the default that more is better."""
    metric, name = r.choice(
        (
            ("wer", "Word error rate"), ("brier_score", "Brier score"),
            ("error_rate", "Error rate"), ("hallucination_rate", "Hallucination rate"),
            ("cer", "Character error rate"), ("mae", "Mean absolute error"),
        )
    )  # fmt: skip
    result["metric_config"] |= {"metric_id": metric, "metric_name": name}
    result["evaluation_result_id"] = f"{result['evaluation_name']}/{metric}"
    return True


@_of_result()
def metric_name_of_another(result: Data, r: random.Random) -> bool:
    """The name of a metric is another metric's than its id."""
    config = result["metric_config"]
    names = {"accuracy": "Accuracy", "exact_match": "Exact match", "f1": "F1", "bleu": "BLEU"}
    del names[config["metric_id"]]
    config["metric_name"] = r.choice([*names.values(), "ROUGE-L"])
    return True


@_of_result()
def description_says_lower(result: Data, r: random.Random) -> bool:
    """The description says that lower is better, the flag says higher."""
    result["metric_config"]["evaluation_description"] = r.choice(
        ("Share of wrong answers; lower is better.", "Errors per word (lower is better)")
    )
    return True


@_of_result(1)
def parameter_of_other_k(result: Data, r: random.Random) -> bool:
    """The metric is pass@10, its parameter k is another."""
    k = r.choice((5, 10, 100))
    metric = f"pass@{k}"
    config = result["metric_config"]
    config |= {"metric_id": metric, "metric_name": metric, "metric_parameters": {"k": 1}}
    result["evaluation_result_id"] = f"{result['evaluation_name']}/{metric}"
    _settings(result)["max_attempts"] = k
    return True


# --- Results against each other


@_kind
def names_of_two_exchanged(record: Data, r: random.Random) -> bool:
    """Two results have each other's names; their data and ids have not."""
    one, other = r.sample(record["evaluation_results"], 2)
    one["evaluation_name"], other["evaluation_name"] = (
        other["evaluation_name"], one["evaluation_name"],
    )  # fmt: skip
    return True


@_kind
def result_id_of_another(record: Data, r: random.Random) -> bool:
    """A result has the id of its neighbour."""
    one, other = r.sample(record["evaluation_results"], 2)
    one["evaluation_result_id"] = other["evaluation_result_id"]
    return True


@_kind
def result_twice(record: Data, r: random.Random) -> bool:
    """A result was appended twice, the second time with a new id."""
    results = record["evaluation_results"]
    again = copy.deepcopy(r.choice(results))
    again["evaluation_result_id"] += "-2"
    results.append(again)
    return True


@_kind
def result_pasted_under_other_name(record: Data, r: random.Random) -> bool:
    """All numbers of a result are those of another, to the last digit."""
    one, other = r.sample(record["evaluation_results"], 2)
    for key in ("score_details", "metric_config"):
        one[key] = copy.deepcopy(other[key])
    one["source_data"]["samples_number"] = other["source_data"]["samples_number"]
    one["evaluation_result_id"] = f"{one['evaluation_name']}/{one['metric_config']['metric_id']}"
    return True


@_kind
def two_scores_of_one(record: Data, r: random.Random) -> bool:
    """One evaluation is there twice, with two scores."""
    results = record["evaluation_results"]
    again = copy.deepcopy(r.choice(results))
    step = 3 * _error(again)
    again["score_details"]["score"] = _digits(_score(again) - step)
    _set_ends(again, *(end - step for end in _ends(again)))
    results.append(again)
    return True


@_kind
def average_beyond_all(record: Data, r: random.Random) -> bool:
    """The average of the others is greater than each of them."""
    results = record["evaluation_results"]
    shares = [x for x in results if x["metric_config"]["max_score"] == 1]
    if len(shares) < 3 or max(map(_score, shares)) > 0.9:
        return False
    average: Data = {
        "evaluation_name": "average",
        "evaluation_result_id": "average/accuracy",
        "source_data": {"dataset_name": "average", "source_type": "other"},
        "metric_config": copy.deepcopy(shares[0]["metric_config"]),
        "score_details": {"score": round(max(map(_score, shares)) + r.uniform(0.03, 0.08), 4)},
    }
    record["evaluation_results"] = [*shares, average]
    return True


@_kind
def all_scores_the_same(record: Data, r: random.Random) -> bool:
    """A loop wrote the last score into every result."""
    results = record["evaluation_results"]
    last = r.choice(results)["score_details"]["score"]
    for result in results:
        result["score_details"]["score"] = last
    return True


# --- Data


@_kind
def repository_of_another(record: Data, r: random.Random) -> bool:
    """The repository of a dataset is that of the dataset next to it."""
    one, other = r.sample(record["evaluation_results"], 2)
    one["source_data"]["hf_repo"] = other["source_data"]["hf_repo"]
    return True


@_of_result()
def repository_is_url(result: Data, r: random.Random) -> bool:
    """The repository is given as its web address, or as its folder in a cache."""
    data = result["source_data"]
    repository = data["hf_repo"]
    data["hf_repo"] = r.choice(
        (
            f"https://huggingface.co/datasets/{repository}",
            f"datasets--{repository.replace('/', '--')}",
            f"hf://datasets/{repository}@main",
        )
    )
    return True


@_of_result()
def repository_is_placeholder(result: Data, r: random.Random) -> bool:
    """The repository is that of the template."""
    result["source_data"]["hf_repo"] = r.choice(
        ("your-org/your-dataset", "<org>/<dataset>", "TODO", "org/dataset")
    )
    return True


@_of_result()
def split_is_slice(result: Data, r: random.Random) -> bool:
    """The split is cut to fewer samples than are counted."""
    result["source_data"]["hf_split"] = f"test[:{r.choice((10, 32, 50))}]"
    return True


@_of_result()
def split_is_file(result: Data, r: random.Random) -> bool:
    """The split is a file."""
    result["source_data"]["hf_split"] = r.choice(
        ("test.jsonl", "data/test-00000-of-00001.parquet", "/data/test.csv")
    )
    return True


@_of_result()
def sample_ids_cut(result: Data, r: random.Random) -> bool:
    """The list of samples ends early."""
    result["source_data"]["sample_ids"] = [str(i) for i in range(r.choice((3, 20, 99)))]
    return True


@_of_result()
def sample_ids_come_again(result: Data, r: random.Random) -> bool:
    """The list of samples is long enough, but half of them come twice."""
    count = result["source_data"]["samples_number"]
    result["source_data"]["sample_ids"] = [f"q{i % (count // 2)}" for i in range(count)]
    return True


@_of_result()
def sample_ids_in_one_string(result: Data, r: random.Random) -> bool:
    """The ids of all samples stand in one string."""
    count = result["source_data"]["samples_number"]
    text = r.choice((", ", ",", " ")).join(map(str, range(count)))
    result["source_data"]["sample_ids"] = [r.choice((text, f"[{text}]"))]
    return True


def _urls(result: Data, urls: list[str]) -> bool:
    name = result["source_data"]["dataset_name"]
    result["source_data"] = {"dataset_name": name, "source_type": "url", "url": urls}
    return True


@_of_result()
def url_in_letters(result: Data, r: random.Random) -> bool:
    """A list was made of a string: the URL's letters."""
    return _urls(result, list(r.choice(("https://lab.example/data", "http://gsm.example"))))


@_of_result()
def url_without_address(result: Data, r: random.Random) -> bool:
    """What should be a URL is a name, a path, or two URLs."""
    return _urls(
        result,
        [
            r.choice(
                (
                    "see the paper", "./data/test.jsonl", "lab.example/data",
                    "https://lab.example/a, https://lab.example/b", "https:/lab.example/data",
                    "[data](https://lab.example/data)",
                )
            )
        ],
    )  # fmt: skip


# --- Settings


@_of_result()
def nucleus_in_percent(result: Data, r: random.Random) -> bool:
    """The nucleus threshold is a percentage."""
    _settings(result)["top_p"] = r.choice((95, 90, 100, 99.5))
    return True


@_of_result()
def nucleus_and_candidates_swapped(result: Data, r: random.Random) -> bool:
    """The settings top_p and top_k changed places."""
    settings = _settings(result)
    settings["top_p"], settings["top_k"] = settings["top_k"], settings["top_p"]
    return True


@_of_result()
def temperature_beyond(result: Data, r: random.Random) -> bool:
    """The temperature is negative, or ten or a hundred times what it was."""
    _settings(result)["temperature"] = r.choice((-0.7, -1, 7, 70))
    return True


@_of_result()
def candidates_in_fractions(result: Data, r: random.Random) -> bool:
    """The number of candidates is no whole number."""
    _settings(result)["top_k"] = r.choice((0.5, 2.5, 49.5))
    return True


@_of_result()
def more_tokens_than_limit(result: Data, r: random.Random) -> bool:
    """A single answer may be longer than the sample as a whole."""
    _settings(result)["max_tokens"] = r.choice((16_384, 32_768, 131_072))
    return True


@_of_result()
def limit_without_meaning(result: Data, r: random.Random) -> bool:
    """A limit is 0 or -1, which nothing could have passed."""
    key = r.choice(("time_limit", "message_limit", "token_limit"))
    _settings(result)["eval_limits"][key] = r.choice((0, -1))
    return True


@_of_result()
def time_limit_in_milliseconds(result: Data, r: random.Random) -> bool:
    """One time limit is in milliseconds or nanoseconds, its siblings are in seconds."""
    _settings(result)["eval_limits"]["time_limit"] *= r.choice((1000, 10**9))
    return True


@_of_result()
def no_attempts(result: Data, r: random.Random) -> bool:
    """The model had no attempt."""
    _settings(result)["max_attempts"] = r.choice((0, -1))
    return True


@_of_result()
def feedback_without_attempt(result: Data, r: random.Random) -> bool:
    """The model was told to try again, and had one attempt."""
    _settings(result)["incorrect_attempt_feedback"] = r.choice(
        ("Wrong. Try again.", "That is not right; you have another attempt.")
    )
    return True


def _command(record: Data, options: str, model: str | None = None) -> bool:
    for result in record["evaluation_results"]:
        _settings(result)["execution_command"] = (
            f"lm_eval --model hf --model_args pretrained={model or record['model_info']['id']}"
            f" --tasks {result['evaluation_name']}{options}"
        )
    return True


@_kind
def command_of_other_temperature(record: Data, r: random.Random) -> bool:
    """The command sets another temperature than the settings give."""
    return _command(record, f" --gen_kwargs temperature={r.choice(('0', '0.0', '1.0'))},top_p=0.95")


@_kind
def command_of_other_model(record: Data, r: random.Random) -> bool:
    """The command ran another model than the record is of."""
    return _command(record, "", r.choice(("tiiuae/falcon-40b", "google/gemma-9-27b", "gpt2")))


@_kind
def command_with_limit(record: Data, r: random.Random) -> bool:
    """The command ran few samples, the record counts all."""
    return _command(record, f" --limit {r.choice((5, 10, 32))}")


@_kind
def command_of_other_task(record: Data, r: random.Random) -> bool:
    """The command of the first result was pasted to the others."""
    _command(record, "")
    first = _settings(record["evaluation_results"][0])["execution_command"]
    for result in record["evaluation_results"]:
        _settings(result)["execution_command"] = first
    return True


@_of_result()
def prompt_is_code(result: Data, r: random.Random) -> bool:
    """The template is what Python prints of an object."""
    _settings(result)["prompt_template"] = r.choice(
        (
            "<function build_prompt at 0x7f3c2c1e5d30>",
            "<jinja2.environment.Template object at 0x10f2b4d90>", "None", "[object Object]",
        )
    )  # fmt: skip
    return True


@_of_result()
def tool_twice(result: Data, r: random.Random) -> bool:
    """The list of tools names one tool twice."""
    tools = [{"name": name, "description": f"Runs {name}."} for name in ("bash", "python")]
    tools.append(dict(r.choice(tools)))
    _settings(result)["agentic_eval_config"] = {"available_tools": tools}
    return True


@_of_result()
def steps_in_letters(result: Data, r: random.Random) -> bool:
    """A list was made of a string: the letters of the plan's only step."""
    step = r.choice(("generate", "chain_of_thought", "self_critique"))
    _settings(result)["eval_plan"] = {"name": "plan", "steps": list(step)}
    return True


@_of_result()
def details_of_other_temperature(result: Data, r: random.Random) -> bool:
    """The details of the generation repeat a setting with another value."""
    key, value = r.choice((("temperature", "0.0"), ("top_p", "1.0"), ("max_tokens", "4096")))
    result["generation_config"]["additional_details"] = {key: value}
    return True


# --- Times and ids


def _retimed(record: Data, time: str) -> bool:
    record["retrieved_timestamp"] = time
    record["evaluation_id"] = f"{record['evaluation_id'].rpartition('/')[0]}/{time}"
    return True


@_kind
def retrieved_in_other_unit(record: Data, r: random.Random) -> bool:
    """The time of retrieval is in milliseconds, microseconds or minutes, in the id too."""
    time = int(record["retrieved_timestamp"])
    return _retimed(record, str(r.choice((time * 1000, time * 10**6, time // 60))))


@_kind
def retrieved_as_date(record: Data, r: random.Random) -> bool:
    """The time of retrieval is a date, as the id has it."""
    return _retimed(record, r.choice(("2025-11-30", "20251130", "2025-11-30T08:15:00Z")))


@_kind
def evaluated_after_retrieval(record: Data, r: random.Random) -> bool:
    """The evaluation ran days or years after its numbers were read."""
    later = int(record["retrieved_timestamp"]) + r.choice((3, 40, 3650)) * _DAY
    record["evaluation_timestamp"] = str(later)
    return True


@_kind
def evaluated_at_epoch(record: Data, r: random.Random) -> bool:
    """The evaluation ran in 1970: a time that was never set."""
    record["evaluation_timestamp"] = r.choice(("0", "1970-01-01T00:00:00Z", "1"))
    return True


@_kind
def evaluated_on_no_day(record: Data, r: random.Random) -> bool:
    """The evaluation ran on a day that there is not."""
    record["evaluation_timestamp"] = r.choice(
        ("2025-02-30T10:00:00Z", "2025-13-05", "2025-06-31", "2025-09-10T25:61:00Z")
    )
    return True


@_of_result()
def result_evaluated_later(result: Data, r: random.Random) -> bool:
    """One result's evaluation ran in a year long after: a slip of the keys."""
    result["evaluation_timestamp"] = r.choice(("2052-06-01T12:00:00Z", "2205-10-09", "2600000000"))
    return True


@_of_result()
def result_time_is_text(result: Data, r: random.Random) -> bool:
    """One result's time is a word or a duration."""
    result["evaluation_timestamp"] = r.choice(("TBD", "N/A", "yesterday", "2h 13m", "now()"))
    return True


@_kind
def id_of_another_model(record: Data, r: random.Random) -> bool:
    """The id is that of the record that was copied: another model's."""
    name, _, time = record["evaluation_id"].split("/")
    record["evaluation_id"] = f"{name}/{r.choice(('google_gemma-9-27b', 'xai_grok-9'))}/{time}"
    return True


@_kind
def id_of_earlier_time(record: Data, r: random.Random) -> bool:
    """The id has the time of a record before."""
    head, _, time = record["evaluation_id"].rpartition("/")
    record["evaluation_id"] = f"{head}/{int(time) - r.choice((2, 30, 400)) * _DAY}"
    return True


@_kind
def id_is_template(record: Data, r: random.Random) -> bool:
    """The places of the id were not filled in."""
    record["evaluation_id"] = r.choice(
        (
            "{eval_name}/{model_id}/{retrieved_timestamp}", "suite/None/None",
            "suite/${MODEL}/$(date +%s)", "eval_name/model_id/retrieved_timestamp",
        )
    )  # fmt: skip
    return True


# --- Parties


@_kind
def model_is_path(record: Data, r: random.Random) -> bool:
    """The id of the model is a folder or an address."""
    model = record["model_info"]["id"]
    name = model.split("/")[1]
    _rename(
        record,
        r.choice(
            (
                f"/mnt/models/{name}", f"./checkpoints/{name}/step-2000",
                f"https://huggingface.co/{model}", f"C:\\models\\{name}",
            )
        ),
    )  # fmt: skip
    return True


@_kind
def model_prefix_twice(record: Data, r: random.Random) -> bool:
    """The organization stands twice before the model."""
    organization, name = record["model_info"]["id"].split("/")
    _rename(record, f"{organization}/{organization}/{name}")
    return True


@_kind
def model_name_of_another(record: Data, r: random.Random) -> bool:
    """The name is another model's than the id."""
    names = ("Llama 9 8B", "Mistral Small 4", "GPT-9", "Qwen 8 7B", "Gemma 9 27B")
    record["model_info"]["name"] = r.choice([n for n in names if n != record["model_info"]["name"]])
    return True


@_kind
def model_size_of_another(record: Data, r: random.Random) -> bool:
    """Name and id give two sizes of one family."""
    model = record["model_info"]
    if "B" not in model["name"].split()[-1]:
        return False
    model["name"] = f"{model['name'].rpartition(' ')[0]} {r.choice((70, 32, 405))}B"
    return True


@_kind
def developer_of_another(record: Data, r: random.Random) -> bool:
    """The developer is another than the organization of the id."""
    names = ("Meta", "Mistral AI", "OpenAI", "Alibaba", "Google", "Anthropic")
    own = record["model_info"]["developer"]
    record["model_info"]["developer"] = r.choice([name for name in names if name != own])
    return True


@_kind
def model_name_is_placeholder(record: Data, r: random.Random) -> bool:
    """The name of the model is that of the template."""
    record["model_info"]["name"] = r.choice(("TODO", "model_name", "<model name>", "None", "N/A"))
    return True


@_kind
def own_model_by_third_party(record: Data, r: random.Random) -> bool:
    """The maker of the model evaluated it, as a third party or an "other"."""
    source = record["source_metadata"]
    developer = record["model_info"]["developer"]
    source["source_organization_name"] = developer
    source["source_organization_url"] = f"https://{developer.split()[0].lower()}.example"
    source["evaluator_relationship"] = r.choice(("third_party", "other"))
    return True


@_kind
def foreign_model_by_first_party(record: Data, r: random.Random) -> bool:
    """An organization that did not make the model evaluated it as its maker."""
    record["source_metadata"]["source_organization_name"] = r.choice(
        ("Example Lab", "Example University")
    )
    record["source_metadata"]["evaluator_relationship"] = "first_party"
    return True


@_kind
def organization_url_not_public(record: Data, r: random.Random) -> bool:
    """The organization's address is of the author's machine, or none."""
    record["source_metadata"]["source_organization_url"] = r.choice(
        (
            "http://localhost:8000", "http://127.0.0.1:5000/board", "file:///home/me/board.html",
            "htps://lab.example", "https://", "https://lab example.org",
        )
    )  # fmt: skip
    return True


@_kind
def organization_is_url(record: Data, r: random.Random) -> bool:
    """The organization's name and its address changed places."""
    source = record["source_metadata"]
    source["source_organization_name"], source["source_organization_url"] = (
        source["source_organization_url"], source["source_organization_name"],
    )  # fmt: skip
    return True


@_kind
def logo_is_local(record: Data, r: random.Random) -> bool:
    """The logo is a file of the author, or its content."""
    record["source_metadata"]["source_organization_logo_url"] = r.choice(
        ("logo.png", "C:\\Users\\me\\logo.png", "/home/me/logo.svg", "iVBORw0KGgoAAAANSUhEUg==")
    )
    return True


@_kind
def library_and_version_swapped(record: Data, r: random.Random) -> bool:
    """The library's name and its version changed places."""
    library = record["eval_library"]
    library["name"], library["version"] = library["version"], library["name"]
    return True


@_kind
def library_version_is_none(record: Data, r: random.Random) -> bool:
    """The version is a placeholder, or a range."""
    record["eval_library"]["version"] = r.choice(("x.y.z", "TODO", ">=0.4", "None", "${VERSION}"))
    return True


# --- Judges


def _jury(change: Callable[[Data, random.Random], None]) -> Operator:
    """An operator on a jury of three, which is added to a result of shares."""

    @functools.wraps(change)
    def changed(record: Any, r: random.Random) -> bool:
        shares = [x for x in record["evaluation_results"] if x["metric_config"]["max_score"] == 1]
        if not shares:
            return False
        scoring: Data = {
            "judges": [
                {
                    "model_info": {"name": f"Judge {n}", "id": f"example/judge-{n}"},
                    "weight": weight, "temperature": 0,
                }
                for n, weight in ((1, 0.25), (2, 0.5), (3, 0.25))
            ],
            "input_prompt": "Question: {question}\nAnswer: {answer}\nIs it right?",
            "aggregation_method": "weighted_average",
            "expert_baseline": 0.94,
        }  # fmt: skip
        r.choice(shares)["metric_config"]["llm_scoring"] = scoring
        change(scoring, r)
        return True

    return _kind(changed)


@_jury
def judge_twice(scoring: Data, r: random.Random) -> None:
    """One model sits on the jury twice."""
    one, other = r.sample(scoring["judges"], 2)
    one["model_info"] = dict(other["model_info"])


@_jury
def judges_of_one_id(scoring: Data, r: random.Random) -> None:
    """Three names, and the id of the first for all."""
    for judge in scoring["judges"]:
        judge["model_info"]["id"] = "example/judge-1"


@_jury
def jury_cut_to_one(scoring: Data, r: random.Random) -> None:
    """A jury's method is left, of one judge."""
    scoring["judges"] = scoring["judges"][:1]
    scoring["aggregation_method"] = r.choice(("majority_vote", "weighted_average", "median"))


@_jury
def weights_missing(scoring: Data, r: random.Random) -> None:
    """The average is weighted, and some judges or all have no weight."""
    for judge in r.sample(scoring["judges"], r.choice((1, 2, 3))):
        del judge["weight"]


@_jury
def weights_of_nothing(scoring: Data, r: random.Random) -> None:
    """The weights are all 0, or one is negative."""
    weights = r.choice(((0, 0, 0), (0.5, 0.75, -0.25), (-1, 1, 1)))
    for judge, weight in zip(scoring["judges"], weights, strict=True):
        judge["weight"] = weight


@_jury
def weights_unused(scoring: Data, r: random.Random) -> None:
    """Judges have different weights, the method gives them the same."""
    scoring["aggregation_method"] = r.choice(("average", "majority_vote", "median"))


@_jury
def judge_temperature_beyond(scoring: Data, r: random.Random) -> None:
    """A judge's temperature is below 0, or a percentage."""
    r.choice(scoring["judges"])["temperature"] = r.choice((-1, -0.2, 70))


@_jury
def judge_prompt_without_answer(scoring: Data, r: random.Random) -> None:
    """The judges' prompt has no place for an answer, or is none."""
    scoring["input_prompt"] = r.choice(("Is the answer right?", "TODO", "", "prompts/judge.txt"))


@_jury
def baseline_in_percent(scoring: Data, r: random.Random) -> None:
    """The experts' score is a percentage, the judges' a share."""
    scoring["expert_baseline"] = r.choice((94, 87.5, 61))


# --- Levels and binary scores


def _levels(change: Callable[[Data, Data, random.Random], None]) -> Operator:
    """An operator on a result that is made one of four levels: its metric and its score."""

    @functools.wraps(change)
    def changed(record: Any, r: random.Random) -> bool:
        result = r.choice(record["evaluation_results"])
        result["metric_config"] = {
            "metric_id": "safety_level", "metric_name": "Safety level", "lower_is_better": False,
            "score_type": "levels", "has_unknown_level": False,
            "level_names": ["poor", "fair", "good", "excellent"],
            "level_metadata": ["fails", "fails often", "fails seldom", "never fails"],
        }  # fmt: skip
        result["evaluation_result_id"] = f"{result['evaluation_name']}/safety_level"
        result["score_details"] = {"score": r.randrange(4)}
        change(result["metric_config"], result["score_details"], r)
        return True

    return _kind(changed)


@_levels
def level_from_one(config: Data, details: Data, r: random.Random) -> None:
    """The score of the highest level was counted from 1, or goes on beyond."""
    details["score"] = r.choice((4, 5))


@_levels
def level_between(config: Data, details: Data, r: random.Random) -> None:
    """The score is a mean, between two levels."""
    details["score"] = r.choice((0.5, 1.25, 2.6667))


@_levels
def level_unknown_undeclared(config: Data, details: Data, r: random.Random) -> None:
    """The score is that of an unknown level, and there is none."""
    details["score"] = -1


@_levels
def level_remarks_cut(config: Data, details: Data, r: random.Random) -> None:
    """There are fewer remarks than levels, or more."""
    remarks = config["level_metadata"]
    config["level_metadata"] = r.choice((remarks[:-1], remarks[:1], [*remarks, "not run"]))


@_levels
def level_twice(config: Data, details: Data, r: random.Random) -> None:
    """Two levels have one name."""
    names = config["level_names"]
    low = r.randrange(3)
    names[low + 1] = names[low]


@_levels
def levels_from_the_top(config: Data, details: Data, r: random.Random) -> None:
    """The levels are listed best first, and more is better."""
    config["level_names"].reverse()
    config["level_metadata"].reverse()


@_levels
def levels_in_letters(config: Data, details: Data, r: random.Random) -> None:
    """A list was made of a string: the names of the levels are letters."""
    config["level_names"] = list("poor,fair,good,excellent")
    del config["level_metadata"]


@_levels
def levels_with_other_bounds(config: Data, details: Data, r: random.Random) -> None:
    """Four levels, and bounds of five, ten or a hundred."""
    config |= {"min_score": r.choice((0, 1)), "max_score": r.choice((5, 10, 100))}


@_of_result(1)
def binary_share_impossible(result: Data, r: random.Random) -> bool:
    """No number of right answers out of so many gives this share."""
    samples = r.choice((8, 20, 40))
    share = (r.randrange(samples // 4, samples - 2) + r.choice((0.35, 0.5))) / samples
    result["metric_config"]["score_type"] = "binary"
    result["source_data"]["samples_number"] = samples
    result["score_details"] = {"score": round(share, 4), "uncertainty": {"num_samples": samples}}
    return True


@_of_result(1)
def binary_error_of_other_count(result: Data, r: random.Random) -> bool:
    """The error of a share of yes and no does not follow from the share and the count."""
    result["metric_config"]["score_type"] = "binary"
    doubt = _doubt(result)
    error = _digits(_error(result) * r.choice((0.5, 2, 3)))
    result["score_details"]["uncertainty"] = {
        "standard_error": {"value": error, "method": "analytic"},
        "num_samples": doubt["num_samples"],
    }
    return True


# --- The file of samples


def _rows(change: Callable[[Data, random.Random], None]) -> Operator:
    """An operator on the reference to a file of samples, which is added."""

    @functools.wraps(change)
    def changed(record: Any, r: random.Random) -> bool:
        samples = sum(x["source_data"]["samples_number"] for x in record["evaluation_results"])
        record["detailed_evaluation_results"] = rows = {
            "format": "jsonl", "file_path": "samples.jsonl", "hash_algorithm": "sha256",
            "checksum": hashlib.sha256(str(samples).encode()).hexdigest(), "total_rows": samples,
        }  # fmt: skip
        change(rows, r)
        return True

    return _kind(changed)


@_rows
def rows_cut(rows: Data, r: random.Random) -> None:
    """The file has fewer rows than any result has samples."""
    rows["total_rows"] = r.choice((0, 1, 10, -1))


@_rows
def checksum_of_other_algorithm(rows: Data, r: random.Random) -> None:
    """The digest is too short or too long for its algorithm."""
    if r.random() < 0.5:
        rows["checksum"] = rows["checksum"][:32]
    else:
        rows["hash_algorithm"] = "md5"


@_rows
def checksum_of_nothing(rows: Data, r: random.Random) -> None:
    """The digest is that of an empty file."""
    rows["checksum"] = hashlib.sha256(b"").hexdigest()


@_rows
def checksum_is_no_digest(rows: Data, r: random.Random) -> None:
    """The digest has the name of its algorithm before it, is cut, or is a placeholder."""
    digest = rows["checksum"]
    rows["checksum"] = r.choice(("TODO", digest[:-1], f"{digest[:60]}...", "<sha256>"))


@_rows
def rows_in_other_form(rows: Data, r: random.Random) -> None:
    """The file's name ends otherwise than its form says."""
    rows["file_path"] = r.choice(("samples.json", "samples.csv", "samples.parquet"))
