"""Tests that loop over cases: no failure hides another, and no case meets what another left."""

from __future__ import annotations

import os

import pytest
from looping import loops_over


def shown_by(test, **fixtures):
    with pytest.raises(pytest.fail.Exception) as failed:
        test(**fixtures)
    return str(failed.value).splitlines()


def test_every_failure_is_shown_with_its_case():
    @loops_over("number", [1, 2, 3])
    def is_two(number):
        assert number == 2

    first, one, three = (line for line in shown_by(is_two) if "case" in line or ": line" in line)
    assert first == "2 of 3 cases failed:"
    assert one.startswith("1: line")
    assert three.startswith("3: line")


def test_an_error_is_a_failure_and_a_skip_of_all_cases_is_a_skip():
    @loops_over("number,text", [(0, "a"), (1, "b")])
    def divides(number, text):
        if text == "b":
            pytest.skip("not b")
        assert 1 / number

    assert "ZeroDivisionError" in shown_by(divides)[1]

    @loops_over("number", [1, 2])
    def skips(number):
        pytest.skip("nowhere")

    with pytest.raises(pytest.skip.Exception, match="nowhere"):
        skips()


def test_a_case_has_its_own_folder_and_patches(tmp_path, monkeypatch):
    @loops_over("number", range(3))
    def leaves(number, tmp_path, monkeypatch):
        assert not list(tmp_path.iterdir())
        (tmp_path / "file").write_text("")
        monkeypatch.setenv("EVALMARK_A_CASE", str(number))

    leaves(tmp_path=tmp_path, monkeypatch=monkeypatch)
    assert "EVALMARK_A_CASE" not in os.environ


@loops_over("number", range(10), sample=2)
def test_a_sample_is_one_test_and_the_rest_is_slow(number, request):
    slow = "slow" in request.keywords
    assert (number in (0, 5)) != slow
