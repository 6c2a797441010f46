"""Formulas in pages keep their order, whatever the script of their conditions."""

from evalmark.scoring.reports.suite_page import formula_code


def test_conditions_in_other_scripts_are_isolated():
    assert formula_code("(2;%خطأ%) < (2;%a%)") == (
        "<code>(2;<bdi>%خطأ%</bdi>) &lt; (2;<bdi>%a%</bdi>)</code>"
    )


def test_a_formula_in_ascii_is_written_as_it_is():
    assert formula_code("(2;%a%) < 3") == "<code>(2;%a%) &lt; 3</code>"
