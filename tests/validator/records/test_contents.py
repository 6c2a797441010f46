"""Numbers, names and settings of a record against each other: what is found, and what is right."""

import copy
import json
import math
import random

import pytest
from conftest import FIXTURES
from evalmark.validator.check import check_data
from evalmark.validator.formats.records.rules.number_rules import half_unit
from scipy.stats import beta, t

from benchmarks.mistakes.contents import CONTENTS, clean_records

RECORD = json.loads((FIXTURES / "good/record.json").read_text(encoding="utf-8"))
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
    data = json.loads((FIXTURES / "bad/EE208_error_in_percent.json").read_text(encoding="utf-8"))
    (finding,) = check_data(data).findings
    assert finding.helps == ('if it is a percentage, write "value": 0.0217',)
    assert len(finding.notes) == 3
    data["evaluation_results"][0]["score_details"]["uncertainty"]["standard_error"]["value"] = (
        0.0217
    )
    assert check_data(data).findings == ()
