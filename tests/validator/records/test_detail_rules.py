"""Rules on details are loaded for records that have some, and no record is kept from one."""

import json

import pytest
from conftest import FIXTURES
from evalmark.validator.findings.rule import grouped
from evalmark.validator.format import as_document
from evalmark.validator.formats.builtin import KINDS
from evalmark.validator.formats.records.detail_rule_table import DETAIL_RULES
from evalmark.validator.formats.records.record_view import RecordView, view_of

GROUPS = grouped(DETAIL_RULES)


def views_of_single_results() -> list[RecordView]:
    """The records of the fixtures, one for each of their results."""
    paths = [FIXTURES / "good/record.json", *sorted((FIXTURES / "bad").glob("EE2*.json"))]
    records = [json.loads(path.read_bytes()) for path in paths]
    return [
        view_of(as_document({**record, "evaluation_results": [result]}, KINDS["record"]))
        for record in records
        for result in record["evaluation_results"]
    ]


def codes_asked(view: RecordView) -> list[str]:
    """The first code of each group that looks at a record."""
    return [group.rules[0][1].code for group in GROUPS if group.asks is None or group.asks(view)]


def test_a_record_that_a_rule_on_details_looks_at_has_details() -> None:
    plain, *others = views_of_single_results()
    assert not plain.has_details
    assert any(view.has_details for view in others)
    for view in (plain, *others):
        assert view.has_details or not codes_asked(view)


@pytest.mark.parametrize("kind", ["with_levels", "with_judges", "with_settings", "with_details"])
def test_each_kind_of_detail_is_enough(kind: str) -> None:
    plain = views_of_single_results()[0]
    setattr(plain, kind, plain.results)
    assert codes_asked(plain)
    assert plain.has_details


def test_a_record_of_our_own_has_details() -> None:
    plain = views_of_single_results()[0]
    plain.source_name = "evalmark"
    assert codes_asked(plain) == ["EE212"]
    assert plain.has_details
