"""A fix is right or absent: after a planted mistake, a fixed value is the original or untouched."""

import copy
import json
import random

import pytest
from evalmark.validator.check import check_text
from evalmark.validator.findings.finding import Edit, Finding, Fix, Safety, Severity
from evalmark.validator.formats.shared.tried_fixes import tried
from found import with_fixes

from benchmarks.mistakes.__main__ import value_at
from benchmarks.mistakes.cases import _all_suites as suites
from benchmarks.mistakes.contents import CONTENTS, clean_records
from benchmarks.mistakes.items import COLUMNS, ITEMS
from benchmarks.mistakes.legal import changed
from benchmarks.mistakes.slips import (
    COLUMN_SLIPS,
    FORMULA_SLIPS,
    ITEM_SLIPS,
    LABEL_SLIPS,
    SCRIPT_SLIPS,
)
from benchmarks.mistakes.texts import DESIGN, TEXTS
from benchmarks.mistakes.unseen_contents import UNSEEN

SUITES = (
    *ITEM_SLIPS, *COLUMN_SLIPS, *LABEL_SLIPS, *SCRIPT_SLIPS, *FORMULA_SLIPS,
    *ITEMS, *COLUMNS, *DESIGN, *TEXTS,
)  # fmt: skip


def wrong_values(good, bad):
    """The values that fixes made neither as they were nor left as they are."""
    (after, _), (before, _) = with_fixes(bad, unsafe=True), with_fixes(good, unsafe=True)
    for place in changed(bad, after):
        values = [value_at(data, place) for data in (good, before, bad, after)]
        *others, new = ("".join(v.split()) if isinstance(v, str) else v for v in values)
        is_clean = others[0] == others[1]  # else a fix of another mistake is in it
        if is_clean and new not in others:
            yield place, values[0], values[2], new


def planted(operator, documents, seed):
    """A document and the same with a mistake; None where there is no room for it."""
    r = random.Random(f"{operator.__name__} {seed}")
    for good in r.sample(documents, len(documents)):
        bad = copy.deepcopy(good)
        try:
            if operator(bad, r) and bad != good:
                return good, bad
        except (KeyError, TypeError, AttributeError, ValueError):
            continue  # it has this in another shape
    return None


@pytest.fixture(scope="module")
def all_suites():
    return [case.data() for case in suites()]


def found_wrong(operators, documents, seeds):
    wrong, made = [], 0
    for operator in operators:
        for seed in range(seeds):
            if pair := planted(operator, documents, seed):
                made += 1
                wrong += [(operator.__name__, *values) for values in wrong_values(*pair)]
    assert made > 0.8 * len(operators) * seeds
    return wrong


def test_no_fix_of_a_suite_is_wrong(all_suites):
    assert found_wrong(SUITES, all_suites, 1) == []


#: What is written is what the file says: a rounded number, another direction, the time of a date.
OF_MEANING = {"interval_as_offsets", "error_rate_to_be_raised", "retrieved_as_date"}


def test_no_fix_of_a_record_is_wrong():
    operators = [op for op in (*CONTENTS, *UNSEEN) if op.__name__ not in OF_MEANING]
    assert found_wrong(operators, list(clean_records(20)), 1) == []


def test_a_fix_that_leaves_a_new_finding_at_its_place_is_not_offered():
    """A misspelt key, whose value does not fit the right one: a warning would become an error."""
    record = next(iter(clean_records(1)))
    metric = record["evaluation_results"][0]["metric_config"]
    metric["lower_is_bettr"] = "no"
    metric["lower_is_better_"] = metric.pop("lower_is_better")
    record["model_info"]["inference_platfrom"] = 7
    (finding,) = (f for f in check_text(json.dumps(record)).findings if "platfrom" in f.message)
    assert (finding.code, finding.fix, finding.helps) == ("EE120", None, ())


def test_fixes_are_tried_together_and_only_those_near_a_new_finding_alone():
    text = json.dumps({"items": ["a", "b", "c"]})
    at = text.index

    def finding(code, pointer, edits):
        fix = Fix(tuple(edits), Safety.UNSAFE) if edits else None
        return Finding(code, code, Severity.WARNING, code, "x", pointer, fix=fix, helps=("do",))

    findings = [
        finding(f"T{k}", f"/items/{k}", [Edit(at(letter), at(letter) + 1, letter.upper())])
        for k, letter in enumerate("abc")
    ]
    checks = []

    def check(new):
        checks.append(new)
        return [finding("NEW", "/items/1", [])] if "B" in new else []

    offered = [bool(f.fix) for f in tried(findings, "x", text, ("items",), check)]
    assert offered == [True, False, True]
    assert len(checks) == 2
