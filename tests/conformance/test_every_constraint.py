"""Without any one constraint of a schema, the tests of its document would find the difference."""

from __future__ import annotations

import copy
import inspect
import json

import pytest
import test_legacy_document
import test_record_document
import test_record_parts
import test_suite_document
from evalmark.schemas.files import bundle

#: Schema -> the modules of tests of its document, and the function by which they see documents.
CASES = [
    pytest.param("suite", [test_suite_document], "check_data", id="suite"),
    pytest.param("suite-legacy", [test_legacy_document], "check_data", id="suite-legacy"),
    pytest.param(
        "record-0.2.0", [test_record_document, test_record_parts], "accepts", id="record-0.2.0"
    ),
]


ParameterSet = type(pytest.param())


def calls(module):
    """Each test of a module that needs no fixture, with each of its parameters."""
    for name, test in list(vars(module).items()):
        if not name.startswith("test_"):
            continue
        (names, rows), *more = [
            *(mark.args for mark in getattr(test, "pytestmark", ()) if mark.name == "parametrize"),
            ((), [()]),
        ]
        names = [names] if isinstance(names, str) else names
        if set(names) == inspect.signature(test).parameters.keys() and len(more) < 2:
            for row in rows:
                values = row.values if isinstance(row, ParameterSet) else row
                alone = len(names) == 1 and not isinstance(row, ParameterSet)
                yield test, dict(zip(names, [values] if alone else values, strict=True))


def less(node, path=()):
    """Where a schema has a constraint, and which of its values; None for all of it."""
    if isinstance(node, dict):
        is_schema = path[-1:] != ("properties",)
        for key, value in node.items() if is_schema else ():
            if key in ("enum", "required", "anyOf") or (key == "type" and isinstance(value, list)):
                yield from ((path, key, index) for index in range(len(value)))
            known = key in ("enum", "minimum", "maximum", "minItems", "const", "oneOf", "anyOf")
            closed = key == "additionalProperties" and value is False
            # A type beside a list of values says nothing more.
            typed = key == "type" and "enum" not in node
            if known or closed or typed or key in ("if", "then", "else"):
                yield path, key, None
        for key, value in node.items():
            yield from less(value, (*path, key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from less(value, (*path, index))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "modules", "function"), CASES)
def test_every_constraint_of_a_schema_is_held(name, modules, function, monkeypatch):
    validators = pytest.importorskip("jsonschema_rs")
    seen: set[str] = set()
    real = getattr(modules[0], function)

    def spy(*arguments, **rest):
        data = arguments[-1]
        seen.add(json.dumps(data))
        return real(*arguments, **rest)

    for module in modules:
        monkeypatch.setattr(module, function, spy)
    for test, values in (call for module in modules for call in calls(module)):
        test(**values)
    schema = bundle(name)
    judge = validators.validator_for(schema)
    documents = [(data, judge.is_valid(data)) for data in map(json.loads, seen)]
    dropped = list(less(schema))
    assert len(dropped) > 40
    for path, key, index in dropped:
        without = copy.deepcopy(schema)
        place = without
        for part in path:
            place = place[part]
        if index is None:
            del place[key]
        else:
            del place[key][index]
        changed = validators.validator_for(without)
        assert any(changed.is_valid(data) is not verdict for data, verdict in documents), (
            f"no document tells whether {'/'.join(map(str, path))} has {key} {index}"
        )
