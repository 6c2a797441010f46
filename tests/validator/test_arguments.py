"""The arguments of a check: validated once, with one kind of error."""

import json

import pytest
from conftest import FIXTURES
from evalmark.schemas.backend import Backend
from evalmark.schemas.errors import UnknownNameError
from evalmark.validator.check import check_bytes, check_data, check_file, check_text
from evalmark.validator.settings.check_options import CheckOptions, context_of
from found import codes_of, places_of

PUNCTUATION = FIXTURES / "bad/SG304_leading_punctuation.json"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"kind": "suit"}, "unknown kind 'suit'; did you mean 'suite'? expected one of: "),
        ({"join": "coer"}, "unknown join 'coer'; did you mean 'core'? expected one of: core, hf"),
        ({"profile": "eeee"}, "unknown profile 'eeee'; did you mean 'eee'?"),
        ({"select": ["SG999"]}, "unknown rule 'SG999'; "),
        ({"select": ["leading-punctation"]}, "did you mean 'leading-punctuation'?"),
        ({"schema_version": "7"}, "unknown schema_version '7'; expected one of: 0.0.1, 0.1.0"),
        ({"backend": "fast"}, "unknown backend 'fast'; expected one of: pure, native"),
    ],
)
@pytest.mark.parametrize("check", [check_file, check_text, check_data])
def test_a_wrong_value_is_one_error_that_lists_the_right_ones(check, arguments, message):
    with pytest.raises(UnknownNameError) as error:
        check("{}", **arguments)
    assert message in str(error.value)
    assert len(str(error.value)) < 350


def test_an_argument_that_does_not_exist_is_refused():
    with pytest.raises(TypeError, match="knid"):
        check_data({}, knid="suite")


@pytest.mark.parametrize("word", ["SG304", "sg304", "leading-punctuation", "ALL"])
def test_an_optional_rule_is_selected_by_code_and_by_name(word):
    raw = PUNCTUATION.read_bytes()
    codes = set(codes_of(raw, "x.json", select=[word]))
    assert "SG304" in codes
    assert "SG304" not in codes_of(raw, "x.json")
    assert check_file(PUNCTUATION, select=word) == check_file(PUNCTUATION, select=[word])


def test_what_was_asked_is_one_frozen_value():
    wanted = context_of(CheckOptions(select=["leading-punctuation"], backend="pure"))
    assert wanted == context_of(CheckOptions(select=("SG304",), backend=Backend.PURE))
    with pytest.raises(AttributeError):
        wanted.join = "hf"


def test_every_check_takes_the_same_arguments():
    data = json.loads(PUNCTUATION.read_bytes())
    how = {"kind": "suite", "join": "hf", "select": ["ALL"], "schema_only": False}
    text = json.dumps(data)
    reports = [
        check_text(text, **how),
        check_data(data, **how),
        check_bytes(text.encode(), "", **how),
    ]
    found = [places_of(report) for report in reports]
    assert found[0] == found[1] == found[2] != []
