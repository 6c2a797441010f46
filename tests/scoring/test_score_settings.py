"""A setting of ``score`` is declared once: what options, records and resumed runs make of it."""

from dataclasses import fields, replace

import pytest
from evalmark.scoring.score_options import ScoreOptions
from evalmark.scoring.score_settings import (
    SCORE_SETTINGS,
    USUAL,
    Decides,
    Settings,
    chosen_settings,
    settings_of_record,
)
from evalmark.validator.options.declaration import declared_in

USUALLY = Settings()
OPTIONS = {each.name: each.default for each in fields(ScoreOptions) if each.name in SCORE_SETTINGS}
#: Every setting that can be another: its name, and the settings where it alone is.
OTHERS = {
    each.name: replace(USUALLY, **{each.name: (SCORE_SETTINGS[each.name].values or ["other"])[-1]})
    for each in fields(Settings)
    if each.init
}


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_has_the_default_and_the_values_of_its_setting(name):
    assert OPTIONS[name] in (None, getattr(USUALLY, name))
    if values := SCORE_SETTINGS[name].values:
        _, option = declared_in(ScoreOptions)[name]
        assert option.keywords["autocompletion"]("") == [*values]


@pytest.mark.parametrize("name", OTHERS)
def test_records_list_a_setting_of_theirs_and_a_rare_one_only_if_it_is_unusual(name):
    setting = SCORE_SETTINGS[name]
    for of_pairs in (False, True):
        is_theirs = setting.of_pairs if of_pairs else setting.of_suites
        usual, other = (each.listed(of_pairs=of_pairs) for each in (USUALLY, OTHERS[name]))
        assert (name in other) is is_theirs
        assert (name in usual) is (is_theirs and name not in USUAL)


@pytest.mark.parametrize("name", OTHERS)
def test_a_record_gives_back_the_settings_that_decided_its_surprisals(name):
    setting, settings = SCORE_SETTINGS[name], OTHERS[name]
    found = settings_of_record(settings.listed(of_pairs=not setting.of_suites))
    assert found == (settings if setting.decides is Decides.SURPRISALS else USUALLY)


@pytest.mark.parametrize("listed", [{}, {"bos": "auto"}, {"bos": "auto", "first_token": "unknown"}])
def test_a_record_that_does_not_say_how_surprisals_were_computed_gives_none(listed):
    assert settings_of_record(listed) is None


@pytest.mark.parametrize("name", OTHERS)
def test_an_unfinished_run_starts_over_if_what_is_computed_would_be_other(name):
    setting = SCORE_SETTINGS[name]
    starts_over = OTHERS[name].for_digest() != USUALLY.for_digest()
    assert starts_over is (setting.decides is Decides.SURPRISALS and setting.in_digest)


def test_what_an_unfinished_run_depends_on_is_as_it_was():
    """A digest of other names or values would make every unfinished run start over."""
    assert USUALLY.for_digest() == {"boundary": "none"}
    assert OTHERS["masked_method"].for_digest() == {
        "boundary": "none", "masked_method": "original",
    }  # fmt: skip


def test_what_is_given_counts_before_what_a_program_decides():
    given = {"like": "minicons", "bos": "none", "undefined": "false"}
    assert chosen_settings(given) == Settings(
        "none", "excluded", undefined="false", method="mean", masked_method="original",
        like="minicons, except bos none",
    )  # fmt: skip
