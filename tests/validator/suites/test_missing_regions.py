"""A region that one sentence lacks is a mistake if sentences like it have the region (SG412)."""

import pytest
from evalmark.validator.check import check_data
from suites import suite_of


def suite(*items: dict[str, str]):
    """A suite whose regions have the letters given for each condition; ``-`` is not a region."""
    sentences = [
        {
            name: [None if letter == "-" else f"{letter}{n}" for letter in letters]
            for name, letters in item.items()
        }
        for n, item in enumerate(items, 1)
    ]
    return suite_of(sentences, ["(1;%x%) > (1;%y%)"], regions="abc")


@pytest.mark.conforms("S-68", "L-22")
@pytest.mark.parametrize(
    ("items", "lacking"),
    [
        ([{"x": "abc", "y": "dbc"}, {"x": "ab-", "y": "dbc"}], ["/items/1/conditions/0/regions"]),
        # In every item, on purpose.
        ([{"x": "ab-", "y": "dbc"}, {"x": "ab-", "y": "dbc"}], []),
        # In the only item, sentences are compared with each other.
        ([{"x": "ab-", "y": "dbc"}], ["/items/0/conditions/0/regions"]),
        ([{"x": "ab-", "y": "dbc", "z": "ebc"}], ["/items/0/conditions/0/regions"]),
    ],
)
def test_a_region_that_others_have(items, lacking):
    findings = check_data(suite(*items)).findings
    assert [f.pointer for f in findings if f.code == "SG412"] == lacking
