"""The page of definitions defines what tables hold and what settings decide, in one place each."""

from __future__ import annotations

from evalmark.scoring import run_tables
from evalmark.scoring.named_settings import NAMED
from evalmark.validator.config import MEANINGS, SETTINGS

from scripts.definitions_page import definitions_page


def test_every_column_and_every_setting_has_a_meaning_and_nothing_else_has():
    tables = [value for name, value in vars(run_tables).items() if name.endswith("_COLUMNS")]
    assert len(tables) == 6
    assert set(run_tables.MEANINGS) == set().union(*tables)
    settings = {f"{table}.{key}".lstrip(".") for table, keys in SETTINGS.items() for key in keys}
    assert set(MEANINGS) == settings


def test_the_settings_of_each_program_are_a_column_with_its_source():
    page = definitions_page()
    section = page.partition("## Settings of other programs\n")[2].partition("\n## ")[0]
    header, _, bos = section.partition("| | ")[2].splitlines()[:3]
    assert header.strip(" |") == " | ".join(f"`{name}`" for name in NAMED)
    assert bos.strip(" |").split(" | ")[1:] == [f"`{n.chosen.bos}`" for n in NAMED.values()]
    for named in NAMED.values():
        assert f"- `{named.name}`: {named.source}. " in section


def test_docstrings_become_markdown_without_their_arguments():
    page = definitions_page()
    assert "``" not in page
    assert "Raises:" not in page
    assert "`mcnemar`: Two-sided p value of McNemar's exact test" in page
