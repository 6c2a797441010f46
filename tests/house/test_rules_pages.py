"""The page of a rule says where its code is."""

from evalmark.validator.formats.records.rules import number_relations, number_rules
from evalmark.validator.formats.rule_registry import RULES

from scripts.pages.rules_pages import rules_pages


def test_the_page_of_a_rule_on_numbers_names_the_table_of_their_texts_and_the_proposals():
    pages = rules_pages()
    for rule in number_rules.NUMBER_RULES:
        (_, where) = pages[f"rules/{rule.code}.md"].split("## In the code")
        assert "`validator/formats/records/rules/number_rules.py`" in where
        for module, name in ((number_relations, "RELATIONS"), (number_rules, "_propose_fix")):
            assert f"`{name}`" in where
            assert hasattr(module, name)


def test_the_page_of_a_rule_that_is_one_function_names_it():
    where = rules_pages()["rules/MP301.md"].split("## In the code")[1]
    assert where.strip().startswith(f"`{RULES['MP301'].check.__name__}` in `validator/")
