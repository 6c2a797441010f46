"""Names of files that every system allows."""

import pytest
from evalmark.validator.io.portable_names import portable_name, why_not_portable
from hypothesis import example, given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    "name",
    [
        "CON", "con.json", "Aux.suite.json", "nul .txt", "COM1.yaml", "lpt9", "LPT\u00b2.csv",
        "CONIN$",
    ],
)  # fmt: skip
def test_a_name_of_a_device_of_windows_is_not_portable(name):
    assert "reserves" in why_not_portable(name)


@pytest.mark.parametrize("name", ["a.", "a ", "a.json. ", "..", "...", " "])
def test_a_name_that_ends_in_a_dot_or_a_blank_is_not_portable(name):
    assert "dot or blank" in why_not_portable(name)


def test_an_empty_name_is_not_portable():
    assert why_not_portable("")
    assert portable_name("") == "_"


@pytest.mark.parametrize("character", '<>:"|?*\\/\x00\n\x1f')
def test_a_character_that_windows_forbids_is_named(character):
    why = why_not_portable(f"a{character}b.json")
    assert (character if character.isprintable() else f"\\x{ord(character):02x}") in why


@pytest.mark.parametrize(
    "name",
    ["suite.json", "console.json", "com.json", "COM0", "COM10", "lpt.csv", "null.json", ".hidden",
     "a con.json", "Größe 2.yaml", "my.con"],
)  # fmt: skip
def test_usual_names_are_portable_and_stay(name):
    assert not why_not_portable(name)
    assert portable_name(name) == name


@given(st.text(max_size=12))
@example("con")
@example("")
@example(" .")
@example("CON .")
@example("aux. ")
@example("nul .x")
def test_the_nearest_portable_name_is_portable(name):
    nearest = portable_name(name)
    assert nearest
    assert not why_not_portable(nearest)
    assert portable_name(nearest) == nearest
