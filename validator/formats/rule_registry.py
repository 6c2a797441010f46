"""All rules by code, those of the parser and of the schemas included."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable

from evalmark.validator.findings.rule import (
    CASE_ONLY,
    FILE_CODES,
    NEW_SETTINGS,
    NOT_READ,
    SAME_NAME,
    SHAPES,
    FileRule,
    Rule,
    shape_rules,
)
from evalmark.validator.findings.rule_pages import paged
from evalmark.validator.formats.builtin import FAMILIES, FORMATS
from evalmark.validator.formats.ltm.ltm_rule_table import LOG_RULES
from evalmark.validator.formats.pairs.pair_rule_table import PAIR_FILE_RULES, SAME_PAIR
from evalmark.validator.formats.plugins import other_formats
from evalmark.validator.formats.records.compared_records import BASE_RULES
from evalmark.validator.formats.records.datastore import (
    GATE_REJECTS,
    GATE_RULES,
    GATE_VERSION,
    PLACEMENT_RULES,
)
from evalmark.validator.formats.records.record_rule_table import RECORD_SHAPE_RULES, REPEATED
from evalmark.validator.formats.records.samples.sample_rules import FILE_RULES, ROW_RULES

#: Names that several families share: what their schemas report.
_SHARED_NAMES = frozenset(SHAPES.values())


def rules_by_code(rules: Iterable[Rule]) -> dict[str, Rule]:
    """Code -> rule, in the order of codes; raises AssertionError if two have one code or name."""
    table: dict[str, Rule] = {}
    named: dict[str, Rule] = {}
    for rule in rules:
        same = table.get(rule.code)
        assert same is None, f"{rule.code} is both {same and same.name} and {rule.name}"
        table[rule.code] = rule
        if rule.name not in _SHARED_NAMES:
            same = named.setdefault(rule.name, rule)
            assert same is rule, f"{rule.name} is both {same.code} and {rule.code}"
    return dict(sorted(table.items()))


#: Every rule by its code.
RULES: dict[str, Rule] = rules_by_code(
    (
        *(paged(FileRule(code, name)) for code, name in FILE_CODES.items()),
        *(paged(rule) for family in FAMILIES[1:] for rule in shape_rules(family)),
        paged(NEW_SETTINGS),
        paged(CASE_ONLY),
        paged(NOT_READ),
        paged(SAME_NAME),
        *dict.fromkeys(rule for form in FORMATS for rule in form.checks.rules()),
        *RECORD_SHAPE_RULES,
        REPEATED,
        *BASE_RULES,
        *PLACEMENT_RULES,
        *GATE_RULES,
        GATE_VERSION,
        GATE_REJECTS,
        *LOG_RULES.values(),
        *ROW_RULES,
        *FILE_RULES.values(),
        *PAIR_FILE_RULES.values(),
        SAME_PAIR,
    )
)


_COUNTS = "counts, fields and collections that a repository expects are no longer checked"
#: The beginnings of codes of earlier editions, and what is in their place.
_RETIRED = {
    **dict.fromkeys(("EE50", "MP50", "SG50"), f"{_COUNTS}; remove it"),
    "HF": "files of the Hugging Face Hub are no longer checked; remove it",
    "MT": "memory sets are no longer checked: `evalmark memory` runs tests of memory; remove it",
}
_RETIRED_NAMES = (
    "expected-results", "expected-rows", "required-field", "allowed-collection", "expected-pairs",
    "expected-items",
)  # fmt: skip


def retired(word: str) -> str:
    """What is in place of a rule of an earlier edition; empty if there was none."""
    if word.lower() in _RETIRED_NAMES:
        return _RETIRED["EE50"]
    is_code = re.fullmatch(r"[A-Z]{2}\d{3}", code := word.upper())
    return next((why for head, why in _RETIRED.items() if is_code and code.startswith(head)), "")


def all_rules() -> dict[str, Rule]:
    """Every rule by its code, those of formats of other packages included."""
    return RULES | other_formats().rules()


def find_rules(word: str) -> list[Rule]:
    """The rules with this code or name, in the order of codes; if it is none of ours, of others."""
    return _named(RULES, word) or _named(all_rules(), word)


def _named(rules: dict[str, Rule], word: str) -> list[Rule]:
    code = rules.get(word.upper())
    return [code] if code else [rule for rule in rules.values() if rule.name == word.lower()]


def rule_text(rule: Rule) -> str:
    """The page of a rule as Markdown, without its heading."""
    return inspect.cleandoc(rule.page)
