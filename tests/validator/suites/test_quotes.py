"""Which marks are quotes, and what is suggested where straight and curly ones are mixed (SG306)."""

import json

import pytest
from evalmark.validator.check import check_text
from suites import suite_of

STRAIGHT, CURLY = 'it\'s "here"', "it\u2019s \u201chere\u201d"


def found(*sentences):
    """The text of a suite with these sentences, and its findings about quotes."""
    items = [{"a": ["so", text], "b": ["then", text]} for text in sentences]
    text = json.dumps(suite_of(items, ["(2;%a%) > (2;%b%)"]), ensure_ascii=False)
    return text, [f for f in check_text(text).findings if f.code == "SG306"]


@pytest.mark.parametrize(
    "text",
    [
        "he is 5'10\" tall", 'a 6" pipe', "a 12' board", "it is 3'6\"x4'2\"", "in the 1980's",
        "in the '90s", "the '68 revolt", "1'000 people", "the 50's and 60's",
    ],
)  # fmt: skip
def test_feet_inches_decades_and_thousands_are_not_quotes(text):
    assert not found(CURLY, text)[1]
    assert not found(STRAIGHT, text.replace("'", "\u2019").replace('"', "\u201d"))[1]


@pytest.mark.parametrize(
    "text", ["it's 6\" long", "'90 men' came", 'he said "room 5"', "the boys' 12' board", "'tis 5'"]
)
def test_quotes_beside_numbers_are_still_quotes(text):
    assert found(CURLY, CURLY, text)[1]


def test_no_quote_is_proposed_because_others_are_written_in_another_way():
    for common, odd in ((CURLY, "the band's song"), (STRAIGHT, "a \u201cbig\u201d one")):
        findings = found(common, common, odd)[1]
        assert findings
        assert not [f for f in findings if f.fix or f.helps]
