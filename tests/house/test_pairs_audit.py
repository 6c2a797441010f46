"""The audit of docs/published-pairs.md is what its script counts in the files that were at hand."""

from __future__ import annotations

from scripts import pairs_audit


def test_the_page_has_the_counts_of_the_script(shared):
    page = pairs_audit.PAGE.read_text("utf-8")
    counted = pairs_audit.audit(shared / "data/pairs")
    assert counted in page
    assert page.count(pairs_audit.START) == 2
