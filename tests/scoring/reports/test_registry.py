"""``evalmark report`` writes the page that its table names for what it is given."""

import pytest
from evalmark.scoring.reports import report_pages
from evalmark.scoring.reports.report_pages import PAGES, Page, page_of

LETTERS = Page(
    "letters",
    lambda path: path.suffix == ".letters",
    lambda path: path.read_text(),
    lambda views, items, _: f"<p>{' '.join(views)} {items}</p>",
)


@pytest.fixture
def letters(tmp_path, monkeypatch):
    """Two files for which the table has a page."""
    monkeypatch.setattr(report_pages, "PAGES", (LETTERS, *PAGES))
    paths = [tmp_path / "a.letters", tmp_path / "b.letters"]
    for path in paths:
        path.write_text(path.stem)
    return paths


def test_a_page_is_one_entry_of_the_table(letters, run, tmp_path):
    done = run("evalmark", "report", *letters, "--items", "3")
    assert (done.code, done.err) == (0, f"wrote {tmp_path / 'report.html'}\n")
    assert (tmp_path / "report.html").read_text() == "<p>a b 3</p>"


def test_two_pages_are_two_calls(letters, run):
    done = run("evalmark", "report", letters[0], letters[0].parent, code=2)
    assert "letters and runs of suites need separate pages" in done.err


def test_what_no_other_page_recognizes_is_a_run_of_suites(tmp_path):
    assert page_of(tmp_path) is PAGES[-1]
