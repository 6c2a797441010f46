"""The table of all rules: no code and no name is given twice, and no rule is forgotten."""

import importlib
import inspect
import pkgutil
import re

import pytest
from conftest import ROOT
from evalmark.validator import formats
from evalmark.validator.findings.finding import Severity
from evalmark.validator.findings.rule import Rule
from evalmark.validator.formats.rule_registry import RULES, rules_by_code


def rule(code: str, name: str) -> Rule:
    return Rule(code, name, Severity.WARNING, "page")


def test_rules_are_in_the_order_of_their_codes():
    assert list(rules_by_code([rule("SG2", "b"), rule("SG1", "a")])) == ["SG1", "SG2"]
    assert list(RULES) == sorted(RULES)


def test_a_code_that_is_taken_is_refused():
    with pytest.raises(AssertionError, match="SG306 is both mixed-quotes and capitals"):
        rules_by_code([rule("SG306", "mixed-quotes"), rule("SG306", "capitals")])


def test_a_name_that_is_taken_is_refused():
    with pytest.raises(AssertionError, match="capitals is both SG306 and SG307"):
        rules_by_code([rule("SG306", "capitals"), rule("SG307", "capitals")])


def test_what_schemas_report_has_the_same_name_in_each_family():
    twice = [rule("SG101", "missing-key"), rule("EE101", "missing-key")]
    assert list(rules_by_code(twice)) == ["EE101", "SG101"]


def test_every_rule_function_is_in_a_table():
    """A public function that yields mistakes from one view is a rule; its page says what is bad."""
    in_tables = {rule.check for rule in RULES.values()}
    modules = [
        importlib.import_module(module.name)
        for module in pkgutil.walk_packages(formats.__path__, f"{formats.__name__}.")
        if ".explaining." not in module.name  # findings that have no rule of their own
    ]
    functions = [
        function
        for module in modules
        for _, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__
        and not function.__name__.startswith("_")
        and ("\nBad:" in inspect.cleandoc(function.__doc__ or "") or _yields_hits(function))
    ]
    assert len(functions) > 100
    forgotten = [f"{f.__module__}.{f.__name__}" for f in functions if f not in in_tables]
    assert forgotten == []


def _yields_hits(function: object) -> bool:
    returned = str(inspect.get_annotations(function).get("return", ""))
    return returned.startswith("Iterator[Mistake")


def test_the_code_of_a_rule_is_found_where_it_is_made():
    sources = (ROOT / "validator").rglob("*.py")
    words = {word for path in sources for word in re.findall(r"\w+", path.read_text("utf-8"))}
    assert RULES.keys() <= words
